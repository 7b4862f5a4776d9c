package review

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"time"

	"visto/canon"
)

// Replay replays the log in a fresh store and compares that store with this one, row by row. The log holds decisions,
// notes, overrides, policies, evidence of probes and undos. It does not hold the input: Replay copies the originals
// with their sources, titles and evidence. All results are recomputed. If somebody writes meanwhile, Replay fails
// with ErrStale.
//
// open creates the fresh store, which must take the time from now. Replay does not close it.
func (d *Desk) Replay(ctx context.Context, open func(now func() time.Time) (Store, error)) ([]Problem, error) {
	r := &replayer{desk: d, touched: map[int64]bool{}}
	problems, err := r.run(ctx, open)
	if err != nil {
		return nil, fmt.Errorf("replaying the log: %w", err)
	}
	return problems, nil
}

// replayer is a run of Replay.
type replayer struct {
	desk      *Desk
	fresh     Store
	at        time.Time // of the entry that is replayed
	touched   map[int64]bool
	reviewers map[string]bool
	comparison
}

func (r *replayer) run(ctx context.Context, open func(now func() time.Time) (Store, error)) ([]Problem, error) {
	before, err := r.desk.store.Version(ctx)
	if err != nil {
		return nil, err
	}
	r.at, r.reviewers = time.UnixMilli(0), map[string]bool{}
	if r.fresh, err = open(func() time.Time { return r.at }); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{r.addItems, r.replayEntries, r.compare} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if after, err := r.desk.store.Version(ctx); err != nil || after != before {
		return nil, errors.Join(err, ErrStale)
	}
	return r.list(), nil
}

