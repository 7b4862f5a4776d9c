package cause

import (
	"context"
	"fmt"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// Site counts the cited URLs of a domain, those of a host with and without "www.", and those with link-broken. If most
// of them fail, the site is the cause, and not its pages.
type Site struct{ Failing, URLs int }

// SiteText says for people how many URLs of the domain fail, if most do; nothing for a cause narrowed to a path.
func (c Cause) SiteText() string {
	if c.Site.URLs == 0 || c.Path != "" {
		return ""
	}
	return fmt.Sprintf(": %d of its %d URLs fail", c.Site.Failing, c.Site.URLs)
}

// addSites sets the Site of each cause.
func addSites(ctx context.Context, desk Desk, causes []Cause) error {
	var hosts []string
	for i := range causes {
		if causes[i].ofSite() {
			domain := review.DomainOf(causes[i].Host)
			hosts = append(hosts, domain, "www."+domain)
		}
	}
	if hosts == nil {
		return nil
	}
	sites := map[string]Site{}
	cited := review.Filter{Hosts: hosts, Statuses: []review.Status{review.Accepted, review.Approved}}
	err := desk.Groups(ctx, cited, func(g review.Group) error {
		s := sites[review.DomainOf(g.Host)]
		s.URLs += g.N
		if g.Flags.Has(canon.LinkBroken) {
			s.Failing += g.N
		}
		sites[review.DomainOf(g.Host)] = s
		return nil
	})
	for i := range causes {
		s := sites[review.DomainOf(causes[i].Host)]
		if causes[i].Site = (Site{}); causes[i].ofSite() && health.MostFail(s.Failing, s.URLs) {
			causes[i].Site = s
		}
	}
	return err
}

// ofSite reports whether the cause has a Site.
func (c *Cause) ofSite() bool { return c.Kind == ByHost && c.Flag == canon.LinkBroken }
