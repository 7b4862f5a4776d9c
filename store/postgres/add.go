package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// maxChunk is the largest number of items that one transaction adds, or of occurrences that one marks.
const maxChunk = 2000

// Add inserts the items that are not there yet. The original, byte for byte, identifies an item. Host evidence
// concerns all items on the host: if it is new, it starts a new generation.
func (s *Store) Add(ctx context.Context, in *review.Intake, list []review.NewItem) ([]review.AddOutcome, error) {
	out := make([]review.AddOutcome, 0, len(list))
	for {
		rest := list[len(out):]
		a := adder{intake: *in, list: rest[:min(len(rest), maxChunk)]}
		if err := s.update(ctx, "adding URLs", a.run); err != nil {
			return out, err
		}
		*in = a.intake
		if out = append(out, a.out...); len(out) == len(list) {
			return out, nil
		}
	}
}

// adder inserts items in one transaction.
type adder struct {
	*tx
	intake  review.Intake
	list    []review.NewItem
	out     []review.AddOutcome
	next    int64      // the next ID
	digests [][32]byte // of the new items
	names   *interner
	there   map[review.Key]*thereItem
	action  review.Action // of the log entry; empty: ActAdd
	summary string        // of the log entry; empty: the numbers of the run
	entry   int64         // the number of the log entry

	approvals bool // an item may be approved by the decision on another one, or for a record alone
	items     copier
	texts     copier                 // what a search looks into
	cites     copier                 // of occurrences
	waiting   map[int64]bool         // the items with rows that are not written yet
	uncovered bool                   // without a log entry
	repeated  *review.RepeatedIntake // by Replay; nil: none

	nextRecord, nextOccurrence       int64
	recordDigests, occurrenceDigests [][32]byte // of the new ones
	records                          map[recordKey]int64
	passed                           map[itemRecord]int64 // the ID up to which the run has met all
	changed                          []review.ChangedRecord
	back                             []int64 // occurrences
	moved                            int
}

// thereItem is an item that is stored, or waits to be.
type thereItem struct {
	id, set  int64
	original string
}

// copier collects rows for a COPY.
type copier struct {
	table   string
	columns []string
	rows    [][]any
}

func (c *copier) add(values ...any) { c.rows = append(c.rows, values) }

func (c *copier) write(t *tx) error {
	err := t.copyRows(c.table, c.columns, len(c.rows), func(i int) []any { return c.rows[i] })
	c.rows = c.rows[:0]
	return err
}

// prepare has the adder write in the transaction.
func (a *adder) prepare(t *tx) {
	a.tx, a.next, a.names = t, t.head.LastID+1, newInterner(t)
	a.names.Follow(&a.intake)
	a.items = copier{table: "item", columns: itemInsert}
	a.texts = copier{table: "item_search", columns: []string{"item_id", "text"}}
	a.cites = copier{table: "occurrence", columns: occurrenceInsert}
	a.waiting = map[int64]bool{}
}

// run inserts the items of the list, up to one that was computed under other rules.
func (a *adder) run(t *tx) error {
	before := t.head.Meta
	if a.intake.Stale(before) || len(a.list) > 0 && a.intake.Outdated(&a.list[0]) {
		return review.ErrStale
	}
	a.prepare(t)
	for i := 1; i < len(a.list); i++ {
		if a.intake.Outdated(&a.list[i]) {
			a.list = a.list[:i]
		}
	}
	if err := rows.InOrder(a.number, a.lookUp); err != nil {
		return err
	}
	for i := range a.list {
		o, err := a.add(&a.list[i])
		if err != nil {
			return err
		}
		a.out = append(a.out, o)
	}
	if err := rows.InOrder(a.flush, a.repeatRows, a.log); err != nil {
		return err
	}
	if len(a.names.Changed) > 0 {
		a.intake.Learn(before, a.names.Changed)
	}
	if len(a.names.Changed) == 0 && !a.names.Recomputes {
		return nil
	}
	return t.raiseGen(false, len(a.names.Changed) > 0)
}

// number finds the IDs of the next record and the next occurrence, and whether there are approvals.
func (a *adder) number() error {
	a.records, a.passed = map[recordKey]int64{}, map[itemRecord]int64{}
	return a.Get(`SELECT (SELECT coalesce(max(id), 0) + 1 FROM record), (SELECT coalesce(max(id), 0) + 1 FROM
		occurrence), EXISTS (SELECT 1 FROM item WHERE approved IS NOT NULL) OR
		EXISTS (SELECT 1 FROM decision WHERE record_id > 0)`, nil, &a.nextRecord, &a.nextOccurrence, &a.approvals)
}

// lookUp finds the items of the list that are there, and the names in it.
func (a *adder) lookUp() error {
	a.there = map[review.Key]*thereItem{}
	var keys [][]byte
	var hosts, files, fields []string
	for i := range a.list {
		n := &a.list[i]
		key := rows.Key(n.Original)
		keys = append(keys, key[:])
		hosts = append(hosts, n.Computed.InHost, n.Computed.Host)
		files, fields = append(files, n.Source.File), append(fields, n.Source.Field)
		if o := n.Occurrence; o != nil {
			files, fields = append(files, o.Place.File), append(fields, o.Place.Field)
		}
	}
	err := each(a.ctx, a, "SELECT original_key, id, place_set_id, original FROM item WHERE original_key = ANY(?)",
		[]any{keys}, func(scan scanner) error {
			var key []byte
			var it thereItem
			err := scan(&key, &it.id, &it.set, &it.original)
			if err == nil && len(key) == len(review.Key{}) {
				a.there[review.Key(key)] = &it
			}
			return err
		})
	if err != nil {
		return err
	}
	return rows.InOrder(func() error { return a.names.allIDs("host", hosts) },
		func() error { return a.names.allIDs("file", files) },
		func() error { return a.names.allIDs("field", fields) })
}

