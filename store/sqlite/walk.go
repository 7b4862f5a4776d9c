package sqlite

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// dialect is rows.Dialect.
var dialect = rows.Dialect{Join: " CROSS JOIN ", Answer: answerColumns, Decision: decisionJoin, Item: itemColumns,
	FromItems: fromItems, AllHosts: allHosts}

// walking is rows.Snapshot.
type walking struct {
	ctx context.Context
	q   queryer
}

// Each is rows.Snapshot's.
func (w walking) Each(query string, args []any, fn func(scanner) error) error {
	return each(w.ctx, w.q, query, args, fn)
}

// Stream is rows.Snapshot's.
func (w walking) Stream(query string, args []any, fn func(scanner) error) error {
	return each(w.ctx, w.q, query, args, fn)
}

// Where is rows.Snapshot's.
func (w walking) Where(f review.Filter, more ...string) (string, []any, error) {
	c := filterItems(f)
	c.conds = append(c.conds, more...)
	return c.sql(), c.args, nil
}

// Row is rows.Snapshot's.
func (w walking) Row(columns int) *rows.ItemRow { return answerRow(w.ctx, w.q, columns) }

// Cite is rows.Snapshot's.
func (w walking) Cite(list []review.Item) error {
	return withOccurrences(w.ctx, w.q, list, -1)
}
