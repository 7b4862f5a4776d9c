package postgres

import (
	"context"
	"math"

	"visto/review"
)

// The columns of an entry, and those of its description.
const (
	infoColumns  = "seq, at, reviewer, action, batch_id, summary"
	entryColumns = infoColumns + ", body, prev, hash"
)

func scanInfo(e *review.EntryInfo, scan scanner) error {
	err := scan(&e.Seq, stamp{&e.At}, &e.Reviewer, &e.Action, &e.Batch, &e.Summary)
	splitBatch(e)
	return err
}

// splitBatch tells the run of an intake from a batch: both are in one column, the run as a negative number.
func splitBatch(e *review.EntryInfo) {
	e.Batch, e.Run = max(e.Batch, 0), max(-e.Batch, 0)
}

func scanEntry(scan scanner) (review.Entry, error) {
	var e review.Entry
	var prev, hash []byte
	err := scan(&e.Seq, stamp{&e.At}, &e.Reviewer, &e.Action, &e.Batch, &e.Summary, &e.Body, &prev, &hash)
	splitBatch(&e.EntryInfo)
	copy(e.Prev[:], prev)
	copy(e.Hash[:], hash)
	return e, err
}

// logQuery leaves out the entries of an intake before its newest, and those of a batch beside its own, except the
// newest of an undo or a redo that was cut short: the batch has no entry after it.
const logQuery = "SELECT " + infoColumns + " FROM log WHERE seq < ? AND (batch_id >= 0 OR action <> 'forget' AND " +
	"NOT EXISTS (SELECT 1 FROM log later WHERE later.batch_id < 0 AND later.batch_id = log.batch_id AND " +
	"later.seq > log.seq) AND (action = 'add' OR NOT EXISTS (SELECT 1 FROM log later WHERE later.seq > log.seq AND " +
	"later.batch_id = (SELECT own.batch_id FROM log own WHERE own.seq = -log.batch_id)))) ORDER BY seq DESC LIMIT ?"

// Log returns at most n entries before the one with the number, newest first.
func (s *Store) Log(ctx context.Context, before int64, n int) ([]review.EntryInfo, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	return listOf(ctx, s.read, "reading the log", logQuery, []any{before, n}, scanInfo)
}

// Entry returns the entry with the number.
func (s *Store) Entry(ctx context.Context, seq int64) (review.Entry, error) {
	r, err := s.read.query(ctx, "SELECT "+entryColumns+" FROM log WHERE seq = ?", []any{seq})
	if err == nil && len(r.rows) == 0 {
		err = review.ErrNotFound
	}
	if err != nil {
		return review.Entry{}, s.read.failed(ctx, "reading the log", err)
	}
	e, err := scanEntry(r.scan(0))
	return e, s.read.failed(ctx, "reading the log", err)
}

// EachEntry calls fn for every entry, oldest first.
func (s *Store) EachEntry(ctx context.Context, fn func(review.Entry) error) error {
	return s.stream.snapshot(ctx, "reading the log", func(q *snapshot) error {
		return eachEntry(ctx, q, func(e review.Entry) error { return own(fn(e)) })
	})
}

func eachEntry(ctx context.Context, q *snapshot, fn func(review.Entry) error) error {
	return q.stream(ctx, "SELECT "+entryColumns+" FROM log ORDER BY seq", nil, func(scan scanner) error {
		e, err := scanEntry(scan)
		if err == nil {
			err = fn(e)
		}
		return err
	})
}
