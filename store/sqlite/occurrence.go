package sqlite

import (
	"context"
	"fmt"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/store/rows"
)

// spot is an occurrence to add: its place, as IDs.
type spot struct {
	file, field, record, place int64
	fieldName                  string
	line, column               int
}

// spotOf returns the place of a new item's occurrence, and adds its record and names.
func (a *adder) spotOf(n *review.NewItem) (s spot, err error) {
	occurrence := n.Occurrence
	if occurrence == nil {
		occurrence = &review.NewOccurrence{Place: read.Place{File: n.Source.File, Field: n.Source.Field,
			Path: n.Source.Position}}
	}
	at, r := &occurrence.Place, occurrence.Record
	s.line, s.column, s.fieldName = at.Line, at.Column, at.Field
	if s.file, err = a.names.ID("file", at.File); err != nil {
		return s, err
	}
	if s.field, err = a.names.ID("field", at.Field); err != nil {
		return s, err
	}
	if s.record, err = a.record(at.File, s.file, r); err != nil {
		return s, err
	}
	s.place, err = a.names.Place(s.field, rows.PlacePath(at, r))
	return s, err
}

// intoOccurrence is the INSERT of an occurrence.
const intoOccurrence = "INTO occurrence (id, item_id, record_id, place_id, line, col, gone)"

// occur adds an occurrence of an item.
func (a *adder) occur(item int64, s spot) error {
	id := a.nextOccurrence
	a.waiting = append(a.waiting, item)
	full := a.cites.add(id, item, s.record, s.place, s.line, s.column, 0)
	a.nextOccurrence++
	a.occurrenceDigests = append(a.occurrenceDigests, review.OccurrenceDigest(item, s.record, s.fieldName))
	a.intake.Occurrences.Add(id)
	a.intake.Came++
	if full {
		return a.flush()
	}
	return nil
}

// stored is an occurrence of an item that is there already.
type stored struct {
	id, place, field, gone int64
	line, column           int
}

// occurAgain adds an occurrence of a known item, or finds the stored one that it is.
func (a *adder) occurAgain(item, set int64, s spot) error {
	was, found, err := a.unmet(item, s)
	switch {
	case err != nil:
		return err
	case !found:
		if err = a.occur(item, s); err != nil {
			return err
		}
	default:
		if err = a.meet(was, s); err != nil || was.gone == 0 {
			return err
		}
	}
	with, err := a.names.SetWith(set, rows.Placed{File: s.file, Field: s.field})
	if err == nil && with != set {
		err = rows.InOrder(a.flush, func() error { return a.names.SetPlaces(item, with) })
	}
	if err != nil || !a.approvals {
		return err
	}
	return rows.InOrder(a.flush, func() error { return a.names.Restate(item) })
}

// unmetAtOnce is the number of occurrences of an item in a record that are looked at.
const unmetAtOnce = 16

// unmetQuery has a fixed LIMIT: SQLite prepares a statement again each time its LIMIT is bound. The + keeps SQLite from
// the index by record: a text of a million URLs is one.
var unmetQuery = fmt.Sprintf(`SELECT o.id, o.place_id, p.field_id, o.line, o.col, o.gone FROM occurrence o
	CROSS JOIN place p ON p.id = o.place_id WHERE o.item_id = ? AND +o.record_id = ? AND o.id > ? ORDER BY o.id
	LIMIT %d`, unmetAtOnce)

// unmet returns the occurrence that an item has at the spot and that the run has not met: the one at the same place,
// else another one in the same record and field, which has moved.
func (a *adder) unmet(item int64, s spot) (best stored, found bool, err error) {
	key := itemRecord{item, s.record}
	list, err := collect(a.bare, prepared{a.tx}, unmetQuery, []any{item, s.record, a.passed[key]},
		func(o *stored, scan scanner) error {
			return scan(&o.id, &o.place, &o.field, &o.line, &o.column, &o.gone)
		})
	for _, o := range list {
		if s.near(o) == samePlace {
			return o, true, err
		}
		if a.intake.Occurrences.Has(o.id) {
			continue
		}
		if o.field == s.field && (!found || s.near(o) > s.near(best)) {
			best, found = o, true
		}
	}
	if n := len(list); n == unmetAtOnce && !found {
		a.passed[key] = list[n-1].id
		return a.unmet(item, s)
	}
	return best, found, err
}

type itemRecord struct{ item, record int64 }

// samePlace is the largest result of near.
const samePlace = 2

