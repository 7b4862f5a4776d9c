package sqlite

import (
	"context"
	"database/sql"
	"strings"
)

// While a staged change is in force but not applied, every query reads the name item as the items without staged rows
// and the staged ones, as a common table expression. With new staged decisions it reads decision in the same way.
type overlay struct {
	unstaged string // the condition that item i has no staged row
	staged   string // the WITH that restricts item to the staged ones
	all      string // the WITH that makes item complete
}

const (
	itemIs     = "WITH item AS NOT MATERIALIZED "
	decisionIs = ", decision AS NOT MATERIALIZED (SELECT item_id, (SELECT batch FROM stage) AS batch_id, " +
		"kind, canonical, seen, note, NULL AS record_id, confirms FROM staged_decision"
)

func newOverlay(unstaged, view string) overlay {
	return overlay{unstaged: unstaged, staged: itemIs + "(SELECT * FROM " + view + ")",
		all: itemIs + "(SELECT * FROM main.item i WHERE " + unstaged + " UNION ALL SELECT * FROM " + view + ")"}
}

// overlayOf returns the overlay of a staged change: of rules (batch 0), of new decisions, or of reverted ones.
func overlayOf(batch int64, isNew bool) overlay {
	if batch == 0 {
		return newOverlay("i.id NOT IN (SELECT id FROM staged)", "staged_item")
	}
	o := newOverlay("i.id NOT IN (SELECT item_id FROM staged_decision)", "staged_decision_item")
	if isNew {
		o.staged += decisionIs + ")"
		o.all += decisionIs + " UNION ALL SELECT * FROM main.decision)"
	}
	return o
}

// prefixed is a queryer that puts a WITH in front of every query except PRAGMAs.
type prefixed struct {
	queryer
	prefix string
	of     overlay
}

// overlaid returns a queryer on the transaction that reads the staged change in force as applied.
func overlaid(ctx context.Context, q queryer) (queryer, error) {
	var state int
	var batch int64
	var isNew bool
	err := q.QueryRowContext(ctx, `SELECT state, batch, EXISTS (SELECT 1 FROM (SELECT kind
		FROM staged_decision LIMIT 1) WHERE kind IS NOT NULL) FROM stage`).Scan(&state, &batch, &isNew)
	if err != nil || state != applying {
		return q, err
	}
	o := overlayOf(batch, isNew)
	return prefixed{q, o.all, o}, nil
}

func (p prefixed) with(query string) string {
	switch {
	case strings.HasPrefix(query, "SELECT"):
		return p.prefix + " " + query
	case strings.HasPrefix(query, "WITH"):
		return p.prefix + "," + strings.TrimPrefix(query, "WITH")
	}
	return query
}

func (p prefixed) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.queryer.QueryContext(ctx, p.with(query), args...)
}

func (p prefixed) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.queryer.QueryRowContext(ctx, p.with(query), args...)
}

// layer is a part of the items with an index for every order.
type layer struct {
	queryer
	cond string // on item i; may be empty
}

// layers returns the disjoint parts of the items.
func layers(q queryer) []layer {
	if p, ok := q.(prefixed); ok {
		return []layer{{p.queryer, p.of.unstaged}, {prefixed{p.queryer, p.of.staged, p.of}, ""}}
	}
	return []layer{{q, ""}}
}
