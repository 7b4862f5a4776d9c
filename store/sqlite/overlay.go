package sqlite

import (
	"context"
	"database/sql"
	"strings"
)

// While a staged change stands that is not folded yet, the name item in a query is made to stand for the items as that change
// leaves them: those with nothing staged, and the staged ones. See doc.go.
const (
	unstaged     = "i.id NOT IN (SELECT id FROM staged)"
	overlay      = "WITH item AS NOT MATERIALIZED (SELECT * FROM main.item i WHERE " + unstaged + " UNION ALL SELECT * FROM restated)"
	restatedOnly = "WITH item AS NOT MATERIALIZED (SELECT * FROM restated)"
)

// prefixed is a queryer that puts a WITH in front of every query, but not of a PRAGMA.
type prefixed struct {
	queryer
	prefix string
}

// overlaid returns what reads a transaction's state.
func overlaid(ctx context.Context, q queryer) (queryer, error) {
	var state int
	if err := q.QueryRowContext(ctx, "SELECT state FROM stage").Scan(&state); err != nil {
		return nil, err
	}
	if state == folding {
		return prefixed{q, overlay}, nil
	}
	return q, nil
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
		return []layer{{p.queryer, unstaged}, {prefixed{p.queryer, restatedOnly}, ""}}
	}
	return []layer{{q, ""}}
}
