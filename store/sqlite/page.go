package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// Page returns the n items after, or before, a place in the query's order; a nil from is the start. A Backward cursor
// without an ID is the place behind the last item, so &review.Cursor{Backward: true} reads the last page. A page
// costs the same wherever it is: an index finds it by the key of the place, nothing is counted.
func (s *Store) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	var list []review.Item
	err := s.read.snapshot(ctx, "reading a page of URLs", func(r queryer) error {
		walk, err := walks(ctx, r, q.Filter)
		if err == nil && q.Sort == review.ByRecord && !walk.looks(q.Filter) {
			walk.few, err = matchesFew(ctx, r, q.Filter, walk, s.few)
		}
		if err != nil {
			return err
		}
		stretches, err := rankedStretches(ctx, r, q, from, s.few)
		if err != nil {
			return err
		}
		for _, filter := range pageParts(q, walk) {
			part, err := readPart(ctx, r, filter, stretches, q, from, n)
			if err == nil && q.Sort == review.ByRecord {
				err = withOccurrences(ctx, r, part, maxShown) // it is part of the order
			}
			if err != nil {
				return err
			}
			list = mergePages(list, part, order(q, from), n)
		}
		return withOccurrences(ctx, r, list, maxShown)
	})
	if isBackward(from) {
		slices.Reverse(list)
	}
	return list, err
}

// readPart reads up to n items of one part of the filter, stretch by stretch.
func readPart(ctx context.Context, r queryer, filter *where, stretches []*where, q review.Query, from *review.Cursor,
	n int) (list []review.Item, err error) {
	for _, stretch := range stretches {
		query, args := pageQuery(filter, stretch, q, from, n-len(list))
		next, err := items(ctx, r, query, args...)
		if list = append(list, next...); err != nil || len(list) == n {
			return list, err
		}
	}
	return list, nil
}

// walk tells which parts of a filter match so many items that a page is soon full by scanning the items in their
// order. The other parts are looked up in an index, and the few items found are sorted. few tells that the filter as a
// whole matches few items.
type walk struct{ search, pattern, path, hosts, attributes, assigned, few bool }

// fewFound is the largest number of items that count as few.
const fewFound = 10_000

// walks measures how many items each part of the filter matches.
func walks(ctx context.Context, q queryer, f review.Filter) (w walk, err error) {
	if f.Search != "" {
		w.search, err = isCommon(ctx, q, review.Fold(f.Search))
	}
	if f.Regexp != "" && err == nil {
		query, args := candidatesBy(required(f.Regexp))
		w.pattern, err = findsMany(ctx, q, query, args)
	}
	if len(f.Where) > 0 && err == nil {
		query, args := citedWith(f.Where)
		w.attributes, err = findsMany(ctx, q, query, args)
	}
	if names, none := f.Assignees(false); len(names) > 0 && err == nil && !none {
		w.assigned, err = findsMany(ctx, q, assignedTo, []any{hexList(names)})
	}
	if f.Path != "" && err == nil {
		w.path, err = isCommon(ctx, q, review.Fold(trimPath(f.Path)))
	}
	if set, args := hostSet(f.Hosts); set != "" && err == nil && (len(f.Hosts) > 1 || isPattern(f.Hosts[0])) {
		w.hosts, err = findsMany(ctx, q, onHosts(set), slices.Concat(args, args))
	}
	return w, err
}

// shortWalk is the walk without measuring: only texts too short for the index are scanned for.
func shortWalk(f review.Filter) walk {
	return walk{search: len(review.Fold(f.Search)) < shortest, path: len(review.Fold(trimPath(f.Path))) < shortest}
}

// countWalk returns the walk for counting, which reads all items found, however many. Only a two-letter search is
// measured, because the index may find it several times in each item.
func countWalk(ctx context.Context, q queryer, f review.Filter) (w walk, err error) {
	w = shortWalk(f)
	if len(review.Fold(f.Search)) == shortest-1 {
		w.search, err = isCommon(ctx, q, review.Fold(f.Search))
	}
	return w, err
}

