package candidate

import (
	"fmt"

	"visto/canon"
)

// maxShown is the number of words that one reason names.
const maxShown = 5

// reasons returns why a page is proposed, the best first: the words that it shares with the query, its signals, where
// it was found, and its flags. A page off the allowlist says that before all.
func reasons(p *page, q *query, signals []signal) (why []string) {
	if p.result.Codes().Has(canon.OffAllowlist) {
		why = append(why, "off the allowlist: to cite it, accept the host "+p.result.Host+" first")
	}
	for _, part := range []struct{ name, text string }{
		{"title", p.title()}, {"headings", p.headings()}, {"address", slugOf(p.url())}, {"link", p.links()},
	} {
		if words := q.found(part.text); len(words) > 0 {
			why = append(why, part.name+" has "+quoted(words[:min(len(words), maxShown)]))
		}
	}
	if d := p.document(); d != nil {
		if words := q.found(d.Text); len(words) > 0 {
			why = append(why, fmt.Sprintf("text has %d of %d words", len(words), len(q.stems)))
		}
	}
	for _, s := range signals {
		why = append(why, s.why)
	}
	for _, o := range p.found {
		why = append(why, o.String())
	}
	for _, flag := range flagsOf(p) {
		why = append(why, "flagged "+flag)
	}
	return why
}

func flagsOf(p *page) (list []string) {
	for _, f := range p.result.Flags {
		list = append(list, f.Code.String())
	}
	return list
}
