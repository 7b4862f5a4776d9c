package review

import (
	"context"

	"visto/canon"
)

// storedItems are the items of the store that Replay repeats, by ID, as they are to be added to the fresh one.
type storedItems struct {
	items chan NewItem
	last  int64 // the ID of the last item that was taken
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
