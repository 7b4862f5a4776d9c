package rows

import (
	"database/sql"

	"visto/review"
)

// Settling are the columns batch_id and settled_by of an item. An item whose original is the approved canonical URL of
// another item has that approval, unless it has a decision of its own. settled_by then names the other item, and
// batch_id the batch of its approval.
type Settling struct{ Batch, Item sql.NullInt64 }

// Own reports whether the columns are those of an item with a decision of its own.
func (s Settling) Own() bool { return s.Batch.Valid && !s.Item.Valid }

// Decision returns the approval that settles an item, nil if there is none, with the fields that review.ResolveStatus
// reads.
func (s Settling) Decision(original string) *review.Decision {
	if !s.Item.Valid {
		return nil
	}
	return &review.Decision{Kind: review.Approve, Canonical: original, Batch: s.Batch.Int64,
		CanonicalOf: &review.Reference{ID: s.Item.Int64}}
}

// OrNewer returns the newer one of two approvals.
func (s Settling) OrNewer(o Settling) Settling {
	if o.Batch.Int64 > s.Batch.Int64 || o.Batch == s.Batch && o.Item.Int64 > s.Item.Int64 {
		return o
	}
	return s
}

// Standing is the decision d in force on an item i, or the approval that settles it.
type Standing struct {
	Original, Canonical, seen string
	Kind                      sql.NullInt64
	looked                    review.Decision // only SecondLook and Confirms
	Settling
}

// StandingColumns are the columns of a Standing, which expects the batch that the decision confirms behind them.
const StandingColumns = "i.original, d.kind, coalesce(d.canonical, ''), coalesce(d.seen, ''), i.batch_id, i.settled_by"

// Into returns where the values of the columns go.
func (s *Standing) Into() []any {
	return []any{&s.Original, &s.Kind, &s.Canonical, &s.seen, &s.Batch, &s.Item, Looks(&s.looked)}
}

// Decision returns the decision, nil for none, with the fields that review.ResolveStatus reads.
func (s *Standing) Decision() *review.Decision {
	if s.Item.Valid || !s.Kind.Valid {
		return s.Settling.Decision(s.Original)
	}
	return &review.Decision{Kind: review.Kind(s.Kind.Int64), Canonical: s.Canonical, From: s.seen,
		Batch: s.Batch.Int64, SecondLook: s.looked.SecondLook, Confirms: s.looked.Confirms}
}

// Looks scans the batch that a decision confirms into it.
func Looks(d *review.Decision) sql.Scanner { return looks{d} }

type looks struct{ *review.Decision }

// Scan is sql.Scanner's.
func (l looks) Scan(value any) error {
	var n sql.NullInt64
	err := n.Scan(value)
	l.SecondLook, l.Confirms = n.Valid, n.Int64
	return err
}

// DecisionColumns are batch_id and approved of an item with that decision.
func DecisionColumns(decision *review.Decision) (batch, approved any) {
	if decision == nil {
		return nil, nil
	}
	if decision.Approves() {
		approved = decision.Canonical
	}
	return decision.Batch, approved
}
