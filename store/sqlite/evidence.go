package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"visto/canon"
	"visto/review"
)

// writeAllEvidence replaces the evidence of the change's items.
func (w *writer) writeAllEvidence() error {
	for _, e := range w.change.Evidence {
		if err := w.settle(e.ID); err != nil {
			return err
		}
		var inHost string
		found, err := w.find("SELECT h.name FROM item i JOIN host h ON h.id = i.in_host_id WHERE i.id = ?", []any{e.ID}, &inHost)
		if err == nil && !found {
			err = fmt.Errorf("URL %d: %w", e.ID, review.ErrNotFound)
		}
		if err == nil {
			err = w.names.writeEvidence(inHost, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addEvidence stores the evidence that a new item came with.
func (in *interner) addEvidence(item int64, n *review.NewItem) error {
	body, err := evidenceText(item, n.Evidence)
	if err != nil {
		return err
	}
	if _, err := in.exec("INSERT INTO evidence (item_id, body, due, seal) VALUES (?, ?, ?, ?)", item, body, millis(n.Due), sealOf(body)); err != nil {
		return err
	}
	return in.writeHosts(n.Computed.InHost, n.Evidence)
}

// writeEvidence stores the evidence of an item (nil: takes it away) as part of the generation that it starts.
func (in *interner) writeEvidence(inHost string, e review.ItemEvidence) error {
	if e.Evidence == nil {
		_, err := in.exec("DELETE FROM evidence WHERE item_id = ?", e.ID)
		return err
	}
	body, err := evidenceText(e.ID, e.Evidence)
	if err != nil {
		return err
	}
	_, err = in.exec(`INSERT INTO evidence (item_id, body, due, gen, seal) VALUES (?, ?, ?, (SELECT gen + 1 FROM meta), ?) ON CONFLICT (item_id)
		DO UPDATE SET body = excluded.body, due = excluded.due, gen = excluded.gen, seal = excluded.seal`, e.ID, body, millis(e.Due), sealOf(body))
	if err == nil {
		err = in.unpostpone(e.ID)
	}
	if err != nil {
		return err
	}
	return in.writeHosts(inHost, e.Evidence)
}

func evidenceText(item int64, ev *canon.Evidence) (string, error) {
	body, err := json.Marshal(ev)
	if err != nil {
		return "", fmt.Errorf("storing the evidence of URL %d: %w", item, err)
	}
	return string(body), nil
}

// writeHosts stores what evidence says of hosts, apart: the newest word about a host goes for all items.
func (in *interner) writeHosts(inHost string, ev *canon.Evidence) error {
	for host, h := range ev.Hosts {
		if err := in.writeHost(host, h); err != nil {
			return err
		}
	}
	return in.writeHost(inHost, canon.HostEvidence{HTTPS: ev.HTTPS, PreferredHost: ev.PreferredHost})
}

// writeHost adds what is known of a host, and notes whether that is news. What was known before and is not said now stays.
func (in *interner) writeHost(host string, h canon.HostEvidence) error {
	if host == "" || h == (canon.HostEvidence{}) {
		return nil
	}
	id, err := in.id("host", host)
	if err != nil {
		return err
	}
	const news = "excluded.https <> ifnull(https, -1) OR excluded.preferred NOT IN ('', preferred)"
	var isNews bool
	err = in.get(`INSERT INTO host_evidence (host_id, https, preferred, gen, spread)
		VALUES (?, ?, ?, (SELECT gen + 1 FROM meta), 0) ON CONFLICT (host_id) DO UPDATE
		SET https = coalesce(excluded.https, https),
		preferred = CASE excluded.preferred WHEN '' THEN preferred ELSE excluded.preferred END,
		gen = iif(`+news+`, excluded.gen, gen), spread = iif(`+news+`, 0, spread)
		RETURNING gen > (SELECT gen FROM meta)`, []any{id, h.HTTPS, h.PreferredHost}, &isNews)
	in.news = in.news || isNews
	return err
}

// Evidence returns what is known of an item: its own evidence, and what is known of its hosts and of those it leads to.
func (s *Store) Evidence(ctx context.Context, id int64) (*canon.Evidence, error) {
	var ev *canon.Evidence
	err := s.snapshot(ctx, "reading evidence", func(q queryer) error {
		var err error
		ev, err = readEvidence(ctx, q, id)
		return err
	})
	return ev, err
}

func readEvidence(ctx context.Context, q queryer, id int64) (*canon.Evidence, error) {
	var inHost, host, via string
	var body sql.NullString
	err := q.QueryRowContext(ctx, `SELECT ih.name, h.name, i.via, e.body FROM item i JOIN host ih ON ih.id = i.in_host_id
		JOIN host h ON h.id = i.host_id LEFT JOIN evidence e ON e.item_id = i.id WHERE i.id = ?`, id).Scan(&inHost, &host, &via, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, review.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	ev, err := parseEvidence(id, body.String)
	if err != nil {
		return nil, err
	}
	names := review.RelatedHosts(ev, append(strings.Fields(via), inHost, host)...)
	known, err := readHosts(ctx, q, namedHosts+marks(len(names)), anys(names)...)
	return withHosts(ev, known), err
}

// parseEvidence reads an item's own evidence, nil if there is no text.
func parseEvidence(item int64, body string) (*canon.Evidence, error) {
	if body == "" {
		return nil, nil
	}
	var ev canon.Evidence
	if err := json.Unmarshal([]byte(body), &ev); err != nil {
		return nil, fmt.Errorf("reading the evidence of URL %d: %w", item, err)
	}
	return &ev, nil
}

// withHosts puts what is known of hosts into an item's own evidence.
func withHosts(ev *canon.Evidence, known canon.Hosts) *canon.Evidence {
	if len(known) == 0 {
		return ev
	}
	if ev == nil {
		ev = &canon.Evidence{}
	}
	ev.Hosts = known
	return ev
}

// Hosts returns all that evidence says of hosts.
func (s *Store) Hosts(ctx context.Context) (canon.Hosts, error) {
	hosts, err := readHosts(ctx, s.read, allHosts)
	return hosts, s.failed(ctx, "reading evidence", err)
}

// What readHosts reads: the few hosts of which anything is known, or one look-up for each that is named.
const (
	allHosts   = "host_evidence known CROSS JOIN host h ON h.id = known.host_id"
	namedHosts = "host h JOIN host_evidence known ON known.host_id = h.id WHERE h.name IN "
)

// readHosts reads what is known of hosts.
func readHosts(ctx context.Context, q queryer, from string, args ...any) (canon.Hosts, error) {
	hosts := canon.Hosts{}
	err := each(ctx, q, "SELECT h.name, known.https, known.preferred FROM "+from, args,
		func(scan func(...any) error) error {
			var name string
			var https sql.NullBool
			var known canon.HostEvidence
			if err := scan(&name, &https, &known.PreferredHost); err != nil {
				return err
			}
			if https.Valid {
				known.HTTPS = &https.Bool
			}
			hosts[name] = known
			return nil
		})
	return hosts, err
}

// EachWithEvidence is Each with what results are computed from: an item's own evidence, and all that is known of hosts, for
// rules may lead to any of them. The hosts are one map for all items, not to be written to.
func (s *Store) EachWithEvidence(ctx context.Context, f review.Filter, fn func(review.Item, *canon.Evidence) error) error {
	row := newEvidenceRow()
	return s.eachEvidence(ctx, "SELECT "+itemColumns+", e.body"+fromItems, f, func(_ queryer, scan func(...any) error) (review.Item, *canon.Evidence, error) {
		return row.readWithEvidence(scan)
	}, fn)
}

// eachEvidence calls fn for every item of the filter. The query selects of what read reads, item i being what it is about.
func (s *Store) eachEvidence(ctx context.Context, query string, f review.Filter,
	read func(q queryer, scan func(...any) error) (review.Item, *canon.Evidence, error), fn func(review.Item, *canon.Evidence) error) error {
	w := filterItems(f)
	query += evidenceJoin + w.sql() + " ORDER BY i.id"
	var stopped error
	err := s.snapshot(ctx, "reading URLs", func(q queryer) error {
		known, err := readHosts(ctx, q, allHosts)
		if err != nil {
			return err
		}
		return each(ctx, q, query, w.args, func(scan func(...any) error) error {
			it, ev, err := read(q, scan)
			if err == nil {
				stopped = fn(it, withHosts(ev, known))
				err = stopped
			}
			return err
		})
	})
	return cmp.Or(stopped, err) // the caller's own error, as it is
}

// evidenceJoin adds the item's own evidence, if it has any.
const evidenceJoin = " LEFT JOIN evidence e ON e.item_id = i.id"
