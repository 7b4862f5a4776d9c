package probe

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// tryWithSlash requests the form with the slash that the URL came with, and returns its chain if it leads to another
// page than the form without (seed 000 rule 2, exception). If the server itself restores the slash by a redirect, the
// hops show it, and no request is needed.
func (v *visit) tryWithSlash(ctx context.Context, without *redirectChain, opt fetchOptions) (*redirectChain, error) {
	slashed := withSlash(without.asked)
	if !without.leavesDoubt() || without.passes(slashed) {
		return without, nil
	}
	with, err := v.walk(ctx, slashed, opt)
	if err != nil {
		return nil, err
	}
	if !with.isPage() {
		return without, nil
	}
	if without.isPage() && samePage(without, with) {
		return without, nil
	}
	with.slash = strings.HasSuffix(with.at.Path, "/")
	return with, nil
}

// samePage reports whether two chains lead to one page. Few pages are identical twice, so titles count. A page
// without a title, or not read, counts as the same: only a page known to be another keeps the slash.
func samePage(a, b *redirectChain) bool {
	if a.at.String() == b.at.String() || a.last.confirms || b.last.confirms {
		return true
	}
	one, other := a.last.page, b.last.page
	if one.Blocked != "" || other.Blocked != "" {
		return one.Blocked == other.Blocked
	}
	return one.SHA256 == other.SHA256 || one.Title == other.Title || one.Title == "" || other.Title == ""
}

func withSlash(u *url.URL) *url.URL {
	slashed := *u
	slashed.Path += "/"
	if slashed.RawPath != "" {
		slashed.RawPath += "/"
	}
	return &slashed
}

// isPage reports whether the chain ended at an answer that is no error.
func (w *redirectChain) isPage() bool {
	return w.ending == arrived && w.last.Status < 400 && !w.last.page.isError()
}

// leavesDoubt reports whether the form with the slash may still be another page. If the host did not answer, or
// robots.txt forbade the URL, it may not.
func (w *redirectChain) leavesDoubt() bool {
	if w.ending != arrived {
		return w.ending != noAnswer && w.ending != robotsBlocked
	}
	switch w.last.Status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusTooManyRequests:
		return false
	}
	return w.last.Status < 500
}

// passes reports whether a hop has the path of u, on any host.
func (w *redirectChain) passes(u *url.URL) bool {
	for _, hop := range w.hops {
		if to, err := url.Parse(hop.URL); err == nil && to.EscapedPath() == u.EscapedPath() {
			return true
		}
	}
	return false
}
