package review

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ProbeLease is from where a program probes the store's URLs: no other program does meanwhile, so that the prober's manners hold for all.
// Whoever probes in the program shares its one seat.
type ProbeLease struct {
	store ProbeStore
	now   func() time.Time

	mu     sync.Mutex
	users  int
	lease  Lease           // of the users
	held   context.Context // ends with the lease, with why it was lost
	cancel context.CancelCauseFunc
	keeper sync.WaitGroup
}

// NewProbeLease returns the lease of the program that holder names. It is not taken yet.
func NewProbeLease(d *Desk, holder Holder, now func() time.Time) *ProbeLease {
	return &ProbeLease{store: d.store, lease: Lease{Reviewer: d.reviewer, Holder: holder}, now: now}
}

// Alone runs fn while no other program probes the store's URLs, and keeps others out meanwhile. It fails with a *LeaseError if another
// program does; fn's context ends with one if another takes the lease.
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

// take joins those who have the seat, or takes it.
func (s *ProbeLease) take(ctx context.Context) (held context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 {
		s.lease.Since = s.now()
		if err := s.prolong(ctx); err != nil {
			return nil, err
		}
		s.held, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
		held, letGo := s.held, s.cancel
		s.keeper.Go(func() { s.keep(held, letGo) })
	}
	s.users++
	return s.held, nil
}

// leave ends the lease with the last of those who have it.
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

// leaseTerm is how long a probe that was killed on another machine keeps others out.
const leaseTerm = 30 * time.Second

// prolong is called by whoever takes the seat, and then by its keeper alone.
func (s *ProbeLease) prolong(ctx context.Context) error {
	now := s.now()
	s.lease.Until = now.Add(leaseTerm)
	return s.store.Lease(ctx, s.lease, now)
}

// keep prolongs the lease until it is let go; if another program has taken it, it stops those who have it.
func (s *ProbeLease) keep(held context.Context, letGo context.CancelCauseFunc) {
	tick := time.NewTicker(leaseTerm / 3)
	defer tick.Stop()
	for {
		select {
		case <-held.Done():
			return
		case <-tick.C:
		}
		if err := s.prolong(held); err != nil && held.Err() == nil {
			letGo(err)
			return
		}
	}
}
