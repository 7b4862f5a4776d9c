package pane

import (
	"fmt"
	"strings"
	"time"

	"visto/canon"
	"visto/ui/term"
)

func (p *page) overrides(d *Detail) {
	if len(d.data.Overrides) == 0 {
		return
	}
	p.heading("Overrides that this host has")
	for _, o := range d.data.Overrides {
		p.para(p.th.Text, 2, term.Safe(Matches(o.Override.Match)+": "+Does(o.Override)))
		p.para(p.th.Dim, 4, fmt.Sprintf("%s, %s", term.Safe(o.Reviewer), Stamp(o.At)))
	}
}

func (p *page) twins(d *Detail) {
	if len(d.data.Twins) == 0 {
		return
	}
	p.heading("Other originals of the same page")
	for i := range d.data.Twins {
		it := &d.data.Twins[i]
		p.para(p.th.Text, 2, fmt.Sprintf("%s %d  %s", StatusSign(it), it.ID, term.Safe(term.Clip(it.Original, most))))
	}
}

func (p *page) evidence(d *Detail) {
	run := d.asking()
	if len(EvidenceFields(d.data.Evidence, time.Time{})) == 0 || run != nil && run.Learned != nil { // told above
		return
	}
	p.heading("What the network said")
	p.evidenceFields(d.data.Evidence)
}

func (p *page) evidenceFields(ev *canon.Evidence) {
	for _, f := range EvidenceFields(ev, time.Time{}) {
		p.field(term.Safe(f.Name), f.Value)
	}
}

func (p *page) notes(d *Detail) {
	if len(d.data.Notes) == 0 {
		return
	}
	p.heading("Notes")
	for _, n := range d.data.Notes {
		p.para(p.th.Dim, 2, Stamp(n.At)+"  "+term.Safe(n.Reviewer))
		p.para(p.th.Text, 4, term.Safe(term.Clip(n.Text, most)))
	}
}

func (p *page) history(d *Detail) {
	if len(d.data.History) == 0 {
		return
	}
	p.heading("History")
	for _, h := range d.data.History {
		text := fmt.Sprintf("%s  %s by %s", Stamp(h.At), Did(h.Kind), term.Safe(h.Reviewer))
		if h.Undone {
			text += " (taken back)"
		}
		p.para(p.th.Text, 2, text)
		if h.Canonical != "" {
			p.para(p.th.Dim, 4, "as "+term.Safe(h.Canonical))
		}
		if h.Note != "" {
			p.para(p.th.Dim, 4, term.Safe(h.Note))
		}
	}
}

// Matches says which URLs an override is for.
func Matches(m canon.Match) string { return m.Host + m.PathPrefix }

// Does says in words what an override does.
func Does(o canon.Override) string {
	var list []string
	say := func(what string, values ...string) {
		if text := strings.Join(values, ", "); text != "" {
			list = append(list, what+" "+text)
		}
	}
	say("drop", o.DropQueryParams...)
	say("keep", o.KeepQueryParams...)
	say("pages by", o.PaginationParams...)
	say("no pages by", o.NotPaginationParams...)
	say("scheme", o.Scheme)
	say("slash", o.TrailingSlash)
	say("host", o.CanonicalHost)
	if o.Spanish != nil {
		say("Spanish", o.Spanish.From+" → "+o.Spanish.To)
	}
	for _, r := range o.RewriteRules {
		say("rewrite", r.From+" → "+r.To)
	}
	say("accept", o.Accept...)
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, "; ")
}