// matchesFew reports whether the filter matches at most so many items. It does not measure a filter with a part that
// matches many.
func matchesFew(ctx context.Context, q queryer, f review.Filter, w walk, few int) (bool, error) {
	if w != (walk{}) {
		return false, nil
	}
	if rows.InRows(f) {
		filter := filterItemsBy(f, w)
		many, err := findsMore(ctx, q, few, "SELECT i.id FROM item i"+filter.sql(), filter.args)
		return !many, err
	}
	complement, _, err := planCount(ctx, q, f)
	if err != nil {
		return false, err
	}
	var n int
	query, args := countQuery(f, complement, w)
	err = q.QueryRowContext(ctx, query, args...).Scan(&n)
	return n <= few, err
}

// looks reports whether the items of the filter are looked up and then sorted: there are few.
func (w walk) looks(f review.Filter) bool {
	search, path := f.Search != "" && !w.search, trimPath(f.Path) != "" && !w.path
	pattern, attributes := f.Regexp != "" && !w.pattern, len(f.Where) > 0 && !w.attributes
	names, none := f.Assignees(false)
	assigned := len(names) > 0 && !none && !w.assigned
	return f.IDs != nil || f.Originals != nil || f.Keys != nil || len(f.Records) > 0 || len(f.Reach) > 0 || search ||
		pattern || path || attributes || assigned
}

// pageParts splits a filter into disjoint parts with an index each: by canonical host, and by an incoming host other
// than the canonical, and by each of several canonical hosts. Joined with an OR they would be sorted as a whole for
// every page.
func pageParts(q review.Query, walk walk) (parts []*where) {
	f := q.Filter
	looks := walk.looks(f)
	part := where{walk: walk, looks: looks, found: looks || walk.few}
	if len(f.AtHosts) > 1 && !part.found {
		for _, host := range f.AtHosts {
			q.Filter.AtHosts = []string{host}
			parts = append(parts, pageParts(q, walk)...)
		}
		return parts
	}
	if len(f.AtHosts) == 1 {
		part.host = f.AtHosts[0]
	}
	set, args := hostSet(f.Hosts)
	if set == "" || walk.hosts {
		w := &part
		if set != "" { // the + keeps SQLite from using an index
			w.and("(+i.host_id IN "+set+" OR +i.in_host_id IN "+set+")", slices.Concat(args, args)...)
		}
		w.andFilter(f)
		return []*where{w}
	}
	eq := " IN "
	if len(f.Hosts) == 1 && !isPattern(f.Hosts[0]) {
		eq = " = " // the index of one host is in the order of the IDs
	}
	canonical, incoming := part, part
	incoming.found = true
	host := "i.host_id"
	if part.byHosts(q.Sort) {
		host = "h.id"
	}
	canonical.and(host+eq+set, args...)
	incoming.and("i.in_host_id"+eq+set+" AND i.in_host_id <> i.host_id AND i.host_id NOT IN "+set,
		slices.Concat(args, args)...)
	canonical.andFilter(f)
	incoming.andFilter(f)
	return []*where{&canonical, &incoming}
}

// byHosts reports whether the items are found host by host in the order of their names, and within a host in the
// order of the other keys.
func (w *where) byHosts(sort review.Sort) bool {
	keys := sortKeys[sort]
	return !w.found && len(keys) > 0 && keys[0].column == hostKey.column
}

// sortKey is a column that an order compares before the ID, and its value at a place.
type sortKey struct {
	column string
	at     func(*review.Cursor) any
}

var (
	hostKey   = sortKey{"h.name", func(c *review.Cursor) any { return c.Host }}
	pathKey   = sortKey{"i.sort_path", func(c *review.Cursor) any { return []byte(c.Path) }}
	statusKey = sortKey{"i.status", func(c *review.Cursor) any { return c.Number }}
	flagsKey  = sortKey{"i.flags", statusKey.at}
	batchKey  = sortKey{"ifnull(i.batch_id, 0)", statusKey.at}
	whoKey    = sortKey{"ifnull((SELECT sb.reviewer FROM batch sb WHERE sb.id = i.batch_id), '')",
		func(c *review.Cursor) any { return c.Reviewer }}
	lengthKey = sortKey{"length(CAST(iif(i.canonical = '', i.original, i.canonical) AS BLOB))", statusKey.at}
	doubtKey  = sortKey{doubtColumn(), statusKey.at}
	nameKey   = sortKey{"iif(r.name = '', r.key, r.name)", func(c *review.Cursor) any { return c.Record }}
	citesKey  = sortKey{"o.id", func(c *review.Cursor) any { return c.Place }}
	sortKeys  = map[review.Sort][]sortKey{review.ByHost: {hostKey}, review.ByURL: {hostKey, pathKey},
		review.ByStatus: {statusKey},
		review.ByFlags:  {flagsKey}, review.ByDecided: {batchKey}, review.ByDecider: {whoKey},
		review.ByLength: {lengthKey}, review.ByRecord: {nameKey, {"r.id", statusKey.at}, citesKey},
		review.ByDoubt: {doubtKey}}
)

