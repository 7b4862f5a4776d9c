package sqlite

import (
	"visto/review"
)

// repeatRows adds the records and occurrences that a log entry added, and marks those that went and came back with it.
func (a *adder) repeatRows() error {
	if a.repeated == nil {
		return nil
	}
	return inOrder(a.repeatRecords, a.repeatOccurrences, a.repeatPresence)
}

func (a *adder) repeatRecords() error {
	for i := range a.repeated.Records {
		r := &a.repeated.Records[i]
		file, err := a.names.id("file", r.File)
		if err == nil {
			err = a.putRecord(r.ID, file, r.Match, r.Record)
		}
		if err != nil {
			return err
		}
		a.nextRecord = r.ID + 1
	}
	a.recordDigests = a.repeated.Digests
	return nil
}

func (a *adder) repeatOccurrences() error {
	for i := range a.repeated.Occurrences {
		o := &a.repeated.Occurrences[i]
		if err := a.repeatOccurrence(o); err != nil {
			return err
		}
		a.nextOccurrence = o.ID + 1
		a.occurrenceDigests = append(a.occurrenceDigests, review.OccurrenceDigest(o.Item, o.Record, o.Field))
	}
	return nil
}

func (a *adder) repeatOccurrence(o *review.StoredOccurrence) error {
	var file, set int64
	var recordPath string
	err := a.get("SELECT file_id, path FROM record WHERE id = ?", []any{o.Record}, &file, &recordPath)
	if err != nil {
		return err
	}
	field, err := a.names.id("field", o.Field)
	if err != nil {
		return err
	}
	place, err := a.names.place(field, shortPathOf(o.Path, recordPath, o.Line, o.Column))
	if err == nil {
		err = a.tx.insert("INTO occurrence (id, item_id, record_id, place_id, line, col, gone)", o.ID, o.Item, o.Record,
			place, o.Line, o.Column, 0)
	}
	if err == nil {
		err = a.get("SELECT place_set_id FROM item WHERE id = ?", []any{o.Item}, &set)
	}
	if err == nil {
		set, err = a.names.setWith(set, placed{file, field})
	}
	if err == nil {
		err = a.setPlaces(o.Item, set)
	}
	return err
}

func (a *adder) repeatPresence() error {
	seq, err := a.nextEntry()
	for list, since := range map[*[]review.IDRange]int64{&a.repeated.Entry.Gone: seq, &a.repeated.Entry.Back: 0} {
		for _, ids := range *list {
			for id := ids.First; id <= ids.Last && err == nil; id++ {
				_, err = a.names.markGone(id, since)
			}
		}
	}
	return err
}
