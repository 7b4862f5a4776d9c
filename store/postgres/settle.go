package postgres

import (
	"github.com/jackc/pgx/v5/pgtype"

	"visto/review"
)

// An item whose original is the approved canonical URL of another item has that approval, unless it has a decision of
// its own. settled_by then names the other item, and batch_id the batch of its approval; of several the newest
// counts. Whoever sets, replaces or lifts a decision notes the items that this may settle or unsettle (unsettle), and
// brings them up to date at the end of the transaction (settle). A new item is settled when it is added. So the
// columns follow from the decisions in force alone.

// settling are the columns batch_id and settled_by.
type settling struct{ batch, item pgtype.Int8 }

// own reports whether the columns are those of an item with a decision of its own.
func (s settling) own() bool { return s.batch.Valid && !s.item.Valid }

// decision returns the approval that settles an item, nil if there is none, with the fields that review.ResolveStatus
// reads.
func (s settling) decision(original string) *review.Decision {
	if !s.item.Valid {
		return nil
	}
	return &review.Decision{Kind: review.Approve, Canonical: original, Batch: s.batch.Int64,
		CanonicalOf: &review.Reference{ID: s.item.Int64}}
}

// standing is the decision in force on an item, or the approval that settles it, as standingColumns have it.
// decisionJoin has to join the decision.
type standing struct {
	original, canonical, seen string
	kind                      pgtype.Int8
	looked                    review.Decision // only SecondLook and Confirms
	settling
}

const standingColumns = "i.original, d.kind, coalesce(d.canonical, ''), coalesce(d.seen, ''), i.batch_id, " +
	"i.settled_by, " + confirmed

func (s *standing) into() []any {
	return []any{&s.original, &s.kind, &s.canonical, &s.seen, &s.batch, &s.item, looks{&s.looked}}
}

// decision returns the decision, nil for none, with the fields that review.ResolveStatus reads.
func (s *standing) decision() *review.Decision {
	if s.item.Valid || !s.kind.Valid {
		return s.settling.decision(s.original)
	}
	return &review.Decision{Kind: review.Kind(s.kind.Int64), Canonical: s.canonical, From: s.seen,
		Batch: s.batch.Int64, SecondLook: s.looked.SecondLook, Confirms: s.looked.Confirms}
}

// approvalQuery finds the newest approval of a URL as the canonical one of another item.
const approvalQuery = `SELECT i.batch_id, i.id FROM item i WHERE i.approved = ?1 AND i.id <> ?2
	ORDER BY i.batch_id DESC, i.id DESC LIMIT 1`

// approval returns the latest approval of the original as the canonical URL of another item. It settles the item with
// that original if that has no decision of its own.
func (t *tx) approval(id int64, original string) (s settling, err error) {
	if _, err = t.find(approvalQuery, []any{original, id}, &s.batch, &s.item); err != nil {
		return s, err
	}
	return t.newerApproval(s, id, original)
}

// recordApprovalQuery is approvalQuery for decisions for one record alone. They count as well if the record no longer
// cites the item: the URL was written back there.
const recordApprovalQuery = `SELECT d.batch_id, d.item_id FROM decision d JOIN batch b ON b.id = d.batch_id
	JOIN item i ON i.id = d.item_id
	WHERE d.canonical = ?1 AND d.record_id IS NOT NULL AND d.item_id <> ?2 AND d.kind IN (1, 2, 6) AND b.undone_seq = 0
	AND NOT ` + waits + ` AND d.batch_id > CASE WHEN i.settled_by IS NULL THEN coalesce(i.batch_id, 0) ELSE 0 END
	AND NOT EXISTS (SELECT 1 FROM decision x JOIN batch y ON y.id = x.batch_id WHERE x.item_id = d.item_id
	AND x.record_id = d.record_id AND x.batch_id > d.batch_id AND y.undone_seq = 0)
	ORDER BY d.batch_id DESC, d.item_id DESC LIMIT 1`

// newerApproval returns the newest approval for one record alone, if it is newer than s.
func (t *tx) newerApproval(s settling, id int64, original string) (settling, error) {
	var own settling
	found, err := t.find(recordApprovalQuery, []any{original, id}, &own.batch, &own.item)
	if found && (own.batch.Int64 > s.batch.Int64 || own.batch == s.batch && own.item.Int64 > s.item.Int64) {
		return own, err
	}
	return s, err
}
