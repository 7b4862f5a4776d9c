package review

import (
	"context"
	"errors"
	"iter"
	"time"

	"visto/canon"
	"visto/review/health"
)

// Replayer is a store in which a log can be replayed.
type Replayer interface {
	Store

	// Replay repeats a write of DecisionStore.Commit or ItemStore.Add from its log entry.
	Replay(ctx context.Context, e Replayed) (Receipt, error)
}

// Replayed is one log entry, with the rows of which it has digests. The store numbers it.
type Replayed struct {
	EntryInfo
	Body EntryBody
	Computing

	// Added are items to add again, in one transaction with the log entry that covers them. A log that is older than
	// such entries covers its items late: they are first added Uncovered, without an entry, and later the entry for
	// the digests Covered is written, of the items from CoveredFrom on.
	Added       []NewItem
	Uncovered   bool
	Covered     [][32]byte
	CoveredFrom int64

	Intake *RepeatedIntake // the records and occurrences that it added or that moved; nil: none
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
		again, err := r.again(ctx, &e, stored)
		if err != nil {
			return err
		}
		r.at = e.At
		receipt, err := r.fresh.Replay(ctx, again)
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

// again returns an entry with the rows that it is about.
func (r *replayer) again(ctx context.Context, e *Entry, stored *storedItems) (again Replayed, err error) {
	meta, err := r.fresh.Meta(ctx)
	if err != nil {
		return again, err
	}
	again.EntryInfo, again.Computing = e.EntryInfo, Computing{Compute: r.compute(ctx), Gen: meta.Gen}
	if again.Body, err = e.Read(); err != nil {
		return again, err
	}
	b := &again.Body
	if e.Run == 0 {
		r.touch(e, b)
		if logged := b.Policy; logged != nil {
			var p *canon.Policy
			p, err = canon.ParsePolicy(canon.PolicyFile{Name: logged.ID, Data: []byte(logged.YAML)})
			b.Policy = NewLoggedPolicy(p)
		}
		return again, err
	}
	if a := b.Added; a != nil {
		if again.CoveredFrom, again.Covered = a.First, stored.cover(a); len(again.Covered) == 0 {
			again.Added, err = stored.take(a)
		}
	}
	if err == nil && len(again.Covered) == 0 {
		again.Intake, err = r.repeated(b)
	}
	return again, err
}

// touch notes the reviewer and the items of an entry.
func (r *replayer) touch(e *Entry, b *EntryBody) {
	r.reviewers[e.Reviewer] = true
	for _, d := range b.Decisions {
		r.touched[d.Item] = true
	}
	for _, n := range b.Notes {
		r.touched[n.ID] = true
	}
}

// compute returns a function for Computing.Compute. It takes the evidence from the desk's store, as readItems does.
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
