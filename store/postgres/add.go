package postgres

import (
	"context"
	"fmt"
	"strings"

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
		a := adder{Adder: rows.Adder{Intake: *in}, list: rest[:min(len(rest), maxChunk)]}
		if err := s.update(ctx, "adding URLs", a.run); err != nil {
			return out, err
		}
		*in = a.Intake
		if out = append(out, a.out...); len(out) == len(list) {
			return out, nil
		}
	}
}

// adder inserts items in one transaction.
type adder struct {
	*tx
	rows.Adder
	list    []review.NewItem
	out     []review.AddOutcome
	names   *interner
	there   map[review.Key]*thereItem
	items   copier
	texts   copier         // what a search looks into
	cites   copier         // of occurrences
	waiting map[int64]bool // the items with rows that are not written yet
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
	a.tx, a.Next, a.names = t, t.head.LastID+1, newInterner(t)
	a.Begin(t, &a.names.Interner, a)
	a.items = copier{table: "item", columns: itemInsert}
	a.texts = copier{table: "item_search", columns: []string{"item_id", "text"}}
	a.cites = copier{table: "occurrence", columns: occurrenceInsert}
	a.waiting = map[int64]bool{}
}

// run inserts the items of the list, up to one that was computed under other rules.
func (a *adder) run(t *tx) error {
	before := t.head.Meta
	if a.Intake.Stale(before) || len(a.list) > 0 && a.Intake.Outdated(&a.list[0]) {
		return review.ErrStale
	}
	a.prepare(t)
	for i := 1; i < len(a.list); i++ {
		if a.Intake.Outdated(&a.list[i]) {
			a.list = a.list[:i]
		}
	}
	if err := rows.InOrder(a.Number, a.lookUp); err != nil {
		return err
	}
	for i := range a.list {
		o, err := a.add(&a.list[i])
		if err != nil {
			return err
		}
		a.out = append(a.out, o)
	}
	return a.Finish(before)
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
	err := a.Each("SELECT original_key, id, place_set_id, original FROM item WHERE original_key = ANY(?)",
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

// Flush writes the rows that wait: items first, which the others refer to.
func (a *adder) Flush() error {
	clear(a.waiting)
	for _, c := range []*copier{&a.items, &a.texts, &a.cites} {
		if err := c.write(a.tx); err != nil {
			return err
		}
	}
	return nil
}

// occurrenceInsert are the columns of rows.IntoOccurrence.
var occurrenceInsert = splitColumns("id, item_id, record_id, place_id, line, col, gone")

func splitColumns(list string) []string { return strings.Split(list, ", ") }

// Cite adds the row of an occurrence.
func (a *adder) Cite(item int64, values ...any) error {
	a.waiting[item] = true
	a.cites.add(values...)
	return nil
}

// flushIf is flush for somebody who reads the item and its occurrences.
func (a *adder) flushIf(item int64) error {
	if a.waiting[item] {
		return a.Flush()
	}
	return nil
}

// add inserts the item or finds the stored one.
func (a *adder) add(n *review.NewItem) (review.AddOutcome, error) {
	key := rows.Key(n.Original)
	if it := a.there[key]; it != nil {
		return review.AddOutcome{ID: it.id, Known: true}, a.known(it, n)
	}
	id := a.Next
	if err := a.insertItem(id, key, n); err != nil {
		return review.AddOutcome{}, err
	}
	a.Next++
	a.head.LastID = id
	a.Digests = append(a.Digests, n.Digest)
	if n.Evidence == nil {
		return review.AddOutcome{ID: id}, nil
	}
	err := a.Flush()
	if err == nil {
		err = a.names.PutEvidence(n.Computed.InHost, review.ItemEvidence{ID: id, Evidence: n.Evidence, Due: n.Due}, 0)
	}
	return review.AddOutcome{ID: id}, err
}

// known adds the occurrence of an item that is there.
func (a *adder) known(it *thereItem, n *review.NewItem) error {
	if it.original != n.Original {
		return fmt.Errorf("the URLs %q and %q have one key", it.original, n.Original)
	}
	if a.Repeated != nil {
		return nil
	}
	if err := a.flushIf(it.id); err != nil {
		return err
	}
	s, err := a.SpotOf(n)
	if err == nil {
		it.set, err = a.OccurAgain(it.id, it.set, s)
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
	var s rows.Spot
	set := int64(rows.GoneSet)
	if a.Repeated == nil {
		if s, err = a.SpotOf(n); err == nil {
			set, err = a.names.SetWith(rows.GoneSet, s.Placed)
		}
		if err != nil {
			return err
		}
	}
	var by rows.Settling
	if a.Approvals {
		if by, err = a.approval(id, n.Original); err != nil {
			return err
		}
	}
	c.Resolve(n.Computed, review.Link{}, by.Decision(n.Original), nil, rows.CountKey{Set: set})
	a.items.add(append(c.Args(), id, 1, key[:], n.Original, file, field, n.Source.Position, n.Title,
		rows.Seal(n.Original, n.Source.File, n.Source.Field, n.Source.Position), rows.TitleSeal(n.Title), set,
		by.Batch, by.Item)...)
	a.texts.add(id, string(searchText(n.Original, n.Title, n.Computed.Canonical)))
	a.there[key] = &thereItem{id, set, n.Original}
	a.waiting[id] = true
	a.deltas[c.CountKey]++
	if a.Repeated == nil {
		return a.Occur(id, s)
	}
	return nil
}
