package review

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"visto/canon"
)

// Propagate recomputes the stored URLs on all hosts with new host evidence. It writes small transactions, so that
// others can write in between. The store remembers the hosts that an interrupted Propagate has not reached.
func (d *Desk) Propagate(ctx context.Context) error {
	hosts, err := d.store.PendingHosts(ctx)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(hosts, chunk) {
		if err := d.propagateTo(ctx, part); err != nil {
			return fmt.Errorf("propagating host evidence: %w", err)
		}
	}
	return nil
}

func (d *Desk) propagateTo(ctx context.Context, hosts []string) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	both := slices.Sorted(slices.Values(RelatedHosts(nil, hosts...)))
	ids, err := d.outdated(ctx, r, slices.Compact(both))
	if err != nil {
		return err
	}
	for part := range slices.Chunk(ids, chunk) {
		if err := whileStale(func() error { return d.recompute(ctx, part) }); err != nil {
			return err
		}
	}
	return d.store.MarkPropagated(ctx, hosts, r.gen)
}

// outdated returns the URLs on the hosts whose stored result differs from that under the rules.
func (d *Desk) outdated(ctx context.Context, r *rules, hosts []string) (ids []int64, err error) {
	all := plan{policy: r.policy, overrides: r.overrides}
	err = stream(ctx, d.store.EachAnswered, Filter{Reach: hosts}, all.worker, func(it *Item, after Computed) error {
		if recomputed(it, after, "") != nil {
			ids = append(ids, it.ID)
		}
		return nil
	})
	return ids, err
}

func (d *Desk) recompute(ctx context.Context, ids []int64) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	c := canon.New(r.policy, r.overrides)
	var list []Recomputed
	err = d.store.EachWithEvidence(ctx, Filter{IDs: ids}, func(it Item, ev *canon.Evidence) error {
		if re := recomputed(&it, compute(c, it.Original, ev), ""); re != nil {
			list = append(list, *re)
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		return err
	}
	_, err = d.store.Commit(ctx, Change{
		Reviewer: d.reviewer, Action: ActEvidence,
		Summary:    fmt.Sprintf("evidence about hosts: %d URLs computed anew", len(list)),
		Recomputed: list, Gen: r.gen, LastID: r.lastID,
		Late: func(it Item, ev *canon.Evidence) *Recomputed { return recomputed(&it, compute(c, it.Original, ev), "") },
	})
	return err
}

// propagator runs Propagate in the background whenever it is woken.
type propagator struct {
	woken chan struct{}
	group sync.WaitGroup
	err   error
}

// startPropagator starts a propagator. It first propagates evidence left from before.
func (d *Desk) startPropagator(ctx context.Context) *propagator {
	s := &propagator{woken: make(chan struct{}, 1)}
	s.wake()
	s.group.Go(func() {
		for range s.woken {
			if s.err == nil {
				s.err = d.Propagate(ctx)
			}
		}
	})
	return s
}

func (s *propagator) wake() {
	select {
	case s.woken <- struct{}{}:
	default: // a run that has not begun yet will include this
	}
}

// finish waits until all is propagated.
func (s *propagator) finish() error {
	close(s.woken)
	s.group.Wait()
	return s.err
}
