package watch

import (
	"context"
	"errors"
	"time"

	"visto/review"
	"visto/review/probe"
)

// Watch checks the links of a desk whenever they are due.
type Watch struct {
	Desk   *review.Desk
	Clock  probe.Clock
	Hours  *Hours // nil: at any time
	Filter review.Filter
	Due    review.DueOptions // its limits are those of a round

	// Ask probes the jobs of a round. It fails with probe.ErrClosed once the Hours have ended.
	Ask func(ctx context.Context, jobs []review.ProbeJob) error
	// Tell is called before a wait, for people.
	Tell func(Wait)
}

// Wait is the reason why a Watch waits, and until when.
type Wait struct {
	Why   Reason
	Until time.Time // zero: until the store changes
	Err   error     // of an Offline or Busy wait

	seq int64     // the newest entry of the log before NothingDue
	not time.Time // no look before this time
}

// Reason is the reason for a wait.
type Reason uint8

// The reasons.
const (
	NothingDue Reason = iota
	Closed            // it is not within the Hours
	Offline           // the machine has no network
	Busy              // another program probes
	Asked             // a round has ended; Tell is not called
)

const (
	pollEvery  = 5 * time.Second // looks for changes of the store
	tryEvery   = time.Minute     // tries again after an Offline or Busy wait
	lookShare  = 20              // of the time at most one part in so many is for looking
	roundLimit = 20_000          // links
	hostLimit  = 500             // links of one host in a round, some ten minutes of it
)

// Run watches until ctx ends, and returns the cause, or until the desk or Ask fails.
func (w *Watch) Run(ctx context.Context) error {
	w.Due.Limit, w.Due.PerHost = roundLimit, hostLimit
	for {
		wait, err := w.round(ctx)
		if err == nil {
			err = w.wait(ctx, wait)
		}
		if err != nil {
			return err
		}
	}
}

// round asks for the links that are due, and returns the wait after it.
func (w *Watch) round(ctx context.Context) (wait Wait, err error) {
	begun := w.Clock.Now()
	if open := w.Hours.Next(begun); open.After(begun) {
		return Wait{Why: Closed, Until: open}, nil
	}
	meta, err := w.Desk.Meta(ctx)
	if err != nil {
		return wait, err
	}
	jobs, next, err := w.Desk.DueLinks(ctx, w.Filter, begun, w.Due)
	if err != nil {
		return wait, err
	}
	wait = Wait{Why: NothingDue, Until: next, seq: meta.LastSeq}
	wait.not = begun.Add(lookShare * w.Clock.Now().Sub(begun))
	if !next.IsZero() && next.Before(wait.not) {
		wait.Until = wait.not
	}
	if len(jobs) > 0 {
		err = w.ask(ctx, jobs, &wait)
	}
	return wait, err
}

// ask probes the jobs of a round, and sets the wait after it.
func (w *Watch) ask(ctx context.Context, jobs []review.ProbeJob, wait *Wait) error {
	err := w.Ask(ctx, jobs)
	_, busy := errors.AsType[*review.LeaseError](err)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil || errors.Is(err, probe.ErrClosed):
		wait.Why, wait.Until = Asked, wait.not
		return nil
	case busy:
		wait.Why = Busy
	case errors.Is(err, probe.ErrOffline):
		wait.Why = Offline
	default:
		return err
	}
	wait.Until, wait.Err = w.Clock.Now().Add(tryEvery), err
	return nil
}

// wait waits. It goes by the clock on the wall, in short steps, for a machine may sleep meanwhile.
func (w *Watch) wait(ctx context.Context, wait Wait) error {
	step := tryEvery
	switch wait.Why {
	case NothingDue:
		step = pollEvery
		w.Tell(wait)
	case Closed, Offline, Busy:
		w.Tell(wait)
	}
	for changed := false; ; {
		until := wait.Until
		if changed {
			until = wait.not
		}
		left := until.Sub(w.Clock.Now())
		if until.IsZero() {
			left = step
		}
		if left <= 0 {
			return nil
		}
		if err := w.Clock.Sleep(ctx, min(left, step)); err != nil {
			return err
		}
		if wait.Why == NothingDue && !changed {
			meta, err := w.Desk.Meta(ctx)
			if err != nil {
				return err
			}
			changed = meta.LastSeq != wait.seq
		}
	}
}
