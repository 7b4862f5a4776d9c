package postgres

import (
	"context"
	"fmt"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// Facets counts by each dimension.
func (s *Store) Facets(ctx context.Context, f review.Filter) (review.Facets, error) {
	facets := rows.NewFacets()
	err := s.read.snapshot(ctx, "counting URLs", func(q *snapshot) error {
		query, args, err := facetQuery(ctx, q, f)
		if err != nil {
			return err
		}
		return each(ctx, q, query, args, func(scan scanner) error { return rows.AddFacet(&facets, scan) })
	})
	rows.SortFacets(&facets)
	return facets, err
}

// facetQuery returns a query for rows of dimension, status, flags, name and count. It lists only the most frequent
// hosts. The empty name is no value.
func facetQuery(ctx context.Context, q *snapshot, f review.Filter) (string, []any, error) {
	from, count, w, err := countSource(ctx, q, f, false)
	if err != nil {
		return "", nil, err
	}
	columns, perHost, args := "t.status, t.flags, t.place_set_id, t.host_id", "grouped", w.args
	if !rows.InRows(f) {
		columns = "t.status, t.flags, t.place_set_id"
		hosts, hw := filterCounts(f, true)
		perHost, args = "(SELECT t.host_id, t.n FROM "+hosts+hw.sql()+") t", slices.Concat(w.args, hw.args)
	}
	named := func(dimension int, table, sums string) string {
		return fmt.Sprintf(" UNION ALL SELECT %d, 0, 0, x.name, g.n FROM (%s) g JOIN %s x ON x.id = g.id "+
			"WHERE x.name <> '' AND g.n > 0", dimension, sums, table)
	}
	sums := func(column string) string { // an item with two places of one file counts once under the file
		return "SELECT m.id, sum(s.n)::bigint AS n FROM (SELECT place_set_id, sum(n) AS n FROM grouped GROUP BY 1) s " +
			"JOIN (SELECT DISTINCT set_id, " + column + " AS id FROM place_set_member) m " +
			"ON m.set_id = s.place_set_id " +
			"GROUP BY 1"
	}
	hosts := "SELECT host_id AS id, sum(n)::bigint AS n FROM " + perHost + " GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT " +
		fmt.Sprint(rows.MaxHosts+1) // one may have no name
	return "WITH grouped AS MATERIALIZED (SELECT " + columns + ", " + count + " AS n" +
		from + " GROUP BY " + columns + " HAVING " + count + " > 0) SELECT " + fmt.Sprint(rows.FacetStatus) +
		"::bigint, status, flags, ''::bytea, sum(n)::bigint FROM grouped GROUP BY status, flags" +
		named(rows.FacetHost, "host", hosts) + named(rows.FacetFile, "file", sums("file_id")) +
		named(rows.FacetField, "field", sums("field_id")), args, nil
}

// dimension tells how to count by one: the value, an expression on item i and its joins, and a split of it into
// single values.
type dimension struct {
	value, join, cond string
	split             func(string) ([]string, error) // nil: the value itself
}

var dimensions = map[review.Dimension]dimension{
	review.ByLanguage: {value: "i.language", cond: "i.language <> ''"},
	review.ByParam:    {value: "i.unknown", cond: "i.unknown <> ''", split: rows.SplitNames},
	review.ByReviewer: {value: "b.reviewer", join: " JOIN batch b ON b.id = coalesce(i.batch_id, 0)",
		cond: "coalesce(i.batch_id, 0) > 0"},
	review.ByAssignee: {value: "a.reviewer", join: " JOIN assignment a ON a.item_id = i.id", cond: "a.reviewer <> ''"},
}

// Facet counts by a dimension that the kept counts lack, in one pass over the items. The empty text is no value.
func (s *Store) Facet(ctx context.Context, f review.Filter, by review.Dimension) ([]review.Bucket, error) {
	d := dimensions[by]
	values := rows.Values{Split: d.split}
	err := s.read.snapshot(ctx, "counting URLs", func(q *snapshot) error {
		w, err := filterItems(ctx, q, f)
		if err != nil {
			return err
		}
		w.and(d.cond)
		query := "SELECT " + d.value + ", count(*) FROM item i" + d.join + w.sql() + " GROUP BY 1"
		return each(ctx, q, query, w.args, values.Add)
	})
	return values.Buckets(), err
}

// Attributes counts by attribute in one pass over the items and their records.
func (s *Store) Attributes(ctx context.Context, f review.Filter) ([]review.AttributeFacet, error) {
	counts := rows.NewAttributeCounts()
	err := s.stream.snapshot(ctx, "counting URLs", func(q *snapshot) error {
		w, err := filterItems(ctx, q, f)
		if err != nil {
			return err
		}
		w.and("(o.gone = 0 OR i.place_set_id = 0) AND r.attributes <> ''")
		query := "SELECT i.id, r.attributes FROM item i JOIN occurrence o ON o.item_id = i.id JOIN " +
			"record r ON r.id = o.record_id" + w.sql() + " ORDER BY i.id"
		return q.stream(ctx, query, w.args, func(scan scanner) error {
			var item int64
			var text string
			if err := scan(&item, &text); err != nil {
				return err
			}
			counts.Add(item, review.SplitAttributes(text))
			return nil
		})
	})
	return counts.Facets(), err
}
