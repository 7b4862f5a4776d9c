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
func (d *Desk) Propagate(ctx context.Context) error { return (&propagator{desk: d}).run(ctx) }

// propagator propagates the evidence of hosts. Once started, it does so in the background whenever it is woken.
type propagator struct {
	desk  *Desk
	woken chan struct{}
	group sync.WaitGroup
	err   error
}

func (p *propagator) run(ctx context.Context) error {
	hosts, err := p.desk.store.PendingHosts(ctx)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(hosts, chunk) {
		if err := p.propagate(ctx, part); err != nil {
			return fmt.Errorf("propagating host evidence: %w", err)
		}
	}
	return nil
}

func (p *propagator) propagate(ctx context.Context, hosts []string) error {
	r, err := p.desk.rules(ctx)
	if err != nil {
		return err
	}
	both := slices.Sorted(slices.Values(RelatedHosts(nil, hosts...)))
	var ids []int64 // of the URLs whose stored result differs from that under the rules
	read, f := p.desk.store.EachAnswered, Filter{Reach: slices.Compact(both)}
	err = stream(ctx, read, f, r.worker, func(it *Item, after Computed) error {
		if recomputed(it, after, "") != nil {
			ids = append(ids, it.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for part := range slices.Chunk(ids, chunk) {
		if err := whileStale(func() error { return p.recompute(ctx, part) }); err != nil {
			return err
		}
	}
	return p.desk.store.MarkPropagated(ctx, hosts, r.gen)
}

func (p *propagator) recompute(ctx context.Context, ids []int64) error {
	r, err := p.desk.rules(ctx)
	if err != nil {
		return err
	}
	compute := r.worker()
	again := func(it Item, ev *canon.Evidence) *Recomputed { return recomputed(&it, compute(&it, ev), "") }
	var list []Recomputed
	err = p.desk.store.EachWithEvidence(ctx, Filter{IDs: ids}, func(it Item, ev *canon.Evidence) error {
		if re := again(it, ev); re != nil {
			list = append(list, *re)
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		return err
	}
	_, err = p.desk.store.Commit(ctx, Change{
		Reviewer: p.desk.reviewer, Action: ActEvidence,
		Summary:    fmt.Sprintf("evidence about hosts: %d URLs computed anew", len(list)),
		Recomputed: list, Gen: r.gen, LastID: r.lastID, Late: again,
	})
	return err
}

// startPropagator starts a propagator. It first propagates evidence left from before.
func startPropagator(ctx context.Context, d *Desk) *propagator {
	p := &propagator{desk: d, woken: make(chan struct{}, 1)}
	p.wake()
	p.group.Go(func() {
		for range p.woken {
			if p.err == nil {
				p.err = p.run(ctx)
			}
		}
	})
	return p
}

func (p *propagator) wake() {
	select {
	case p.woken <- struct{}{}:
	default: // a run that has not begun yet will include this
	}
}

// finish waits until all is propagated.
func (p *propagator) finish() error {
	close(p.woken)
	p.group.Wait()
	return p.err
}
