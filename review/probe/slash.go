package probe

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// tryWithSlash asks for the form with the slash at the end of the path, which the URL came with, and returns its way if that is
// another page than the form without one leads to (seed 000 rule 2, exception). Where the server itself puts the slash back by a
// redirect there is nothing to ask: the hops say it.
func (v *visit) tryWithSlash(ctx context.Context, without *way, how manner) (*way, error) {
	slashed := withSlash(without.asked)
	if !without.leavesDoubt() || without.passes(slashed) {
		return without, nil
	}
	with, err := v.walk(ctx, slashed, how)
	if err != nil {
		return nil, err
	}
	if !with.isPage() {
		return without, nil
	}
	if without.isPage() {
		same, err := v.samePage(ctx, without, with)
		if err != nil || same {
			return without, err
		}
	}
	with.slash = strings.HasSuffix(with.at.Path, "/")
	return with, nil
}

// samePage reports whether two ways lead to one page. Few pages are twice the same to the byte, so titles count; a page without
// one, or not read, is taken for the same, for only a page that is known to be another keeps the slash.
func (v *visit) samePage(ctx context.Context, a, b *way) (bool, error) {
	if a.at.String() == b.at.String() || a.last.confirms || b.last.confirms {
		return true, nil
	}
	one, err := ReadPage(ctx, a.last, v.cfg.Documents)
	if err != nil {
		return false, err
	}
	other, err := ReadPage(ctx, b.last, v.cfg.Documents)
	if err != nil {
		return false, err
	}
	if one.Blocked != "" || other.Blocked != "" {
		return one.Blocked == other.Blocked, nil
	}
	return one.SHA256 == other.SHA256 || one.Title == other.Title || one.Title == "" || other.Title == "", nil
}

func withSlash(u *url.URL) *url.URL {
	slashed := *u
	slashed.Path += "/"
	if slashed.RawPath != "" {
		slashed.RawPath += "/"
	}
	return &slashed
}

// isPage reports a way that arrived at an answer that is no error.
func (w *way) isPage() bool {
	return w.ending == arrived && w.last.Status < 400
}

// leavesDoubt reports a way that arrived somewhere, or was turned away on the way: whoever is not there at all is not there with a
// slash either.
func (w *way) leavesDoubt() bool {
	if w.ending != arrived {
		return w.ending != lost && w.ending != barred
	}
	switch w.last.Status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusTooManyRequests:
		return false
	}
	return w.last.Status < 500
}

// passes reports a way that leads through the path of u, on whatever host.
func (w *way) passes(u *url.URL) bool {
	for _, hop := range w.hops {
		if to, err := url.Parse(hop.URL); err == nil && to.EscapedPath() == u.EscapedPath() {
			return true
		}
	}
	return false
}
