package postgres

import (
	"context"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// The sources of readHosts: all hosts with evidence, which are few, or one look-up for each named host.
const (
	allHosts   = "host_evidence known JOIN host h ON h.id = known.host_id"
	namedHosts = "unnest(?::bytea[]) wanted JOIN host h ON sha256(h.name) = sha256(wanted)" +
		" JOIN host_evidence known ON known.host_id = h.id"
)

func readHosts(ctx context.Context, q queryer, from string, args ...any) (canon.Hosts, error) {
	return rows.ReadHosts(eachOf(ctx, q), from, args)
}

// evidenceJoin adds the item's own evidence, if it has any.
const evidenceJoin = " LEFT JOIN evidence e ON e.item_id = i.id"

// Evidence returns the evidence of an item, and that of its hosts and of those it leads to.
func (s *Store) Evidence(ctx context.Context, id int64) (*canon.Evidence, error) {
	return readNow(ctx, s.read, "reading evidence", func(q *snapshot) (*canon.Evidence, error) {
		return rows.ReadEvidence(eachOf(ctx, q), id, func(names []string) (canon.Hosts, error) {
			return readHosts(ctx, q, namedHosts, names)
		})
	})
}

// PendingHosts returns the hosts with evidence that not all their URLs are computed with.
func (s *Store) PendingHosts(ctx context.Context) ([]string, error) {
	hosts, err := column[string](ctx, s.read,
		"SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id WHERE NOT e.propagated ORDER BY h.name")
	return hosts, s.read.failed(ctx, "reading evidence", err)
}

// MarkPropagated notes that all URLs on the hosts are computed with their evidence of that generation.
func (s *Store) MarkPropagated(ctx context.Context, hosts []string, gen int64) error {
	return s.update(ctx, "storing evidence about hosts", func(t *tx) error {
		return t.Exec(`UPDATE host_evidence SET propagated = true WHERE NOT propagated AND gen <= ? AND host_id IN
			(SELECT h.id FROM unnest(?::bytea[]) AS w (name) JOIN host h
			ON sha256(h.name) = sha256(w.name))`, gen, hosts)
	})
}

// Refresh replaces evidence by evidence with the same content and a new date. No result changes: there is no log
// entry and no new generation.
func (s *Store) Refresh(ctx context.Context, list []review.ItemEvidence) error {
	return s.update(ctx, "storing evidence", func(t *tx) error {
		return rows.ForEach(list, func(e review.ItemEvidence) error { return rows.Refresh(t, e, t.keepPage) })
	})
}
