package review

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"time"

	"visto/canon"
	"visto/review/health"
)

// Replayer is a store in which a log can be replayed.
type Replayer interface {
	Store

	// Replay writes again what a log entry records. It does what DecisionStore.Commit does for a Change, and also
	// takes entries that no Change wrote.
	Replay(ctx context.Context, e Replayed) (Receipt, error)
}

// Replayed is the content of one log entry. The Change is that of a person. Added to Covered are set for additions,
// Replaced for a restored backup.
type Replayed struct {
	Change
	Run int64 // as EntryInfo.Run

	// Added are items to add again, in one transaction with the log entry that covers them. A log that is older than
	// such entries covers its items late: they are first added Uncovered, without an entry, and later the entry for
	// the digests Covered is written, of the items from CoveredFrom on.
	Added       []NewItem
	Uncovered   bool
	Covered     [][32]byte
	CoveredFrom int64

	// Intake holds the records and occurrences of the entry, Inputs those that its evidence replaced: nil lets the
	// store look.
	Intake *RepeatedIntake
	Inputs []ReplacedInput

	Forget   string   // as ForgetChange.File
	Replaced []string // of an ActRestore: the hashes of the log entries that the backup does not have, in hex
}

// Replay replays the log in a fresh store and compares that store with this one, row by row. The log holds decisions,
// notes, overrides, policies, evidence of probes and undos. It holds hashes of the input: Replay copies the originals
// with their sources and titles, and the log of the fresh store has the hashes of these. All results are recomputed.
// The fresh store has no contents of pages, for no log has them, nor the checks of links: Replay copies these, and the
// flags that follow from them are compared. If somebody writes meanwhile, Replay fails with ErrStale.
// Replay first computes the URLs that PendingItems counts, and fails if it may not write and there are any.
//
// open creates the fresh store, which must take the time from now. Replay does not close it.
func (d *Desk) Replay(
	ctx context.Context, open func(now func() time.Time) (Replayer, error),
) (problems []Problem, err error) {
	defer annotate(&err, "replaying the log")
	if err := d.finishPending(ctx); err != nil {
		return nil, err
	}
	before, err := d.store.Version(ctx)
	if err != nil {
		return nil, err
	}
	r := &replayer{desk: d, at: time.UnixMilli(0), touched: map[int64]bool{}, reviewers: map[string]bool{}}
	if r.fresh, err = open(func() time.Time { return r.at }); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{r.replayEntries, r.copyLinks, r.compareItems,
		r.compareOccurrences,
		r.compareHistory,
		r.compareEntries, r.compareRules, r.compareCounts} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if after, err := d.store.Version(ctx); err != nil || after != before {
		return nil, errors.Join(err, ErrStale)
	}
	return r.list(), nil
}

// replayer is a run of Replay.
type replayer struct {
	desk      *Desk
	fresh     Replayer
	rules     *rules    // the current ones
	at        time.Time // of the entry that is replayed
	touched   map[int64]bool
	reviewers map[string]bool
	state     // only its input
	comparison

	nextRecord     func() (StoredRecord, bool)
	nextOccurrence func() (StoredOccurrence, bool)
	readErr        error // of these
}

