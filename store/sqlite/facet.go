package sqlite

import (
	"context"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
)

// mostHosts is how many hosts the facets list.
const mostHosts = 500

// Count returns how many items the filter selects.
func (s *Store) Count(ctx context.Context, f review.Filter) (int, error) {
	var n int
	err := s.snapshot(ctx, "counting URLs", func(q queryer) error {
		most, walk, err := lookAhead(ctx, q, f)
		if err != nil {
			return err
		}
		query, args := countQuery(f, most, walk)
		return q.QueryRowContext(ctx, query, args...).Scan(&n)
	})
	return n, err
}

// lookAhead says how to count what the filter selects: out of the tally, whether it leaves most hosts; else, what not to ask an index for.
func lookAhead(ctx context.Context, q queryer, f review.Filter) (most bool, w walk, err error) {
	if !inRows(f) {
		most, err = leavesMost(ctx, q, f)
		return most, w, err
	}
	w, err = countWalk(ctx, q, f)
	return false, w, err
}

func countQuery(f review.Filter, most bool, walk walk) (string, []any) {
	t, ok := tallyOf(f, most)
	if !ok {
		w := filterItemsBy(f, walk)
		return "SELECT count(*) FROM item i" + w.sql(), w.args
	}
	return "WITH " + t.with + "total AS (SELECT coalesce(sum(n), 0)" + t.rows + ") SELECT * FROM total", slices.Concat(t.withArgs, t.rowsArgs)
}

// Facets counts by each dimension: out of the tally where that knows enough, else in one pass over the items.
func (s *Store) Facets(ctx context.Context, f review.Filter) (review.Facets, error) {
	facets := review.Facets{Flags: map[canon.Code]int{}, Statuses: map[review.Status]int{}}
	err := s.snapshot(ctx, "counting URLs", func(q queryer) error {
		most, walk, err := lookAhead(ctx, q, f)
		if err != nil {
			return err
		}
		query, args := facetQuery(f, most, walk)
		return each(ctx, q, query, args, func(scan func(...any) error) error { return readFacet(scan, &facets) })
	})
	for _, list := range [][]review.Bucket{facets.Hosts, facets.Files, facets.Fields} {
		sortBuckets(list)
	}
	facets.Hosts = facets.Hosts[:min(len(facets.Hosts), mostHosts)]
	return facets, err
}

// The dimensions, as facetQuery numbers them.
const (
	byKind = iota // status and flags
	byHost
	byFile
	byField
)

// facetQuery returns a query for rows of dimension, status, flags, name and count. Of the hosts only the most frequent are
// listed. The empty name is no value.
func facetQuery(f review.Filter, most bool, walk walk) (string, []any) {
	const columns = "status, flags, file_id, field_id"
	t, ok := tallyOf(f, most)
	count, by := "sum(n)", columns
	if !ok {
		w := filterItemsBy(f, walk)
		t = tallyQuery{rows: " FROM item i" + w.sql(), rowsArgs: w.args, hosts: "SELECT host_id AS id, sum(n) AS n FROM kinds GROUP BY 1"}
		count, by = "count(*)", columns+", host_id"
	}
	named := func(dimension int, table, sums string) string {
		return fmt.Sprintf("SELECT %d, 0, 0, name, g.n FROM (%s) g CROSS JOIN %s x ON x.id = g.id WHERE name <> ''", dimension, sums, table)
	}
	sums := func(column string) string {
		return "SELECT " + column + " AS id, sum(n) AS n FROM kinds GROUP BY 1 HAVING sum(n) > 0"
	}
	query := "WITH " + t.with + "kinds AS MATERIALIZED (SELECT " + by + ", " + count + " AS n" + t.rows + " GROUP BY " + by + ")" +
		" SELECT " + fmt.Sprint(byKind) + ", status, flags, '', sum(n) FROM kinds GROUP BY status, flags HAVING sum(n) > 0" +
		" UNION ALL " + named(byHost, "host", "SELECT id, n FROM ("+t.hosts+") ORDER BY n DESC, id LIMIT ?") +
		" UNION ALL " + named(byFile, "file", sums("file_id")) + " UNION ALL " + named(byField, "field", sums("field_id"))
	return query, append(slices.Concat(t.withArgs, t.rowsArgs, t.hostArgs), mostHosts+1) // the empty name may be one of them
}

func readFacet(scan func(...any) error, facets *review.Facets) error {
	var dimension int
	var status review.Status
	var flags canon.CodeSet
	var b review.Bucket
	if err := scan(&dimension, &status, &flags, &b.Value, &b.N); err != nil {
		return err
	}
	switch dimension {
	case byHost:
		facets.Hosts = append(facets.Hosts, b)
	case byFile:
		facets.Files = append(facets.Files, b)
	case byField:
		facets.Fields = append(facets.Fields, b)
	case byKind:
		facets.Total += b.N
		facets.Statuses[status] += b.N
		for _, code := range flags.Codes() {
			facets.Flags[code] += b.N
		}
	}
	return nil
}
