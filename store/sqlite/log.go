package sqlite

import (
	"context"
	"database/sql"
	"errors"
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

// The columns of an entry, and those of its description. SQLite reads a row up to the last column that a statement names, so the
// description costs no page of the body.
const (
	infoColumns  = "seq, at, reviewer, action, batch_id, summary"
	entryColumns = infoColumns + ", body, prev, hash"
)

func scanInfo(scan func(...any) error) (review.EntryInfo, error) {
	var e review.EntryInfo
	var at int64
	err := scan(&e.Seq, &at, &e.Reviewer, &e.Action, &e.Batch, &e.Summary)
	e.At = fromMillis(at)
	return e, err
}

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

const logQuery = "SELECT " + infoColumns + " FROM log WHERE seq < ? ORDER BY seq DESC LIMIT ?"

// Log returns at most n entries before the one with the number, newest first.
func (s *Store) Log(ctx context.Context, before int64, n int) ([]review.EntryInfo, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	var list []review.EntryInfo
	err := each(ctx, s.read, logQuery, []any{before, n}, func(scan func(...any) error) error {
		e, err := scanInfo(scan)
		list = append(list, e)
		return err
	})
	return list, s.failed(ctx, "reading the log", err)
}

// Entry returns the entry with the number.
func (s *Store) Entry(ctx context.Context, seq int64) (review.Entry, error) {
	e, err := scanEntry(s.read.QueryRowContext(ctx, "SELECT "+entryColumns+" FROM log WHERE seq = ?", seq).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return review.Entry{}, review.ErrNotFound
	}
	return e, s.failed(ctx, "reading the log", err)
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
	return each(ctx, q, "SELECT "+entryColumns+" FROM log ORDER BY seq", nil, func(scan func(...any) error) error {
		e, err := scanEntry(scan)
		if err == nil {
			err = fn(e)
		}
		return err
	})
}
