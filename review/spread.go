package review

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"visto/canon"
)

// Propagate computes anew the URLs on all hosts of which evidence said something new, those that were stored before. It writes in
// small transactions, between which others decide. What it does not come to is still owed: the next one goes on.
func (d *Desk) Propagate(ctx context.Context) error {
	hosts, err := d.store.PendingHosts(ctx)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(hosts, chunk) {
		if err := d.spread(ctx, part); err != nil {
			return fmt.Errorf("computing anew what evidence concerns: %w", err)
		}
	}
	return nil
}

func (d *Desk) spread(ctx context.Context, hosts []string) error {
	r, err := d.rules(ctx)
	if err != nil {
		return err
	}
	ids, err := d.outdated(ctx, r, bothForms(hosts))
	if err != nil {
		return err
	}
	for part := range slices.Chunk(ids, chunk) {
		if err := whileStale(func() error { return d.computeAnew(ctx, part) }); err != nil {
			return err
		}
	}
	return d.store.MarkPropagated(ctx, hosts, r.gen)
}

// bothForms adds to each host the one with, or without, "www.": what is known of the one counts for the other.
func bothForms(hosts []string) []string {
	all := map[string]bool{}
	for _, h := range hosts {
		bare := strings.TrimPrefix(h, "www.")
		all[bare], all["www."+bare] = true, true
	}
	return slices.Sorted(maps.Keys(all))
}

// outdated returns the URLs on the hosts that are stored with another answer than the rules give.
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

func (d *Desk) computeAnew(ctx context.Context, ids []int64) error {
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
		Reviewer: d.reviewer, Action: ActEvidence, Summary: fmt.Sprintf("evidence about hosts: %d URLs computed anew", len(list)),
		Recomputed: list, Gen: r.gen, LastID: r.lastID,
		Late: func(it Item, ev *canon.Evidence) *Recomputed { return recomputed(&it, compute(c, it.Original, ev), "") },
	})
	return err
}

// spreading runs Spread in the background whenever it is woken.
type spreading struct {
	woken chan struct{}
	group sync.WaitGroup
	err   error
}

// startSpreading starts with what is owed from before.
func (d *Desk) startSpreading(ctx context.Context) *spreading {
	s := &spreading{woken: make(chan struct{}, 1)}
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

func (s *spreading) wake() {
	select {
	case s.woken <- struct{}{}:
	default: // it has not begun yet, and will come to this too
	}
}

// finish returns when all is spread.
func (s *spreading) finish() error {
	close(s.woken)
	s.group.Wait()
	return s.err
}
