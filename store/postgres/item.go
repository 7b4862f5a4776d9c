package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// itemColumns are the columns of itemRow, answerColumns first. itemJoins adds the shared texts and the decision in
// force to "FROM item i".
const (
	itemColumns = answerColumns + `, i.rev, fi.name, fe.name, i.position, i.title, ih.name, h.name, i.status,
		i.notes, d.note, b.reviewer, b.at, (SELECT y.original FROM item y WHERE y.id = i.settled_by)`
	hostJoin  = ` JOIN host h ON h.id = i.host_id`
	restJoins = ` JOIN host ih ON ih.id = i.in_host_id
	JOIN file fi ON fi.id = i.file_id JOIN field fe ON fe.id = i.field_id` + decisionJoin + `
	LEFT JOIN batch b ON b.id = d.batch_id`
	itemJoins = hostJoin + restJoins
	fromItems = ` FROM item i` + itemJoins
)

// itemRow reads rows of itemColumns, optionally followed by the body of the item's own evidence.
type itemRow struct {
	row
	fields   func(set int64) (review.FieldSet, error)
	byRecord func(item int64, decision *review.Decision) ([]review.RecordDecision, error)
}

func newItemRow(ctx context.Context, q queryer) *itemRow { return answerRow(ctx, q, 13) }

func newEvidenceRow(ctx context.Context, q queryer) *itemRow { return answerRow(ctx, q, 14) }

// answerRow returns a row of answerColumns and more.
func answerRow(ctx context.Context, q queryer, more int) *itemRow {
	return &itemRow{newRow("URL", answerWidth+more),
		func(set int64) (review.FieldSet, error) { return fieldsOf(ctx, q, set) },
		func(item int64, decision *review.Decision) ([]review.RecordDecision, error) {
			return byRecord(ctx, q, item, decision)
		}}
}

func (r *itemRow) read(scan scanner) (review.Item, error) {
	it, err := r.answer(scan)
	if err != nil {
		return it, err
	}
	const at = answerWidth
	it.Rev, it.Title = r.number(at), r.text(at+4)
	it.Status, it.Notes = review.Status(r.small(at+7)), int(r.number(at+8))
	it.Source = review.Source{File: r.text(at + 1), Field: r.text(at + 2), Position: r.text(at + 3)}
	it.Computed.InHost, it.Computed.Host = r.text(at+5), r.text(at+6)
	if d := it.Decision; d != nil {
		d.Note, d.Reviewer, d.At = r.text(at+9), r.text(at+10), rows.FromMillis(r.number(at+11))
		if d.CanonicalOf != nil {
			d.CanonicalOf.Original = r.text(at + 12)
		}
	}
	return it, r.err
}

// readWithEvidence reads a row that ends with the body of the item's own evidence.
func (r *itemRow) readWithEvidence(scan scanner) (review.Item, *canon.Evidence, error) {
	it, err := r.read(scan)
	if err != nil {
		return it, nil, err
	}
	ev, err := rows.ParseEvidence(it.ID, r.text(len(r.values)-1))
	return it, ev, cmp.Or(r.err, err)
}

// itemsOf returns the query for the items with these IDs that readItems takes.
func itemsOf(ids []int64) statement {
	return statement{"SELECT " + itemColumns + " FROM unnest(?::bigint[]) wanted (id) JOIN item i ON i.id = wanted.id" +
		itemJoins, []any{ids}}
}

func readItems(ctx context.Context, q queryer, found *result) ([]review.Item, error) {
	row := newItemRow(ctx, q)
	return collected(ctx, found, func(it *review.Item, scan scanner) (err error) {
		*it, err = row.read(scan)
		return err
	})
}

// citedItems reads items with their occurrences: of each the first n (nil: all), and the first that is not gone. An ID
// of no item is left out.
func citedItems(ctx context.Context, q *snapshot, ids []int64, n any) ([]review.Item, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q.byKeys()
	found, err := q.queries(ctx, itemsOf(ids), occurrencesOf(ids, n))
	if err != nil {
		return nil, err
	}
	list, err := readItems(ctx, q, found[0])
	if err == nil {
		err = addOccurrences(ctx, list, found[1])
	}
	return list, err
}

