package review

import (
	"context"

	"visto/canon"
)

// storedItems are the items of the store that Replay repeats, by ID, as they are to be added to the fresh one.
type storedItems struct {
	items chan NewItem
	last  int64      // the ID of the last item that was taken
	early [][32]byte // the digests of the items that are added before their entry
	stop  func()
	err   error // set before items is closed
	*comparison
}

// readItems starts to read the items, with their results under the current rules as if nobody had decided.
func (r *replayer) readItems(ctx context.Context) (*storedItems, error) {
	rules, err := r.desk.rules(ctx)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	s := &storedItems{items: make(chan NewItem, batchSize), stop: stop, comparison: &r.comparison}
	r.rules = rules
	undecided := func() worker[checkedItem] {
		compute := rules.worker()
		return r.worker(func(it *Item, ev *canon.Evidence) Computed {
			return compute(&Item{Original: it.Original}, ev)
		})
	}
	go func() {
		defer close(s.items)
		s.err = stream(ctx, r.desk.store.EachWithEvidence, Filter{}, undecided, func(it *Item, v checkedItem) error {
			n := NewItem{Original: it.Original, Source: it.Source, Title: it.Title, Computed: v.computed,
				Digest: v.digest}
			select {
			case s.items <- n:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	return s, nil
}

// take returns the items that a log entry added. IDs have no gaps, so they are the next ones.
func (s *storedItems) take(a *AddedItems) (list []NewItem, err error) {
	for ; s.last < a.Last; s.last++ {
		n, ok := <-s.items
		if !ok {
			return list, s.err
		}
		list = append(list, n)
	}
	return list, nil
}

// end reports the items that no log entry added.
func (s *storedItems) end() error {
	if _, ok := <-s.items; ok {
		s.differ("URLs after %d are in no log entry", s.last)
		return nil
	}
	return s.err
}

// lateCover finds the items of a log that is older than entries for added items: they were there before the run of
// entries that covers them first.
type lateCover struct {
	run, last int64 // the run of the first such entries, and the last ID in it
	before    int   // the entries before
}

func (l *lateCover) note(e *Entry, a *AddedItems) {
	switch {
	case l.run == 0 && a == nil:
		l.before++
	case a != nil && (l.run == 0 || l.run == e.Run):
		l.run, l.last = e.Run, a.Last
	}
}

// addUncovered adds the items that the log covers late. The first entry, of the policy, is always older than any item.
func (r *replayer) addUncovered(ctx context.Context, stored *storedItems, late lateCover) error {
	if late.before < 2 {
		return nil
	}
	for stored.last < late.last {
		meta, err := r.fresh.Meta(ctx)
		if err != nil {
			return err
		}
		list, err := stored.take(&AddedItems{Last: min(late.last, stored.last+addBatch)})
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			stored.early = append(stored.early, list[i].Digest)
		}
		if _, err := r.fresh.Commit(ctx, Change{Reviewer: r.desk.reviewer, Action: ActAdd, Added: list,
			Uncovered: true, Gen: meta.Gen}); err != nil {
			return err
		}
	}
	return nil
}

// cover returns the digests of an entry's items if they are added already.
func (s *storedItems) cover(a *AddedItems) [][32]byte {
	if a.First < 1 || a.Last > int64(len(s.early)) || a.Last < a.First {
		return nil
	}
	return s.early[a.First-1 : a.Last]
}