// addItems adds the originals to the fresh store, with their results under the current rules.
func (r *replayer) addItems(ctx context.Context) error {
	rules, err := r.desk.rules(ctx)
	if err != nil {
		return err
	}
	p := plan{policy: rules.policy, overrides: rules.overrides}
	batch := make([]NewItem, 0, addBatch)
	flush := func() error {
		_, err := r.fresh.Add(ctx, 0, batch)
		batch = batch[:0]
		return err
	}
	err = stream(ctx, r.desk.store.EachWithEvidence, Filter{}, p.worker, func(it *Item, c Computed) error {
		batch = append(batch, NewItem{Original: it.Original, Source: it.Source, Title: it.Title, Computed: c})
		if len(batch) < addBatch {
			return nil
		}
		return flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	return err
}

// replayEntries replays each entry of the log.
func (r *replayer) replayEntries(ctx context.Context) error {
	return r.desk.store.EachEntry(ctx, func(e Entry) error {
		change, err := r.change(ctx, &e)
		if err != nil {
			return err
		}
		r.at = e.At
		receipt, err := r.fresh.Commit(ctx, change)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			r.differ("log entry %d cannot be done again: %v", e.Seq, err)
		case receipt.Seq != e.Seq || receipt.Batch != e.Batch:
			r.differ("log entry %d, of batch %d, is entry %d of batch %d when it is done again", e.Seq, e.Batch,
				receipt.Seq, receipt.Batch)
		}
		return nil
	})
}

// change returns the change that an entry records.
func (r *replayer) change(ctx context.Context, e *Entry) (Change, error) {
	body, err := e.Read()
	if err != nil {
		return Change{}, err
	}
	meta, err := r.fresh.Meta(ctx)
	if err != nil {
		return Change{}, err
	}
	c := Change{Reviewer: e.Reviewer, Action: e.Action, Summary: e.Summary, Notes: body.Notes,
		Overrides: body.Overrides, Evidence: body.Evidence, Undo: body.Undo, Redo: body.Redo,
		Gen: meta.Gen, LastID: meta.LastID}
	r.reviewers[e.Reviewer] = true
	for _, l := range body.Decisions {
		c.Decisions = append(c.Decisions, ItemDecision{ID: l.Item, Decision: l.Decision()})
		r.touched[l.Item] = true
	}
	for _, n := range body.Notes {
		r.touched[n.ID] = true
	}
	if p := body.Policy; p != nil {
		c.Policy, err = canon.ParsePolicy(canon.PolicyFile{Name: p.ID, Data: []byte(p.YAML)})
	}
	if err == nil && reflect.DeepEqual(body, EntryBody{}) { // results only, which addItems has already computed
		c.Recomputed, err = r.anyItem(ctx)
	}
	return c, err
}

// anyItem returns one unchanged item, so that the change is not empty.
func (r *replayer) anyItem(ctx context.Context) ([]Recomputed, error) {
	it, err := r.fresh.Item(ctx, 1)
	return []Recomputed{{ID: 1, Computed: it.Computed}}, err
}

func (r *replayer) compare(ctx context.Context) error {
	for _, compare := range []func(context.Context) error{r.compareItems, r.compareHistory, r.compareEntries,
		r.compareRules, r.compareCounts} {
		if err := compare(ctx); err != nil {
			return err
		}
	}
	return nil
}

// compareItems compares the items, except for their revisions: the log does not hold how often an item was recomputed.
func (r *replayer) compareItems(ctx context.Context) error {
	return bothOf(ctx, r.desk.store, r.fresh, eachItem, func(stored, again *Item) {
		switch {
		case stored == nil || again == nil:
			r.differ("there are more or fewer URLs than the replay gives")
			return
		case stored.ID != again.ID:
			r.differ("URL %d is URL %d in the replay", stored.ID, again.ID)
			return
		}
		again.Rev = stored.Rev
		if !stored.Computed.same(again.Computed) {
			r.differ("URL %d is stored as %s, and the replay gives %s", stored.ID, describeComputed(&stored.Computed),
				describeComputed(&again.Computed))
		}
		again.Computed = stored.Computed
		if !reflect.DeepEqual(stored, again) {
			r.differ("URL %d is %s, and by the replay %s, or has another decision, title or source", stored.ID,
				stored.Status, again.Status)
		}
	})
}

// compareHistory compares the decisions and notes of each item that has any.
func (r *replayer) compareHistory(ctx context.Context) error {
	for id := range r.touched {
		err := errors.Join(
			same(ctx, r, Store.History, id, "the history of URL %d", id),
			same(ctx, r, Store.Notes, id, "the list of notes of URL %d", id))
		if err != nil {
			return err
		}
	}
	return nil
}

// compareEntries compares the batches, and the logs by their hashes.
func (r *replayer) compareEntries(ctx context.Context) error {
	return bothOf(ctx, r.desk.store, r.fresh, eachEntryOf, func(stored, again *Entry) {
		if stored == nil || again == nil || stored.Hash != again.Hash {
			r.differ("the replay's log is another one than the stored one")
			return
		}
		if err := same(ctx, r, Store.Batch, stored.Batch, "batch %d", stored.Batch); err != nil {
			r.differ("batch %d: %v", stored.Batch, err)
		}
	})
}

func (r *replayer) compareRules(ctx context.Context) error {
	own := func(s Store, ctx context.Context, _ int64) ([]StoredOverride, error) {
		list, err := s.Overrides(ctx)
		for i := range list {
			list[i].ID = 0
		}
		return list, err
	}
	policy := func(s Store, ctx context.Context, _ int64) ([]string, error) {
		m, err := s.Meta(ctx)
		return []string{m.PolicyID, m.PolicyDigest, string(m.PolicyYAML)}, err
	}
	return errors.Join(same(ctx, r, own, 0, "the set of overrides"), same(ctx, r, policy, 0, "the policy"))
}

// compareCounts compares the counts, and the batches that undo and redo would take.
func (r *replayer) compareCounts(ctx context.Context) error {
	totals := func(s Store, ctx context.Context, _ int64) (Totals, error) {
		t, err := s.Totals(ctx)
		t.Reviewed, t.ByRules = 0, 0 // the log does not hold that an item settled by a rule was open
		return t, err
	}
	decisions := func(s Store, ctx context.Context, _ int64) ([]DecisionCount, error) { return s.DecisionCounts(ctx) }
	err := errors.Join(same(ctx, r, totals, 0, "the count of URLs"),
		same(ctx, r, decisions, 0, "the count of decisions"))
	for reviewer := range r.reviewers {
		for _, undone := range []bool{false, true} {
			last := func(s Store, ctx context.Context, _ int64) (int64, error) {
				b, err := s.LastBatch(ctx, reviewer, undone)
				if errors.Is(err, ErrNotFound) {
					err = nil
				}
				return b.ID, err
			}
			err = errors.Join(err, same(ctx, r, last, 0, "the next undo or redo of %s", reviewer))
		}
	}
	return err
}

// same reads a value from both stores and reports a difference. ErrNotFound from both is no difference.
func same[T any](
	ctx context.Context, r *replayer, get func(Store, context.Context, int64) (T, error), id int64, name string,
	args ...any,
) error {
	stored, err := get(r.desk.store, ctx, id)
	again, errAgain := get(r.fresh, ctx, id)
	if errors.Is(err, ErrNotFound) && errors.Is(errAgain, ErrNotFound) {
		return nil
	}
	if err := errors.Join(err, errAgain); err != nil {
		return err
	}
	if !reflect.DeepEqual(stored, again) {
		r.differ("%s is not what the replay gives", fmt.Sprintf(name, args...))
	}
	return nil
}

// bothOf iterates over two stores in step. It passes nil for the store that ends first.
func bothOf[T any](
	ctx context.Context, a, b Store, each func(context.Context, Store, *error) iter.Seq[T], fn func(a, b *T),
) error {
	var errA, errB error
	nextA, stopA := iter.Pull(each(ctx, a, &errA))
	defer stopA()
	nextB, stopB := iter.Pull(each(ctx, b, &errB))
	defer stopB()
	for {
		x, okA := nextA()
		y, okB := nextB()
		switch {
		case okA && okB:
			fn(&x, &y)
			continue
		case okA:
			fn(&x, nil)
		case okB:
			fn(nil, &y)
		}
		return errors.Join(errA, errB)
	}
}

// errEnough ends an iteration over a store.
var errEnough = errors.New("enough")

func eachItem(ctx context.Context, s Store, err *error) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		*err = pushed(yield, func(fn func(Item) error) error { return s.Each(ctx, Filter{}, fn) })
	}
}

func eachEntryOf(ctx context.Context, s Store, err *error) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		*err = pushed(yield, func(fn func(Entry) error) error { return s.EachEntry(ctx, fn) })
	}
}

func pushed[T any](yield func(T) bool, each func(func(T) error) error) error {
	err := each(func(v T) error {
		if !yield(v) {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
