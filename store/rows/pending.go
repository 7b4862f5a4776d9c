package rows

import (
	"database/sql"

	"visto/review"
)

// Pending is a row of the table pending: an item that does not follow a change of very many yet.
type Pending struct {
	Item, Seq int64 // Seq is the newest log entry that concerns it
	Decides   bool  // another decision of the item is in force
	Computes  bool  // the result of the item follows from other rules
	batch     sql.NullInt64
	kind      sql.NullInt64
	decision  review.Decision
}

// PendingColumns are the columns of a Pending.
const PendingColumns = "item_id, seq, decides, computes, batch_id, kind, coalesce(canonical, ''), " +
	"coalesce(seen, ''), coalesce(note, ''), coalesce(record_id, 0), coalesce(confirms, -1)"

// Into returns where the values of the columns go.
func (p *Pending) Into() []any {
	d := &p.decision
	return []any{&p.Item, &p.Seq, &p.Decides, &p.Computes, &p.batch, &p.kind, &d.Canonical, &d.From, &d.Note,
		&d.Record, &d.Confirms}
}

// Decision returns the decision that the row carries for the table decision, nil for none.
func (p *Pending) Decision() *review.Decision {
	if !p.kind.Valid {
		return nil
	}
	d := p.decision
	d.Kind, d.Batch = review.Kind(p.kind.Int64), p.batch.Int64
	d.SecondLook, d.Confirms = d.Confirms >= 0, max(d.Confirms, 0)
	return &d
}

// intoDecision is an INSERT of a decision.
const intoDecision = "INTO decision (item_id, batch_id, kind, canonical, seen, note, record_id, confirms)"

// WriteDecision adds a decision on an item to the table of that name.
func WriteDecision(t Tx, item int64, d *review.Decision) error {
	return t.Insert(intoDecision, item, d.Batch, int64(d.Kind), d.Canonical, d.From, d.Note, recordID(d),
		Confirms(d))
}

// recordID returns the column record_id of a decision.
func recordID(d *review.Decision) sql.NullInt64 {
	return sql.NullInt64{Int64: d.Record, Valid: d.Record > 0}
}

// IntoPending are the columns of an INSERT of a new decision that is pending, with the values of PendingDecision.
const IntoPending = "INTO pending (item_id, seq, decides, computes, rev, batch_id, kind, canonical, seen, note, " +
	"record_id, confirms)"

// PendingDecision returns the row of a new decision of a batch, whose log entry has the number seq.
func PendingDecision(d *review.ItemDecision, seq, batch int64) []any {
	k := &d.Decision
	return []any{d.ID, seq, true, false, d.Rev, batch, int64(k.Kind), k.Canonical, k.From, k.Note, recordID(k),
		Confirms(k)}
}

// AllDecisions are the rows of decision with those that are pending, to stand in its place in a query.
const AllDecisions = `(SELECT item_id, batch_id, kind, canonical, seen, note, record_id, confirms FROM decision
	UNION ALL SELECT item_id, batch_id, kind, canonical, seen, note, record_id, confirms FROM pending
	WHERE kind IS NOT NULL)`
