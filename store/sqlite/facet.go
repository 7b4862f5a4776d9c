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
	w := filterItems(f)
	err := s.read.QueryRowContext(ctx, "SELECT count(*) FROM item i"+w.sql(), w.args...).Scan(&n)
	return n, s.failed(ctx, "counting URLs", err)
}

// Facets counts by each dimension at once: SQLite groups by all of them, out of an index that has nothing else, and the
// few groups are added up here.
func (s *Store) Facets(ctx context.Context, f review.Filter) (review.Facets, error) {
	var facets review.Facets
	err := s.snapshot(ctx, "counting URLs", func(q queryer) error {
		t := newTallies()
		w := filterItems(f)
		err := each(ctx, q, facetQuery(w), w.args, t.add)
		if err == nil {
			facets, err = t.facets(ctx, q)
		}
		return err
	})
	return facets, err
}

func facetQuery(w *where) string {
	const by = "i.status, i.flags, i.host_id, i.file_id, i.field_id"
	return "SELECT " + by + ", count(*) FROM item i" + w.sql() + " GROUP BY " + by
}

// tallies adds groups up. Hosts, files and fields are counted by their IDs.
type tallies struct {
	total                int
	statuses             map[review.Status]int
	flags                map[canon.CodeSet]int
	hosts, files, fields map[int64]int
}

func newTallies() *tallies {
	return &tallies{statuses: map[review.Status]int{}, flags: map[canon.CodeSet]int{},
		hosts: map[int64]int{}, files: map[int64]int{}, fields: map[int64]int{}}
}

func (t *tallies) add(scan func(...any) error) error {
	var status review.Status
	var flags canon.CodeSet
	var host, file, field int64
	var n int
	if err := scan(&status, &flags, &host, &file, &field, &n); err != nil {
		return err
	}
	t.total += n
	t.statuses[status] += n
	t.flags[flags] += n
	t.hosts[host] += n
	t.files[file] += n
	t.fields[field] += n
	return nil
}

func (t *tallies) facets(ctx context.Context, q queryer) (review.Facets, error) {
	f := review.Facets{Total: t.total, Flags: map[canon.Code]int{}, Statuses: t.statuses}
	for set, n := range t.flags {
		for _, code := range set.Codes() {
			f.Flags[code] += n
		}
	}
	var err error
	if f.Hosts, err = buckets(ctx, q, "host", t.hosts, mostHosts); err != nil {
		return f, err
	}
	if f.Files, err = buckets(ctx, q, "file", t.files, len(t.files)); err != nil {
		return f, err
	}
	f.Fields, err = buckets(ctx, q, "field", t.fields, len(t.fields))
	return f, err
}

// buckets names the counted rows of a table of texts, largest first, then by name. The empty text is no value.
func buckets(ctx context.Context, q queryer, table string, counts map[int64]int, most int) ([]review.Bucket, error) {
	var list []review.Bucket
	err := each(ctx, q, "SELECT id, name FROM "+table+" WHERE name <> ''", nil, func(scan func(...any) error) error {
		var id int64
		var b review.Bucket
		err := scan(&id, &b.Value)
		if b.N = counts[id]; b.N > 0 {
			list = append(list, b)
		}
		return err
	})
	slices.SortFunc(list, func(a, b review.Bucket) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value))
	})
	return list[:min(most, len(list))], err
}

// Groups counts the items of the filter that are alike in all that causes are made of, largest group first.
func (s *Store) Groups(ctx context.Context, f review.Filter) ([]review.Group, error) {
	w := filterItems(f)
	var list []review.Group
	err := each(ctx, s.read, `SELECT h.name, g.flags, g.unknown, fi.name, fe.name, g.n FROM (
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
	return list, s.failed(ctx, "grouping URLs", err)
}
