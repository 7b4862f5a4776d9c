package probe

import (
	"context"
	"errors"
	"net/url"
	"slices"
)

// Sitemaps returns the URLs of the sitemaps that the robots.txt of the target's host names, and none if the host has
// no robots.txt or does not answer. Errors are those of Probe, and ErrOffline.
func (p *Prober) Sitemaps(ctx context.Context, t Target) ([]string, error) {
	v := p.visit(t)
	r, u, err := v.rulesFor(ctx)
	if u == nil {
		return nil, err
	}
	var list []string
	for _, text := range r.memo.get(r.robots.Body).sitemaps {
		if at := resolve(u, text); at != nil {
			list = append(list, at.String())
		}
	}
	return slices.Clip(list), err
}

// Download requests a target that is no page, such as a sitemap, with all manners of Probe, and returns the answer
// with up to limit bytes of its decoded body. It returns nil if no answer came with status 200, or none may be asked
// for. Errors are those of Probe, and ErrOffline.
func (p *Prober) Download(ctx context.Context, t Target, limit int64) (*Response, error) {
	v := p.visit(t)
	_, u, err := v.rulesFor(ctx)
	if u == nil {
		return nil, err
	}
	w, err := v.walk(ctx, u, fetchOptions{purpose: forSitemap, limit: limit})
	if err = withoutDeferral(err); err != nil || w == nil || w.ending != arrived || w.last.Status != 200 {
		return nil, err
	}
	return w.last, nil
}

// rulesFor returns the URL to request for the target and the rules of its robots.txt. The URL is nil if the target
// must not be asked for, or its host does not answer.
func (v *visit) rulesFor(ctx context.Context) (rules, *url.URL, error) {
	start, _, why := v.form()
	if why != nil {
		return rules{}, nil, nil
	}
	u, fail, err := v.approach(ctx, start)
	if fail != nil || err != nil {
		return rules{}, nil, withoutDeferral(err)
	}
	r, fail, err := v.robotsOf(ctx, u, 0, true)
	if fail != nil || err != nil {
		return rules{}, nil, withoutDeferral(err)
	}
	return r, u, nil
}

// withoutDeferral returns nil for the error of a host that must not be asked now.
func withoutDeferral(err error) error {
	if _, later := errors.AsType[*deferral](err); later {
		return nil
	}
	return err
}
