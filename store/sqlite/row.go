package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review"
)

// row reads one row after another. It takes the values as the driver gives them, because database/sql would convert
// the numbers of each row through texts.
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

// expect notes an error for a value that no program of ours wrote.
func (r *row) expect(i int, ok bool) {
	if !ok && r.err == nil {
		r.err = fmt.Errorf("column %d of %s %v holds %v", i, r.thing, r.values[0], r.values[i])
	}
}

// answerColumns are the columns of an item with its result, except the hosts, and with the decision in force.
// decisionJoin adds the decision to "FROM item i".
const (
	answerColumns = `i.id, i.original, i.canonical, i.page_key, i.verdict, i.reason, i.flags, i.unknown,
		i.link_type, i.language, i.via, d.batch_id, d.kind, d.canonical, d.seen`
	answerWidth  = 15
	decisionJoin = ` LEFT JOIN decision d ON d.item_id = i.id AND d.batch_id = i.batch_id`
)

// answer reads a row that begins with answerColumns.
func (r *row) answer(scan scanner) (review.Item, error) {
	if err := scan(r.into...); err != nil {
		return review.Item{}, err
	}
	it := review.Item{ID: r.number(0), Original: r.text(1), Computed: review.Computed{
		Canonical: r.text(2), Verdict: canon.Verdict(r.small(4)), Reason: canon.Reason(r.small(5)),
		Flags:    canon.CodeSet(r.number(6)),
		LinkType: canon.LinkType(r.small(8)), Language: r.text(9),
	}}
	key, _ := r.values[3].([]byte)
	copy(it.Computed.Key[:], key)
	if via := r.text(10); via != "" {
		it.Computed.Via = strings.Fields(via)
	}
	if batch := r.number(11); batch > 0 {
		it.Decision = &review.Decision{Batch: batch, Kind: review.Kind(r.small(12)), Canonical: r.text(13),
			From: r.text(14)}
	}
	var err error
	it.Computed.Unknown, err = splitNames(r.text(7))
	return it, cmp.Or(r.err, err)
}

// EachAnswered reads less than half as much as EachWithEvidence: no texts except those of the URL, and each host name
// once.
func (s *Store) EachAnswered(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	const columns, in, out, body = answerWidth + 3, answerWidth, answerWidth + 1, answerWidth + 2
	r, hosts := newRow("URL", columns), hostNames{}
	query := "SELECT " + answerColumns + ", i.in_host_id, i.host_id, e.body FROM item i" + decisionJoin
	return s.read.eachEvidence(ctx, query, f, func(q queryer, scan scanner) (it review.Item,
		ev *canon.Evidence, err error) {
		if it, err = r.answer(scan); err != nil {
			return it, nil, err
		}
		it.Computed.InHost, err = hosts.name(ctx, q, r.number(in))
		if err == nil {
			it.Computed.Host, err = hosts.name(ctx, q, r.number(out))
		}
		if err == nil {
			ev, err = parseEvidence(it.ID, r.text(body))
		}
		return it, ev, cmp.Or(r.err, err)
	}, fn)
}

// hostNames caches names of hosts by ID.
type hostNames map[int64]string

func (n hostNames) name(ctx context.Context, q queryer, id int64) (string, error) {
	name, ok := n[id]
	if ok {
		return name, nil
	}
	err := q.QueryRowContext(ctx, "SELECT name FROM host WHERE id = ?", id).Scan(&name)
	n[id] = name
	return name, err
}