// noItem is the error of an item that is not stored.
func noItem(id int64) error { return fmt.Errorf("URL %d: %w", id, review.ErrNotFound) }

// Item returns one item.
func (s *Store) Item(ctx context.Context, id int64) (review.Item, error) {
	return readNow(ctx, s.read, "reading a URL", func(q *snapshot) (it review.Item, err error) {
		list, err := citedItems(ctx, q, []int64{id}, nil)
		if err == nil && len(list) == 0 {
			err = review.ErrNotFound
		}
		if err != nil {
			return it, err
		}
		return list[0], nil
	})
}

// Find returns the item with that original. If there is none, it returns the items with that canonical or approved
// URL, by ID.
func (s *Store) Find(ctx context.Context, url string) ([]review.Item, error) {
	return readNow(ctx, s.read, "looking for a URL", func(q *snapshot) ([]review.Item, error) {
		ids, err := findItems(ctx, q, url)
		if err != nil {
			return nil, err
		}
		list, err := citedItems(ctx, q, ids, maxShown)
		slices.SortFunc(list, func(a, b review.Item) int { return cmp.Compare(a.ID, b.ID) })
		return list, err
	})
}

func findItems(ctx context.Context, q queryer, url string) ([]int64, error) {
	key := rows.Key(url)
	ids, err := column[int64](ctx, q, "SELECT id FROM item WHERE original_key = ? AND original = ?", key[:], url)
	if err != nil || len(ids) > 0 || url == "" {
		return ids, err
	}
	return column[int64](ctx, q, "SELECT id FROM item WHERE canonical = ?1 OR approved = ?1 OR id IN (SELECT item_id "+
		"FROM decision WHERE canonical = ?1 AND record_id IS NOT NULL)", url)
}

// Each calls fn for every item of the filter in the order of the IDs. It reads one snapshot row by row, and fn may
// ask the store for more.
func (s *Store) Each(ctx context.Context, f review.Filter, fn func(review.Item) error) error {
	return s.stream.snapshot(ctx, "reading URLs", func(q *snapshot) error {
		w, err := filterItems(ctx, q, f)
		if err != nil {
			return err
		}
		query := "SELECT " + itemColumns + fromItems + w.sql() + " ORDER BY i.id"
		row := newItemRow(ctx, q)
		return q.stream(ctx, query, w.args, func(scan scanner) error {
			it, err := row.read(scan)
			if err != nil {
				return err
			}
			return own(fn(it))
		})
	})
}

// row reads one row after another. Its columns are bigint, bytea and boolean.
type row struct {
	thing  string // names the thing that a row is about, for errors; the first column identifies it
	values []any
	into   []any
	err    error
}

func newRow(thing string, columns int) row {
	r := row{thing: thing, values: make([]any, columns)}
	for i := range r.values {
		r.into = append(r.into, &r.values[i])
	}
	return r
}

// text returns a column, the empty text for NULL. number does so with 0, and small for a number of at most 8 bits.
func (r *row) text(i int) string {
	text, ok := r.values[i].(string)
	r.expect(i, ok || r.values[i] == nil)
	return text
}

func (r *row) number(i int) int64 {
	n, ok := r.values[i].(int64)
	r.expect(i, ok || r.values[i] == nil)
	return n
}

func (r *row) small(i int) uint8 {
	n := r.number(i)
	r.expect(i, n == int64(uint8(n)))
	return uint8(n)
}

// flag returns a column of true or false.
func (r *row) flag(i int) bool {
	is, ok := r.values[i].(bool)
	r.expect(i, ok)
	return is
}

// expect notes an error for a value that no program of ours wrote.
func (r *row) expect(i int, ok bool) {
	if !ok && r.err == nil {
		r.err = fmt.Errorf("column %d of %s %v holds %v", i, r.thing, r.values[0], r.values[i])
	}
}

