package postgres

import (
	"cmp"
	"context"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/store/rows"
)

// maxShown is the largest number of occurrences of an item of a page.
const maxShown = 100

// citedAtOnce is the number of items whose occurrences are read at once.
const citedAtOnce = 256

// occurrenceColumns are those of occurrence o with its texts, which occurrenceJoins adds.
const (
	occurrenceColumns = `o.item_id, o.id, fi.name, fe.name, p.path, o.line, o.col, o.gone, r.id, r.is_record, r.path,
		r.key, r.name, r.attributes, r.file_id`
	occurrenceJoins = ` JOIN record r ON r.id = o.record_id JOIN file fi ON fi.id = r.file_id
		JOIN place p ON p.id = o.place_id JOIN field fe ON fe.id = p.field_id`
)

// occurrencesOf returns the query for the occurrences of items that addOccurrences takes: of each the first n (nil:
// all), and the first that is not gone.
func occurrencesOf(ids []int64, n any) statement {
	return statement{"SELECT " + occurrenceColumns + ` FROM unnest(?::bigint[]) wanted CROSS JOIN LATERAL
		((SELECT * FROM occurrence WHERE item_id = wanted ORDER BY id LIMIT ?) UNION
		(SELECT * FROM occurrence WHERE item_id = wanted AND gone = 0 ORDER BY id LIMIT 1)) o` + occurrenceJoins,
		[]any{ids, n}}
}

// addOccurrences fills in the occurrences of items.
func addOccurrences(ctx context.Context, list []review.Item, found *result) error {
	at := make(map[int64]int, len(list))
	for i := range list {
		at[list[i].ID], list[i].Occurrences = i, nil
	}
	r := newRow("occurrence of URL", 15)
	files := map[int64]int64{} // by occurrence
	err := found.each(ctx, func(scan scanner) error {
		if err := scan(r.into...); err != nil {
			return err
		}
		it := &list[at[r.number(0)]]
		o := r.occurrence()
		files[o.ID] = r.number(14)
		it.Occurrences = append(it.Occurrences, o)
		return r.err
	})
	for i := range list {
		slices.SortFunc(list[i].Occurrences, func(a, b review.Occurrence) int {
			return cmp.Or(cmp.Compare(files[a.ID], files[b.ID]), cmp.Compare(a.Line, b.Line),
				cmp.Compare(a.Column, b.Column), cmp.Compare(a.ID, b.ID))
		})
	}
	return err
}

// occurrence returns the occurrence of a row of occurrenceColumns.
func (r *row) occurrence() review.Occurrence {
	o := review.Occurrence{ID: r.number(1), Citer: r.number(8), File: r.text(2), Field: r.text(3),
		Line: int(r.number(5)), Column: int(r.number(6)), Gone: r.number(7) > 0}
	o.Path = rows.FullPath(r.text(4), r.text(10), o.Line, o.Column)
	if found := scanRecord(r, 9); found != nil {
		o.Record = &review.Record{Number: o.Citer, ID: found.ID, Name: found.Name, Path: found.Path,
			Attributes: found.Attributes}
	}
	return o
}

// EachCited reads the occurrences of some items at once.
func (s *Store) EachCited(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	return s.stream.snapshot(ctx, "reading URLs", func(q *snapshot) error {
		var list []review.Item
		var evidence []*canon.Evidence
		flush := func() error {
			ids := make([]int64, len(list))
			for i := range list {
				ids[i] = list[i].ID
			}
			of := occurrencesOf(ids, nil)
			found, err := q.query(ctx, of.query, of.args)
			if err == nil {
				err = addOccurrences(ctx, list, found)
			}
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
	const query = `SELECT r.id, fi.name, r.match, r.is_record, r.path, r.key, r.name, r.attributes FROM record r
		JOIN file fi ON fi.id = r.file_id ORDER BY r.id`
	r := newRow("record", 8)
	return s.stream.streamNow(ctx, "reading records", query, nil, func(scan scanner) error {
		if err := scan(r.into...); err != nil {
			return err
		}
		stored := review.StoredRecord{ID: r.number(0), File: r.text(1), Match: r.number(2), Record: scanRecord(&r, 3)}
		return cmp.Or(r.err, own(fn(stored)))
	})
}

// EachOccurrence calls fn for every occurrence, by ID.
func (s *Store) EachOccurrence(ctx context.Context, fn func(review.StoredOccurrence) error) error {
	const query = `SELECT o.id, o.item_id, o.record_id, fe.name, p.path, r.path, o.line, o.col, o.gone FROM occurrence o
		JOIN record r ON r.id = o.record_id JOIN place p ON p.id = o.place_id
		JOIN field fe ON fe.id = p.field_id ORDER BY o.id`
	r := newRow("occurrence", 9)
	return s.stream.streamNow(ctx, "reading occurrences", query, nil, func(scan scanner) error {
		if err := scan(r.into...); err != nil {
			return err
		}
		o := review.StoredOccurrence{ID: r.number(0), Item: r.number(1), Record: r.number(2), Field: r.text(3),
			Line: int(r.number(6)), Column: int(r.number(7)), Gone: r.number(8)}
		o.Path = rows.FullPath(r.text(4), r.text(5), o.Line, o.Column)
		return cmp.Or(r.err, own(fn(o)))
	})
}

// scanRecord reads the columns is_record, path, key, name and attributes; nil is a file as a whole.
func scanRecord(r *row, at int) *read.Record {
	if !r.flag(at) {
		return nil
	}
	return &read.Record{Path: r.text(at + 1), ID: r.text(at + 2), Name: r.text(at + 3),
		Attributes: review.SplitAttributes(r.text(at + 4))}
}
