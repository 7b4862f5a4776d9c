package rows

import (
	"encoding/hex"

	"visto/review"
	"visto/review/read"
)

// recordRow is a row of the table record.
type recordRow struct {
	id, match int64
	read.Record
	attributes string
}

// record returns the ID of the record in the file, which it adds or brings up to date. nil is the file as a whole.
func (a *Adder) record(file string, fileID int64, r *read.Record) (int64, error) {
	if id, ok := a.records[recordKey{fileID, r}]; ok {
		return id, nil
	}
	id, err := a.findRecord(file, fileID, r)
	if err == nil {
		a.records[recordKey{fileID, r}] = id
	}
	return id, err
}

// recordKey is a record of this transaction.
type recordKey struct {
	file   int64
	record *read.Record
}

func (a *Adder) findRecord(file string, fileID int64, r *read.Record) (int64, error) {
	if r == nil {
		row, found, err := a.readRecord(fileID, 0)
		if err == nil && !found {
			row.id, err = a.insertRecord(file, fileID, 0, nil)
		}
		return row.id, err
	}
	first := Match(r, 0)
	for nth := a.Intake.Repeated[first]; ; nth++ {
		match := Match(r, nth)
		row, found, err := a.readRecord(fileID, match)
		switch {
		case err != nil:
			return 0, err
		case !found:
			a.repeat(first, nth)
			return a.insertRecord(file, fileID, match, r)
		case !a.Intake.Records.Has(row.id):
			a.repeat(first, nth)
			return row.id, a.updateRecord(file, &row, r)
		case row.Path == r.Path:
			return row.id, nil // met in an earlier transaction
		}
	}
}

// repeat notes the number of the last record with an ID that several have, so that the others are not looked at again.
func (a *Adder) repeat(match, nth int64) {
	if nth == 0 {
		return
	}
	if a.Intake.Repeated == nil {
		a.Intake.Repeated = map[int64]int64{}
	}
	a.Intake.Repeated[match] = nth
}

func (a *Adder) readRecord(file, match int64) (row recordRow, found bool, err error) {
	found, err = a.Find("SELECT id, match, path, key, name, attributes FROM record WHERE file_id = ? AND match = ?",
		[]any{file, match}, &row.id, &row.match, &row.Path, &row.ID, &row.Name, &row.attributes)
	return row, found, err
}

func (a *Adder) insertRecord(file string, fileID, match int64, r *read.Record) (int64, error) {
	id := a.nextRecord
	err := a.putRecord(id, fileID, match, r)
	a.nextRecord++
	a.recordDigests = append(a.recordDigests, review.RecordDigest(file, r))
	a.Intake.Records.Add(id)
	return id, err
}

func (a *Adder) putRecord(id, fileID, match int64, r *read.Record) error {
	row := recordRow{}
	if r != nil {
		row.Record, row.attributes = *r, review.JoinAttributes(r.Attributes)
	}
	a.places.AddRecord(id, row.Path)
	err := a.Insert("INTO record (id, file_id, match, is_record, path, key, name, attributes, seal)", id, fileID, match,
		r != nil, row.Path, row.ID, row.Name, row.attributes, recordSeal(r, row.attributes))
	if err != nil {
		return err
	}
	return a.IndexRecord(id, true, &row.Record, row.attributes)
}

// updateRecord brings a record that was read again up to date.
func (a *Adder) updateRecord(file string, was *recordRow, r *read.Record) error {
	a.Intake.Records.Add(was.id)
	attributes := review.JoinAttributes(r.Attributes)
	other := was.ID != r.ID || was.Name != r.Name || was.attributes != attributes
	if !other && was.Path == r.Path {
		return nil
	}
	if other {
		was.Attributes = review.SplitAttributes(was.attributes)
		a.changed = append(a.changed, review.ChangedRecord{ID: was.id, Was: hexDigest(review.RecordDigest(file,
			&was.Record)), Is: hexDigest(review.RecordDigest(file, r))})
		if err := a.IndexRecord(was.id, false, r, attributes); err != nil {
			return err
		}
	}
	a.places.RemoveRecord(was.id, was.Path)
	a.places.AddRecord(was.id, r.Path)
	return a.Exec("UPDATE record SET path = ?, key = ?, name = ?, attributes = ?, seal = ? WHERE id = ?", r.Path, r.ID,
		r.Name, attributes, recordSeal(r, attributes), was.id)
}

func hexDigest(digest [32]byte) string { return hex.EncodeToString(digest[:]) }

// repeatRows adds the records and occurrences that a log entry added, and marks those that went and came back with it.
func (a *Adder) repeatRows() error {
	if a.Repeated == nil {
		return nil
	}
	return InOrder(a.repeatRecords, a.repeatOccurrences, a.repeatPresence)
}

func (a *Adder) repeatRecords() error {
	for i := range a.Repeated.Records {
		r := &a.Repeated.Records[i]
		file, err := a.Names.ID("file", r.File)
		if err == nil {
			err = a.putRecord(r.ID, file, r.Match, r.Record)
		}
		if err != nil {
			return err
		}
		a.nextRecord = r.ID + 1
	}
	a.recordDigests = a.Repeated.Digests
	return nil
}

func (a *Adder) repeatOccurrences() error {
	for i := range a.Repeated.Occurrences {
		o := &a.Repeated.Occurrences[i]
		if err := a.repeatOccurrence(o); err != nil {
			return err
		}
		a.nextOccurrence = o.ID + 1
		a.occurrenceDigests = append(a.occurrenceDigests, review.OccurrenceDigest(o.Item, o.Record, o.Field))
	}
	return nil
}

func (a *Adder) repeatOccurrence(o *review.StoredOccurrence) error {
	var file, set int64
	err := a.Get("SELECT file_id FROM record WHERE id = ?", []any{o.Record}, &file)
	if err != nil {
		return err
	}
	field, err := a.Names.ID("field", o.Field)
	if err != nil {
		return err
	}
	place, err := a.Names.place(field, o.Path)
	if err == nil {
		err = a.Insert(IntoOccurrence, o.ID, o.Item, o.Record, place, o.Line, o.Column, 0)
	}
	if err == nil {
		err = a.Get("SELECT place_set_id FROM item WHERE id = ?", []any{o.Item}, &set)
	}
	if err == nil {
		set, err = a.Names.SetWith(set, Placed{File: file, Field: field})
	}
	if err == nil {
		err = a.Names.SetPlaces(o.Item, set)
	}
	if err == nil {
		err = a.Names.Restate(o.Item)
	}
	return err
}

func (a *Adder) repeatPresence() error {
	seq, err := a.NextEntry()
	for list, since := range map[*[]review.IDRange]int64{&a.Repeated.Entry.Gone: seq, &a.Repeated.Entry.Back: 0} {
		if err == nil {
			_, _, err = a.Names.Mark(idsOf(*list), since, Always)
		}
	}
	return err
}
