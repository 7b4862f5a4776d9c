package sqlite

import (
	"cmp"
	"context"
	"fmt"

	"visto/canon"
	"visto/review"
)

// Groups counts the items of the filter that are alike in host, flags and field, host by host: out of the tally where that knows
// enough, else in one pass over the items.
func (s *Store) Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error {
	query, args := groupQuery(f)
	r := newRow("host", 5)
	var stopped error
	err := s.eachNow(ctx, "grouping URLs", query, args, func(scan func(...any) error) error {
		if err := scan(r.into...); err != nil {
			return err
		}
		g := review.Group{Flags: canon.CodeSet(r.number(1)), N: int(r.number(2)), Host: r.text(3), Field: r.text(4)}
		if r.err == nil {
			stopped = fn(g)
		}
		return cmp.Or(r.err, stopped)
	})
	return cmp.Or(stopped, err) // the caller's own error, as it is
}

// groupQuery returns a query for rows of host, flags, count, and the names of host and field. They are in the order in which they are
// grouped.
func groupQuery(f review.Filter) (string, []any) {
	of, count := "t", "sum(t.n)"
	from, w, ok := filterTally(f, true)
	if !ok {
		of, count = "i", "count(*)"
		from, w = "item i", filterItems(f)
	}
	by := fmt.Sprintf("%[1]s.host_id, %[1]s.flags, %[1]s.field_id", of)
	names := fmt.Sprintf("(SELECT name FROM host WHERE id = %[1]s.host_id), (SELECT name FROM field WHERE id = %[1]s.field_id)", of)
	return fmt.Sprintf("SELECT %[1]s.host_id, %[1]s.flags, %[2]s AS total, %[3]s FROM %[4]s%[5]s GROUP BY %[6]s HAVING total > 0 ORDER BY %[6]s",
		of, count, names, from, w.sql(), by), w.args
}

// Undecided reads no more of the items than it needs, in the order of an index by host: nothing is sorted.
func (s *Store) Undecided(ctx context.Context, f review.Filter, fn func(review.Undecided) error) error {
	w := filterItems(f)
	w.and("i.flags & ? <> 0", int64(canon.SetOf(canon.UnknownParam)))
	query := "SELECT i.id, i.flags, i.unknown, i.canonical, h.name FROM item i" + hostJoin + w.sql() + " ORDER BY i.host_id"
	r, lists := newRow("URL", 5), nameLists{}
	var stopped error
	err := s.eachNow(ctx, "reading parameters", query, w.args, func(scan func(...any) error) error {
		if err := scan(r.into...); err != nil {
			return err
		}
		u := review.Undecided{Flags: canon.CodeSet(r.number(1)), Canonical: r.text(3), Host: r.text(4)}
		var err error
		if u.Params, err = lists.split(r.text(2)); err == nil && r.err == nil {
			stopped = fn(u)
		}
		return cmp.Or(r.err, err, stopped)
	})
	return cmp.Or(stopped, err)
}

// nameLists are lists of names by their texts: most items have one that many have. They are no more than mostLists.
type nameLists map[string][]string

const mostLists = 4096

// split is splitNames of a text that may have been met.
func (l nameLists) split(text string) ([]string, error) {
	list, ok := l[text]
	if ok {
		return list, nil
	}
	list, err := splitNames(text)
	if len(l) == mostLists {
		clear(l)
	}
	l[text] = list
	return list, err
}
