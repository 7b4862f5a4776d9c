package sqlite

import (
	"context"
	"slices"
	"strings"

	"visto/review"
)

// tallyStands is the condition that a row of the tally counts.
const tallyStands = "(t.staged = 0 OR (SELECT state FROM stage) = 2)"

// inRows reports whether the filter asks for what only the items themselves tell.
func inRows(f review.Filter) bool {
	texts := f.Path != "" || f.Search != "" || f.Regexp != "" || len(f.Languages)+len(f.Params)+len(f.Not.Languages)+len(f.Not.Params) > 0
	decided := len(f.Reviewers)+len(f.Not.Reviewers) > 0 || !f.Since.IsZero()
	numbered := f.IDs != nil || len(f.NotIDs) > 0 || f.UpTo > 0
	return texts || decided || numbered || len(f.Reach) > 0 || f.Keys != nil || !f.Due.IsZero()
}

// filterTally returns the rows of the tally that the filter selects: the table to read, and the conditions. It is false if the
// filter asks for what the tally does not tell apart. each asks for the rows of each host, where those of all together would do.
func filterTally(f review.Filter, each bool) (from string, w *where, ok bool) {
	if inRows(f) {
		return "", nil, false
	}
	from, w = "tally t", &where{}
	set, args := hostSet(f.Hosts)
	switch {
	case set != "":
		from = "(SELECT * FROM tally WHERE host_id IN " + set + " UNION ALL SELECT * FROM tally WHERE in_host_id IN " + set +
			" AND in_host_id <> host_id AND host_id NOT IN " + set + ") t"
		w.args = slices.Concat(args, args, args)
	case f.AtHost != "":
	case each, len(f.Not.Hosts) > 0:
		w.and("t.host_id > 0")
	default:
		w.and("t.host_id = 0")
	}
	w.and(tallyStands)
	w.andKind("t", f)
	w.andHost("t", f)
	return from, w, true
}

// A tallyQuery has the parts of a query that counts out of the tally.
type tallyQuery struct {
	with     string // the tables that the rest names, each with a comma behind it
	withArgs []any
	rows     string // FROM and WHERE, for what to sum n of
	rowsArgs []any
	hosts    string // a query for the IDs of hosts and their sums, as id and n
	hostArgs []any
}

// tallyOf returns how the filter is counted. It is false if it asks for what the tally does not tell apart.
func tallyOf(f review.Filter, most bool) (tallyQuery, bool) {
	if most {
		return lessTally(f), true
	}
	from, w, ok := filterTally(f, false)
	if !ok {
		return tallyQuery{}, false
	}
	ofEach, each, _ := filterTally(f, true)
	return tallyQuery{rows: " FROM " + from + w.sql(), rowsArgs: w.args,
		hosts: "SELECT host_id AS id, sum(n) AS n FROM " + ofEach + each.sql() + " GROUP BY 1 HAVING sum(n) > 0", hostArgs: each.args}, true
}

// leavesMost reports whether a filter that the tally knows enough for names hosts, and leaves out fewer of them than it leaves: then
// what it selects is all but what it leaves out.
func leavesMost(ctx context.Context, q queryer, f review.Filter) (most bool, err error) {
	exact := len(f.Hosts) > 0 && !slices.ContainsFunc(f.Hosts, isPattern)
	if out, args := leftOut(f); out != "" && !exact && f.AtHost == "" {
		err = q.QueryRowContext(ctx, "SELECT 2 * (SELECT count(*) FROM host WHERE "+out+") < (SELECT count(*) FROM host)", args...).Scan(&most)
	}
	return most, err
}

// leftOut returns the condition that a host is one that the filter does not name, or one that it does not want; it is empty if there
// is none.
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

// lessTally counts a filter that leaves most hosts: the rows of all hosts together, less those that it leaves out. So the rows of most
// hosts are not looked at one by one but where each is counted, and there in their order. The filter selects what is or was on a
// host that it names, unless that is or was on one that it does not want.
func lessTally(f review.Filter) tallyQuery {
	const columns = "file_id, field_id, status, open, flags, staged"
	out, outArgs := leftOut(f)
	unwanted, unwantedArgs := hostSet(f.Not.Hosts)
	if unwanted == "" {
		unwanted = "(SELECT 0 WHERE 0)"
	}
	w := &where{}
	w.and(tallyStands)
	w.andKind("t", f)
	and := " AND " + strings.Join(w.conds, " AND ")
	return tallyQuery{
		with:     "out AS MATERIALIZED (SELECT id FROM host WHERE " + out + "), unwanted AS MATERIALIZED " + unwanted + ", ",
		withArgs: slices.Concat(outArgs, unwantedArgs),
		rows: " FROM (SELECT " + columns + ", n FROM tally WHERE host_id = 0" +
			" UNION ALL SELECT " + columns + ", -n FROM tally WHERE host_id IN out AND (host_id IN unwanted OR in_host_id IN out)" +
			" UNION ALL SELECT " + columns + ", -n FROM tally WHERE in_host_id IN unwanted AND in_host_id <> host_id AND host_id NOT IN out) t" + w.sql(),
		rowsArgs: w.args,
		hosts: "SELECT host_id AS id, sum(n) AS n FROM tally t WHERE host_id > 0 AND (in_host_id = host_id OR in_host_id NOT IN unwanted)" + and +
			" GROUP BY 1 HAVING iif(sum(n) > 0, host_id NOT IN out, 0)" + // said alone, each row would be asked
			" UNION ALL SELECT host_id, sum(n) FROM tally t WHERE host_id IN out AND in_host_id <> host_id AND in_host_id NOT IN out AND host_id NOT IN unwanted" + and +
			" GROUP BY 1 HAVING sum(n) > 0",
		hostArgs: slices.Concat(w.args, w.args),
	}
}
