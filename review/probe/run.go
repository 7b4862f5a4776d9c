package probe

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"visto/canon"
)

// EventKind says what happened.
type EventKind uint8

// The kinds of events.
const (
	Started  EventKind = iota // a URL is being asked about: Target
	Asking                    // a request is about to be made: Target, Exchange with Method, URL and Purpose
	Answered                  // it was made: Target, Exchange
	Waiting                   // before the next request: Target, Wait, Why
	Finished                  // all is known about a URL, and the sink has it: Target, Report
)

// Event is one moment of a probe, for whoever watches.
type Event struct {
	Kind     EventKind
	Target   Target
	Exchange Exchange
	Wait     time.Duration
	Why      string // "delay between requests", "retry", "Retry-After", "crawl delay"
	Report   *Report

	// Of a Run, at Finished.
	Done, Total int           // URLs
	Left        time.Duration // estimate of what the rest will take; 0: no idea
}

// queuesAtATime is how many hosts have a goroutine at a time, for each request that may be under way: most of them wait for their turn.
const queuesAtATime = 16

// queue is the targets of one host.
type queue struct {
	host    string
	targets []Target
}

// Run asks about many URLs: the URLs of one host after each other, hosts in parallel, as many as Config.Concurrency has requests
// for, hosts with many URLs first and otherwise in shuffled order, as are the URLs of a host. sink gets every Report as soon as it is
// finished, one at a time, and its host is asked about the next URL when sink has returned: of whatever ends the process, one URL
// of each host at the most was asked in vain. When sink fails, Run stops and returns its error. When ctx ends Run stops at once and
// returns its cause: what was finished by then has reached the sink, and what was under way is as if it had never been asked. Memory
// does not grow with what is fetched.
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
	out := &outlet{turn: make(chan struct{}, 1), sink: sink, progress: newProgress(queues, parallel)}
	var workers sync.WaitGroup
	for range min(len(queues), parallel) {
		workers.Go(func() {
			for q := range waiting {
				if err := p.work(ctx, q, out); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// work asks about the URLs of one host. Its gate is held all the while, so that what was learned of the host stays.
func (p *Prober) work(ctx context.Context, q queue, out *outlet) error {
	at := p.gates.hold(q.host)
	defer p.gates.letGo(at)
	for i, t := range q.targets {
		begun := p.cfg.Clock.Now()
		r, err := p.Probe(ctx, t)
		if err != nil {
			return err
		}
		took := p.cfg.Clock.Now().Sub(begun)
		if err := p.deliver(out, result{r, len(q.targets) - 1 - i, took}); err != nil {
			return err
		}
	}
	return nil
}

// result is a report on its way to the sink.
type result struct {
	report Report
	left   int           // URLs that its host has still to be asked about
	took   time.Duration // waits included
}

// outlet is where the reports of a run go.
type outlet struct {
	turn chan struct{} // a lock with one place

	// Under turn.
	sink     func(Report) error
	failed   error // of the sink, which then gets no more
	progress *progress
}

// deliver waits for the sink, even where the run is about to end: what is finished is to be stored.
func (p *Prober) deliver(out *outlet, r result) error {
	out.turn <- struct{}{}
	defer unlock(out.turn)
	if out.failed != nil {
		return out.failed
	}
	if out.failed = out.sink(r.report); out.failed != nil {
		return out.failed
	}
	p.announce(out.progress.finished(r))
	return nil
}

// queues puts the targets in the order in which they are asked.
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

// announce tells whoever watches.
func (p *Prober) announce(e Event) {
	p.events.Lock()
	defer p.events.Unlock()
	p.cfg.Progress(e)
}