// doubtColumn is review.Doubt of the flags.
func doubtColumn() string {
	rank := ""
	for i, class := range slices.Backward(review.DoubtClasses()) {
		if class.Flags != 0 {
			rank += fmt.Sprintf(" WHEN i.flags & %d THEN %d", class.Flags, 2*i)
		}
	}
	return "(CASE" + rank + " ELSE 0 END + (i.flags & (i.flags - 1) <> 0))"
}

// sortedApart are the orders without an index. The IDs of a page are found first, in one pass over the filter's
// items at most; the other columns are read of these alone.
var sortedApart = map[review.Sort]bool{review.ByFlags: true, review.ByDecider: true, review.ByLength: true,
	review.ByDoubt: true}

// pageQuery returns the query after its columns.
func pageQuery(filter, stretch *where, q review.Query, from *review.Cursor, n int) (string, []any) {
	w := &where{conds: slices.Concat(stretch.conds, filter.conds), args: slices.Concat(stretch.args, filter.args)}
	tables := fromItems
	if filter.byHosts(q.Sort) {
		if filter.host != "" {
			w.and("h.id = (SELECT id FROM host WHERE name = ?)", filter.host)
		}
		tables = " FROM host h CROSS JOIN item i ON i.host_id = h.id" + restJoins
	}
	_, direction := directions(q, from)
	by := ""
	for _, key := range sortKeys[q.Sort][stretch.same:] {
		by += key.column + direction + ", "
	}
	by += "i.id" + direction
	if q.Sort == review.ByRecord {
		return recordQuery(filter, w, by, direction, n)
	}
	if sortedApart[q.Sort] {
		return fromItems + " WHERE i.id IN (SELECT i.id FROM item i" + w.sql() + " ORDER BY " + by +
			limit(n) + ") ORDER BY " + by, w.args
	}
	return tables + w.sql() + " ORDER BY " + by + limit(n), w.args
}

// The records of the items, and the condition that leaves of each item the occurrence of Cursor.Place.
const (
	recordsOfItems = ` FROM item i CROSS JOIN occurrence o ON o.item_id = i.id
		CROSS JOIN record r ON r.id = o.record_id`
	itemsOfRecords = ` FROM record r CROSS JOIN occurrence o ON o.record_id = r.id
		CROSS JOIN item i ON i.id = o.item_id`
	citesFirst = `(o.gone = 0 OR i.place_set_id = 0) AND NOT EXISTS (SELECT 1 FROM occurrence e
		WHERE e.item_id = o.item_id AND e.id < o.id AND (e.gone = 0 OR i.place_set_id = 0))`
)

// recordQuery is pageQuery by record: in the order of an index over the records, or for few items, sorted.
func recordQuery(filter, w *where, by, direction string, n int) (string, []any) {
	w.and(citesFirst)
	tables := itemsOfRecords
	if filter.found {
		tables = recordsOfItems
	}
	return " FROM (SELECT o.item_id AS id, " + nameKey.column + " AS name, r.id AS record, o.id AS place" + tables +
		w.sql() + " ORDER BY " + by + limit(n) + ") x CROSS JOIN item i ON i.id = x.id" + itemJoins +
		" ORDER BY x.name" + direction + ", x.record" + direction + ", x.place" + direction, w.args
}

// directions returns the comparison with the place that selects the items after it, and their order.
func directions(q review.Query, from *review.Cursor) (beyond, order string) {
	if q.Desc != isBackward(from) {
		return " < ?", " DESC"
	}
	return " > ?", ""
}

