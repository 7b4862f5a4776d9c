package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"visto/review"
	"visto/store/rows"
)

// Page returns the n items after, or before, a place in the query's order; a nil from is the start. A Backward cursor
// without an ID is the place behind the last item, so &review.Cursor{Backward: true} reads the last page. Nothing is
// counted: an index finds the place by its keys.
func (s *Store) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	list, err := readNow(ctx, s.read, "reading a page of URLs", func(r *snapshot) ([]review.Item, error) {
		filter, tests, err := pageFilter(ctx, r, q)
		if err != nil {
			return nil, err
		}
		var ids []int64
		o := orders[q.Sort]
		for _, stretch := range o.stretches(q, from) {
			part, err := o.read(ctx, r, filter, tests, stretch, n-len(ids))
			if err != nil {
				return nil, err
			}
			if ids = append(ids, part...); len(ids) == n {
				break
			}
		}
		return citedItems(ctx, r, ids, maxShown)
	})
	slices.SortFunc(list, func(a, b review.Item) int { return q.Compare(&a, &b) })
	return list, err
}

// fewFound is the largest number of items that a search finds and that are looked into before they are sorted. Of more
// of them a page is soon full: they are looked into in its order.
const fewFound = 5000

// pageFilter returns the conditions of a filter, and the tests of texts that the items have to meet as well.
func pageFilter(ctx context.Context, r *snapshot, q review.Query) (*where, []textTest, error) {
	tests, needs, err := textTests(q.Filter)
	if err != nil {
		return nil, nil, err
	}
	w, err := filterRows(ctx, r, q.Filter)
	if err != nil || len(tests) == 0 {
		return w, nil, err
	}
	few := false
	for i := 0; i < len(needs) && !few; i++ {
		if few, err = w.andFew(ctx, r, needs[i], isSorted(q)); err != nil {
			return nil, nil, err
		}
	}
	if !few {
		r.before = append(r.before, "set local cursor_tuple_fraction = 0.001") // few rows of the cursor are read
	}
	return w, tests, nil
}

// isSorted reports whether no index has the order of the query: all of its items are sorted.
func isSorted(q review.Query) bool {
	switch q.Sort {
	case review.ByFlags, review.ByDoubt:
		return !q.Filter.Open
	case review.ByLength, review.ByDecider, review.ByRecord:
		return true
	}
	return false
}

// isCommon is the condition that a search finds more than one item in twenty, by one page in a hundred of its table.
const isCommon = "(SELECT 20 * count(*) FILTER (WHERE %s) > count(*) FROM item_search TABLESAMPLE system (1))"

// andFew selects the items to look into, and reports whether they are few. If they are not, and not all of them are
// sorted, it does so one by one.
func (w *where) andFew(ctx context.Context, q queryer, n rows.Need, sorted bool) (bool, error) {
	cond, args := likeNeed(n)
	query, more := candidates(n)
	query = "WITH common (yes) AS MATERIALIZED " + fmt.Sprintf(isCommon, cond) +
		" SELECT 0 FROM common WHERE yes UNION ALL SELECT item_id FROM (" + query +
		") found WHERE NOT (SELECT yes FROM common) LIMIT ?"
	ids, err := column[int64](ctx, q, query, append(slices.Concat(args, more), fewFound+1)...)
	if err != nil {
		return false, err
	}
	if len(ids) <= fewFound && !slices.Contains(ids, 0) {
		w.and("i.id = ANY(?)", ids)
		return true, nil
	}
	if sorted {
		w.andFound(n)
		return false, nil
	}
	w.and("((SELECT "+cond+" FROM item_search WHERE item_id = i.id) OR "+itemUnfolded+" OR (SELECT true "+
		"FROM occurrence so JOIN record_search s ON s.record_id = so.record_id WHERE so.item_id = i.id AND ("+cond+
		" OR "+recordUnfolded+") LIMIT 1))", append(args, args...)...)
	return false, nil
}

// sortKey is a column that an order compares, and its value at a place.
type sortKey struct {
	column string
	at     func(*review.Cursor) any
}

// order is an order of pages: by the keys, then by ID. For the items with the same values of the first keys, the group,
// an index has the rest of the order, and same is the condition on these items, which needs the value of the last one.
type order struct {
	join        string // adds the tables of the keys to item i
	group, keys []sortKey
	same        string
}

func number(c *review.Cursor) any { return c.Number }

func orderBy(column string) order { return order{keys: []sortKey{{column, number}}} }

