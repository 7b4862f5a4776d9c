package rows

import (
	"cmp"
	"slices"

	"visto/review"
	"visto/review/read"
)

// OccurrenceColumns are the columns of an occurrence o with its texts that Occurrences reads.
const OccurrenceColumns = `o.item_id, o.id, fi.name, fe.name, p.path, o.line, o.col, o.gone, r.id, r.is_record, r.path,
	r.key, r.name, r.attributes, r.file_id`

// Occurrences reads the occurrences of items.
type Occurrences struct {
	row   Row
	list  []review.Item
	at    map[int64]int   // of an item in the list
	files map[int64]int64 // by occurrence
}

// NewOccurrences returns the Occurrences of a list of items, which have none then.
func NewOccurrences(list []review.Item) *Occurrences {
	o := &Occurrences{row: NewRow("occurrence of URL", 15, OccurrenceColumns), list: list,
		at: make(map[int64]int, len(list)), files: map[int64]int64{}}
	for i := range list {
		o.at[list[i].ID], list[i].Occurrences = i, nil
	}
	return o
}

// Read reads a row of OccurrenceColumns.
func (l *Occurrences) Read(scan Scan) error {
	r := &l.row
	if err := r.Scan(scan); err != nil {
		return err
	}
	o := review.Occurrence{ID: r.Number(1), Citer: r.Number(8), File: r.Text(2), Field: r.Text(3),
		Line: int(r.Number(5)), Column: int(r.Number(6)), Gone: r.Number(7) > 0}
	short, part := cutPart(r.Text(4))
	o.Path, o.Part = fullPath(short, r.Text(10), o.Line, o.Column), part
	if found := r.record(9); found != nil {
		o.Record = &review.Record{Number: o.Citer, ID: found.ID, Name: found.Name, Path: found.Path,
			Attributes: found.Attributes}
	}
	l.files[o.ID] = r.Number(14)
	if at, ok := l.at[r.Number(0)]; ok {
		l.list[at].Occurrences = append(l.list[at].Occurrences, o)
	} else {
		r.expect(0, false)
	}
	return r.Err
}

// Sort puts the occurrences of each item in the order of files, lines and columns.
func (l *Occurrences) Sort() {
	for i := range l.list {
		slices.SortFunc(l.list[i].Occurrences, func(a, b review.Occurrence) int {
			return cmp.Or(cmp.Compare(l.files[a.ID], l.files[b.ID]), cmp.Compare(a.Line, b.Line),
				cmp.Compare(a.Column, b.Column), cmp.Compare(a.ID, b.ID))
		})
	}
}

// record reads the columns is_record, path, key, name and attributes; nil is a file as a whole.
func (r *Row) record(at int) *read.Record {
	if !r.Flag(at) {
		return nil
	}
	return &read.Record{Path: r.Text(at + 1), ID: r.Text(at + 2), Name: r.Text(at + 3),
		Attributes: review.SplitAttributes(r.Text(at + 4))}
}

// recordColumns are the columns of a record r that storedRecord reads.
const recordColumns = "r.id, fi.name, r.match, r.is_record, r.path, r.key, r.name, r.attributes"

// newRecordRow returns a Row for recordColumns.
func newRecordRow() Row { return NewRow("record", 8, recordColumns) }

// storedRecord reads a row of recordColumns.
func (r *Row) storedRecord(scan Scan) (review.StoredRecord, error) {
	if err := r.Scan(scan); err != nil {
		return review.StoredRecord{}, err
	}
	stored := review.StoredRecord{ID: r.Number(0), File: r.Text(1), Match: r.Number(2), Record: r.record(3)}
	return stored, r.Err
}

// storedColumns are the columns of an occurrence o that storedOccurrence reads.
const storedColumns = "o.id, o.item_id, o.record_id, fe.name, p.path, o.line, o.col, o.gone"

// newStoredRow returns a Row for storedColumns.
func newStoredRow() Row { return NewRow("occurrence", 8, storedColumns) }

// storedOccurrence reads a row of storedColumns.
func (r *Row) storedOccurrence(scan Scan) (review.StoredOccurrence, error) {
	if err := r.Scan(scan); err != nil {
		return review.StoredOccurrence{}, err
	}
	o := review.StoredOccurrence{ID: r.Number(0), Item: r.Number(1), Record: r.Number(2), Field: r.Text(3),
		Path: r.Text(4), Line: int(r.Number(5)), Column: int(r.Number(6)), Gone: r.Number(7)}
	return o, r.Err
}
