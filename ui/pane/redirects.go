package pane

import (
	"cmp"
	"fmt"

	"visto/canon"
)

// redirects lists the requested URL and each redirect with its status. A redirect to an earlier URL is marked as a
// loop.
func (p *page) redirects(d *Detail) {
	asked, hops := "", d.data.Result.RedirectChain
	if ev := d.data.Evidence; ev != nil && len(ev.Hops) > 0 {
		asked, hops = cmp.Or(ev.Asked, ev.URL, d.data.Item.Original), ev.Hops
	}
	if len(hops) == 0 {
		return
	}
	stopped := isStopped(d)
	if stopped {
		p.heading("The redirects")
	} else {
		p.heading("The way to the page")
	}
	p.field("asked", asked)
	seen, circle := map[string]int{asked: 0}, false
	for i, hop := range hops {
		p.field(hopStatus(hop)+" ↳", hop.URL)
		if n, again := seen[hop.URL]; again {
			p.para(p.th.Warn, 15, loopText(n))
			circle = true
		} else {
			seen[hop.URL] = i + 1
		}
	}
	if stopped {
		p.para(p.th.Warn, 2, stoppedText(len(hops), circle))
		return
	}
	p.finalPage(d.data.Evidence)
}

// isStopped reports whether the redirects were followed to no page: there are too many, or they run in a circle.
func isStopped(d *Detail) bool {
	ev := d.data.Evidence
	return d.data.Item.Computed.Flags.Has(canon.RedirectLimit) && ev != nil && ev.Error == "" &&
		(ev.Status == 0 || ev.Status >= 300 && ev.Status < 400)
}

// stoppedText says why redirects were followed no further.
func stoppedText(n int, circle bool) string {
	text := fmt.Sprintf("followed %d redirects, then stopped: ", n)
	if circle {
		return text + "they come back, and lead to no page"
	}
	return text + "whether they lead to a page is not known"
}

// loopText names the place where the chain had the URL before: 0 is the request, n the n-th redirect.
func loopText(n int) string {
	if n == 0 {
		return "back to the requested URL: a loop"
	}
	return fmt.Sprintf("where redirect %d led already: a loop", n)
}

// finalPage adds the end of the chain: the final URL, its status or its error.
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
