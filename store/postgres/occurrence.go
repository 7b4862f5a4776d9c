package postgres

import (
	"context"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// maxShown is the largest number of occurrences of an item of a page.
const maxShown = 100

// citedAtOnce is the number of items whose occurrences are read at once.
const citedAtOnce = 256

// occurrenceJoins adds the tables of rows.OccurrenceColumns to those of occurrence o.
const occurrenceJoins = ` JOIN record r ON r.id = o.record_id JOIN file fi ON fi.id = r.file_id
	JOIN place p ON p.id = o.place_id JOIN field fe ON fe.id = p.field_id`

// occurrencesOf returns the query for the occurrences of items that addOccurrences takes: of each the first n (nil:
// all), and the first that is not gone.
func occurrencesOf(ids []int64, n any) statement {
	return statement{"SELECT " + rows.OccurrenceColumns + ` FROM unnest(?::bigint[]) wanted CROSS JOIN LATERAL
		((SELECT * FROM occurrence WHERE item_id = wanted ORDER BY id LIMIT ?) UNION
		(SELECT * FROM occurrence WHERE item_id = wanted AND gone = 0 ORDER BY id LIMIT 1)) o` + occurrenceJoins,
		[]any{ids, n}}
}

// addOccurrences fills in the occurrences of items.
func addOccurrences(ctx context.Context, list []review.Item, found *result) error {
	o := rows.NewOccurrences(list)
	err := found.each(ctx, o.Read)
	o.Sort()
	return err
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
				err = rows.Own(fn(list[i], evidence[i]))
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

// EachRecord calls fn for every record, by number.
func (s *Store) EachRecord(ctx context.Context, fn func(review.StoredRecord) error) error {
	const query = "SELECT " + rows.RecordColumns + " FROM record r JOIN file fi ON fi.id = r.file_id ORDER BY r.id"
	r := rows.NewRecordRow()
	return s.stream.streamNow(ctx, "reading records", query, nil, func(scan scanner) error {
		stored, err := r.StoredRecord(scan)
		if err != nil {
			return err
		}
		return rows.Own(fn(stored))
	})
}

// EachOccurrence calls fn for every occurrence, by ID.
func (s *Store) EachOccurrence(ctx context.Context, fn func(review.StoredOccurrence) error) error {
	const query = "SELECT " + rows.StoredColumns + ` FROM occurrence o
		JOIN place p ON p.id = o.place_id JOIN field fe ON fe.id = p.field_id ORDER BY o.id`
	r := rows.NewStoredRow()
	return s.stream.streamNow(ctx, "reading occurrences", query, nil, func(scan scanner) error {
		o, err := r.StoredOccurrence(scan)
		if err != nil {
			return err
		}
		return rows.Own(fn(o))
	})
}
