package postgres

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// Entry returns the entry with the number.
func (s *Store) Entry(ctx context.Context, seq int64) (review.Entry, error) {
	r, err := s.read.query(ctx, "SELECT "+rows.EntryColumns+" FROM log WHERE seq = ?", []any{seq})
	if err == nil && len(r.rows) == 0 {
		err = review.ErrNotFound
	}
	if err != nil {
		return review.Entry{}, s.read.failed(ctx, "reading the log", err)
	}
	e, err := rows.ScanEntry(r.scan(0))
	return e, s.read.failed(ctx, "reading the log", err)
}

// EachEntry calls fn for every entry, oldest first.
func (s *Store) EachEntry(ctx context.Context, fn func(review.Entry) error) error {
	return s.stream.snapshot(ctx, "reading the log", func(q *snapshot) error {
		return eachEntry(ctx, q, func(e review.Entry) error { return rows.Own(fn(e)) })
	})
}

func eachEntry(ctx context.Context, q *snapshot, fn func(review.Entry) error) error {
	return q.stream(ctx, "SELECT "+rows.EntryColumns+" FROM log ORDER BY seq", nil, func(scan scanner) error {
		e, err := rows.ScanEntry(scan)
		if err == nil {
			err = fn(e)
		}
		return err
	})
}
