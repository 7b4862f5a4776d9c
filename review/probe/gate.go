package probe

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// gates has one gate for each host that is asked, or was a moment ago.
type gates struct {
	clock Clock
	delay time.Duration
	slots chan struct{} // requests under way, of all hosts

	mu    sync.Mutex
	hosts map[string]*gate
}

// gate is the way to one host: who passes has it alone. What the host asked for holds for all who come after.
type gate struct {
	host  string
	users int // who holds on to it; under gates.mu

	// Locks with one place each. Whoever is in domain may take the facts of any host, whoever is in facts the turn of any; nobody
	// takes two of a kind.
	turn   chan struct{} // to ask the host
	facts  chan struct{} // to find out about the host, so that others need not
	domain chan struct{} // to find out what host a domain prefers

	inVain time.Time // under domain: when it was last tried to find that out, and could not be

	// Under turn.
	delay time.Duration
	pace  string    // why there is that delay
	last  time.Time // when a request last ended
	next  time.Time // no request before
	why   string    // of next: what is waited for
	down  map[string]downSince
}

// downSince is an origin that did not answer, in spite of all retries: what it was, and when.
type downSince struct {
	fail *failure
	at   time.Time
}

// downFor is how long a host that did not answer is taken not to answer: its other URLs fail at once, instead of each waiting for
// all retries.
const downFor = 10 * time.Minute

// The reasons for waiting.
const (
	forDelay      = "delay between requests"
	forRetry      = "retry"
	forRetryAfter = "Retry-After"
	forCrawlDelay = "crawl delay"
)

// sweepAt is how many gates there may be before those that nobody waits for any more are dropped.
const sweepAt = 1024

// deferral is the error of a wait that would be longer than Config.MaxWait.
type deferral struct {
	until time.Time
	why   string
}

func (d *deferral) Error() string { return d.why }

func newGates(c Config) *gates {
	return &gates{clock: c.Clock, delay: c.Delay, slots: make(chan struct{}, c.Concurrency), hosts: map[string]*gate{}}
}

// hold returns the gate of a host, which stays until it is let go.
func (g *gates) hold(host string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.hosts) >= sweepAt && g.hosts[host] == nil {
		g.sweep()
	}
	found := g.hosts[host]
	if found == nil {
		found = &gate{
			host: host, turn: make(chan struct{}, 1), facts: make(chan struct{}, 1), domain: make(chan struct{}, 1),
			delay: g.delay, pace: forDelay, down: map[string]downSince{},
		}
		g.hosts[host] = found
	}
	found.users++
	return found
}

func (g *gates) letGo(of *gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	of.users--
}

// sweep drops the gates that nobody holds and that would make nobody wait. No one is in a gate that nobody holds.
func (g *gates) sweep() {
	now := g.clock.Now()
	for host, one := range g.hosts {
		if one.users == 0 && !now.Before(one.next) {
			delete(g.hosts, host)
		}
	}
}

// enter waits until the host may be asked; leave must follow. waiting is told of every wait. A wait of more than longest is
// a *deferral instead.
func (g *gates) enter(ctx context.Context, at *gate, longest time.Duration, waiting func(time.Duration, string)) error {
	if err := lock(ctx, at.turn); err != nil {
		return err
	}
	wait := at.next.Sub(g.clock.Now())
	if wait > longest {
		unlock(at.turn)
		return &deferral{at.next, fmt.Sprintf("%s asks to be left alone for %s (%s)", at.host, wait.Round(time.Second), at.why)}
	}
	if wait > 0 {
		waiting(wait, at.why)
		if err := g.clock.Sleep(ctx, wait); err != nil {
			unlock(at.turn)
			return err
		}
	}
	if err := lock(ctx, g.slots); err != nil {
		unlock(at.turn)
		return err
	}
	return nil
}

// slowDown makes requests to the host at least that far apart from now on, the one before included.
func (g *gates) slowDown(ctx context.Context, at *gate, delay time.Duration) error {
	if delay <= g.delay {
		return nil
	}
	if err := lock(ctx, at.turn); err != nil {
		return err
	}
	defer unlock(at.turn)
	at.delay, at.pace = delay, forCrawlDelay
	if !at.last.IsZero() {
		at.wait(at.last.Add(delay), forCrawlDelay)
	}
	return nil
}

// putOff makes the next request wait for that long.
func (g *gates) putOff(ctx context.Context, at *gate, d time.Duration, why string) error {
	if err := lock(ctx, at.turn); err != nil {
		return err
	}
	defer unlock(at.turn)
	at.wait(g.clock.Now().Add(d), why)
	return nil
}

// isDown returns why the origin did not answer a moment ago, or nil.
func (at *gate) isDown(origin string, now time.Time) *failure {
	if d, ok := at.down[origin]; ok && now.Before(d.at.Add(downFor)) {
		return d.fail
	}
	return nil
}

// asked notes that the host was asked: the delay is between the end of a request and the beginning of the next, so that the server sees
// it too, however long its connections take. Only who has entered calls it.
func (g *gates) asked(at *gate) {
	at.last = g.clock.Now()
	at.wait(at.last.Add(at.delay), at.pace)
}

// leave lets the next one pass.
func (g *gates) leave(at *gate) {
	unlock(g.slots)
	unlock(at.turn)
}

// wait makes the next request wait until then, if it would not anyway. Only who has entered calls it.
func (at *gate) wait(until time.Time, why string) {
	if until.After(at.next) {
		at.next, at.why = until, why
	}
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
