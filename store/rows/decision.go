package rows

import (
	"database/sql"

	"visto/review"
)

const (
	// Confirmed is the column confirms of decision d: without the batch if that is undone.
	Confirmed = `(CASE WHEN d.confirms > 0 AND EXISTS (SELECT 1 FROM batch cb WHERE cb.id = d.confirms
	AND cb.undone_seq > 0) THEN 0 ELSE d.confirms END)`
	// Waits is the condition that decision d is an approval that waits for that of a second person.
	Waits = "coalesce(" + Confirmed + " = 0, false)"
)

// Confirms returns the column confirms of a decision.
func Confirms(d *review.Decision) sql.NullInt64 {
	return sql.NullInt64{Int64: d.Confirms, Valid: d.SecondLook}
}

// byRecordQuery is the query of ByRecord.
const byRecordQuery = `SELECT c.record_id, coalesce(d.batch_id, 0), coalesce(d.kind, 0), coalesce(d.canonical, ''),
		coalesce(d.seen, ''), coalesce(d.note, ''), coalesce(b.reviewer, ''), coalesce(b.at, 0), ` + Confirmed + `
		FROM (SELECT DISTINCT record_id FROM occurrence WHERE item_id = ?1 AND gone = 0) c
		LEFT JOIN decision d ON d.item_id = ?1 AND d.batch_id = (SELECT max(x.batch_id)
		FROM decision x JOIN batch y ON y.id = x.batch_id
		WHERE x.item_id = ?1 AND x.record_id = c.record_id AND x.batch_id > ?2 AND y.undone_seq = 0)
		LEFT JOIN batch b ON b.id = d.batch_id ORDER BY c.record_id`

// ByRecord returns review.Item.ByRecord of an item with that decision in force.
func ByRecord(each Each, item int64, decision *review.Decision) (list []review.RecordDecision, err error) {
	var since int64
	if decision != nil && decision.CanonicalOf == nil {
		since = decision.Batch
	}
	found := false
	err = each(byRecordQuery, []any{item, since}, func(scan Scan) error {
		var r review.RecordDecision
		var d review.Decision
		if err := scan(&r.Record, &d.Batch, DecisionKind(&d.Kind), &d.Canonical, &d.From, &d.Note, &d.Reviewer,
			Stamp(&d.At), Looks(&d)); err != nil {
			return err
		}
		if d.Batch > 0 {
			d.Record, r.Decision, found = r.Record, &d, true
		}
		list = append(list, r)
		return nil
	})
	if !found {
		return nil, err
	}
	return list, err
}

// PastQuery returns the query for every decision on an item, oldest first. decisions are the rows of all decisions.
func PastQuery(decisions string) string {
	return `SELECT d.kind, d.canonical, d.seen, b.reviewer, b.at, d.note, b.id, coalesce(d.record_id, 0),
	b.undone_seq > 0, ` + Confirmed + ` FROM ` + decisions + ` d JOIN batch b ON b.id = d.batch_id
	WHERE d.item_id = ? ORDER BY d.batch_id`
}

// ScanPastDecision scans a row of PastQuery.
func ScanPastDecision(p *review.PastDecision, scan Scan) error {
	return scan(DecisionKind(&p.Kind), &p.Canonical, &p.From, &p.Reviewer, Stamp(&p.At), &p.Note, &p.Batch, &p.Record,
		&p.Undone, Looks(&p.Decision))
}
