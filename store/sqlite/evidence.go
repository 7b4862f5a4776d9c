package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// writeAllEvidence replaces the evidence of the change's items.
func (w *writer) writeAllEvidence() error {
	return rows.ForEach(w.change.Evidence, func(e review.ItemEvidence) error {
		if err := w.applyStagedItem(e.ID); err != nil {
			return err
		}
		var inHost string
		found, err := w.Find("SELECT h.name FROM item i JOIN host h ON h.id = i.in_host_id WHERE i.id = ?",
			[]any{e.ID}, &inHost)
		if err == nil && !found {
			return rows.NoItem(e.ID)
		}
		if err != nil {
			return err
		}
		return rows.InOrder(func() error { return w.names.WriteEvidence(inHost, e) },
			func() error { return w.keepPage(e) })
	})
}

// Evidence returns the evidence of an item, and that of its hosts and of those it leads to.
func (s *Store) Evidence(ctx context.Context, id int64) (*canon.Evidence, error) {
	return readNow(ctx, s.read, "reading evidence", func(q queryer) (*canon.Evidence, error) {
		return readEvidence(ctx, q, id)
	})
}

func readEvidence(ctx context.Context, q queryer, id int64) (*canon.Evidence, error) {
	var inHost, host, via string
	var body sql.NullString
	err := q.QueryRowContext(ctx, `SELECT ih.name, h.name, i.via, e.body FROM item i
		JOIN host ih ON ih.id = i.in_host_id JOIN host h ON h.id = i.host_id
		LEFT JOIN evidence e ON e.item_id = i.id WHERE i.id = ?`, id).Scan(&inHost, &host, &via, &body)
	if err != nil {
		return nil, rows.NotFound(err)
	}
	ev, err := rows.ParseEvidence(id, body.String)
	if err != nil {
		return nil, err
	}
	names := review.RelatedHosts(ev, append(strings.Fields(via), inHost, host)...)
	known, err := readHosts(ctx, q, namedHosts, hexList(names))
	return rows.WithHosts(ev, known), err
}

// The sources of readHosts: all hosts with evidence, which are few, or one look-up for each named host.
const (
	allHosts   = "host_evidence known CROSS JOIN host h ON h.id = known.host_id"
	namedHosts = "json_each(?) wanted CROSS JOIN host h ON h.name = CAST(unhex(wanted.value) AS TEXT)" +
		" CROSS JOIN host_evidence known ON known.host_id = h.id"
)

func readHosts(ctx context.Context, q queryer, from string, args ...any) (canon.Hosts, error) {
	return rows.ReadHosts(eachOf(ctx, q), from, args)
}

// evidenceJoin adds the item's own evidence, if it has any.
const evidenceJoin = " LEFT JOIN evidence e ON e.item_id = i.id"

// PendingHosts returns the hosts with evidence that not all their URLs are computed with.
func (s *Store) PendingHosts(ctx context.Context) ([]string, error) {
	hosts, err := column[string](ctx, s.read,
		"SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id WHERE e.propagated = 0")
	slices.Sort(hosts)
	return hosts, s.read.failed(ctx, "reading evidence", err)
}

// MarkPropagated notes that all URLs on the hosts are computed with their evidence of that generation.
func (s *Store) MarkPropagated(ctx context.Context, hosts []string, gen int64) error {
	return s.write.update(ctx, "storing evidence about hosts", func(t *tx) error {
		return rows.ForEach(hosts, func(host string) error {
			return t.Exec(`UPDATE host_evidence SET propagated = 1 WHERE propagated = 0 AND gen <= ?
				AND host_id = (SELECT id FROM host WHERE name = ?)`, gen, host)
		})
	})
}

// Refresh replaces evidence by evidence with the same content and a new date. No result changes: there is no log
// entry and no new generation.
func (s *Store) Refresh(ctx context.Context, list []review.ItemEvidence) error {
	return s.write.update(ctx, "storing evidence", func(t *tx) error {
		return rows.ForEach(list, func(e review.ItemEvidence) error {
			body, err := rows.EvidenceText(e.ID, e.Evidence)
			if err == nil {
				err = t.Hit(rows.NoItem(e.ID), "UPDATE evidence SET body = ?, due = ?, seal = ? WHERE item_id = ?",
					body, rows.Millis(e.Due), rows.Seal(body), e.ID)
			}
			if err != nil {
				return err
			}
			return rows.InOrder(func() error { return rows.Unpostpone(t, e.ID) }, func() error { return t.keepPage(e) })
		})
	})
}
