package review

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
)

// compareOccurrences compares the records and the occurrences.
func (r *replayer) compareOccurrences(ctx context.Context) error {
	records := func(s Store, fn func(StoredRecord) error) error { return s.EachRecord(ctx, fn) }
	var placed PlaceSum
	err := bothOf(r, records, func(stored, again *StoredRecord) {
		if stored != nil {
			placed.AddRecord(stored.ID, stored.path())
		}
		if !reflect.DeepEqual(stored, again) || !r.records.isCurrent(stored) {
			r.differ("a record differs from that of the replay, or there are more or fewer")
		}
	})
	occurrences := func(s Store, fn func(StoredOccurrence) error) error { return s.EachOccurrence(ctx, fn) }
	err = errors.Join(err, bothOf(r, occurrences, func(stored, again *StoredOccurrence) {
		if stored != nil {
			placed.AddOccurrence(stored.ID, stored.Path, stored.Line, stored.Column)
		}
		if !reflect.DeepEqual(stored, again) {
			r.differ("an occurrence differs from that of the replay, or there are more or fewer")
		}
	}))
	if err == nil && !r.records.isPlaced(placed) {
		r.report("given", movedAlone)
	}
	return err
}

// compareItems compares the items, except for their revisions: the log does not hold how often an item was recomputed.
func (r *replayer) compareItems(ctx context.Context) error {
	each := func(s Store, fn func(Item) error) error { return s.Each(ctx, everything, fn) }
	return bothOf(r, each, func(stored, again *Item) {
		switch {
		case stored == nil || again == nil:
			r.differ("there are more or fewer URLs than the replay gives")
			return
		case stored.ID != again.ID:
			r.differ("URL %d is URL %d in the replay", stored.ID, again.ID)
			return
		}
		if r.otherTitle(stored) {
			r.differ("URL %d has not the title that the log has", stored.ID)
		}
		again.Rev = stored.Rev
		if !stored.Computed.same(again.Computed) {
			r.differ("URL %d is stored as %s, and the replay gives %s", stored.ID, describeComputed(&stored.Computed),
				describeComputed(&again.Computed))
		}
		again.Computed = stored.Computed
		if !reflect.DeepEqual(stored, again) {
			r.differ("URL %d is %s, and by the replay %s, or has another decision, title, source or link", stored.ID,
				stored.Status, again.Status)
		}
	})
}

// compareHistory compares the decisions and notes of each item that has any.
func (r *replayer) compareHistory(ctx context.Context) error {
	for id := range r.touched {
		history := func(s Store) ([]PastDecision, error) { return s.History(ctx, id) }
		notes := func(s Store) ([]Note, error) { return s.Notes(ctx, id) }
		err := same(r, history, "the history of URL %d", id)
		if err = errors.Join(err, same(r, notes, "the list of notes of URL %d", id)); err != nil {
			return err
		}
	}
	return nil
}

// compareEntries compares the batches, and the logs by their hashes.
func (r *replayer) compareEntries(ctx context.Context) error {
	each := func(s Store, fn func(Entry) error) error { return s.EachEntry(ctx, fn) }
	return bothOf(r, each, func(stored, again *Entry) {
		if stored == nil || again == nil || stored.Hash != again.Hash {
			r.differ("the replay's log is another one than the stored one")
			return
		}
		batch := func(s Store) (Batch, error) { return s.Batch(ctx, stored.Batch) }
		if err := same(r, batch, "batch %d", stored.Batch); err != nil {
			r.differ("batch %d: %v", stored.Batch, err)
		}
	})
}

func (r *replayer) compareRules(ctx context.Context) error {
	own := func(s Store) ([]StoredOverride, error) {
		list, err := Overrides(ctx, s)
		for i := range list {
			list[i].ID = 0
		}
		return list, err
	}
	policy := func(s Store) ([]string, error) {
		m, err := s.Meta(ctx)
		return []string{m.PolicyID, m.PolicyDigest, string(m.PolicyYAML)}, err
	}
	return errors.Join(same(r, own, "the set of overrides"), same(r, policy, "the policy"))
}

// compareCounts compares the counts, and the batches that undo and redo would take.
func (r *replayer) compareCounts(ctx context.Context) error {
	totals := func(s Store) (Totals, error) {
		t, err := s.Totals(ctx)
		t.Reviewed, t.ByRules = 0, 0 // the log does not hold that an item settled by a rule was open
		return t, err
	}
	decisions := func(s Store) ([]DecisionCount, error) { return s.DecisionCounts(ctx) }
	err := errors.Join(same(r, totals, "the count of URLs"), same(r, decisions, "the count of decisions"))
	for reviewer := range r.reviewers {
		for _, undone := range []bool{false, true} {
			last := func(s Store) (int64, error) {
				b, err := s.LastBatch(ctx, reviewer, undone)
				if errors.Is(err, ErrNotFound) {
					err = nil
				}
				return b.ID, err
			}
			err = errors.Join(err, same(r, last, "the next undo or redo of %s", reviewer))
		}
	}
	return err
}

// same reads a value from both stores and reports a difference. ErrNotFound from both is no difference.
func same[T any](r *replayer, get func(Store) (T, error), name string, args ...any) error {
	stored, err := get(r.desk.store)
	again, errAgain := get(r.fresh)
	if errors.Is(err, ErrNotFound) && errors.Is(errAgain, ErrNotFound) {
		return nil
	}
	if err := errors.Join(err, errAgain); err != nil {
		return err
	}
	if !reflect.DeepEqual(stored, again) {
		r.differ("%s differs from the replay", fmt.Sprintf(name, args...))
	}
	return nil
}

// bothOf iterates over both stores in step. It passes nil for the store that ends first.
func bothOf[T any](r *replayer, each func(Store, func(T) error) error, fn func(stored, again *T)) error {
	var err, errAgain error
	next, stop := iter.Pull(valuesOf(r.desk.store, each, &err))
	defer stop()
	nextAgain, stopAgain := iter.Pull(valuesOf(r.fresh, each, &errAgain))
	defer stopAgain()
	for {
		x, ok := next()
		y, okAgain := nextAgain()
		switch {
		case ok && okAgain:
			fn(&x, &y)
			continue
		case ok:
			fn(&x, nil)
		case okAgain:
			fn(nil, &y)
		}
		return errors.Join(err, errAgain)
	}
}

// errEnough ends an iteration over a store.
var errEnough = errors.New("enough")

// valuesOf returns the values that each passes on from a store, and sets err to its error.
func valuesOf[T any](s Store, each func(Store, func(T) error) error, err *error) iter.Seq[T] {
	return func(yield func(T) bool) {
		*err = each(s, func(v T) error {
			if !yield(v) {
				return errEnough
			}
			return nil
		})
		if errors.Is(*err, errEnough) {
			*err = nil
		}
	}
}
