package rows

import (
	"fmt"

	"visto/review"
	"visto/review/read"
)

// Spot is an occurrence to add: its place, as IDs.
type Spot struct {
	Placed
	record, place int64
	fieldName     string
	path          string // as it is stored
	line, column  int
}

// SpotOf returns the place of a new item's occurrence, and adds its record and names.
func (a *Adder) SpotOf(n *review.NewItem) (s Spot, err error) {
	occurrence := n.Occurrence
	if occurrence == nil {
		occurrence = &review.NewOccurrence{Place: read.Place{File: n.Source.File, Field: n.Source.Field,
			Path: n.Source.Position}}
	}
	at, r := &occurrence.Place, occurrence.Record
	s.line, s.column, s.fieldName = at.Line, at.Column, at.Field
	if s.File, err = a.Names.ID("file", at.File); err != nil {
		return s, err
	}
	if s.Field, err = a.Names.ID("field", at.Field); err != nil {
		return s, err
	}
	if s.record, err = a.record(at.File, s.File, r); err != nil {
		return s, err
	}
	s.path = placePath(at, r)
	s.place, err = a.Names.place(s.Field, s.path)
	return s, err
}

// IntoOccurrence is the INSERT of an occurrence.
const IntoOccurrence = "INTO occurrence (id, item_id, record_id, place_id, line, col, gone)"

// Occur adds an occurrence of an item.
func (a *Adder) Occur(item int64, s Spot) error {
	id := a.nextOccurrence
	a.nextOccurrence++
	a.occurrenceDigests = append(a.occurrenceDigests, review.OccurrenceDigest(item, s.record, s.fieldName))
	a.places.AddOccurrence(id, s.path, s.line, s.column)
	a.Intake.Occurrences.Add(id)
	a.Intake.Came++
	return a.Waiting.Cite(item, id, item, s.record, s.place, s.line, s.column, 0)
}

// stored is an occurrence of an item that is there already.
type stored struct {
	id, place, field, gone int64
	path                   string
	line, column           int
}

// OccurAgain adds an occurrence of a known item, or finds the stored one that it is. It returns the place set of the
// item, which was set.
func (a *Adder) OccurAgain(item, set int64, s Spot) (int64, error) {
	was, found, err := a.unmet(item, s)
	switch {
	case err != nil:
		return set, err
	case !found:
		if err = a.Occur(item, s); err != nil {
			return set, err
		}
	default:
		if err = a.meet(was, s); err != nil || was.gone == 0 {
			return set, err
		}
	}
	with, err := a.Names.SetWith(set, s.Placed)
	if err == nil && with != set {
		err = InOrder(a.Waiting.Flush, func() error { return a.Names.SetPlaces(item, with) })
	}
	if err != nil || !a.Approvals {
		return with, err
	}
	return with, InOrder(a.Waiting.Flush, func() error { return a.Names.Restate(item) })
}

// unmetAtOnce is the number of occurrences of an item in a record that are looked at.
const unmetAtOnce = 16

// unmetQuery has a fixed LIMIT: SQLite prepares a statement again each time its LIMIT is bound. The + keeps SQLite from
// the index by record: a text of a million URLs is one.
var unmetQuery = fmt.Sprintf(`SELECT o.id, o.place_id, p.field_id, p.path, o.line, o.col, o.gone FROM occurrence o
	CROSS JOIN place p WHERE o.item_id = ? AND +o.record_id = ? AND o.id > ? AND p.id = o.place_id
	ORDER BY o.id LIMIT %d`, unmetAtOnce)

// unmet returns the occurrence that an item has at the spot and that the run has not met: the one at the same place,
// else another one in the same record and field, which has moved.
func (a *Adder) unmet(item int64, s Spot) (best stored, found bool, err error) {
	key := itemRecord{item, s.record}
	var list []stored
	err = a.Each(unmetQuery, []any{item, s.record, a.passed[key]}, func(scan Scan) error {
		var o stored
		if err := scan(&o.id, &o.place, &o.field, &o.path, &o.line, &o.column, &o.gone); err != nil {
			return err
		}
		list = append(list, o)
		return nil
	})
	if err != nil {
		return best, false, err
	}
	for _, o := range list {
		if s.near(o) == samePlace {
			return o, true, nil
		}
		if a.Intake.Occurrences.Has(o.id) {
			continue
		}
		if o.field == s.Field && (!found || s.near(o) > s.near(best)) {
			best, found = o, true
		}
	}
	if n := len(list); n == unmetAtOnce && !found {
		a.passed[key] = list[n-1].id
		return a.unmet(item, s)
	}
	return best, found, nil
}

type itemRecord struct{ item, record int64 }

// samePlace is the largest result of near.
const samePlace = 2

// near tells how near a stored occurrence is.
func (s Spot) near(o stored) int {
	switch {
	case o.place != s.place:
		return 0
	case o.line != s.line || o.column != s.column:
		return 1
	}
	return samePlace
}

// meet notes that an occurrence was found again, and where it is now.
func (a *Adder) meet(was stored, s Spot) error {
	a.Intake.Occurrences.Add(was.id)
	moved := s.near(was) < samePlace
	if moved {
		a.places.RemoveOccurrence(was.id, was.path, was.line, was.column)
		a.places.AddOccurrence(was.id, s.path, s.line, s.column)
		a.moved++
		a.Intake.Moved++
	}
	if was.gone > 0 {
		a.back = append(a.back, was.id)
		a.Intake.Back++
	}
	if !moved && was.gone == 0 {
		return nil
	}
	return a.Exec("UPDATE occurrence SET place_id = ?, line = ?, col = ?, gone = 0 WHERE id = ?", s.place, s.line,
		s.column, was.id)
}
