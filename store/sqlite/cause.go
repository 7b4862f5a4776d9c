package sqlite

import (
	"cmp"
	"context"
	"fmt"

	"visto/canon"
	"visto/review"
)

// Groups counts the items of the filter by host, flags and places, in the order of the hosts: from the kept counts if
// those suffice, else in one pass over the items.
func (s *Store) Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error {
	query, args := groupQuery(f)
	r, places := newRow("host", 5), map[int64][]review.FileField{}
	return s.read.snapshot(ctx, "grouping URLs", func(q queryer) error {
		return each(ctx, q, query, args, func(scan scanner) (err error) {
			if err := scan(r.into...); err != nil {
				return err
			}
			g := review.Group{Flags: canon.CodeSet(r.number(1)), N: int(r.number(2)), Host: r.text(3)}
			if g.Places, err = membersOf(ctx, q, places, r.number(4)); err != nil || r.err != nil {
				return cmp.Or(r.err, err)
			}
			return own(fn(g))
		})
	})
}

// membersOf returns the members of a place set, sorted. known caches them.
func membersOf(ctx context.Context, q queryer, known map[int64][]review.FileField, set int64) (
	[]review.FileField, error) {
	list, ok := known[set]
	if ok {
		return list, nil
	}
	list, err := collect(ctx, q, `SELECT file.name, field.name FROM place_set_member m
		CROSS JOIN file ON file.id = m.file_id CROSS JOIN field ON field.id = m.field_id
		WHERE m.set_id = ? ORDER BY 1, 2`, []any{set},
		func(p *review.FileField, scan scanner) error { return scan(&p.File, &p.Field) })
	known[set] = list
	return list, err
}

// groupQuery returns a query for rows of host, flags, count, the name of the host and the place set, in the order of
// the groups.
func groupQuery(f review.Filter) (string, []any) {
	of, count := "t", "sum(t.n)"
	from, w, ok := filterCounts(f, true)
	if !ok {
		of, count = "i", "count(*)"
		from, w = "item i", filterItems(f)
	}
	by := fmt.Sprintf("%[1]s.host_id, %[1]s.flags, %[1]s.place_set_id", of)
	return fmt.Sprintf(`SELECT %[1]s.host_id, %[1]s.flags, %[2]s AS total,
		(SELECT name FROM host WHERE id = %[1]s.host_id), %[1]s.place_set_id
		FROM %[3]s%[4]s GROUP BY %[5]s HAVING total > 0 ORDER BY %[5]s`, of, count, from, w.sql(), by), w.args
}

// Undecided reads a few columns of the items in the order of an index by host: nothing is sorted.
func (s *Store) Undecided(ctx context.Context, f review.Filter, fn func(review.Undecided) error) error {
	w := filterItems(f)
	w.and("i.flags & ? <> 0", int64(canon.SetOf(canon.UnknownParam)))
	query := "SELECT i.id, i.flags, i.unknown, i.canonical, h.name FROM item i" + hostJoin + w.sql() +
		" ORDER BY i.host_id"
	r, lists := newRow("URL", 5), nameLists{}
	return s.read.eachNow(ctx, "reading parameters", query, w.args, func(scan scanner) error {
		if err := scan(r.into...); err != nil {
			return err
		}
		u := review.Undecided{Flags: canon.CodeSet(r.number(1)), Canonical: r.text(3), Host: r.text(4)}
		var err error
		if u.Params, err = lists.split(r.text(2)); err != nil || r.err != nil {
			return cmp.Or(r.err, err)
		}
		return own(fn(u))
	})
}

// nameLists caches lists of names by their text, at most maxNameLists of them. Most items share a list with many
// others.
type nameLists map[string][]string

const maxNameLists = 4096

// split is splitNames with the cache.
func (l nameLists) split(text string) ([]string, error) {
	list, ok := l[text]
	if ok {
		return list, nil
	}
	list, err := splitNames(text)
	if len(l) == maxNameLists {
		clear(l)
	}
	l[text] = list
	return list, err
}