// stretches returns the conditions on the items after the place, in their order: first equal keys and an ID beyond,
// then for each key from the last to the first, equal keys before it and that key beyond. As one condition, (key, id)
// > (?, ?), SQLite would scan all items with equal keys.
func stretches(q review.Query, from *review.Cursor) []*where {
	if from == nil || isEnd(from) {
		return []*where{{}}
	}
	beyond, _ := directions(q, from)
	keys := sortKeys[q.Sort]
	list := make([]*where, 0, len(keys)+1)
	for n := len(keys); n >= 0; n-- {
		w := &where{same: n}
		for _, same := range keys[:n] {
			w.and(same.column+" = ?", same.at(from))
		}
		if n == len(keys) {
			w.and("i.id"+beyond, from.ID)
		} else {
			w.and(keys[n].column+beyond, keys[n].at(from))
		}
		list = append(list, w)
	}
	return list
}

// flagRanks are the orders whose only key is a function of the flags, which the counts have.
var flagRanks = map[review.Sort]func(canon.CodeSet) int64{
	review.ByFlags: func(flags canon.CodeSet) int64 { return int64(flags) }, review.ByDoubt: review.Doubt,
}

// rankedStretches is stretches. In an order by flags it splits the last one, for which all items of the filter would be
// sorted, into one for each rank that has items: those of one rank are in the order of the index, and reading ends with
// the page. Ranks with few items together are sorted.
func rankedStretches(ctx context.Context, r queryer, q review.Query, from *review.Cursor, few int) ([]*where, error) {
	list := stretches(q, from)
	if flagRanks[q.Sort] == nil || rows.InRows(q.Filter) {
		return list, nil
	}
	counts, err := rankCounts(ctx, r, q)
	if err != nil {
		return nil, err
	}
	list = list[:len(list)-1]
	column, ranks := sortKeys[q.Sort][0].column, ranksBeyond(counts, q, from)
	for n := 0; len(ranks) > 0; ranks = ranks[n:] {
		w, total := &where{}, counts[ranks[0]]
		for n = 1; n < len(ranks) && total+counts[ranks[n]] <= few; n++ {
			total += counts[ranks[n]]
		}
		if n == 1 {
			w.same = 1
			w.and(column+" = ?", ranks[0])
		} else {
			w.and(column+" BETWEEN ? AND ?", min(ranks[0], ranks[n-1]), max(ranks[0], ranks[n-1]))
		}
		list = append(list, w)
	}
	return list, nil
}

// rankCounts counts the items of the filter by their rank.
func rankCounts(ctx context.Context, r queryer, q review.Query) (map[int64]int, error) {
	complement, _, err := planCount(ctx, r, q.Filter)
	if err != nil {
		return nil, err
	}
	t, _ := countSourceOf(q.Filter, complement)
	query := "WITH " + t.with + "total AS (SELECT flags, sum(n) AS n" + t.rows + " GROUP BY 1) " +
		"SELECT flags, n FROM total WHERE n > 0"
	counts := map[int64]int{}
	err = each(ctx, r, query, slices.Concat(t.withArgs, t.rowsArgs), func(scan scanner) error {
		var flags canon.CodeSet
		var n int
		if err := scan(rows.Flags(&flags), &n); err != nil {
			return err
		}
		counts[flagRanks[q.Sort](flags)] += n
		return nil
	})
	return counts, err
}

// ranksBeyond returns the ranks after the place, in the order in which a page is read.
func ranksBeyond(counts map[int64]int, q review.Query, from *review.Cursor) []int64 {
	ranks := slices.Sorted(maps.Keys(counts))
	down := q.Desc != isBackward(from)
	if from != nil && !isEnd(from) {
		ranks = slices.DeleteFunc(ranks, func(rank int64) bool {
			return rank == from.Number || rank > from.Number == down
		})
	}
	if down {
		slices.Reverse(ranks)
	}
	return ranks
}

func isBackward(from *review.Cursor) bool { return from != nil && from.Backward }

func isEnd(from *review.Cursor) bool { return from.Backward && from.ID <= 0 }

// order returns the comparison in which the rows of a page are read.
func order(q review.Query, from *review.Cursor) func(a, b review.Item) int {
	if isBackward(from) {
		q.Desc = !q.Desc
	}
	return func(a, b review.Item) int { return q.Compare(&a, &b) }
}

// mergePages merges two sorted lists and keeps the first n.
func mergePages(a, b []review.Item, compare func(a, b review.Item) int, n int) []review.Item {
	if len(a) == 0 {
		return b
	}
	all := append(a, b...)
	slices.SortFunc(all, compare)
	return all[:min(n, len(all))]
}