// near tells how near a stored occurrence is.
func (s spot) near(o stored) int {
	switch {
	case o.place != s.place:
		return 0
	case o.line != s.line || o.column != s.column:
		return 1
	}
	return samePlace
}

// meet notes that an occurrence was found again, and where it is now.
func (a *adder) meet(was stored, s spot) error {
	a.intake.Occurrences.Add(was.id)
	moved := s.near(was) < samePlace
	if moved {
		a.moved++
		a.intake.Moved++
	}
	if was.gone > 0 {
		a.back = append(a.back, was.id)
		a.intake.Back++
	}
	if !moved && was.gone == 0 {
		return nil
	}
	return a.Exec("UPDATE occurrence SET place_id = ?, line = ?, col = ?, gone = 0 WHERE id = ?", s.place, s.line,
		s.column, was.id)
}

// maxShown is the largest number of occurrences of an item of a page.
const maxShown = 100

// citedAtOnce is the number of items whose occurrences are read at once.
const citedAtOnce = 256

// occurrenceJoins adds the tables of rows.OccurrenceColumns to those of occurrence o.
const occurrenceJoins = ` CROSS JOIN record r ON r.id = o.record_id CROSS JOIN file fi ON fi.id = r.file_id
	CROSS JOIN place p ON p.id = o.place_id CROSS JOIN field fe ON fe.id = p.field_id`

// withOccurrences fills in the occurrences of items: of each the first n, and the first that is not gone.
func withOccurrences(ctx context.Context, q queryer, list []review.Item, n int) error {
	if len(list) == 0 {
		return nil
	}
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	o := rows.NewOccurrences(list)
	err := each(ctx, q, "SELECT "+rows.OccurrenceColumns+` FROM json_each(?) wanted CROSS JOIN occurrence o ON o.id IN
		(SELECT id FROM (SELECT id FROM occurrence WHERE item_id = wanted.value ORDER BY id`+limit(n)+`) UNION ALL
		SELECT id FROM (SELECT id FROM occurrence WHERE item_id = wanted.value AND gone = 0 ORDER BY id LIMIT 1))`+
		occurrenceJoins, []any{jsonList(ids)}, o.Read)
	o.Sort()
	return err
}

// EachCited reads the occurrences of some items at once.
func (s *Store) EachCited(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	return s.read.snapshot(ctx, "reading URLs", func(q queryer) error {
		var list []review.Item
		var evidence []*canon.Evidence
		flush := func() error {
			err := withOccurrences(ctx, q, list, -1)
			for i := 0; i < len(list) && err == nil; i++ {
				err = own(fn(list[i], evidence[i]))
			}
			list, evidence = list[:0], evidence[:0]
			return err
		}
		err := eachWithEvidence(ctx, q, f, func(it review.Item, ev *canon.Evidence) error {
			list, evidence = append(list, it), append(evidence, ev)
			if len(list) < citedAtOnce {
				return nil
			}
			return flush()
		})
		if err != nil {
			return err
		}
		return flush()
	})
}

// Files returns the names of all files with an occurrence.
func (s *Store) Files(ctx context.Context) ([]string, error) {
	const query = "SELECT name FROM file WHERE id IN (SELECT file_id FROM record) ORDER BY name"
	return listOf(ctx, s.read, "reading the names of files", query, nil,
		func(name *string, scan scanner) error { return scan(name) })
}

// EachRecord calls fn for every record, by number.
func (s *Store) EachRecord(ctx context.Context, fn func(review.StoredRecord) error) error {
	const query = "SELECT " + rows.RecordColumns + ` FROM record r CROSS JOIN file fi ON fi.id = r.file_id
		ORDER BY r.id`
	r := rows.NewRecordRow()
	return s.read.eachNow(ctx, "reading records", query, nil, func(scan scanner) error {
		stored, err := r.StoredRecord(scan)
		if err != nil {
			return err
		}
		return own(fn(stored))
	})
}

// EachOccurrence calls fn for every occurrence, by ID.
func (s *Store) EachOccurrence(ctx context.Context, fn func(review.StoredOccurrence) error) error {
	const query = "SELECT " + rows.StoredColumns + ` FROM occurrence o
		CROSS JOIN record r ON r.id = o.record_id CROSS JOIN place p ON p.id = o.place_id
		CROSS JOIN field fe ON fe.id = p.field_id ORDER BY o.id`
	r := rows.NewStoredRow()
	return s.read.eachNow(ctx, "reading occurrences", query, nil, func(scan scanner) error {
		o, err := r.StoredOccurrence(scan)
		if err != nil {
			return err
		}
		return own(fn(o))
	})
}