// flush writes the rows that wait: items first, which the others refer to.
func (a *adder) flush() error {
	clear(a.waiting)
	for _, c := range []*copier{&a.items, &a.texts, &a.cites} {
		if err := c.write(a.tx); err != nil {
			return err
		}
	}
	return nil
}

// flushIf is flush for somebody who reads the item and its occurrences.
func (a *adder) flushIf(item int64) error {
	if a.waiting[item] {
		return a.flush()
	}
	return nil
}

// log appends the entry that covers the new rows.
func (a *adder) log() error {
	slices.Sort(a.back)
	body := review.IntakeEntry{
		Added:   review.Cover(a.next-int64(len(a.digests)), a.digests),
		Records: review.Cover(a.nextRecord-int64(len(a.recordDigests)), a.recordDigests),
		Occurrences: review.Cover(a.nextOccurrence-int64(len(a.occurrenceDigests)),
			a.occurrenceDigests),
		Changed: a.changed, Back: review.IDRanges(a.back), Moved: a.moved}
	if again := a.repeated; again != nil {
		body.Changed, body.Gone, body.Back, body.Moved = again.Entry.Changed, again.Entry.Gone, again.Entry.Back,
			again.Entry.Moved
	}
	if body.IsZero() || a.uncovered {
		return nil
	}
	a.intake.Added += len(a.digests)
	return a.appendIntake(body)
}

// appendIntake appends an entry of the intake.
func (a *adder) appendIntake(body review.IntakeEntry) error {
	e := review.Entry{Body: body.Body()}
	e.EntryInfo = review.EntryInfo{At: a.at, Reviewer: a.intake.Reviewer, Action: cmp.Or(a.action, review.ActAdd),
		Run: a.intake.Run, Summary: cmp.Or(a.summary, a.intake.IntakeCounts.String())}
	err := a.AppendEntry(&e)
	a.intake.Run, a.entry = e.Run, e.Seq
	return err
}

// add inserts the item or finds the stored one.
func (a *adder) add(n *review.NewItem) (review.AddOutcome, error) {
	key := rows.Key(n.Original)
	if it := a.there[key]; it != nil {
		return review.AddOutcome{ID: it.id, Known: true}, a.known(it, n)
	}
	id := a.next
	if err := a.insertItem(id, key, n); err != nil {
		return review.AddOutcome{}, err
	}
	a.next++
	a.head.LastID = id
	a.digests = append(a.digests, n.Digest)
	if n.Evidence == nil {
		return review.AddOutcome{ID: id}, nil
	}
	err := a.flush()
	if err == nil {
		err = a.names.putEvidence(n.Computed.InHost, review.ItemEvidence{ID: id, Evidence: n.Evidence, Due: n.Due}, 0)
	}
	return review.AddOutcome{ID: id}, err
}

// known adds the occurrence of an item that is there.
func (a *adder) known(it *thereItem, n *review.NewItem) error {
	if it.original != n.Original {
		return fmt.Errorf("the URLs %q and %q have one key", it.original, n.Original)
	}
	if a.repeated != nil {
		return nil
	}
	if err := a.flushIf(it.id); err != nil {
		return err
	}
	s, err := a.spotOf(n)
	if err == nil {
		err = a.occurAgain(it, s)
	}
	return err
}

// itemInsert are the columns of a new item.
var itemInsert = append(splitColumns(rows.ComputedColumns), "id", "rev", "original_key", "original", "file_id",
	"field_id", "position", "title", "seal", "title_seal", "place_set_id", "batch_id", "settled_by")

// insertItem inserts a new item with its occurrence.
func (a *adder) insertItem(id int64, key review.Key, n *review.NewItem) error {
	file, err := a.names.ID("file", n.Source.File)
	if err != nil {
		return err
	}
	field, err := a.names.ID("field", n.Source.Field)
	if err != nil {
		return err
	}
	c, err := a.names.Computed(&n.Computed)
	if err != nil {
		return err
	}
	var s spot
	set := int64(rows.GoneSet)
	if a.repeated == nil {
		if s, err = a.spotOf(n); err == nil {
			set, err = a.names.SetWith(rows.GoneSet, rows.Placed{File: s.file, Field: s.field})
		}
		if err != nil {
			return err
		}
	}
	var by settling
	if a.approvals {
		if by, err = a.approval(id, n.Original); err != nil {
			return err
		}
	}
	c.Resolve(n.Computed, review.Link{}, by.decision(n.Original), nil, rows.CountKey{Set: set})
	a.items.add(append(c.Args(), id, 1, key[:], n.Original, file, field, n.Source.Position, n.Title,
		rows.Seal(n.Original, n.Source.File, n.Source.Field, n.Source.Position), rows.TitleSeal(n.Title), set,
		by.batch, by.item)...)
	a.texts.add(id, string(searchText(n.Original, n.Title, n.Computed.Canonical)))
	a.there[key] = &thereItem{id, set, n.Original}
	a.waiting[id] = true
	a.deltas[c.CountKey]++
	if a.repeated == nil {
		a.occur(id, s)
	}
	return nil
}
