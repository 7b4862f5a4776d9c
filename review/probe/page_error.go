package probe

import (
	"net/url"

	"visto/canon"
)

// judge reduces the page of an answer to an error page if it is one by the patterns of the policy: a page that the
// server shows in the place of the URL asked.
func (v *visit) judge(asked *url.URL, r *Response) {
	if page := &r.page; isHTML(page.ContentType) && page.Blocked == "" && page.Refresh == "" && r.Status < 300 {
		kind, seen := v.cfg.Policy.ErrorPage(canon.PageFacts{
			Asked: asked.String(), URL: r.URL, Title: page.Title, Heading: page.Heading, Short: page.Short})
		if kind != "" {
			page.block(string(kind))
			if seen != "" {
				page.Title = seen
			}
		}
	}
}

// inMaintenance reports whether a page says that the site is in maintenance, which is as good as status 503.
func (p *Page) inMaintenance() bool { return p.Blocked == string(canon.MaintenancePage) }

// isError reports whether the page is in the place of one that is missing or failed.
func (p *Page) isError() bool {
	return p.Blocked == string(canon.MissingPage) || p.Blocked == string(canon.FaultPage) || p.inMaintenance()
}

// mayBeErrorPage reports whether the page of earlier evidence is an error page, as far as that tells: such a page is
// read again.
func (p *Prober) mayBeErrorPage(ev *canon.Evidence) bool {
	kind, _ := p.cfg.Policy.ErrorPage(canon.PageFacts{
		Asked: ev.Asked, URL: addressOf(ev), Title: ev.Title, Short: true})
	return kind != "" || Doubt(p.cfg.Policy, ev) != ""
}
