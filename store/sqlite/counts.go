package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// The columns by which items are counted: of a host, and of all hosts together.
const (
	countColumnNames  = "host_id, in_host_id, " + countColumnsOnAll
	countColumnsOnAll = "place_set_id, verdict, status, open, was_open, flags"
)

// addCounts is the INSERT that adds to rows of the counts.
var addCounts = insertion{into: "INTO item_count (" + countColumnNames + ", n)",
	or: " ON CONFLICT DO UPDATE SET n = n + excluded.n"}

// writeCounts adds the deltas of the transaction to the counts, by host and for all hosts together.
func (t *tx) writeCounts() error {
	grid := addCounts
	all := maps.Clone(t.deltas)
	for k, n := range t.deltas {
		k.Host, k.InHost = 0, 0
		all[k] += n
	}
	for k, n := range all {
		if err := t.changeCount(&grid, k, n); err != nil {
			return err
		}
	}
	return grid.write(t)
}

// changeCount is addCount, or adds to grid if that cannot make the count 0: the row alone is the number of items.
func (t *tx) changeCount(grid *insertion, k rows.CountKey, n int) error {
	if n <= 0 {
		return t.addCount(k, n)
	}
	if full := grid.add(append(countArgs(k), n)...); !full {
		return nil
	}
	return grid.write(t)
}

func countArgs(k rows.CountKey) []any {
	return []any{k.Host, k.InHost, k.Set, k.Verdict, k.Status, k.Open, k.WasOpen, k.Flags}
}

// addCount adds to one row. A count of 0 has no row.
func (t *tx) addCount(k rows.CountKey, n int) error {
	if n == 0 {
		return nil
	}
	key := countArgs(k)
	var now int
	err := t.Get(insertQuery(addCounts.into)+addCounts.or+" RETURNING n", append(key, n), &now)
	if err == nil && now == 0 {
		err = t.Exec("DELETE FROM item_count WHERE ("+countColumnNames+") = "+marks(len(key)), key...)
	}
	return err
}

// Totals counts all items.
func (s *Store) Totals(ctx context.Context) (review.Totals, error) {
	t := review.Totals{Verdicts: map[canon.Verdict]int{}}
	const query = "SELECT place_set_id = 0, verdict, status, open, was_open, sum(n) FROM item_count t " +
		"WHERE host_id = 0 GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0"
	err := each(ctx, s.read, query, nil, func(scan scanner) error { return rows.AddTotal(&t, scan) })
	if err != nil {
		return t, s.read.failed(ctx, "counting URLs", err)
	}
	t.Unfinished, err = s.Unfinished(ctx)
	return t, err
}

// countsWithoutLooks are the counts less the items of firstLooks: by host, and of all hosts together.
const countsWithoutLooks = `(SELECT * FROM item_count UNION ALL SELECT i.host_id * k, i.in_host_id * k, i.place_set_id,
	i.verdict, i.status, i.open, i.was_open, i.flags, -1 FROM (SELECT 0 AS k UNION ALL SELECT 1) CROSS JOIN item i
	WHERE i.id IN (` + firstLooks + `))`

// filterCounts returns the table and the conditions that select the filter's rows of the counts. It is false if the
// counts lack a column that the filter asks for. byHost wants the rows by host even where those of all hosts together
// would do.
func filterCounts(f review.Filter, byHost bool) (from string, w *where, ok bool) {
	if rows.InRows(f) {
		return "", nil, false
	}
	counts, w := "item_count", &where{}
	if f.Open && f.For != "" {
		counts, w.args = countsWithoutLooks, []any{f.For}
	}
	from = counts + " t"
	set, args := hostSet(f.Hosts)
	switch {
	case set != "":
		from = "(SELECT * FROM " + counts + " WHERE host_id IN " + set +
			" UNION ALL SELECT * FROM " + counts + " WHERE in_host_id IN " + set +
			" AND in_host_id <> host_id AND host_id NOT IN " + set + ") t"
		w.args = slices.Concat(w.args, args, w.args, args, args)
	case len(f.AtHosts) > 0:
	case byHost, len(f.Not.Hosts) > 0:
		w.and("t.host_id > 0")
	default:
		w.and("t.host_id = 0")
	}
	w.andCounted("t", f)
	w.andHost("t", f)
	return from, w, true
}

// countSource holds the parts of a query on the counts.
type countSource struct {
	with     string // the named tables, each followed by a comma
	withArgs []any
	rows     string // FROM and WHERE of the rows to sum
	rowsArgs []any
	hosts    string // a query for host IDs and their sums, as id and n
	hostArgs []any
}

// countSourceOf returns the source for a filter, false if the counts lack a column that it asks for. complement wants
// the counts of all hosts less those of the hosts left out.
func countSourceOf(f review.Filter, complement bool) (countSource, bool) {
	if complement {
		return complementSource(f), true
	}
	from, w, ok := filterCounts(f, false)
	if !ok {
		return countSource{}, false
	}
	hostsFrom, hosts, _ := filterCounts(f, true)
	return countSource{rows: " FROM " + from + w.sql(), rowsArgs: w.args,
		hosts:    "SELECT host_id AS id, sum(n) AS n FROM " + hostsFrom + hosts.sql() + " GROUP BY 1 HAVING sum(n) > 0",
		hostArgs: hosts.args}, true
}

