package sqlite

import (
	"context"
	"fmt"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// Count returns the number of items that the filter selects.
func (s *Store) Count(ctx context.Context, f review.Filter) (int, error) {
	return readNow(ctx, s.read, "counting URLs", func(q queryer) (n int, err error) {
		complement, walk, err := planCount(ctx, q, f)
		if err != nil {
			return 0, err
		}
		query, args := countQuery(f, complement, walk)
		err = q.QueryRowContext(ctx, query, args...).Scan(&n)
		return n, err
	})
}

// planCount chooses how to count: complement is for countSourceOf, w is for a filter that the counts do not cover.
func planCount(ctx context.Context, q queryer, f review.Filter) (complement bool, w walk, err error) {
	if !rows.InRows(f) {
		complement, err = matchesMost(ctx, q, f)
		return complement, w, err
	}
	w, err = countWalk(ctx, q, f)
	return false, w, err
}

func countQuery(f review.Filter, complement bool, walk walk) (string, []any) {
	t, ok := countSourceOf(f, complement)
	if !ok {
		w := filterItemsBy(f, walk)
		return "SELECT count(*) FROM item i" + w.sql(), w.args
	}
	return "WITH " + t.with + "total AS (SELECT coalesce(sum(n), 0)" + t.rows + ") SELECT * FROM total",
		slices.Concat(t.withArgs, t.rowsArgs)
}

// Facets counts by each dimension: from the kept counts if those suffice, else in one pass over the items.
func (s *Store) Facets(ctx context.Context, f review.Filter) (review.Facets, error) {
	facets := rows.NewFacets()
	err := s.read.snapshot(ctx, "counting URLs", func(q queryer) error {
		complement, walk, err := planCount(ctx, q, f)
		if err != nil {
			return err
		}
		query, args := facetQuery(f, complement, walk)
		return each(ctx, q, query, args, func(scan scanner) error { return rows.AddFacet(&facets, scan) })
	})
	rows.SortFacets(&facets)
	return facets, err
}

// facetQuery returns a query for rows of dimension, status, flags, name and count. It lists only the most frequent
// hosts. The empty name is no value.
func facetQuery(f review.Filter, complement bool, walk walk) (string, []any) {
	const columns = "status, flags, place_set_id"
	t, ok := countSourceOf(f, complement)
	count, by := "sum(n)", columns
	if !ok {
		w := filterItemsBy(f, walk)
		t = countSource{rows: " FROM item i" + w.sql(), rowsArgs: w.args,
			hosts: "SELECT host_id AS id, sum(n) AS n FROM grouped GROUP BY 1"}
		count, by = "count(*)", columns+", host_id"
	}
	named := func(dimension int, table, sums string) string {
		return fmt.Sprintf(" UNION ALL SELECT %d, 0, 0, name, g.n FROM (%s) g CROSS JOIN %s x ON x.id = g.id "+
			"WHERE name <> ''", dimension, sums, table)
	}
	sums := func(column string) string { // an item with two places of one file counts once under the file
		return "SELECT id, sum(n) AS n FROM (SELECT DISTINCT m.set_id, m." + column + " AS id, sums.n FROM (SELECT " +
			"place_set_id, sum(n) AS n FROM grouped GROUP BY 1) sums CROSS JOIN place_set_member m ON m.set_id = " +
			"sums.place_set_id) GROUP BY 1 HAVING sum(n) > 0"
	}
	hosts := "SELECT id, n FROM (" + t.hosts + ") ORDER BY n DESC, id" + limit(rows.MaxHosts+1) // one may have no name
	query := "WITH " + t.with + "grouped AS MATERIALIZED (SELECT " + by + ", " + count + " AS n" + t.rows +
		" GROUP BY " + by + ") SELECT " + fmt.Sprint(rows.FacetStatus) + ", status, flags, '', sum(n) FROM grouped " +
		"GROUP BY status, flags HAVING sum(n) > 0" +
		named(rows.FacetHost, "host", hosts) +
		named(rows.FacetFile, "file", sums("file_id")) + named(rows.FacetField, "field", sums("field_id"))
	return query, slices.Concat(t.withArgs, t.rowsArgs, t.hostArgs)
}

// dimension tells how to count by one: the value, an expression on item i and its joins, and a split of it into
// single values.
type dimension struct {
	value, join, cond string
	first             string                         // the other way round: from the joined table to the items
	split             func(string) ([]string, error) // nil: the value itself
}

var dimensions = map[review.Dimension]dimension{
	review.ByLanguage: {value: "i.language", cond: "i.language > ''"},
	review.ByParam:    {value: "i.unknown", cond: "i.unknown > ''", split: rows.SplitNames},
	// with an affinity, which + takes away, SQLite would not use the index item_decided
	review.ByReviewer: {value: "b.reviewer", join: " CROSS JOIN batch b ON b.id = i.batch_id",
		first: "batch b CROSS JOIN item i ON ifnull(i.batch_id, 0) = +b.id", cond: "i.batch_id IS NOT NULL"},
	review.ByAssignee: {value: "a.reviewer", join: " CROSS JOIN assignment a ON a.item_id = i.id",
		first: "assignment a CROSS JOIN item i ON i.id = a.item_id", cond: "a.reviewer > ''"},
}

// Facet counts by a dimension that the kept counts lack, in one pass over the items, or over those with a value. The
// empty text is no value.
func (s *Store) Facet(ctx context.Context, f review.Filter, by review.Dimension) ([]review.Bucket, error) {
	d := dimensions[by]
	values := rows.Values{Split: d.split}
	err := s.read.snapshot(ctx, "counting URLs", func(q queryer) error {
		walk, err := countWalk(ctx, q, f)
		if err != nil {
			return err
		}
		w := filterItemsBy(f, walk)
		w.and(d.cond)
		from := "item i" + d.join
		if d.first != "" && !walk.looks(f) {
			from = d.first
		}
		query := "SELECT " + d.value + ", count(*) FROM " + from + w.sql() + " GROUP BY 1"
		return each(ctx, q, query, w.args, values.Add)
	})
	return values.Buckets(), err
}
