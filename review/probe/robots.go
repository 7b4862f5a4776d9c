package probe

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	robotsTTL      = 24 * time.Hour // RFC 9309 section 2.4; seed 003
	robotsErrorTTL = time.Hour      // of an answer that means "not now"
	robotsLimit    = 500 << 10      // bytes; RFC 9309 section 2.5
	robotsHops     = 5              // RFC 9309 section 2.3.1.2
)

// rules are the rules of an origin's robots.txt for our agent. grobotstxt ports the parser that Google published with
// the RFC and gets most of the RFC's cases right. Status codes, size and crawl delay are left to its user, so they
// are here.
type rules struct {
	robots Robots
	agent  string
	memo   *robotsMemo
}

// productToken returns our name in robots.txt: the User-Agent up to its version (RFC 9309 section 2.2.1).
func productToken(userAgent string) string {
	end := strings.IndexFunc(userAgent, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r == '-')
	})
	if end < 0 {
		return userAgent
	}
	return userAgent[:end]
}

// allow reports whether the URL may be requested. A missing file allows everything (section 2.3.1.3: 4xx), as does
// one behind too many redirects (section 2.3.1.2).
func (r rules) allow(u *url.URL) bool {
	switch {
	case r.notNow():
		return false
	case r.robots.Status < 200 || r.robots.Status > 299:
		return true
	}
	return u.Path == "/robots.txt" || r.memo.get(r.robots.Body).allows(r.agent, u.String())
}

// notNow reports whether the server failed or asked for a pause. That forbids everything until it answers (section
// 2.3.1.4).
func (r rules) notNow() bool {
	return r.robots.Status == http.StatusTooManyRequests || r.robots.Status >= 500
}

// delay returns the crawl delay for our agent, 0 if none. No RFC has it; many servers do.
func (r rules) delay() time.Duration {
	if r.robots.Status < 200 || r.robots.Status > 299 {
		return 0
	}
	d := crawlDelays{agent: r.agent}
	r.memo.get(r.robots.Body).replay(&d)
	if d.addressed {
		return d.own
	}
	return d.everyone
}

// crawlDelays collects the crawl delays of the groups for an agent.
type crawlDelays struct {
	agent         string
	inRules       bool // the rules of a group have begun: the next User-agent starts another group
	mine, all     bool // the current group is for the agent, or for everybody
	own, everyone time.Duration
	addressed     bool // a group for the agent exists: those for everybody do not count
}

func (c *crawlDelays) HandleRobotsStart() {}
func (c *crawlDelays) HandleRobotsEnd()   {}

func (c *crawlDelays) HandleUserAgent(_ int, value string) {
	if c.inRules {
		c.inRules, c.mine, c.all = false, false, false
	}
	c.all = c.all || strings.HasPrefix(value, "*")
	if strings.EqualFold(productToken(value), c.agent) {
		c.mine, c.addressed = true, true
	}
}

func (c *crawlDelays) HandleAllow(int, string)    { c.inRules = true }
func (c *crawlDelays) HandleDisallow(int, string) { c.inRules = true }
func (c *crawlDelays) HandleSitemap(int, string)  {}

func (c *crawlDelays) HandleUnknownAction(_ int, action, value string) {
	if !strings.EqualFold(action, "crawl-delay") {
		return
	}
	c.inRules = true
	seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(seconds > 0) {
		return
	}
	d := time.Duration(min(seconds, 1e6) * float64(time.Second))
	if c.mine {
		c.own = max(c.own, d)
	}
	if c.all {
		c.everyone = max(c.everyone, d)
	}
}

// robotsOf returns the rules of the URL's origin, from the cache or from the server. A failure is that of the
// connection: no server answers there.
func (v *visit) robotsOf(ctx context.Context, u *url.URL, from int, once bool) (rules, *failure, error) {
	at := v.gates.hold(u.Hostname())
	defer v.gates.release(at)
	if err := lock(ctx, at.facts); err != nil {
		return rules{}, nil, err
	}
	defer unlock(at.facts)
	r, fail, err := v.keptRobots(ctx, u, from, once)
	if fail != nil || err != nil {
		return r, fail, err
	}
	return r, nil, v.gates.slowDown(ctx, at, r.delay(), forCrawlDelay)
}

