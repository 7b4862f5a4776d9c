package probe

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// gates holds one gate for each host that is in use or was recently.
type gates struct {
	clock Clock
	delay time.Duration
	since time.Time            // Config.Since
	open  func(time.Time) bool // Config.Open
	cache Cache                // has the pauses that hosts asked an earlier prober for
	slots chan struct{}        // requests in progress, to all hosts

	mu    sync.Mutex
	hosts map[string]*gate
}

// gate serializes the requests to one host. A delay that the host asked for holds for all later requests.
type gate struct {
	host  string
	users int // holders; under gates.mu

	// Locks with one place each. The holder of a domain lock may take the facts lock of any host, the holder of a
	// facts lock the request lock of any host. Nobody holds two locks of one kind.
	request chan struct{} // to make a request
	facts   chan struct{} // to look up facts about the host, so that others need not
	domain  chan struct{} // to look up the preferred host of the domain

	inVain time.Time // under domain: time of the last lookup that failed

	// Under request.
	slower map[string]time.Duration // delays longer than the usual one, by their reasons
	last   time.Time                // end of the last request
	next   time.Time                // no request before this time
	why    string                   // reason for next
	down   map[string]downSince
	heard  map[string]bool // origins that have answered: they are not down because one of their pages is

	recalled bool // the pause in the cache is part of next
}

// downSince records an origin that has never answered, in spite of all retries: the failure and its time.
type downSince struct {
	fail *failure
	at   time.Time
}

// downFor is the time for which such an origin counts as down. Its other URLs are asked once, without retries of their
// own. If nothing at all was heard of it, they are put off: each would take the whole time limit.
const downFor = 10 * time.Minute

// Reasons for waiting.
const (
	forDelay      = "delay between requests"
	forRetry      = "retry"
	forRetryAfter = "Retry-After"
	forCrawlDelay = "crawl delay"
	forRateLimit  = "rate limit"
)

// sweepAt is the number of gates from which unused ones are dropped.
const sweepAt = 1024

// deferral is the error of a wait longer than Config.MaxWait.
type deferral struct {
	until time.Time
	why   string
}

func (d *deferral) Error() string { return d.why }

func newGates(c Config) *gates {
	return &gates{clock: c.Clock, delay: c.Delay, since: c.Since, open: c.Open,
		cache: c.Cache,
		slots: make(chan struct{}, c.Concurrency),
		hosts: map[string]*gate{}}
}

// hold returns the gate of a host, which stays until the release.
func (g *gates) hold(host string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.hosts) >= sweepAt && g.hosts[host] == nil {
		g.sweep()
	}
	found := g.hosts[host]
	if found == nil {
		found = &gate{
			host: host, request: make(chan struct{}, 1), facts: make(chan struct{}, 1), domain: make(chan struct{}, 1),
			slower: map[string]time.Duration{}, down: map[string]downSince{}, heard: map[string]bool{},
			last: g.since,
		}
		if !g.since.IsZero() {
			found.wait(g.since.Add(g.delay), forDelay)
		}
		g.hosts[host] = found
	}
	found.users++
	return found
}

func (g *gates) release(of *gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	of.users--
}

// sweep drops the gates that nobody holds and that delay no request.
func (g *gates) sweep() {
	now := g.clock.Now()
	for host, one := range g.hosts {
		if one.users == 0 && !now.Before(one.next) {
			delete(g.hosts, host)
		}
	}
}

// ErrClosed ends a probe when no request may begin any more: Config.Open. Requests in progress end before.
var ErrClosed = errors.New("the hours for requests have ended")

// enter waits until the host may be asked; leave must follow. It reports every wait to waiting. Instead of a wait of
// more than longest it returns a *deferral, and ErrClosed if no request may begin after the wait.
func (g *gates) enter(
	ctx context.Context, at *gate, longest time.Duration, waiting func(time.Duration, string),
) (err error) {
	if err := lock(ctx, at.request); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			unlock(at.request)
		}
	}()
	if err := g.recall(ctx, at); err != nil {
		return err
	}
	wait := at.next.Sub(g.clock.Now())
	if wait > longest {
		why := fmt.Sprintf("%s asks to be left alone for %s (%s)", at.host, wait.Round(time.Second), at.why)
		return &deferral{at.next, why}
	}
	if !g.open(g.clock.Now().Add(max(wait, 0))) {
		return ErrClosed
	}
	if wait > 0 {
		waiting(wait, at.why)
		if err := g.clock.Sleep(ctx, wait); err != nil {
			return err
		}
	}
	if err := lock(ctx, g.slots); err != nil || g.open(g.clock.Now()) {
		return err
	}
	unlock(g.slots)
	return ErrClosed
}

// slowDown sets the minimum delay between requests to the host for a reason. It counts from the request before.
func (g *gates) slowDown(ctx context.Context, at *gate, delay time.Duration, why string) error {
	if delay <= g.delay {
		return nil
	}
	if err := lock(ctx, at.request); err != nil {
		return err
	}
	defer unlock(at.request)
	at.slower[why] = delay
	if !at.last.IsZero() {
		at.wait(at.last.Add(delay), why)
	}
	return nil
}

// putOff delays the next request.
func (g *gates) putOff(ctx context.Context, at *gate, d time.Duration, why string) error {
	if err := lock(ctx, at.request); err != nil {
		return err
	}
	defer unlock(at.request)
	at.wait(g.clock.Now().Add(d), why)
	return nil
}

// isDown returns the recent failure of the origin, or nil.
func (at *gate) isDown(origin string, now time.Time) *downSince {
	if d, ok := at.down[origin]; ok && now.Before(d.at.Add(downFor)) {
		return &d
	}
	return nil
}

// asked notes the end of a request. The delay runs from the end of a request to the start of the next, so that the
// server sees it too, however slow its connections are. The caller must have entered.
func (g *gates) asked(at *gate) {
	at.last = g.clock.Now()
	at.wait(at.last.Add(g.delay), forDelay)
	for why, delay := range at.slower {
		at.wait(at.last.Add(delay), why)
	}
}

// rest delays the next request as if one had just ended.
func (g *gates) rest(ctx context.Context, at *gate) error {
	if err := lock(ctx, at.request); err != nil {
		return err
	}
	defer unlock(at.request)
	g.asked(at)
	return nil
}

// leave admits the next request.
func (g *gates) leave(at *gate) {
	unlock(g.slots)
	unlock(at.request)
}

// wait delays the next request until a time, unless it is delayed further already. The caller must have entered.
func (at *gate) wait(until time.Time, why string) {
	if until.After(at.next) {
		at.next, at.why = until, why
	}
}

// recall adds the pause that the host asked an earlier prober for.
func (g *gates) recall(ctx context.Context, at *gate) error {
	if at.recalled {
		return nil
	}
	facts, err := g.cache.Host(ctx, at.host)
	if err != nil {
		return err
	}
	if at.recalled = true; facts != nil {
		at.wait(facts.NotBefore, forRetryAfter)
	}
	return nil
}

// lock takes a place in a channel of limited size, or fails with the cause of ctx's end.
func lock(ctx context.Context, c chan struct{}) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case c <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func unlock(c chan struct{}) { <-c }
