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

// list adds a heading and the rows below it, unless there are none.
func list[T any](p *page, heading string, rows []T, draw func(row *T)) {
	if len(rows) > 0 {
		p.heading(heading)
	}
	for i := range rows {
		draw(&rows[i])
	}
}

func (p *page) overrides(d *Detail) {
	list(p, "Overrides for this URL", d.data.Overrides, func(o *review.StoredOverride) {
		p.para(p.th.Text, 2, term.Safe(o.Override.Match.String()+": "+Does(o.Override)))
		p.para(p.th.Dim, 4, fmt.Sprintf("%s, %s", term.Safe(o.Reviewer), Stamp(o.At)))
	})
}

func (p *page) twins(d *Detail) {
	heading := p.keyed("Other URLs that become this one: {related-urls} opens one")
	list(p, heading, d.data.Twins, func(it *review.Item) { p.item(it, it.Original) })
}

// neighbours lists the items near this one on its host.
func (p *page) neighbours(d *Detail) {
	if d.around != nil {
		heading := "Under " + term.Safe(d.around.Path) + " on this host" + p.keyed(": {related-urls} opens one")
		list(p, heading, d.around.Near, func(it *review.Item) { p.item(it, Shown(it)) })
	}
}

// item adds a URL of an item on a line.
func (p *page) item(it *review.Item, url string) {
	head := fmt.Sprintf("  %s %d  ", StatusSign(it), it.ID)
	p.add(p.th.Dim.Render(head) + urlLine(url, p.width-term.Width(head)))
}

// alternatives lists the URLs that could be cited instead.
func (p *page) alternatives(d *Detail) {
	all := d.data.Alternatives
	if len(all) == 0 || all[0].Raw { // the original stands above already
		return
	}
	p.heading(p.keyed("Other URLs to cite: {choose-another-url} takes one"))
	for i, a := range all {
		p.add(fmt.Sprintf("  %s %s", p.th.Key.Render(fmt.Sprint(i+1)), term.Truncate(a.Label, p.width-4)))
		p.para(p.th.Dim, 4, term.Safe(a.URL))
	}
}

func (p *page) evidence(d *Detail) {
	run, fields := d.currentProbe(), EvidenceFields(d.data.Evidence, time.Time{})
	if len(fields) == 0 || run != nil && run.Result != nil { // shown above
		return
	}
	if len(d.data.Evidence.Hops) > 0 { // the redirects are shown above
		fields = fieldsWithoutRedirects(d.data.Evidence)
	}
	p.heading("Answers from the network")
	p.fields(fields)
}

func (p *page) fields(list []Field) {
	for _, f := range list {
		p.field(term.Safe(f.Name), f.Value)
	}
}

func (p *page) notes(d *Detail) {
	list(p, "Notes", d.data.Notes, func(n *review.Note) {
		p.para(p.th.Dim, 2, Stamp(n.At)+"  "+term.Safe(n.Reviewer))
		p.foundPara(p.th.Text, 4, "", n.Text)
	})
}

func (p *page) history(d *Detail) {
	list(p, "Decisions", d.data.History, func(h *review.PastDecision) {
		did := Did(h.Kind)
		if name := d.data.Item.CiterName(h.Record, d.data.Files); name != "" {
			did += " for " + term.Safe(term.Clip(name, 300)) + " alone"
		}
		p.event(h.At, did+LookOf(&h.Decision), h.Reviewer, h.Undone)
		if h.Canonical != "" {
			p.foundPara(p.th.Dim, 4, "as ", h.Canonical)
		}
		if h.Note != "" {
			p.foundPara(p.th.Dim, 4, "", h.Note)
		}
	})
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
	if d.around == nil {
		return
	}
	list(p, "How the overrides for it came about", d.around.Rules, func(r *review.PastRule) {
		p.event(r.At, changeVerb(r.OverrideChange), r.Reviewer, r.Undone)
		rule := cmp.Or(r.After, r.Before)
		p.para(p.th.Dim, 4, term.Safe(rule.Match.String()+": "+Does(*rule)))
		if r.After != nil && r.After.Note != "" {
			p.para(p.th.Dim, 4, term.Safe(r.After.Note))
		}
	})
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

// Does describes the effects of an override in words.
func Does(o canon.Override) string {
	var effects []string
	say := func(name string, values ...string) {
		if text := strings.Join(values, ", "); text != "" {
			effects = append(effects, name+" "+text)
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
		from, to := r.Texts()
		say("rewrite", from+" → "+to)
	}
	say("accept", o.Accept...)
	return cmp.Or(strings.Join(effects, "; "), "nothing")
}
