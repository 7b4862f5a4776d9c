package probe

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"

	"visto/canon"
)

// approach finds out how the host of a URL answers, and returns the URL in the scheme that works: http if the host
// has no HTTPS at all (seed 000 rule 1, exception). It asks for robots.txt, which is needed anyway. A host that
// speaks TLS but cannot be trusted is a failure: nothing falls back to http from there.
func (v *visit) approach(ctx context.Context, u *url.URL) (*url.URL, *failure, error) {
	plain := withScheme(u, "http")
	facts, err := v.known(ctx, u.Host)
	if err != nil {
		return u, nil, err
	}
	if u.Scheme == "http" || facts.HTTPS != nil && !*facts.HTTPS {
		_, fail, err := v.robotsOf(ctx, plain, 0, false)
		return plain, fail, err
	}
	_, fail, err := v.robotsOf(ctx, u, 0, true)
	switch {
	case err != nil:
		return u, nil, err
	case fail == nil:
		return u, nil, v.learnHTTPS(ctx, u, true)
	case !fail.withoutHTTPS():
		return u, fail, nil
	}
	return v.withoutTLS(ctx, u, plain, fail)
}

// withoutTLS continues after a first failure at the HTTPS port. A host has no HTTPS if nothing listens there, or
// something that speaks no TLS, and the host answers over http. Silence and broken connections get their retries
// first.
func (v *visit) withoutTLS(ctx context.Context, u, plain *url.URL, first *failure) (*url.URL, *failure, error) {
	_, noHTTP, err := v.robotsOf(ctx, plain, 0, true)
	if err != nil {
		return u, nil, err
	}
	if noHTTP == nil && (first.kind == closed || first.kind == noTLS) {
		return plain, nil, v.learnHTTPS(ctx, u, false)
	}
	_, fail, err := v.robotsOf(ctx, u, 1, false)
	switch {
	case err != nil:
		return u, nil, err
	case fail == nil:
		return u, nil, v.learnHTTPS(ctx, u, true)
	case noHTTP == nil && fail.withoutHTTPS():
		return plain, nil, v.learnHTTPS(ctx, u, false)
	}
	return u, fail, nil
}

// withScheme returns the URL in another scheme. A port other than the default stays.
func withScheme(u *url.URL, scheme string) *url.URL {
	other := *u
	other.Scheme = scheme
	return &other
}

// answersHTTPS finds out whether a host that answers over http has HTTPS too; nil: unclear.
func (v *visit) answersHTTPS(ctx context.Context, plain *url.URL) (*bool, error) {
	facts, err := v.known(ctx, plain.Host)
	if err != nil || facts.HTTPS != nil || plain.Port() != "" {
		return facts.HTTPS, err
	}
	u := withScheme(plain, "https")
	_, fail, err := v.robotsOf(ctx, u, 0, true)
	if err == nil && fail != nil && (fail.kind == timedOut || fail.kind == broken) {
		_, fail, err = v.robotsOf(ctx, u, 1, false)
	}
	if err != nil || fail != nil && !fail.withoutHTTPS() {
		return nil, err
	}
	answers := fail == nil
	return &answers, v.learnHTTPS(ctx, u, answers)
}

// storedHosts are the facts about hosts that the Cache stores.
type storedHosts struct {
	cfg  *Config
	lock sync.Mutex // held from reading the facts about a host until storing them
}

// known returns the stored facts about a host that are fresh enough.
func (h *storedHosts) known(ctx context.Context, host string) (HostFacts, error) {
	kept, err := h.cfg.Cache.Host(ctx, host)
	switch {
	case err != nil || kept == nil:
		return HostFacts{Host: host}, err
	case h.cfg.Clock.Now().Sub(kept.CheckedAt) >= h.cfg.HostTTL:
		return HostFacts{Host: host, NotBefore: kept.NotBefore}, nil
	}
	return *kept, nil
}

// learn adds to the stored facts about a host.
func (h *storedHosts) learn(ctx context.Context, host string, add func(*HostFacts)) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	facts, err := h.known(ctx, host)
	if err != nil {
		return err
	}
	if facts.CheckedAt.IsZero() {
		facts.CheckedAt = h.cfg.Clock.Now()
	}
	add(&facts)
	return h.cfg.Cache.KeepHost(ctx, facts)
}

