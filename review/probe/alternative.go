package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"visto/canon"
)

// alternative looks for a page that is gone under the other URLs that are known for it, and records the first that
// shows it (spec section 15; seed 003, fallback 5). Each is requested once. The answer of the URL itself stays. Nothing
// is requested while nothing has been heard of any host (doc.go, "No network").
func (v *visit) alternative(ctx context.Context, ev *canon.Evidence, w *redirectChain) error {
	if !isGone(ev) || !v.hasHeard() && !v.isUnknown || w.ending != arrived && w.ending != noAnswer || v.target.Budget != nil {
		return nil
	}
	for _, u := range v.alternatives(ev, w) {
		other, err := v.walk(ctx, u, fetchOptions{purpose: forPage, once: true})
		if _, later := errors.AsType[*deferral](err); later {
			continue
		}
		if err != nil {
			return err
		}
		if !v.shows(other) {
			continue
		}
		if found, err := v.withAlternative(ctx, ev, other); found != nil || err != nil {
			*ev = *cmp.Or(found, ev)
			return err
		}
	}
	return nil
}

// alternatives returns the URLs known for a page, likeliest first: the canonical URL that it had while it answered, by
// its redirects and language versions; its place on the preferred host of the domain; the canonical URL that the page
// named; and, if its host gives no answer, its place under the other name of the domain, with or without "www.".
func (v *visit) alternatives(ev *canon.Evidence, w *redirectChain) (list []*url.URL) {
	texts := []string{v.clean.Canonicalize(v.target.URL, v.earlier).Canonical,
		v.clean.Canonicalize(v.target.URL, &canon.Evidence{Hosts: ev.Hosts}).Canonical}
	if v.earlier != nil {
		texts = append(texts, v.earlier.RelCanonical)
	}
	if w.ending == noAnswer {
		texts = append(texts, underOtherName(w.at))
	}
	known := []string{w.asked.String(), w.at.String()}
	for _, hop := range w.hops {
		known = append(known, hop.URL)
	}
	for _, text := range texts {
		u := parseURL(text)
		if u == nil || u.Host == "" || !v.cfg.Policy.Allows(u.Hostname()) ||
			w.ending == noAnswer && u.Host == w.at.Host {
			continue
		}
		u, why := v.admit(u)
		if why == nil && !slices.Contains(known, u.String()) {
			known = append(known, u.String())
			list = append(list, u)
		}
	}
	return list
}

// underOtherName returns a URL on the host with or without "www.", or "" if that is no name of the same domain.
func underOtherName(u *url.URL) string {
	other := *u
	bare, isWWW := strings.CutPrefix(u.Host, "www.")
	switch _, err := publicsuffix.EffectiveTLDPlusOne(bare); {
	case u.Port() != "":
		return ""
	case isWWW && err == nil:
		other.Host = bare
	case isDomain(bare):
		other.Host = "www." + bare
	default:
		return ""
	}
	return other.String()
}

// shows reports whether a chain from an alternative URL led to the page itself. If it leads to another path, such as
// the home page, it does not; nor if the title is not that of the page while it answered, in the same language.
func (v *visit) shows(w *redirectChain) bool {
	if !w.isPage() || strings.Trim(w.at.Path, "/") != strings.Trim(w.asked.Path, "/") {
		return false
	}
	page, was := w.last.page, v.earlier
	if page.Blocked != "" || page.Empty {
		return false
	}
	return was == nil || !succeeded(was) && was.Alternative == "" || was.Title == "" || was.Language != page.Language ||
		was.Title == page.Title
}

// withAlternative returns the evidence with the page at an alternative URL and the facts about its host. It returns nil
// if the policy would not cite that host, but another.
func (v *visit) withAlternative(ctx context.Context, ev *canon.Evidence, w *redirectChain) (*canon.Evidence, error) {
	if err := v.lookAround(ctx, w); err != nil {
		return nil, err
	}
	found := *ev
	if err := v.addFacts(ctx, &found, w.at); err != nil {
		return nil, err
	}
	found.Alternative = w.at.String()
	cited := parseURL(v.clean.Canonicalize(v.target.URL, &found).Canonical)
	if cited == nil || cited.Host != w.at.Host {
		return nil, nil
	}
	v.writePage(&found, w.last, false)
	addCaveat(&found, fmt.Sprintf("The page is gone from its own URL: its contents are those of %s.",
		found.Alternative))
	return &found, nil
}
