package pane

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
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
	if len(d.data.Twins) > 0 {
		p.heading(p.keyed("Other URLs that become this one: {related-urls} opens one"))
		p.items(d.data.Twins, func(it *review.Item) string { return it.Original })
	}
}

// neighbours lists the items near this one on its host.
func (p *page) neighbours(d *Detail) {
	if d.around != nil && len(d.around.Near) > 0 {
		p.heading("Under " + term.Safe(d.around.Path) + " on this host" + p.keyed(": {related-urls} opens one"))
		p.items(d.around.Near, Shown)
	}
}

// items lists URLs, one on a line.
func (p *page) items(list []review.Item, shown func(*review.Item) string) {
	for i := range list {
		head := fmt.Sprintf("  %s %d  ", StatusSign(&list[i]), list[i].ID)
		p.add(p.th.Dim.Render(head) + urlLine(shown(&list[i]), p.width-term.Width(head)))
	}
}

// alternatives lists the URLs that could be cited instead.
func (p *page) alternatives(d *Detail) {
	if list := d.data.Alternatives; len(list) == 0 || list[0].Raw { // the original stands above already
		return
	}
	p.heading(p.keyed("What could be cited instead: {choose-another-url} takes one"))
	for i, a := range d.data.Alternatives {
		p.add(fmt.Sprintf("  %s %s", p.th.Key.Render(fmt.Sprint(i+1)), term.Truncate(a.Label, p.width-4)))
		p.para(p.th.Dim, 4, term.Safe(a.URL))
	}
}

func (p *page) evidence(d *Detail) {
	run := d.currentProbe()
	if len(EvidenceFields(d.data.Evidence, time.Time{})) == 0 || run != nil && run.Result != nil { // shown above
		return
	}
	p.heading("What the network said")
	fields := EvidenceFields(d.data.Evidence, time.Time{})
	if len(d.data.Evidence.Hops) > 0 { // the redirects are shown above
		fields = fieldsWithoutRedirects(d.data.Evidence)
	}
	p.fields(fields)
}

func (p *page) fields(list []Field) {
	for _, f := range list {
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
		p.foundPara(p.th.Text, 4, "", n.Text)
	}
}

func (p *page) history(d *Detail) {
	if len(d.data.History) == 0 {
		return
	}
	p.heading("What was decided")
	for _, h := range d.data.History {
		p.event(h.At, Did(h.Kind), h.Reviewer, h.Undone)
		if h.Canonical != "" {
			p.foundPara(p.th.Dim, 4, "as ", h.Canonical)
		}
		if h.Note != "" {
			p.foundPara(p.th.Dim, 4, "", h.Note)
		}
	}
}

// event adds the line of a decision or a rule change: its time, its verb and its author.
func (p *page) event(at time.Time, did, reviewer string, undone bool) {
	text := fmt.Sprintf("%s  %s by %s", Stamp(at), did, term.Safe(reviewer))
	if undone {
		text += " (taken back)"
	}
	p.para(p.th.Text, 2, text)
}

// pastRules lists the changes of the overrides that match this URL.
func (p *page) pastRules(d *Detail) {
	if d.around == nil || len(d.around.Rules) == 0 {
		return
	}
	p.heading("How the overrides for it came about")
	for _, r := range d.around.Rules {
		p.event(r.At, changeVerb(r.OverrideChange), r.Reviewer, r.Undone)
		rule := cmp.Or(r.After, r.Before)
		p.para(p.th.Dim, 4, term.Safe(Matches(rule.Match)+": "+Does(*rule)))
		if r.After != nil && r.After.Note != "" {
			p.para(p.th.Dim, 4, term.Safe(r.After.Note))
		}
	}
}

// changeVerb returns the past tense of a change of an override.
func changeVerb(c review.OverrideChange) string {
	switch {
	case c.Before == nil:
		return "added"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// Matches returns the host and the path prefix that an override matches.
func Matches(m canon.Match) string { return m.Host + m.PathPrefix }

// Does describes the effects of an override in words.
func Does(o canon.Override) string {
	var list []string
	say := func(name string, values ...string) {
		if text := strings.Join(values, ", "); text != "" {
			list = append(list, name+" "+text)
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
