package review

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"visto/canon"
	"visto/review/fault"
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
	if err != nil || len(hosts) == 0 {
		return err
	}
	for part := range slices.Chunk(hosts, propagateHosts) {
		if err := p.propagate(ctx, part); err != nil {
			return fmt.Errorf("propagating host evidence: %w", err)
		}
	}
	return nil
}

// propagateHosts is the number of hosts whose URLs are looked for at once. The database reads all URLs that overrides
// moved for each such part, and holds the names of a part in memory several times.
const propagateHosts = 5000

func (p *propagator) propagate(ctx context.Context, hosts []string) error {
	r, err := p.desk.rules(ctx)
	if err != nil {
		return err
	}
	var ids []int64
	if err := p.desk.eachOutdated(ctx, r, hosts, func(id int64) { ids = append(ids, id) }); err != nil {
		return err
	}
	for part := range slices.Chunk(ids, propagateBatch) {
		if err := whileStale(func() error { return p.recompute(ctx, part) }); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(hosts, writeChunk) {
		if err := p.desk.store.MarkPropagated(ctx, part, r.gen); err != nil {
			return err
		}
	}
	return nil
}

// eachOutdated calls fn for each URL that concerns the hosts and whose stored result is not that under the rules.
func (d *Desk) eachOutdated(ctx context.Context, r *rules, hosts []string, fn func(id int64)) error {
	both := slices.Sorted(slices.Values(RelatedHosts(nil, hosts...)))
	read, f := d.store.EachAnswered, Filter{Reach: slices.Compact(both), Presence: AnyPresence}
	return stream(ctx, read, f, r.worker, func(it *Item, after Computed) error {
		if recomputed(it, after, "") != nil {
			fn(it.ID)
		}
		return nil
	})
}

// propagateBatch is the number of URLs that are recomputed under one reading of the rules and of all host evidence.
const propagateBatch = 8000

// recompute writes the new results of the URLs, few in a transaction.
func (p *propagator) recompute(ctx context.Context, ids []int64) error {
	r, err := p.desk.finishedRules(ctx)
	if err != nil {
		return err
	}
	compute := r.worker()
	again := func(it Item, ev *canon.Evidence) *Recomputed { return recomputed(&it, compute(&it, ev), "") }
	var list []Recomputed
	f := Filter{IDs: ids, Presence: AnyPresence}
	err = p.desk.store.EachWithEvidence(ctx, f, func(it Item, ev *canon.Evidence) error {
		if re := again(it, ev); re != nil {
			list = append(list, *re)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for part := range slices.Chunk(list, writeChunk) {
		_, err = p.desk.store.Commit(ctx, AddEvidence{Reviewer: p.desk.reviewer, Results: r.results(part, again),
			Summary: fmt.Sprintf("evidence about hosts: %d URLs computed anew", len(part))})
		if err != nil {
			return err
		}
	}
	return nil
}

// startPropagator starts a propagator. It first propagates evidence left from before.
func startPropagator(ctx context.Context, d *Desk) *propagator {
	p := &propagator{desk: d, woken: make(chan struct{}, 1)}
	p.wake()
	p.group.Go(func() {
		for range p.woken {
			if p.err == nil {
				p.err = fault.Do(func() error { return p.run(ctx) })
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