// matchesMost reports whether the filter names hosts and matches more hosts than it leaves out. Then counting the
// hosts left out is faster.
func matchesMost(ctx context.Context, q queryer, f review.Filter) (complement bool, err error) {
	exact := len(f.Hosts) > 0 && !slices.ContainsFunc(f.Hosts, isPattern)
	if out, args := leftOut(f); out != "" && !exact && len(f.AtHosts) == 0 && !(f.Open && f.For != "") {
		err = q.QueryRowContext(ctx, "SELECT 2 * (SELECT count(*) FROM host WHERE "+out+") < (SELECT count(*) "+
			"FROM host)", args...).Scan(&complement)
	}
	return complement, err
}

// leftOut returns the condition on hosts that the filter does not name or excludes. It is empty if there are none.
func leftOut(f review.Filter) (string, []any) {
	named, args := hostNamed(f.Hosts)
	unwanted, unwantedArgs := hostNamed(f.Not.Hosts)
	switch {
	case len(f.Not.Hosts) > 0 && unwanted == "":
		return "1", nil
	case named == "":
		return unwanted, unwantedArgs
	case unwanted == "":
		return "NOT " + named, args
	}
	return "NOT " + named + " OR " + unwanted, slices.Concat(args, unwantedArgs)
}

// complementSource counts a filter that matches most hosts: the rows of all hosts together, less those of the hosts
// left out. An item matches if its host or its incoming host is named, and neither is excluded.
func complementSource(f review.Filter) countSource {
	const columns = "place_set_id, status, open, flags"
	out, outArgs := leftOut(f)
	unwanted, unwantedArgs := hostSet(f.Not.Hosts)
	if unwanted == "" {
		unwanted = "(SELECT 0 WHERE 0)"
	}
	w := &where{}
	w.andCounted("t", f)
	and := " AND " + strings.Join(w.conds, " AND ")
	return countSource{
		with: "out AS MATERIALIZED (SELECT id FROM host WHERE " + out + "), unwanted AS MATERIALIZED " +
			unwanted + ", ",
		withArgs: slices.Concat(outArgs, unwantedArgs),
		rows: " FROM (SELECT " + columns + ", n FROM item_count WHERE host_id = 0" +
			" UNION ALL SELECT " + columns + ", -n FROM item_count WHERE host_id IN out AND (host_id IN unwanted " +
			"OR in_host_id IN out)" +
			" UNION ALL SELECT " + columns + ", -n FROM item_count WHERE in_host_id IN unwanted " +
			"AND in_host_id <> host_id AND host_id NOT IN out) t" + w.sql(),
		rowsArgs: w.args,
		hosts: "SELECT host_id AS id, sum(n) AS n FROM item_count t WHERE host_id > 0 AND (in_host_id = host_id " +
			"OR in_host_id NOT IN unwanted)" + and +
			// as one condition SQLite would evaluate it for each row
			" GROUP BY 1 HAVING iif(sum(n) > 0, host_id NOT IN out, 0)" +
			" UNION ALL SELECT host_id, sum(n) FROM item_count t WHERE host_id IN out AND in_host_id <> host_id " +
			"AND in_host_id NOT IN out AND host_id NOT IN unwanted" + and +
			" GROUP BY 1 HAVING sum(n) > 0",
		hostArgs: slices.Concat(w.args, w.args),
	}
}

// Groups counts the items of the filter by host, flags and places, in the order of the hosts: from the kept counts if
// those suffice, else in one pass over the items.
func (s *Store) Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error {
	query, args := groupQuery(f)
	return s.read.snapshot(ctx, "grouping URLs", func(q queryer) error {
		r := rows.NewGroupRow(eachOf(ctx, q))
		return each(ctx, q, query, args, func(scan scanner) error {
			g, err := r.Read(scan)
			if err != nil {
				return err
			}
			return rows.Own(fn(g))
		})
	})
}

// groupQuery returns a query for rows of host, flags, count, the name of the host, the place set and the status, in
// the order of the groups.
func groupQuery(f review.Filter) (string, []any) {
	of, count := "t", "sum(t.n)"
	from, w, ok := filterCounts(f, true)
	if !ok {
		of, count = "i", "count(*)"
		from, w = "item i", filterItems(f)
	}
	by := fmt.Sprintf("%[1]s.host_id, %[1]s.flags, %[1]s.place_set_id, %[1]s.status", of)
	return fmt.Sprintf(`SELECT %[1]s.host_id, %[1]s.flags, %[2]s AS total,
		(SELECT name FROM host WHERE id = %[1]s.host_id), %[1]s.place_set_id, %[1]s.status
		FROM %[3]s%[4]s GROUP BY %[5]s HAVING total > 0 ORDER BY %[5]s`, of, count, from, w.sql(), by), w.args
}