// keptRobots fetches and stores the rules. The caller holds the facts lock of the host.
func (v *visit) keptRobots(ctx context.Context, u *url.URL, from int, once bool) (rules, *failure, error) {
	r := rules{agent: productToken(v.cfg.UserAgent), memo: &v.parsed}
	kept, err := v.freshRobots(ctx, originOf(u))
	switch {
	case err != nil:
		return r, nil, err
	case kept != nil:
		r.robots = *kept
		return r, nil, nil
	}
	got, fail, err := v.fetchRobots(ctx, u, from, once)
	if fail != nil || err != nil {
		return r, fail, err
	}
	if r.robots = *got; once && r.notNow() {
		return r, nil, nil // not asked often enough to be stored
	}
	return r, nil, v.cfg.Cache.KeepRobots(ctx, r.robots)
}

// freshRobots returns the stored robots.txt of an origin, nil if there is none or it is too old.
func (v *visit) freshRobots(ctx context.Context, origin string) (*Robots, error) {
	kept, err := v.cfg.Cache.Robots(ctx, origin)
	if err != nil || kept == nil {
		return nil, err
	}
	ttl := robotsTTL
	if (rules{robots: *kept}).notNow() {
		ttl = robotsErrorTTL
	}
	if v.cfg.Clock.Now().Sub(kept.FetchedAt) >= ttl {
		return nil, nil
	}
	return kept, nil
}

// fetchRobots requests the file and follows its redirects to any host (RFC 9309 section 2.3.1.2) that pages may be
// requested from. After too many redirects the last one is the answer. If a redirect leads to a stored robots.txt, as
// from http to https, the stored one counts, with its age.
func (v *visit) fetchRobots(ctx context.Context, u *url.URL, from int, once bool) (*Robots, *failure, error) {
	at := robotsURL(u)
	for hop := 0; ; hop++ {
		resp, fail, err := v.ask(ctx, request{method: http.MethodGet, url: at, purpose: forRobots, limit: robotsLimit,
			first: from, once: once})
		if hop > 0 && fail != nil { // the server answers; only its redirect is wrong
			return v.robotsIn(u, &Response{Status: http.StatusBadGateway}), nil, nil
		}
		if fail != nil || err != nil {
			return nil, fail, err
		}
		if !isRedirect(resp.Status) || hop == robotsHops {
			return v.robotsIn(u, resp), nil, nil
		}
		next, _, why := v.follow(at, resp)
		if why != nil {
			return v.robotsIn(u, resp), nil, nil
		}
		if next.String() == robotsURL(next).String() {
			kept, err := v.freshRobots(ctx, originOf(next))
			if err != nil {
				return nil, nil, err
			}
			if kept != nil {
				kept.Origin = originOf(u)
				return kept, nil, nil
			}
		}
		at, from, once = next, 0, false
	}
}

// robotsURL returns the URL of the robots.txt of u's origin.
func robotsURL(u *url.URL) *url.URL {
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
}

// robotsIn converts an answer into the robots.txt of u's origin.
func (v *visit) robotsIn(u *url.URL, resp *Response) *Robots {
	r := &Robots{Origin: originOf(u), FetchedAt: v.cfg.Clock.Now(), Status: resp.Status}
	if resp.Status >= 200 && resp.Status <= 299 {
		r.Body = wholeLines(resp)
	}
	return r
}

// wholeLines returns the body without the line that the limit cut: half a rule may mean the opposite of a whole one.
func wholeLines(r *Response) []byte {
	if !r.Truncated {
		return r.Body
	}
	return r.Body[:bytes.LastIndexByte(r.Body, '\n')+1]
}
