package postgres

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// compareCounts puts keys in the order in which every transaction writes them: none waits for one that waits for it.
func compareCounts(k, o rows.CountKey) int {
	return cmp.Or(cmp.Compare(k.Host, o.Host), cmp.Compare(k.InHost, o.InHost), cmp.Compare(k.Set, o.Set),
		cmp.Compare(k.Verdict, o.Verdict), cmp.Compare(k.Status, o.Status), compareBool(k.Open, o.Open),
		compareBool(k.WasOpen, o.WasOpen), cmp.Compare(k.Flags, o.Flags))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

const countRow = "host_id bigint, in_host_id bigint, place_set_id bigint, verdict bigint, status bigint, " +
	"open boolean, was_open boolean, flags bigint"

var (
	addCounts = "INSERT INTO item_count (" + countNames + ", n) SELECT * FROM " + arrays(countRow+", n bigint") +
		" ON CONFLICT (" + countNames + ") DO UPDATE SET n = item_count.n + excluded.n"
	dropCounts = "DELETE FROM item_count c USING " + arrays(countRow) + " WHERE (c." +
		strings.ReplaceAll(countNames, ", ", ", c.") + ") = (w." + strings.ReplaceAll(countNames, ", ", ", w.") +
		") AND c.n = 0"
)

// countNames are the columns of a rows.CountKey in item_count.
const countNames = "host_id, in_host_id, place_set_id, verdict, status, open, was_open, flags"

// writeCounts adds the deltas of the transaction to the counts, by host and for all hosts together.
func (t *tx) writeCounts() error {
	all := maps.Clone(t.deltas)
	for k, n := range t.deltas {
		k.Host, k.InHost = 0, 0
		all[k] += n
	}
	var added, dropped grid
	for _, k := range slices.SortedFunc(maps.Keys(all), compareCounts) {
		n := all[k]
		if n == 0 {
			continue
		}
		args := []any{k.Host, k.InHost, k.Set, k.Verdict, k.Status, k.Open, k.WasOpen, k.Flags}
		if n < 0 {
			dropped.add(args...)
		}
		added.add(append(args, n)...)
	}
	return rows.InOrder(func() error { return t.execGrid(addCounts, &added) },
		func() error { return t.execGrid(dropCounts, &dropped) })
}

// Totals counts all items.
func (s *Store) Totals(ctx context.Context) (review.Totals, error) {
	t := review.Totals{Verdicts: map[canon.Verdict]int{}}
	const query = `SELECT place_set_id = 0, verdict, status, open, was_open, sum(n)::bigint FROM item_count
		WHERE host_id = 0 GROUP BY 1, 2, 3, 4, 5`
	err := each(ctx, s.read, query, nil, func(scan scanner) error { return rows.AddTotal(&t, scan) })
	return t, s.read.failed(ctx, "counting URLs", err)
}

// countsWithoutLooks are the counts less the items of firstLooks: by host, and of all hosts together.
const countsWithoutLooks = `(SELECT * FROM item_count UNION ALL SELECT i.host_id * k, i.in_host_id * k, i.place_set_id,
	i.verdict, i.status, i.open, i.was_open, i.flags, -1 FROM (VALUES (0), (1)) by (k) CROSS JOIN item i
	WHERE i.id = ANY(ARRAY(` + firstLooks + `)))`

// filterCounts returns the table t of counts and the conditions on it, for a filter that is not rows.InRows. byHost
// wants the rows by host even where those of all hosts together would do.
func filterCounts(f review.Filter, byHost bool) (from string, w *where) {
	counts, w := "item_count", &where{}
	if f.Open && f.For != "" {
		counts, w.args = countsWithoutLooks, []any{f.For}
	}
	from = counts + " t"
	set, args := hostSet(f.Hosts)
	switch {
	case set != "":
		from = "(SELECT * FROM " + counts + " c WHERE host_id IN " + set +
			" UNION ALL SELECT * FROM " + counts + " c WHERE in_host_id <> host_id AND in_host_id IN " + set +
			" AND host_id NOT IN " + set + ") t"
		w.args = slices.Concat(w.args, args, w.args, args, args)
	case len(f.AtHosts) > 0:
	case byHost, len(f.Not.Hosts) > 0:
		w.and("t.host_id > 0")
	default:
		w.and("t.host_id = 0")
	}
	w.andCounted("t", f)
	w.andHosts("t", f)
	return from, w
}

// countSource returns the rows of a filter that have the columns by which items are counted, and the count of a group
// of them: those of the counts, if they suffice, else the items.
func countSource(ctx context.Context, q *snapshot, f review.Filter, byHost bool) (
	from, count string, w *where, err error) {
	if !rows.InRows(f) {
		q.byFilter()
		from, w = filterCounts(f, byHost)
		return " FROM " + from + w.sql(), "sum(t.n)::bigint", w, nil
	}
	if w, err = filterItems(ctx, q, f); err != nil {
		return "", "", nil, err
	}
	return " FROM (SELECT i.* FROM item i" + w.sql() + ") t", "count(*)", w, nil
}

// Count returns the number of items that the filter selects.
func (s *Store) Count(ctx context.Context, f review.Filter) (int, error) {
	return readNow(ctx, s.read, "counting URLs", func(q *snapshot) (n int, err error) {
		from, count, w, err := countSource(ctx, q, f, false)
		if err == nil {
			err = get(ctx, q, "SELECT coalesce("+count+", 0)"+from, w.args, &n)
		}
		return n, err
	})
}

// Groups counts the items of the filter by host, flags and places, in the order of the hosts.
func (s *Store) Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error {
	return s.stream.snapshot(ctx, "grouping URLs", func(q *snapshot) error {
		from, count, w, err := countSource(ctx, q, f, true)
		if err != nil {
			return err
		}
		query := `SELECT g.host_id, g.flags, g.n, h.name, g.place_set_id, g.status FROM (SELECT t.host_id, t.flags,
			t.place_set_id, t.status, ` + count + " AS n" + from + ` GROUP BY 1, 2, 3, 4) g
			JOIN host h ON h.id = g.host_id WHERE g.n > 0 ORDER BY g.host_id, g.flags, g.place_set_id, g.status`
		r := rows.NewGroupRow(eachOf(ctx, q))
		return q.stream(ctx, query, w.args, func(scan scanner) error {
			g, err := r.Read(scan)
			if err != nil {
				return err
			}
			return rows.Own(fn(g))
		})
	})
}
