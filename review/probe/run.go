package probe

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"visto/canon"
	"visto/review/fault"
)

// EventKind is the kind of an Event.
type EventKind uint8

// The kinds of events.
const (
	Started  EventKind = iota // work on a URL begins: Target
	Asking                    // before a request: Target, Exchange with Method, URL and Purpose
	Answered                  // after a request: Target, Exchange
	Waiting                   // before the next request: Target, Wait, Why
	Finished                  // a URL is done, and the sink has its report: Target, Report
)

// Event is a step of a probe, for observers.
type Event struct {
	Kind     EventKind
	Target   Target
	Exchange Exchange
	Wait     time.Duration
	Why      string // "delay between requests", "retry", "Retry-After", "crawl delay", "rate limit"
	Report   *Report

	// Set by Run, with kind Finished.
	Done, Total int           // URLs
	Left        time.Duration // estimate for the rest; 0: unknown
}

// queuesAtATime is the number of hosts with a goroutine, per concurrent request: most of them wait.
const queuesAtATime = 16

// queue holds the targets of one host.
type queue struct {
	host    string
	targets []Target
}

// delay returns the longest delay of the targets.
func (q *queue) delay() (d time.Duration) {
	for _, t := range q.targets {
		d = max(d, t.Delay)
	}
	return d
}

// Run probes many URLs: one after the other on each host, hosts in parallel, with at most Config.Concurrency requests
// at a time. Hosts with many URLs come first; otherwise the order of hosts and URLs is random.
//
// sink receives every Report when it is finished, one at a time. A host gets its next request only after sink
// returned, so an abrupt end wastes at most one URL per host. If sink fails, Run stops and returns its error. If ctx
// ends, Run stops at once and returns the cause: sink has all finished reports, and unfinished ones leave no trace. The
// same holds for ErrOffline. With ErrClosed the requests in progress end first.
// Memory does not grow with the fetched data.
func (p *Prober) Run(ctx context.Context, targets []Target, sink func(Report) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queues := p.queues(targets)
	waiting := make(chan queue, len(queues))
	for _, q := range queues {
		waiting <- q
	}
	close(waiting)
	parallel := queuesAtATime * p.cfg.Concurrency
	out := &outlet{lock: make(chan struct{}, 1), sink: sink, progress: newProgress(queues, parallel),
		silence: &silence{prober: p, dead: make(chan struct{}), hosts: len(queues), single: len(targets) == 1,
			unknown: map[string]bool{}}}
	var workers sync.WaitGroup
	for range min(len(queues), parallel) {
		workers.Go(func() {
			for q := range waiting {
				if err := fault.Do(func() error { return p.work(ctx, q, out) }); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil || !out.closed.Load() {
		return err
	}
	return ErrClosed
}

// work probes the URLs of one host. It holds the host's gate throughout, so that the facts in it stay.
func (p *Prober) work(ctx context.Context, q queue, out *outlet) error {
	at := p.gates.hold(q.host)
	defer p.gates.release(at)
	if err := p.gates.slowDown(ctx, at, q.delay(), forRateLimit); err != nil {
		return err
	}
	held := false
	for i, t := range q.targets {
		begun := p.cfg.Clock.Now()
		r, err := p.Probe(ctx, t)
		if errors.Is(err, ErrClosed) {
			out.closed.Store(true)
			break
		}
		if err != nil {
			return err
		}
		took := p.cfg.Clock.Now().Sub(begun)
		if !held && p.silent(&r) {
			held = true
			if err := out.silence.wait(ctx, &r, q.host); err != nil {
				return err
			}
		}
		if err := p.deliver(out, result{r, len(q.targets) - 1 - i, took}); err != nil {
			return err
		}
	}
	if held {
		return nil
	}
	return out.silence.ended(ctx)
}

// result is a report on its way to the sink.
type result struct {
	report Report
	left   int           // URLs left for its host
	took   time.Duration // waits included
}

// outlet serializes the reports of a run.
type outlet struct {
	lock    chan struct{} // a lock with one place
	silence *silence
	closed  atomic.Bool // a target was left out because of ErrClosed

	// Under lock.
	sink     func(Report) error
	failed   error // of the sink, which then gets no more
	progress *progress
}

// deliver passes a finished report to the sink even if the run is about to end: it must be stored.
func (p *Prober) deliver(out *outlet, r result) error {
	out.lock <- struct{}{}
	defer unlock(out.lock)
	if out.failed != nil {
		return out.failed
	}
	if out.failed = out.sink(r.report); out.failed != nil {
		return out.failed
	}
	p.announce(out.progress.finished(r))
	return nil
}

// queues puts the targets in the order of their requests.
func (p *Prober) queues(targets []Target) []queue {
	byHost := map[string][]Target{}
	clean := p.canonicalizer()
	for _, t := range targets {
		host := clean.Clean(t.URL).InHost
		byHost[host] = append(byHost[host], t)
	}
	var queues []queue
	for _, host := range slices.Sorted(maps.Keys(byHost)) {
		list := byHost[host]
		p.shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		queues = append(queues, queue{host, list})
	}
	p.shuffle(len(queues), func(i, j int) { queues[i], queues[j] = queues[j], queues[i] })
	slices.SortStableFunc(queues, func(a, b queue) int { return len(b.targets) - len(a.targets) })
	return queues
}

func (p *Prober) canonicalizer() *canon.Canonicalizer {
	return canon.New(p.cfg.Policy, p.cfg.Overrides)
}

// announce reports an event to the observer.
func (p *Prober) announce(e Event) {
	p.events.Lock()
	defer p.events.Unlock()
	p.cfg.Progress(e)
}