// replayEntries replays each entry of the log.
func (r *replayer) replayEntries(ctx context.Context) error {
	r.state = newState()
	var late lateCover
	err := r.desk.store.EachEntry(ctx, func(e Entry) error {
		body, err := e.Read()
		r.applyInput(&e, &body)
		late.note(&e, &body)
		return err
	})
	if err != nil {
		return err
	}
	stored, err := r.readItems(ctx)
	if err != nil {
		return err
	}
	defer stored.stop()
	var stopRecords, stopOccurrences func()
	r.nextRecord, stopRecords = iter.Pull(valuesOf(r.desk.store, func(s Store, fn func(StoredRecord) error) error {
		return s.EachRecord(ctx, fn)
	}, &r.readErr))
	defer stopRecords()
	r.nextOccurrence, stopOccurrences = iter.Pull(valuesOf(r.desk.store, func(s Store, fn func(StoredOccurrence) error,
	) error {
		return s.EachOccurrence(ctx, fn)
	}, &r.readErr))
	defer stopOccurrences()
	if err = r.addUncovered(ctx, stored, late); err != nil {
		return err
	}
	err = r.desk.store.EachEntry(ctx, func(e Entry) error {
		change, err := r.change(ctx, &e, stored)
		if err != nil {
			return err
		}
		r.at = e.At
		receipt, err := r.fresh.Replay(ctx, change)
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
	if err != nil {
		return err
	}
	return errors.Join(stored.end(), r.readErr)
}

// copyLinks gives the items of the fresh store the checks of their links.
func (r *replayer) copyLinks(ctx context.Context) error {
	var list []ItemEvidence
	keep := func() error {
		err := r.fresh.KeepChecks(ctx, list)
		if errors.Is(err, ErrNotFound) {
			err = r.copyFound(ctx, list)
		}
		list = list[:0]
		return err
	}
	err := r.desk.store.EachLink(ctx, everything, func(it Item, link *health.Record) error {
		list = append(list, ItemEvidence{ID: it.ID, Link: link})
		if len(list) < batchSize {
			return nil
		}
		return keep()
	})
	return errors.Join(err, keep())
}

// copyFound gives each of the items the checks of its link, unless the fresh store lacks the item.
func (r *replayer) copyFound(ctx context.Context, list []ItemEvidence) error {
	for _, e := range list {
		err := r.fresh.KeepChecks(ctx, []ItemEvidence{e})
		if err != nil && !errors.Is(err, ErrNotFound) { // compareItems tells the items that lack
			return err
		}
	}
	return nil
}

// repeated returns the records and occurrences that a log entry added, which are the next ones.
func (r *replayer) repeated(b *EntryBody) (*RepeatedIntake, error) {
	again := &RepeatedIntake{Entry: b.IntakeEntry}
	if a := b.Records; a != nil {
		for id := a.First; id <= a.Last; id++ {
			record, ok := r.nextRecord()
			if !ok {
				break
			}
			again.Records = append(again.Records, record)
			again.Digests = append(again.Digests, r.records.first(&record))
		}
	}
	if a := b.Occurrences; a != nil {
		for id := a.First; id <= a.Last; id++ {
			o, ok := r.nextOccurrence()
			if !ok {
				break
			}
			again.Occurrences = append(again.Occurrences, o)
		}
	}
	return again, r.readErr
}

// change returns the change that an entry records.
func (r *replayer) change(ctx context.Context, e *Entry, stored *storedItems) (Replayed, error) {
	body, err := e.Read()
	if err != nil {
		return Replayed{}, err
	}
	meta, err := r.fresh.Meta(ctx)
	if err != nil {
		return Replayed{}, err
	}
	c := Replayed{Run: e.Run, Inputs: body.Inputs, Replaced: body.Replaced, Change: Change{
		Reviewer: e.Reviewer, Action: e.Action, Summary: e.Summary, Notes: body.Notes,
		Overrides: body.Overrides, Proposed: body.Proposed, Confirms: body.Confirms, Evidence: body.Evidence,
		Undo: body.Undo, Redo: body.Redo, Gen: meta.Gen, LastID: meta.LastID, Compute: r.compute(ctx)}}
	if e.Run > 0 {
		if a := body.Added; a != nil {
			if c.CoveredFrom, c.Covered = a.First, stored.cover(a); len(c.Covered) == 0 {
				c.Added, err = stored.take(a)
			}
		}
		if err == nil && len(c.Covered) == 0 {
			c.Intake, err = r.repeated(&body)
		}
		return c, err
	}
	if c.Forget = body.Forget; len(body.Gone)+len(body.Back) > 0 {
		c.Intake = &RepeatedIntake{Entry: body.IntakeEntry}
	}
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
	// results only, which readItems has already computed
	if err == nil && reflect.DeepEqual(body, EntryBody{}) && e.Action != ActRestore {
		var it Item // unchanged, so that the change is not empty
		it, err = r.fresh.Item(ctx, 1)
		c.Recomputed = []Recomputed{{ID: 1, Computed: it.Computed}}
	}
	return c, err
}

// compute returns a function for Change.Compute. It takes the evidence from the desk's store, as readItems does.
func (r *replayer) compute(ctx context.Context) func(Item, *canon.Evidence) Computed {
	compute := r.rules.worker()
	return func(it Item, _ *canon.Evidence) Computed {
		ev, err := r.desk.store.Evidence(ctx, it.ID)
		if err == nil && r.rules.fields != nil {
			var stored Item // the log tells only later where else the URL is cited
			stored, err = r.desk.store.Item(ctx, it.ID)
			it.Fields = stored.Fields
		}
		if err != nil {
			r.differ("URL %d cannot be computed again: %v", it.ID, err)
		}
		return compute(&it, ev)
	}
}

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
			return compute(&Item{Original: it.Original, Fields: it.Fields}, ev)
		})
	}
	go func() {
		defer close(s.items)
		s.err = stream(ctx, r.desk.store.EachWithEvidence, everything, undecided, func(it *Item, v checkedItem) error {
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
func (s *storedItems) take(a *AddedRows) (list []NewItem, err error) {
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
