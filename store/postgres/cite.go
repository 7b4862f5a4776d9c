package postgres

import (
	"fmt"
	"strings"

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

// occurrenceInsert are the columns of a new occurrence.
var occurrenceInsert = splitColumns("id, item_id, record_id, place_id, line, col, gone")

func splitColumns(list string) []string { return strings.Split(list, ", ") }

// occur adds an occurrence of an item.
func (a *adder) occur(item int64, s spot) {
	id := a.nextOccurrence
	a.waiting[item] = true
	a.cites.add(id, item, s.record, s.place, s.line, s.column, 0)
	a.nextOccurrence++
	a.occurrenceDigests = append(a.occurrenceDigests, review.OccurrenceDigest(item, s.record, s.fieldName))
	a.intake.Occurrences.Add(id)
	a.intake.Came++
}

// stored is an occurrence of an item that is there already.
type stored struct {
	id, place, field, gone int64
	line, column           int
}

// occurAgain adds an occurrence of a known item, or finds the stored one that it is.
func (a *adder) occurAgain(it *thereItem, s spot) error {
	was, found, err := a.unmet(it.id, s)
	switch {
	case err != nil:
		return err
	case !found:
		a.occur(it.id, s)
	default:
		if err = a.meet(was, s); err != nil || was.gone == 0 {
			return err
		}
	}
	with, err := a.names.SetWith(it.set, rows.Placed{File: s.file, Field: s.field})
	if err == nil && with != it.set {
		it.set = with
		err = rows.InOrder(a.flush, func() error { return a.names.SetPlaces(it.id, with) })
	}
	if err != nil || !a.approvals {
		return err
	}
	return rows.InOrder(a.flush, func() error { return a.names.Restate(it.id) })
}

// unmetAtOnce is the number of occurrences of an item in a record that are looked at.
const unmetAtOnce = 16

var unmetQuery = fmt.Sprintf(`SELECT o.id, o.place_id, p.field_id, o.line, o.col, o.gone FROM occurrence o
	JOIN place p ON p.id = o.place_id WHERE o.item_id = ? AND o.record_id = ? AND o.id > ? ORDER BY o.id LIMIT %d`,
	unmetAtOnce)

// unmet returns the occurrence that an item has at the spot and that the run has not met: the one at the same place,
// else another one in the same record and field, which has moved.
func (a *adder) unmet(item int64, s spot) (best stored, found bool, err error) {
	key := itemRecord{item, s.record}
	list, err := collect(a.ctx, a, unmetQuery, []any{item, s.record, a.passed[key]},
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
