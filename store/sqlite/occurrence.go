package sqlite

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
	const query = "SELECT " + rows.RecordColumns + ` FROM record r CROSS JOIN file fi ON fi.id = r.file_id
		ORDER BY r.id`
	r := rows.NewRecordRow()
	return s.read.eachNow(ctx, "reading records", query, nil, func(scan scanner) error {
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
		CROSS JOIN place p ON p.id = o.place_id CROSS JOIN field fe ON fe.id = p.field_id ORDER BY o.id`
	r := rows.NewStoredRow()
	return s.read.eachNow(ctx, "reading occurrences", query, nil, func(scan scanner) error {
		o, err := r.StoredOccurrence(scan)
		if err != nil {
			return err
		}
		return rows.Own(fn(o))
	})
}
