package sqlite

import (
	"context"
	"math"

	"visto/review"
)

// appendEntry numbers and chains the entry and appends it to the log.
func (t *tx) appendEntry(e *review.Entry) error {
	var prev []byte
	found, err := t.find("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1", nil, &e.Seq, &prev)
	if err != nil {
		return err
	}
	if found {
		copy(e.Prev[:], prev)
	}
	e.Seq++
	e.Hash = e.Chain()
	_, err = t.exec("INSERT INTO log (seq, at, reviewer, action, batch_id, summary, body, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		e.Seq, e.At.UnixMilli(), e.Reviewer, string(e.Action), e.Batch, e.Summary, e.Body, e.Prev[:], e.Hash[:])
	return err
}

const logColumns = "SELECT seq, at, reviewer, action, batch_id, summary, body, prev, hash FROM log "

func scanEntry(scan func(...any) error) (review.Entry, error) {
	var e review.Entry
	var at int64
	var prev, hash []byte
	err := scan(&e.Seq, &at, &e.Reviewer, &e.Action, &e.Batch, &e.Summary, &e.Body, &prev, &hash)
	e.At = fromMillis(at)
	copy(e.Prev[:], prev)
	copy(e.Hash[:], hash)
	return e, err
}

// Log returns the n entries before the given one, newest first.
func (s *Store) Log(ctx context.Context, before int64, n int) ([]review.Entry, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	var list []review.Entry
	err := each(ctx, s.read, logColumns+"WHERE seq < ? ORDER BY seq DESC LIMIT ?", []any{before, n}, func(scan func(...any) error) error {
		e, err := scanEntry(scan)
		list = append(list, e)
		return err
	})
	return list, s.failed(ctx, "reading the log", err)
}

// EachEntry calls fn for every entry, oldest first.
func (s *Store) EachEntry(ctx context.Context, fn func(review.Entry) error) error {
	var stopped error
	err := eachEntry(ctx, s.read, func(e review.Entry) error {
		stopped = fn(e)
		return stopped
	})
	if stopped != nil {
		return stopped
	}
	return s.failed(ctx, "reading the log", err)
}

func eachEntry(ctx context.Context, q queryer, fn func(review.Entry) error) error {
	return each(ctx, q, logColumns+"ORDER BY seq", nil, func(scan func(...any) error) error {
		e, err := scanEntry(scan)
		if err == nil {
			err = fn(e)
		}
		return err
	})
}
