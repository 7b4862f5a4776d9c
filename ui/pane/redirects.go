package pane

import (
	"cmp"
	"fmt"

	"visto/canon"
)

// redirects is how one gets to the page: what was asked, and each redirect with its status, below one another. One that leads to where the
// way has been says so.
func (p *page) redirects(d *Detail) {
	asked, hops := "", d.data.Result.RedirectChain
	if ev := d.data.Evidence; ev != nil && len(ev.Hops) > 0 {
		asked, hops = cmp.Or(ev.Asked, ev.URL, d.data.Item.Original), ev.Hops
	}
	if len(hops) == 0 {
		return
	}
	p.heading("The way to the page")
	p.field("asked", asked)
	seen := map[string]int{asked: 0}
	for i, hop := range hops {
		p.field(fmt.Sprintf("%d ↳", hop.Status), hop.URL)
		if n, again := seen[hop.URL]; again {
			p.para(p.th.Warn, 15, loopText(n))
		} else {
			seen[hop.URL] = i + 1
		}
	}
	p.finalPage(d.data.Evidence)
}

// loopText says where on the way the URL has been.
func loopText(n int) string {
	if n == 0 {
		return "back to what was asked: a loop"
	}
	return fmt.Sprintf("where redirect %d led already: a loop", n)
}

// finalPage is what was there in the end.
func (p *page) finalPage(ev *canon.Evidence) {
	if ev == nil {
		return
	}
	if n := len(ev.Hops); ev.FinalURL != "" && (n == 0 || ev.Hops[n-1].URL != ev.FinalURL) {
		p.field("final URL", ev.FinalURL)
	}
	if ev.Status > 0 {
		p.field(number(ev.Status), cmp.Or(ev.Title, "the page"))
	}
	p.field("no answer", ev.Error)
}
