package sqlite

import (
	"cmp"
	"context"
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
		query, args := countQuery(f)
		return q.QueryRowContext(ctx, query, args...).Scan(&n)
	})
	return n, err
}

func countQuery(f review.Filter) (string, []any) {
	if from, w, ok := filterTally(f, false); ok {
		return "SELECT coalesce(sum(n), 0) FROM " + from + w.sql(), w.args
	}
	w := filterItems(f)
	return "SELECT count(*) FROM item i" + w.sql(), w.args
}

// Facets counts by each dimension: out of the tally where that knows enough, else out of the items.
func (s *Store) Facets(ctx context.Context, f review.Filter) (review.Facets, error) {
	facets := review.Facets{Flags: map[canon.Code]int{}, Statuses: map[review.Status]int{}}
	err := s.snapshot(ctx, "counting URLs", func(q queryer) error {
		if err := countKinds(ctx, q, f, &facets); err != nil {
			return err
		}
		var err error
		for _, d := range []struct {
			table string
			most  int
			into  *[]review.Bucket
		}{{"host", mostHosts, &facets.Hosts}, {"file", -1, &facets.Files}, {"field", -1, &facets.Fields}} {
			if *d.into, err = buckets(ctx, q, f, d.table, d.most); err != nil {
				return err
			}
		}
		return nil
	})
	return facets, err
}

// groupQuery counts the items of the filter by columns.
func groupQuery(f review.Filter, by string) (string, []any) {
	if from, w, ok := filterTally(f, by == "host_id"); ok {
		return "SELECT " + by + ", sum(n) AS n FROM " + from + w.sql() + " GROUP BY " + by, w.args
	}
	w := filterItems(f)
	return "SELECT " + by + ", count(*) AS n FROM item i" + w.sql() + " GROUP BY " + by, w.args
}

// countKinds counts by status and flag, and all.
func countKinds(ctx context.Context, q queryer, f review.Filter, facets *review.Facets) error {
	query, args := groupQuery(f, "status, flags")
	return each(ctx, q, query, args, func(scan func(...any) error) error {
		var status review.Status
		var flags canon.CodeSet
		var n int
		if err := scan(&status, &flags, &n); err != nil || n == 0 {
			return err
		}
		facets.Total += n
		facets.Statuses[status] += n
		for _, code := range flags.Codes() {
			facets.Flags[code] += n
		}
		return nil
	})
}

// buckets counts by the texts of a table, largest first, then by name. The empty text is no value.
func buckets(ctx context.Context, q queryer, f review.Filter, table string, most int) ([]review.Bucket, error) {
	query, args := bucketQuery(f, table)
	var list []review.Bucket
	err := each(ctx, q, query, append(args, most), func(scan func(...any) error) error {
		var b review.Bucket
		err := scan(&b.Value, &b.N)
		list = append(list, b)
		return err
	})
	slices.SortFunc(list, func(a, b review.Bucket) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value)) })
	return list, err
}

func bucketQuery(f review.Filter, table string) (string, []any) {
	query, args := groupQuery(f, table+"_id")
	return "SELECT name, n FROM (" + query + ") g CROSS JOIN " + table + " x ON x.id = g." + table + "_id" +
		" WHERE n > 0 AND name <> '' ORDER BY n DESC, name LIMIT ?", args
}

// Groups counts the items of the filter that are alike in all that causes are made of, largest group first.
func (s *Store) Groups(ctx context.Context, f review.Filter) ([]review.Group, error) {
	var list []review.Group
	err := s.snapshot(ctx, "grouping URLs", func(q queryer) error {
		w := filterItems(f)
		return each(ctx, q, `SELECT h.name, g.flags, g.unknown, fi.name, fe.name, g.n FROM (
			SELECT i.host_id, i.flags, i.unknown, i.file_id, i.field_id, count(*) AS n FROM item i`+w.sql()+`
			GROUP BY i.host_id, i.flags, i.unknown, i.file_id, i.field_id) g
			CROSS JOIN host h ON h.id = g.host_id CROSS JOIN file fi ON fi.id = g.file_id CROSS JOIN field fe ON fe.id = g.field_id
			ORDER BY g.n DESC, h.name, g.flags, g.unknown, fi.name, fe.name`, w.args, func(scan func(...any) error) error {
			var g review.Group
			var unknown string
			err := scan(&g.Host, &g.Flags, &unknown, &g.File, &g.Field, &g.N)
			if err == nil {
				g.Unknown, err = splitNames(unknown)
			}
			list = append(list, g)
			return err
		})
	})
	return list, err
}
