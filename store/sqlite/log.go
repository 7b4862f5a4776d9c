package sqlite

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// AppendEntry numbers and chains the entry and appends it to the log.
func (t *tx) AppendEntry(e *review.Entry) error {
	var last int64
	var hash []byte
	_, err := t.Find("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1", nil, &last, &hash)
	if err != nil {
		return err
	}
	return rows.AppendEntry(e, last, hash, t.Insert)
}

// Entry returns the entry with the number.
func (s *Store) Entry(ctx context.Context, seq int64) (review.Entry, error) {
	row := s.read.QueryRowContext(ctx, "SELECT "+rows.EntryColumns+" FROM log WHERE seq = ?", seq)
	e, err := rows.ScanEntry(row.Scan)
	return e, s.read.failed(ctx, "reading the log", rows.NotFound(err))
}

// EachEntry calls fn for every entry, oldest first.
func (s *Store) EachEntry(ctx context.Context, fn func(review.Entry) error) error {
	err := eachEntry(ctx, s.read, func(e review.Entry) error { return rows.Own(fn(e)) })
	return s.read.failed(ctx, "reading the log", err)
}

func eachEntry(ctx context.Context, q queryer, fn func(review.Entry) error) error {
	return each(ctx, q, "SELECT "+rows.EntryColumns+" FROM log ORDER BY seq", nil, func(scan scanner) error {
		e, err := rows.ScanEntry(scan)
		if err == nil {
			err = fn(e)
		}
		return err
	})
}
