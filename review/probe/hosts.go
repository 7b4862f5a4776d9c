package probe

import (
	"context"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// approach finds out how the host of a URL that is about to be asked answers, and returns the URL in the scheme in which it does: http
// in the place of https where the host has no HTTPS at all (seed 000 rule 1, exception). robots.txt, which has to be asked
// for anyway, is what tells. A host that speaks TLS and cannot be trusted is a failure: there is no way back to http from there.
func (v *visit) approach(ctx context.Context, u *url.URL) (*url.URL, *failure, error) {
	if u.Scheme != "https" {
		_, fail, err := v.robotsOf(ctx, u, 0, false)
		return u, fail, err
	}
	plain := withScheme(u, "http")
	facts, err := v.known(ctx, u.Host)
	if err != nil {
		return u, nil, err
	}
	if facts.HTTPS != nil && !*facts.HTTPS {
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

// withoutTLS goes on after a first failure at the HTTPS port: where nobody listens there, or whoever does speaks no TLS, and the host
// answers over http, it has no HTTPS. Silence and broken connections are asked again before they count.
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

// withScheme returns the URL in another scheme. At a port of its own it keeps the port.
func withScheme(u *url.URL, scheme string) *url.URL {
	other := *u
	other.Scheme = scheme
	return &other
}

// answersHTTPS finds out whether a host that answers over http has HTTPS too; nil: it cannot be told.
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

// known returns what is known of a host, as far as it is not too old to count.
func (v *visit) known(ctx context.Context, host string) (HostFacts, error) {
	kept, err := v.cfg.Cache.Host(ctx, host)
	if err != nil || kept == nil || v.cfg.Clock.Now().Sub(kept.CheckedAt) >= v.cfg.HostTTL {
		return HostFacts{Host: host}, err
	}
	return *kept, nil
}

// learn adds to what is known of a host.
func (v *visit) learn(ctx context.Context, host string, add func(*HostFacts)) error {
	v.learning.Lock()
	defer v.learning.Unlock()
	facts, err := v.known(ctx, host)
	if err != nil {
		return err
	}
	if facts.CheckedAt.IsZero() {
		facts.CheckedAt = v.cfg.Clock.Now()
	}
	add(&facts)
	return v.cfg.Cache.KeepHost(ctx, facts)
}

// learnHTTPS keeps whether a host answers over HTTPS. At a port of its own a server says nothing about the host.
func (v *visit) learnHTTPS(ctx context.Context, u *url.URL, answers bool) error {
	if u.Port() != "" {
		return nil
	}
	facts, err := v.known(ctx, u.Host)
	if err != nil || facts.HTTPS != nil && *facts.HTTPS == answers {
		return err
	}
	return v.learn(ctx, u.Host, func(f *HostFacts) { f.HTTPS = &answers })
}

// preferred returns the host that the domain of a host prefers: where the redirects from its bare name over http end (seed 000 rule
// 5). It is empty where that is not known. A subdomain has no say beyond its own "www.": what it redirects its home page to
// is not where its other pages are.
func (v *visit) preferred(ctx context.Context, host string) (string, error) {
	bare := strings.TrimPrefix(host, "www.")
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil || !v.cfg.Policy.Allows(bare) {
		return "", nil
	}
	at := v.gates.hold(bare)
	defer v.gates.letGo(at)
	if err := lock(ctx, at.domain); err != nil {
		return "", err
	}
	defer unlock(at.domain)
	facts, err := v.known(ctx, bare)
	if err != nil || facts.PreferredHost != "" || v.cfg.Clock.Now().Before(at.inVain.Add(downFor)) {
		return facts.PreferredHost, err
	}
	to, err := v.discover(ctx, bare)
	if err != nil {
		return "", err
	}
	if to == "" {
		at.inVain = v.cfg.Clock.Now()
		return "", nil
	}
	return to, v.learn(ctx, bare, func(f *HostFacts) { f.PreferredHost = to })
}

// discover asks for the home page of a domain, by every name under which it may be.
func (v *visit) discover(ctx context.Context, bare string) (string, error) {
	for _, home := range []url.URL{
		{Scheme: "http", Host: bare}, {Scheme: "https", Host: bare}, {Scheme: "http", Host: "www." + bare}, {Scheme: "https", Host: "www." + bare},
	} {
		if www := home.Host != bare; www && !isDomain(bare) {
			continue
		}
		w, err := v.walk(ctx, &home, manner{purpose: forHost, head: true, once: true})
		if err != nil {
			return "", err
		}
		if w.ending == lost && len(w.hops) == 0 {
			continue
		}
		return w.preferred(bare), nil
	}
	return "", nil
}

// preferred returns the host at which the way from the home page of a domain arrived.
func (w *way) preferred(bare string) string {
	if w.ending != arrived || w.last.Status >= 500 || isRedirect(w.last.Status) || w.at.Port() != "" {
		return ""
	}
	to := w.at.Host
	if strings.TrimPrefix(to, "www.") != bare && !isDomain(bare) {
		return ""
	}
	return to
}

// isDomain reports a registrable domain: what stands below a public suffix.
func isDomain(host string) bool {
	root, err := publicsuffix.EffectiveTLDPlusOne(host)
	return err == nil && root == host
}
