package review

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Postponed is an item that cannot be probed before a time, because its host asks for a pause.
type Postponed struct {
	ID    int64
	Until time.Time
	Why   string
}

// Holder names the program that has a lease. Two programs that run at the same time have different ones.
type Holder struct {
	Machine string // host name
	PID     int    // process on that machine
}

// Lease is the right to probe the URLs of a store, which one program has at a time, so that each host gets the
// requests of one prober. The right to watch them is a lease of its own: a watch probes now and then, for days, and
// others may probe in between.
type Lease struct {
	Watch    bool
	Reviewer string
	Holder
	Since time.Time
	Until time.Time // it ends then unless the holder prolongs it
}

// LeaseError is the error of a program that wants to probe while another one does.
type LeaseError struct{ Held Lease }

func (e *LeaseError) Error() string {
	h, what := &e.Held, "probe"
	if h.Watch {
		what = "visto probe --watch"
	}
	return fmt.Sprintf("another %s runs on this database: %s's, on %s since %s (process %d)", what, h.Reviewer,
		h.Machine, h.Since.UTC().Format(time.RFC3339), h.PID)
}

// ProbeLease keeps other programs from probing the URLs of the store, so that the request limits of the prober hold
// for each host. All probes of a program share its lease.
type ProbeLease struct {
	store ProbeStore
	now   func() time.Time

	mu     sync.Mutex
	users  int
	lease  Lease           // of the users
	held   context.Context // ends with the lease; the cause is the reason of its loss
	cancel context.CancelCauseFunc
	keeper sync.WaitGroup
}

// NewProbeLease returns a lease for the holder, which is not taken yet.
func NewProbeLease(d *Desk, holder Holder, now func() time.Time) *ProbeLease {
	return &ProbeLease{store: d.store, lease: Lease{Reviewer: d.reviewer, Holder: holder}, now: now}
}

// NewWatchLease is NewProbeLease for the right to watch.
func NewWatchLease(d *Desk, holder Holder, now func() time.Time) *ProbeLease {
	l := NewProbeLease(d, holder, now)
	l.lease.Watch = true
	return l
}

// Alone runs fn while it holds the lease. It fails with a *LeaseError if another program holds it. If another program
// takes it over, the context of fn ends with a *LeaseError.
func (s *ProbeLease) Alone(ctx context.Context, fn func(context.Context) error) error {
	held, err := s.take(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(held, func() { cancel(context.Cause(held)) })
	defer stop()
	return errors.Join(fn(ctx), s.leave(ctx))
}

// take takes the lease, or joins its users in this program.
func (s *ProbeLease) take(ctx context.Context) (held context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 {
		s.lease.Since = s.now()
		if err := s.prolong(ctx); err != nil {
			return nil, err
		}
		s.held, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		held, cancel := s.held, s.cancel
		s.keeper.Go(func() { s.keep(held, cancel) })
	}
	s.users++
	return s.held, nil
}

// leave ends the lease with its last user.
func (s *ProbeLease) leave(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return nil
	}
	s.cancel(nil)
	s.keeper.Wait()
	return s.store.EndLease(context.WithoutCancel(ctx), s.lease)
}

// leaseTerm is the time after which the lease of a killed program on another machine ends.
const leaseTerm = 30 * time.Second

// prolong extends the lease. take calls it first, then only the keeper does.
func (s *ProbeLease) prolong(ctx context.Context) error {
	now := s.now()
	s.lease.Until = now.Add(leaseTerm)
	return s.store.Lease(ctx, s.lease, now)
}

// keep prolongs the lease until it ends. If another program has taken it, keep cancels its users.
func (s *ProbeLease) keep(held context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(leaseTerm / 3)
	defer tick.Stop()
	for {
		select {
		case <-held.Done():
			return
		case <-tick.C:
		}
		if err := s.prolong(held); err != nil && held.Err() == nil {
			cancel(err)
			return
		}
	}
}