// learnHTTPS stores whether a host answers over HTTPS. A server at another port proves nothing about the host.
func (h *storedHosts) learnHTTPS(ctx context.Context, u *url.URL, answers bool) error {
	if u.Port() != "" {
		return nil
	}
	facts, err := h.known(ctx, u.Host)
	if err != nil || facts.HTTPS != nil && *facts.HTTPS == answers {
		return err
	}
	return h.learn(ctx, u.Host, func(f *HostFacts) { f.HTTPS = &answers })
}

// findPreferred finds the preferred host of a host's domain: the end of the redirects from its bare name over http
// (seed 000 rule 5). It stays unknown if there is none. A subdomain decides only about its own "www.": its home page
// may redirect elsewhere while its other pages stay.
func (v *visit) findPreferred(ctx context.Context, host string) error {
	bare := strings.TrimPrefix(host, "www.")
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || !v.cfg.Policy.Allows(bare) {
		return nil
	}
	at := v.gates.hold(bare)
	defer v.gates.release(at)
	if err := lock(ctx, at.domain); err != nil {
		return err
	}
	defer unlock(at.domain)
	facts, err := v.known(ctx, bare)
	if err != nil || facts.Reached.By != "" || v.cfg.Clock.Now().Before(at.inVain.Add(downFor)) {
		return err
	}
	to, reached, err := v.discover(ctx, bare)
	if err != nil {
		return err
	}
	if to == "" {
		at.inVain = v.cfg.Clock.Now()
		return nil
	}
	return v.learn(ctx, bare, func(f *HostFacts) { f.PreferredHost, f.Reached = to, reached })
}

// discover requests the home page of a domain under each of its possible names, and returns the host of the first
// answer.
func (v *visit) discover(ctx context.Context, bare string) (to string, reached canon.Reach, err error) {
	for _, home := range []url.URL{
		{Scheme: "http", Host: bare}, {Scheme: "https", Host: bare}, {Scheme: "http", Host: "www." + bare},
		{Scheme: "https", Host: "www." + bare},
	} {
		if www := home.Host != bare; www && !isDomain(bare) {
			continue
		}
		w, err := v.walk(ctx, &home, fetchOptions{purpose: forHost, head: true, once: true})
		if err != nil {
			return "", reached, err
		}
		if w.ending == noAnswer && len(w.hops) == 0 {
			continue
		}
		if to = w.preferred(bare); to == "" {
			return "", reached, nil
		}
		reached = canon.Reach{By: canon.ByAnswer, URL: w.at.String(), Status: w.last.Status}
		if to == home.Host { // a redirect from http to https says nothing about the other names
			return to, reached, nil
		}
		reached.By = canon.ByRedirect
		return v.secured(ctx, w, to, reached)
	}
	return "", reached, nil
}

// secured returns a preferred host that a redirect led to with the record of its answer over https, which is the scheme
// that will be cited, unless the host has none.
func (v *visit) secured(ctx context.Context, w *redirectChain, to string, reached canon.Reach) (
	string, canon.Reach, error,
) {
	if w.at.Scheme == "https" {
		return to, reached, nil
	}
	answers, err := v.answersHTTPS(ctx, w.at)
	if err != nil || answers != nil && !*answers {
		return to, reached, err
	}
	secure, err := v.walk(ctx, withScheme(w.at, "https"), fetchOptions{purpose: forHost, head: true, once: true})
	switch {
	case err != nil:
		return "", reached, err
	case secure.fail != nil:
		reached.TLSError = secure.fail.tls
	case secure.ending == arrived && secure.at.Host == to:
		reached.URL, reached.Status = secure.at.String(), secure.last.Status
	}
	return to, reached, nil
}

// preferred returns the host at which the chain from a domain's home page ended.
func (w *redirectChain) preferred(bare string) string {
	if w.ending != arrived || w.last.Status >= 500 || isRedirect(w.last.Status) || w.at.Port() != "" {
		return ""
	}
	to := w.at.Host
	if strings.TrimPrefix(to, "www.") != bare && !isDomain(bare) {
		return ""
	}
	return to
}

// isDomain reports whether a host is a registrable domain, directly below a public suffix.
func isDomain(host string) bool {
	root, err := publicsuffix.EffectiveTLDPlusOne(host)
	return err == nil && root == host
}