// answerColumns are the columns of an item with its result, except the hosts, and with the decision in force; the last
// but two tells whether there is a decision for a record alone. decisionJoin adds the decision to "FROM item i"; that
// of a settled item is about another one (settle.go).
const (
	answerColumns = `i.id, i.original, i.canonical, i.page_key, i.verdict, i.reason, i.flags, i.unknown,
		i.link_type, i.language, i.via, d.batch_id, d.kind, d.canonical, d.seen, i.place_set_id, i.settled_by,
		d.record_id, EXISTS (SELECT 1 FROM decision r WHERE r.item_id = i.id AND r.record_id IS NOT NULL),
		i.link, ` + confirmed
	answerWidth  = 21
	decisionJoin = ` LEFT JOIN decision d ON d.item_id = coalesce(i.settled_by, i.id) AND d.batch_id = i.batch_id`
)

// answer reads a row that begins with answerColumns.
func (r *itemRow) answer(scan scanner) (review.Item, error) {
	if err := scan(r.into...); err != nil {
		return review.Item{}, err
	}
	it := review.Item{ID: r.number(0), Original: r.text(1), Computed: review.Computed{
		Canonical: r.text(2), Verdict: canon.Verdict(r.small(4)), Reason: canon.Reason(r.small(5)),
		Flags:    canon.CodeSet(r.number(6)),
		LinkType: canon.LinkType(r.small(8)), Language: r.text(9),
	}}
	it.Presence = rows.Presence(r.number(15))
	it.Link = rows.UnpackLink(r.number(19))
	copy(it.Computed.Key[:], r.text(3))
	if via := r.text(10); via != "" {
		it.Computed.Via = strings.Fields(via)
	}
	if batch := r.number(11); batch > 0 {
		it.Decision = &review.Decision{Batch: batch, Kind: review.Kind(r.small(12)), Canonical: r.text(13),
			From: r.text(14), Record: r.number(17), SecondLook: r.values[20] != nil, Confirms: r.number(20)}
		if by := r.number(16); by > 0 {
			it.Decision.Kind, it.Decision.CanonicalOf = review.Approve, &review.Reference{ID: by}
			it.Decision.Record = 0
		}
	}
	if r.flag(18) {
		var err error
		if it.ByRecord, err = r.byRecord(it.ID, it.Decision); err != nil {
			return it, err
		}
	}
	var err, errFields error
	it.Computed.Unknown, err = rows.SplitNames(r.text(7))
	it.Fields, errFields = r.fields(r.number(15))
	return it, cmp.Or(r.err, err, errFields)
}

// EachAnswered reads less than half as much as EachWithEvidence: no texts except those of the URL, and each host name
// once.
func (s *Store) EachAnswered(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	const in, out, body = answerWidth, answerWidth + 1, answerWidth + 2
	query := "SELECT " + answerColumns + ", i.in_host_id, i.host_id, e.body FROM item i" + decisionJoin
	return s.stream.snapshot(ctx, "reading URLs", func(q *snapshot) error {
		r, hosts := answerRow(ctx, q, 3), hostNames{}
		return eachEvidence(ctx, q, query, f, func(scan scanner) (it review.Item, ev *canon.Evidence, err error) {
			if it, err = r.answer(scan); err != nil {
				return it, nil, err
			}
			it.Computed.InHost, err = hosts.name(ctx, q, r.number(in))
			if err == nil {
				it.Computed.Host, err = hosts.name(ctx, q, r.number(out))
			}
			if err == nil {
				ev, err = rows.ParseEvidence(it.ID, r.text(body))
			}
			return it, ev, cmp.Or(r.err, err)
		}, fn)
	})
}

// hostNames caches names of hosts by ID.
type hostNames map[int64]string

// hostsAtOnce is the number of hosts with neighbouring IDs that are read at once.
const hostsAtOnce = 128

func (n hostNames) name(ctx context.Context, q queryer, id int64) (string, error) {
	if name, ok := n[id]; ok {
		return name, nil
	}
	first := id / hostsAtOnce * hostsAtOnce
	err := each(ctx, q, "SELECT id, name FROM host WHERE id >= ? AND id < ?", []any{first, first + hostsAtOnce},
		func(scan scanner) error {
			var id int64
			var name string
			err := scan(&id, &name)
			n[id] = name
			return err
		})
	if _, ok := n[id]; !ok && err == nil {
		err = pgx.ErrNoRows
	}
	return n[id], err
}
