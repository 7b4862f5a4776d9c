package pane

import (
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

// neighbours lists the neighbours on the host.
func (p *page) neighbours(d *Detail) {
	if d.around != nil && len(d.around.Near) > 0 {
		p.heading("Under " + term.Safe(d.around.Path) + " on this host" + p.keyed(": {related-urls} opens one"))
		p.items(d.around.Near, Shown)
	}
}

// items lists URLs, each in a line.
func (p *page) items(list []review.Item, shown func(*review.Item) string) {
	for i := range list {
		head := fmt.Sprintf("  %s %d  ", StatusSign(&list[i]), list[i].ID)
		p.add(p.th.Dim.Render(head) + urlLine(shown(&list[i]), p.width-term.Width(head)))
	}
}

// alternatives lists what could be cited instead.
func (p *page) alternatives(d *Detail) {
	if list := d.data.Alternatives; len(list) == 0 || list[0].Raw { // which stands above already
		return
	}
	p.heading(p.keyed("What could be cited instead: {choose-another-url} takes one"))
	for i, a := range d.data.Alternatives {
		p.add(fmt.Sprintf("  %s %s", p.th.Key.Render(fmt.Sprint(i+1)), term.Truncate(a.What, p.width-4)))
		p.para(p.th.Dim, 4, term.Safe(a.URL))
	}
}

func (p *page) evidence(d *Detail) {
	run := d.currentProbe()
	if len(EvidenceFields(d.data.Evidence, time.Time{})) == 0 || run != nil && run.Result != nil { // told above
		return
	}
	p.heading("What the network said")
	fields := EvidenceFields(d.data.Evidence, time.Time{})
	if len(d.data.Evidence.Hops) > 0 { // told as the way to the page
		fields = fieldsWithoutRedirects(d.data.Evidence)
	}
	p.fields(fields)
}

func (p *page) evidenceFields(ev *canon.Evidence) {
	p.fields(EvidenceFields(ev, time.Time{}))
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
		text := fmt.Sprintf("%s  %s by %s", Stamp(h.At), Did(h.Kind), term.Safe(h.Reviewer))
		if h.Undone {
			text += " (taken back)"
		}
		p.para(p.th.Text, 2, text)
		if h.Canonical != "" {
			p.foundPara(p.th.Dim, 4, "as ", h.Canonical)
		}
		if h.Note != "" {
			p.foundPara(p.th.Dim, 4, "", h.Note)
		}
	}
}

// pastRules tells how the rules that this URL is looked up under came about.
func (p *page) pastRules(d *Detail) {
	if d.around == nil || len(d.around.Rules) == 0 {
		return
	}
	p.heading("How the overrides for it came about")
	for _, r := range d.around.Rules {
		text := fmt.Sprintf("%s  %s by %s", Stamp(r.At), changeVerb(r.OverrideChange), term.Safe(r.Reviewer))
		if r.Undone {
			text += " (taken back)"
		}
		p.para(p.th.Text, 2, text)
		if r.After != nil {
			p.para(p.th.Dim, 4, term.Safe(Matches(r.After.Match)+": "+Does(*r.After)))
			if r.After.Note != "" {
				p.para(p.th.Dim, 4, term.Safe(r.After.Note))
			}
		} else {
			p.para(p.th.Dim, 4, term.Safe(Matches(r.Before.Match)+": "+Does(*r.Before)))
		}
	}
}

// changeVerb is what was done to an override.
func changeVerb(c review.OverrideChange) string {
	switch {
	case c.Before == nil:
		return "added"
	case c.After == nil:
		return "removed"
	}
	return "changed"
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
