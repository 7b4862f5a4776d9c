package sqlite

import (
	"context"
	"database/sql"
	"strings"
)

// While a staged change stands that is not folded yet, the name item in a query is made to stand for the items as that change
// leaves them: those with nothing staged, and the staged ones. Where new decisions are staged, decision stands for them too. See
// doc.go.
type overlay struct {
	unstaged string // the condition that nothing is staged of item i
	staged   string // the WITH that makes item stand for the staged ones alone
	all      string // the WITH that makes it stand for all
}

const (
	itemIs     = "WITH item AS NOT MATERIALIZED "
	decisionIs = ", decision AS NOT MATERIALIZED (SELECT item_id, (SELECT batch FROM stage) AS batch_id, kind, canonical, seen, note FROM staged_decision"
)

func newOverlay(unstaged, view string) overlay {
	return overlay{unstaged: unstaged, staged: itemIs + "(SELECT * FROM " + view + ")",
		all: itemIs + "(SELECT * FROM main.item i WHERE " + unstaged + " UNION ALL SELECT * FROM " + view + ")"}
}

// overlayOf returns the overlay of what is being folded: what follows from rules, or decisions, new ones or old ones that stand again.
func overlayOf(batch int64, isNew bool) overlay {
	if batch == 0 {
		return newOverlay("i.id NOT IN (SELECT id FROM staged)", "restated")
	}
	o := newOverlay("i.id NOT IN (SELECT item_id FROM staged_decision)", "redecided")
	if isNew {
		o.staged += decisionIs + ")"
		o.all += decisionIs + " UNION ALL SELECT * FROM main.decision)"
	}
	return o
}

// prefixed is a queryer that puts a WITH in front of every query, but not of a PRAGMA.
type prefixed struct {
	queryer
	prefix string
	of     overlay
}

// overlaid returns what reads a transaction's state.
func overlaid(ctx context.Context, q queryer) (queryer, error) {
	var state int
	var batch int64
	var isNew bool
	err := q.QueryRowContext(ctx, `SELECT state, batch, EXISTS (SELECT 1 FROM (SELECT kind FROM staged_decision LIMIT 1) WHERE kind IS NOT NULL)
		FROM stage`).Scan(&state, &batch, &isNew)
	if err != nil || state != folding {
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

// layer is a part of the items whose indexes give every order.
type layer struct {
	queryer
	cond string // on item i; empty: none
}

// layers returns the disjoint parts that the items are in.
func layers(q queryer) []layer {
	if p, ok := q.(prefixed); ok {
		return []layer{{p.queryer, p.of.unstaged}, {prefixed{p.queryer, p.of.staged, p.of}, ""}}
	}
	return []layer{{q, ""}}
}