var (
	byHost = order{join: hostJoin, same: "i.host_id = (SELECT id FROM host WHERE sha256(name) = sha256(?))",
		group: []sortKey{{"substr(h.name, 1, 1000)", func(c *review.Cursor) any { return headOf(c.Host) }},
			{"h.name", func(c *review.Cursor) any { return c.Host }}}}
	byURL = order{join: hostJoin, same: byHost.same, group: byHost.group,
		keys: []sortKey{{"i.sort_head", func(c *review.Cursor) any { return headOf(c.Path) }},
			{"i.sort_path", func(c *review.Cursor) any { return c.Path }}}}
	byRecordName = order{join: citingFirst, same: "r.id = ?",
		group: []sortKey{
			{"substr(" + recordName + ", 1, 1000)", func(c *review.Cursor) any { return headOf(c.Record) }},
			{recordName, func(c *review.Cursor) any { return c.Record }}, {"r.id", number}},
		keys: []sortKey{{"o.id", func(c *review.Cursor) any { return c.Place }}}}
	orders = map[review.Sort]order{review.ByID: {}, review.ByHost: byHost, review.ByURL: byURL,
		review.ByRecord: byRecordName, review.ByStatus: orderBy("i.status"), review.ByFlags: orderBy("i.flags"),
		review.ByDecided: orderBy("coalesce(i.batch_id, 0)"), review.ByDoubt: orderBy("doubt(i.flags)"),
		review.ByLength: orderBy("octet_length(CASE i.canonical WHEN '' THEN i.original ELSE i.canonical END)"),
		review.ByDecider: {join: " LEFT JOIN batch b ON b.id = i.batch_id",
			keys: []sortKey{{"coalesce(b.reviewer, '')", func(c *review.Cursor) any { return c.Reviewer }}}}}
)

// citingFirst joins the occurrence of Cursor.Place and its record to item i.
const (
	recordName  = "(CASE r.name WHEN '' THEN r.key ELSE r.name END)"
	citingFirst = ` JOIN occurrence o ON o.item_id = i.id AND (o.gone = 0 OR i.place_set_id = 0)
		AND NOT EXISTS (SELECT 1 FROM occurrence e WHERE e.item_id = o.item_id AND e.id < o.id
		AND (e.gone = 0 OR i.place_set_id = 0)) JOIN record r ON r.id = o.record_id`
)

// headOf returns the part of a text that an index has.
func headOf(text string) string { return text[:min(len(text), sortHead)] }

// stretch is a part of the items of a query that one statement reads: those beyond a place, in an order.
type stretch struct {
	where
	order string
}

// stretches returns the parts after the place in their order: the rest of its group, then the groups beyond it.
func (o order) stretches(q review.Query, from *review.Cursor) []stretch {
	beyond, direction := ">", ""
	if q.Desc != isBackward(from) {
		beyond, direction = "<", " DESC"
	}
	id := sortKey{"i.id", func(c *review.Cursor) any { return c.ID }}
	inGroup := append(slices.Clone(o.keys), id)
	all := orderOf(slices.Concat(o.group, inGroup), direction)
	if from == nil || isEnd(from) {
		return []stretch{{order: all}}
	}
	first := stretch{order: orderOf(inGroup, direction)}
	first.andBeyond(inGroup, beyond, from)
	if len(o.group) == 0 {
		return []stretch{first}
	}
	first.and(o.same, o.group[len(o.group)-1].at(from))
	next := stretch{order: all}
	next.andBeyond(o.group, beyond, from)
	return []stretch{first, next}
}

func isBackward(from *review.Cursor) bool { return from != nil && from.Backward }

func isEnd(from *review.Cursor) bool { return from.Backward && from.ID <= 0 }

// orderOf returns the columns of the keys with the direction.
func orderOf(keys []sortKey, direction string) string {
	columns := make([]string, len(keys))
	for i, key := range keys {
		columns[i] = key.column + direction
	}
	return strings.Join(columns, ", ")
}

// andBeyond adds the condition that the keys together are beyond those of the place.
func (w *where) andBeyond(keys []sortKey, beyond string, from *review.Cursor) {
	args := make([]any, len(keys))
	for i, key := range keys {
		args[i] = key.at(from)
	}
	w.and("("+orderOf(keys, "")+") "+beyond+" "+marks(len(keys)), args...)
}

// read returns up to n items of a stretch.
func (o order) read(ctx context.Context, q *snapshot, filter *where, tests []textTest, s stretch, n int) ([]int64,
	error) {
	w := where{conds: slices.Concat(s.conds, filter.conds), args: slices.Concat(s.args, filter.args)}
	rest := " FROM item i" + o.join + w.sql() + " ORDER BY " + s.order
	if len(tests) > 0 {
		return matching(ctx, q, tests, rest, w.args, n)
	}
	return column[int64](ctx, q, "SELECT i.id"+rest+" LIMIT ?", append(w.args, n)...)
}
