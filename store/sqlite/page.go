package sqlite

import (
	"cmp"
	"context"
	"slices"

	"visto/review"
)

// Page returns the n items after, or before, a place in the query's order; from nil is the start. A Backward cursor
// without an ID is the place behind the last item, so &review.Cursor{Backward: true} reads the last page. A page costs the same
// wherever it is: it is found by the place's key in an index, never by counting.
func (s *Store) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	var list []review.Item
	err := s.snapshot(ctx, "reading a page of URLs", func(r queryer) error {
		for _, w := range pageParts(q.Filter) {
			query, args := pageQuery(w, q, from, n)
			part, err := items(ctx, r, query, args...)
			if err != nil {
				return err
			}
			list = mergePages(list, part, order(q, from), n)
		}
		return nil
	})
	if isBackward(from) {
		slices.Reverse(list)
	}
	return list, s.failed(ctx, "reading a page of URLs", err)
}

// pageParts splits a filter into disjoint ones that an index serves each: by canonical host, and by an incoming host
// that is another one than the canonical. Together with an OR they would be sorted as a whole for every page.
func pageParts(f review.Filter) []*where {
	set, args := hostSet(f.Hosts)
	if set == "" {
		w := &where{}
		w.andFilter(f)
		return []*where{w}
	}
	eq := " IN "
	if len(f.Hosts) == 1 && f.Hosts[0][0] != '*' {
		eq = " = " // one host: its index is in the order of the IDs
	}
	canonical, incoming := &where{}, &where{}
	canonical.and("i.host_id"+eq+set, args...)
	incoming.and("i.in_host_id"+eq+set, args...)
	incoming.and("i.in_host_id <> i.host_id")
	incoming.and("i.host_id NOT IN "+set, args...)
	canonical.andFilter(f)
	incoming.andFilter(f)
	return []*where{canonical, incoming}
}

// sortKeys are the columns that the orders compare before the ID.
var sortKeys = map[review.Sort]string{review.ByHost: "h.name", review.ByURL: "i.sort_url", review.ByStatus: "i.status"}

// pageQuery returns the query after its columns. Sorted by host it walks the hosts by name and each one's items by ID.
func pageQuery(w *where, q review.Query, from *review.Cursor, n int) (string, []any) {
	tables := fromItems
	if q.Sort == review.ByHost {
		tables = " FROM host h CROSS JOIN item i ON i.host_id = h.id" + restJoins
	}
	greater, direction := " > ", ""
	if q.Desc != isBackward(from) {
		greater, direction = " < ", " DESC"
	}
	key := sortKeys[q.Sort]
	if from != nil && !isEnd(from) {
		w.andAfter(key, greater, q.Sort, from)
	}
	by := " ORDER BY i.id" + direction
	if key != "" {
		by = " ORDER BY " + key + direction + ", i.id" + direction
	}
	return tables + w.sql() + by + " LIMIT ?", append(w.args, n)
}

// andAfter wants what comes after the place. For ByHost the key and the ID are columns of two tables, of which no index
// serves the pair: the key is said alone as well.
func (w *where) andAfter(key, greater string, sort review.Sort, from *review.Cursor) {
	var value any = from.Text
	if sort == review.ByStatus {
		value = from.Number
	}
	switch sort {
	case review.ByID:
		w.and("i.id"+greater+"?", from.ID)
	case review.ByHost:
		w.and(key+greater[:2]+"= ?", value)
		w.and("(h.name, i.id)"+greater+"(?, ?)", value, from.ID)
	default:
		w.and("("+key+", i.id)"+greater+"(?, ?)", value, from.ID)
	}
}

func isBackward(from *review.Cursor) bool { return from != nil && from.Backward }

func isEnd(from *review.Cursor) bool { return from.Backward && from.ID <= 0 }

// order returns the comparison in which the rows of a page are read.
func order(q review.Query, from *review.Cursor) func(a, b review.Item) int {
	sign := 1
	if q.Desc != isBackward(from) {
		sign = -1
	}
	return func(a, b review.Item) int {
		x, y := q.After(&a), q.After(&b)
		return sign * cmp.Or(cmp.Compare(x.Text, y.Text), cmp.Compare(x.Number, y.Number), cmp.Compare(x.ID, y.ID))
	}
}

// mergePages merges two sorted lists and keeps the first n.
func mergePages(a, b []review.Item, compare func(a, b review.Item) int, n int) []review.Item {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := append(a, b...)
	slices.SortFunc(all, compare)
	return all[:min(n, len(all))]
}
