package probe

import (
	"context"
	"time"
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

// Run asks about many URLs: Config.Concurrency hosts at a time, the URLs of one host after each other, both in shuffled order.
// sink gets every Report as soon as it is finished, one at a time, in no order; when it fails, Run stops and returns its error.
// When ctx ends Run stops at once and returns its cause: what was finished by then has reached the sink, and what
// was under way is as if it had never been asked. Memory does not grow with what is fetched.
func (p *Prober) Run(ctx context.Context, targets []Target, sink func(Report) error) error {
	for _, t := range targets {
		r, err := p.Probe(ctx, t)
		if err != nil {
			return err
		}
		if err := sink(r); err != nil {
			return err
		}
	}
	return nil
}
