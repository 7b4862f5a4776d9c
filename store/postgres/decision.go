package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgtype"

	"visto/review"
)

// confirmed is the column confirms of decision d: without the batch if that is undone.
const confirmed = `(CASE WHEN d.confirms > 0 AND EXISTS (SELECT 1 FROM batch cb WHERE cb.id = d.confirms
	AND cb.undone_seq > 0) THEN 0 ELSE d.confirms END)`

// waits is the condition that decision d is an approval that waits for that of a second person.
const waits = "coalesce(" + confirmed + " = 0, false)"

// confirms returns a decision's column confirms.
func confirms(d *review.Decision) pgtype.Int8 {
	return pgtype.Int8{Int64: d.Confirms, Valid: d.SecondLook}
}

// looks scans the column confirmed into a decision.
type looks struct{ *review.Decision }

// ScanInt64 is pgtype.Int64Scanner's.
func (l looks) ScanInt64(n pgtype.Int8) error {
	l.SecondLook, l.Confirms = n.Valid, n.Int64
	return nil
}

// A decision may be for one record alone, or one file as a whole, that cites the item. It is in force if it is newer
// than the decision on the item and than others for that record. The item has batch_id as without it, and the status
// that follows from the decisions for all records that cite it: whoever adds or takes away an occurrence brings it up
// to date (restate).

// byRecord returns review.Item.ByRecord of an item with that decision in force.
func byRecord(
	ctx context.Context, q queryer, item int64, decision *review.Decision,
) (list []review.RecordDecision, err error) {
	var since int64
	if decision != nil && decision.CanonicalOf == nil {
		since = decision.Batch
	}
	const query = `SELECT c.record_id, coalesce(d.batch_id, 0), coalesce(d.kind, 0), coalesce(d.canonical, ''),
		coalesce(d.seen, ''), coalesce(d.note, ''), coalesce(b.reviewer, ''), coalesce(b.at, 0), ` + confirmed + `
		FROM (SELECT DISTINCT record_id FROM occurrence WHERE item_id = ?1 AND gone = 0) c
		LEFT JOIN decision d ON d.item_id = ?1 AND d.batch_id = (SELECT max(x.batch_id) FROM decision x
		JOIN batch y ON y.id = x.batch_id WHERE x.item_id = ?1 AND x.record_id = c.record_id AND x.batch_id > ?2
		AND y.undone_seq = 0) LEFT JOIN batch b ON b.id = d.batch_id ORDER BY c.record_id`
	found := false
	list, err = collect(ctx, q, query, []any{item, since}, func(r *review.RecordDecision, scan scanner) error {
		var d review.Decision
		err := scan(&r.Record, &d.Batch, &d.Kind, &d.Canonical, &d.From, &d.Note, &d.Reviewer, stamp{&d.At}, looks{&d})
		if d.Batch > 0 {
			d.Record, r.Decision, found = r.Record, &d, true
		}
		return err
	})
	if !found {
		return nil, err
	}
	return list, err
}

// byRecord is the function of that name for a transaction that writes. Nearly all items have no such decision.
func (t *tx) byRecord(item int64, decision *review.Decision) ([]review.RecordDecision, error) {
	found, err := t.hasRecordDecision(item)
	if err != nil || !found {
		return nil, err
	}
	return byRecord(t.ctx, t, item, decision)
}

// cites reports whether the record cites the item. Record 0 stands for all.
func (t *tx) cites(record, item int64) (bool, error) {
	if record == 0 {
		return true, nil
	}
	var one int
	return t.find("SELECT 1 FROM occurrence WHERE item_id = ? AND record_id = ? AND gone = 0", []any{item, record},
		&one)
}

// hasRecordDecision reports whether there ever was a decision for one record alone on the item.
func (t *tx) hasRecordDecision(item int64) (bool, error) {
	var one int
	return t.find("SELECT 1 FROM decision WHERE item_id = ? AND record_id IS NOT NULL", []any{item}, &one)
}

// hasRecordCorrection reports whether there ever was a correction for one record alone on the item.
func (t *tx) hasRecordCorrection(item int64) (bool, error) {
	var one int
	return t.find("SELECT 1 FROM decision WHERE item_id = ? AND record_id IS NOT NULL AND kind IN (2, 6)",
		[]any{item}, &one)
}

// DecisionCounts counts decisions by day, reviewer and kind.
func (s *Store) DecisionCounts(ctx context.Context) ([]review.DecisionCount, error) {
	return listOf(ctx, s.read, "counting decisions", `SELECT b.reviewer, to_char(to_timestamp(b.at / 1000)
		AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, d.kind, count(*) FROM batch b JOIN decision d ON d.batch_id = b.id
		WHERE b.undone_seq = 0 GROUP BY b.reviewer, day, d.kind ORDER BY day, b.reviewer, d.kind`, nil,
		func(c *review.DecisionCount, scan scanner) error { return scan(&c.Reviewer, &c.Day, &c.Kind, &c.N) })
}

// workQuery counts the decisions of each batch, and the items that its decisions closed.
const workQuery = `WITH decided AS (SELECT batch_id AS batch, count(*) AS n FROM decision GROUP BY batch_id),
	closed AS (SELECT coalesce(i.batch_id, 0) AS batch, count(*) AS n FROM item i
		WHERE coalesce(i.batch_id, 0) > 0 AND i.settled_by IS NULL AND NOT i.open AND i.place_set_id <> 0 GROUP BY 1)
	SELECT b.reviewer, min(b.at), max(b.at), count(*), coalesce(sum(decided.n), 0)::bigint,
		coalesce(sum(closed.n) FILTER (WHERE decided.n = 1), 0)::bigint,
		coalesce(sum(closed.n) FILTER (WHERE decided.n > 1), 0)::bigint
	FROM batch b LEFT JOIN decided ON decided.batch = b.id LEFT JOIN closed ON closed.batch = b.id
	WHERE b.undone_seq = 0 AND b.action <> ALL(?::bytea[])
	GROUP BY b.reviewer, b.at / 60000 ORDER BY b.reviewer, min(b.at)`

// Work returns the work of each reviewer in each minute.
func (s *Store) Work(ctx context.Context) ([]review.Work, error) {
	var permanent []string
	for _, action := range review.PermanentActions() {
		permanent = append(permanent, string(action))
	}
	return listOf(ctx, s.read, "counting the work", workQuery, []any{permanent},
		func(w *review.Work, scan scanner) error {
			return scan(&w.Reviewer, stamp{&w.First}, stamp{&w.Last}, &w.Batches, &w.Decisions, &w.Single, &w.Bulk)
		})
}
