package sqlite

import (
	"cmp"
	"context"
	"strings"

	"visto/canon"
	"visto/review"
)

// answerColumns are of an item what the machine answered, but its hosts, and what was decided on it. decisionJoin completes "FROM item i"
// by that.
const (
	answerColumns = `i.id, i.original, i.canonical, i.page_key, i.verdict, i.reason, i.flags, i.unknown, i.link_type, i.language, i.via,
	d.batch_id, d.kind, d.canonical, d.seen`
	answerWidth  = 15
	decisionJoin = ` LEFT JOIN decision d ON d.item_id = i.id AND d.batch_id = i.batch_id`
)

// answer reads a row that begins with answerColumns.
func (r *row) answer(scan func(...any) error) (review.Item, error) {
	if err := scan(r.into...); err != nil {
		return review.Item{}, err
	}
	it := review.Item{ID: r.number(0), Original: r.text(1), Computed: review.Computed{
		Canonical: r.text(2), Verdict: canon.Verdict(r.small(4)), Reason: canon.Reason(r.small(5)), Flags: canon.CodeSet(r.number(6)),
		LinkType: canon.LinkType(r.small(8)), Language: r.text(9),
	}}
	key, _ := r.values[3].([]byte)
	copy(it.Computed.Key[:], key)
	if via := r.text(10); via != "" {
		it.Computed.Via = strings.Fields(via)
	}
	if batch := r.number(11); batch > 0 {
		it.Decision = &review.Decision{Batch: batch, Kind: review.Kind(r.small(12)), Canonical: r.text(13), From: r.text(14)}
	}
	var err error
	it.Computed.Unknown, err = splitNames(r.text(7))
	return it, cmp.Or(r.err, err)
}

// EachAnswered reads less than half as much as EachWithEvidence: no texts but those of the URL, and names of hosts only once.
func (s *Store) EachAnswered(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	const columns, in, out, body = answerWidth + 3, answerWidth, answerWidth + 1, answerWidth + 2
	r, hosts := newRow("URL", columns), hostNames{}
	query := "SELECT " + answerColumns + ", i.in_host_id, i.host_id, e.body FROM item i" + decisionJoin
	return s.eachEvidence(ctx, query, f, func(q queryer, scan func(...any) error) (it review.Item, ev *canon.Evidence, err error) {
		if it, err = r.answer(scan); err != nil {
			return it, nil, err
		}
		if it.Computed.InHost, err = hosts.name(ctx, q, r.number(in)); err != nil {
			return it, nil, err
		}
		if it.Computed.Host, err = hosts.name(ctx, q, r.number(out)); err != nil {
			return it, nil, err
		}
		ev, err = parseEvidence(it.ID, r.text(body))
		return it, ev, cmp.Or(r.err, err)
	}, fn)
}

// hostNames are names of hosts that have been read, by their IDs.
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
