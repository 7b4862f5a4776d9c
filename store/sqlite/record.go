package sqlite

import (
	"context"
	"encoding/hex"
	"strings"

	"visto/review"
	"visto/review/read"
	"visto/store/rows"
)

// recordRow is a row of the table record.
type recordRow struct {
	id, match int64
	read.Record
	attributes string
}

// record returns the ID of the record in the file, which it adds or brings up to date. nil is the file as a whole.
func (a *adder) record(file string, fileID int64, r *read.Record) (int64, error) {
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

func (a *adder) findRecord(file string, fileID int64, r *read.Record) (int64, error) {
	if r == nil {
		row, found, err := a.readRecord(fileID, 0)
		if err == nil && !found {
			row.id, err = a.insertRecord(file, fileID, 0, nil)
		}
		return row.id, err
	}
	first := rows.Match(r, 0)
	for nth := a.intake.Repeated[first]; ; nth++ {
		match := rows.Match(r, nth)
		row, found, err := a.readRecord(fileID, match)
		switch {
		case err != nil:
			return 0, err
		case !found:
			a.repeat(first, nth)
			return a.insertRecord(file, fileID, match, r)
		case !a.intake.Records.Has(row.id):
			a.repeat(first, nth)
			return row.id, a.updateRecord(file, &row, r)
		case row.Path == r.Path:
			return row.id, nil // met in an earlier transaction
		}
	}
}

// repeat notes the number of the last record with an ID that several have, so that the others are not looked at again.
func (a *adder) repeat(match, nth int64) {
	if nth == 0 {
		return
	}
	if a.intake.Repeated == nil {
		a.intake.Repeated = map[int64]int64{}
	}
	a.intake.Repeated[match] = nth
}

func (t *tx) readRecord(file, match int64) (row recordRow, found bool, err error) {
	found, err = t.Find("SELECT id, match, path, key, name, attributes FROM record WHERE file_id = ? AND match = ?",
		[]any{file, match}, &row.id, &row.match, &row.Path, &row.ID, &row.Name, &row.attributes)
	return row, found, err
}

func (a *adder) insertRecord(file string, fileID, match int64, r *read.Record) (int64, error) {
	id := a.nextRecord
	err := a.putRecord(id, fileID, match, r)
	a.nextRecord++
	a.recordDigests = append(a.recordDigests, review.RecordDigest(file, r))
	a.intake.Records.Add(id)
	return id, err
}

func (t *tx) putRecord(id, fileID, match int64, r *read.Record) error {
	row := recordRow{}
	if r != nil {
		row.Record, row.attributes = *r, review.JoinAttributes(r.Attributes)
	}
	return t.Insert("INTO record (id, file_id, match, is_record, path, key, name, attributes, seal)", id, fileID, match,
		r != nil, row.Path, row.ID, row.Name, row.attributes, rows.RecordSeal(r, row.attributes))
}

// updateRecord brings a record that was read again up to date.
func (a *adder) updateRecord(file string, was *recordRow, r *read.Record) error {
	a.intake.Records.Add(was.id)
	attributes := review.JoinAttributes(r.Attributes)
	other := was.ID != r.ID || was.Name != r.Name || was.attributes != attributes
	if !other && was.Path == r.Path {
		return nil
	}
	if other {
		was.Attributes = review.SplitAttributes(was.attributes)
		a.changed = append(a.changed, review.ChangedRecord{ID: was.id, Was: hexDigest(review.RecordDigest(file,
			&was.Record)), Is: hexDigest(review.RecordDigest(file, r))})
		if err := a.Exec("INSERT INTO record_dirty (record_id) VALUES (?) ON CONFLICT DO NOTHING",
			was.id); err != nil {
			return err
		}
	}
	return a.Exec("UPDATE record SET path = ?, key = ?, name = ?, attributes = ?, seal = ? WHERE id = ?", r.Path, r.ID,
		r.Name, attributes, rows.RecordSeal(r, attributes), was.id)
}

func hexDigest(digest [32]byte) string { return hex.EncodeToString(digest[:]) }

// citing selects the records of item i: those that cite it, or if it is gone, those that did.
const citing = `EXISTS (SELECT 1 FROM occurrence wo CROSS JOIN record wr ON wr.id = wo.record_id
	WHERE wo.item_id = i.id AND (wo.gone = 0 OR i.place_set_id = 0)`

// andRecords adds the conditions on the records that cite an item.
func (w *where) andRecords(f review.Filter) {
	if len(f.Records) > 0 {
		w.and("i.id IN (SELECT item_id FROM occurrence WHERE record_id IN (SELECT value FROM json_each(?)))",
			jsonList(f.Records))
	}
	if len(f.Where) > 0 {
		if !w.walk.attributes {
			w.andFound(citedWith(f.Where))
		}
		w.andAttributes("", f.Where)
	}
	for i := range f.Not.Where {
		w.andAttributes("NOT ", f.Not.Where[i:i+1])
	}
}

// citedWith returns a query for the IDs of the items to look into for records with one of the values of each attribute,
// with repetitions. The index of the search has attributes with their marks.
func citedWith(list []read.Attribute) (string, []any) {
	needed := make([]string, len(list))
	for i, a := range list {
		values := make([]string, len(a.Values))
		for j, value := range a.Values {
			values[j] = "(" + attributeExpr(a.Name, value) + ")"
		}
		needed[i] = "(" + strings.Join(values, " OR ") + ")"
	}
	return citedBy(foundBy), []any{strings.Join(needed, " AND ")}
}

// attributeExpr returns the FTS5 expression for the begin and the end of the value, with the marks around it and the
// last byte of the name. More trigrams find hardly less, and each takes a pass over its list.
func attributeExpr(name, value string) string {
	const atEnd = 5
	text := review.AttributeText(name, value)[len(name):]
	if len(text) <= shortest+atEnd {
		return matchExpr(text)
	}
	return matchExpr(text[:shortest]) + " AND " + matchExpr(text[len(text)-atEnd:])
}

// andAttributes adds the condition, after not, that a record has one of the values of each attribute.
func (w *where) andAttributes(not string, list []read.Attribute) {
	cond, args := citing, []any(nil)
	for _, a := range list {
		values := make([]string, len(a.Values))
		for i, value := range a.Values {
			values[i] = "instr(CAST(wr.attributes AS BLOB), ?)"
			args = append(args, []byte(review.AttributeText(a.Name, value)))
		}
		cond += " AND (" + strings.Join(values, " OR ") + ")"
	}
	w.and(not+cond+")", args...)
}

// Attributes counts by attribute in one pass over the items and their records.
func (s *Store) Attributes(ctx context.Context, f review.Filter) ([]review.AttributeFacet, error) {
	counts := rows.NewAttributeCounts()
	err := s.read.snapshot(ctx, "counting URLs", func(q queryer) error {
		w := filterItems(f)
		w.and("(o.gone = 0 OR i.place_set_id = 0) AND r.attributes > ''")
		query := "SELECT i.id, r.attributes FROM item i CROSS JOIN occurrence o ON o.item_id = i.id CROSS JOIN " +
			"record r ON r.id = o.record_id" + w.sql()
		return each(ctx, q, query, w.args, func(scan scanner) error {
			var item int64
			var text string
			err := scan(&item, &text)
			counts.Add(item, review.SplitAttributes(text))
			return err
		})
	})
	return counts.Facets(), err
}

// repeatRows adds the records and occurrences that a log entry added, and marks those that went and came back with it.
func (a *adder) repeatRows() error {
	if a.repeated == nil {
		return nil
	}
	return rows.InOrder(a.repeatRecords, a.repeatOccurrences, a.repeatPresence)
}

func (a *adder) repeatRecords() error {
	for i := range a.repeated.Records {
		r := &a.repeated.Records[i]
		file, err := a.names.ID("file", r.File)
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
	err := a.Get("SELECT file_id, path FROM record WHERE id = ?", []any{o.Record}, &file, &recordPath)
	if err != nil {
		return err
	}
	field, err := a.names.ID("field", o.Field)
	if err != nil {
		return err
	}
	place, err := a.names.Place(field, rows.ShortPath(o.Path, recordPath, o.Line, o.Column))
	if err == nil {
		err = a.tx.Insert(intoOccurrence, o.ID, o.Item, o.Record, place, o.Line, o.Column, 0)
	}
	if err == nil {
		err = a.Get("SELECT place_set_id FROM item WHERE id = ?", []any{o.Item}, &set)
	}
	if err == nil {
		set, err = a.names.SetWith(set, rows.Placed{File: file, Field: field})
	}
	if err == nil {
		err = a.names.SetPlaces(o.Item, set)
	}
	if err == nil {
		err = a.names.Restate(o.Item)
	}
	return err
}

func (a *adder) repeatPresence() error {
	seq, err := a.NextEntry()
	for list, since := range map[*[]review.IDRange]int64{&a.repeated.Entry.Gone: seq, &a.repeated.Entry.Back: 0} {
		if err == nil {
			_, _, err = a.names.Mark(rows.IDs(*list), since, rows.Always)
		}
	}
	return err
}
