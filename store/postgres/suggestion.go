package postgres

import (
	"context"
	"maps"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// Mining returns the state of the mining with the hosts that were marked since.
func (s *Store) Mining(ctx context.Context) (review.Mining, error) {
	return readNow(ctx, s.read, "reading the state of the suggestions", func(q *snapshot) (m review.Mining, err error) {
		err = get(ctx, q, "SELECT token, body FROM mining", nil, &m.Token, &m.Body)
		if err == nil {
			m.Stale, err = collect(ctx, q, "SELECT h.name, s.marks FROM stale_host s JOIN host h "+
				"ON h.id = s.host_id ORDER BY h.name", nil,
				func(h *review.StaleHost, scan scanner) error { return scan(&h.Host, &h.Marks) })
		}
		return m, err
	})
}

// EachMined calls fn for parts of a kind, by host, then name.
func (s *Store) EachMined(ctx context.Context, kind review.MinedKind, hosts, names []string,
	fn func(review.MinedPart) error) error {
	w := &where{}
	w.and("kind = ?", int64(kind))
	if len(hosts) > 0 {
		w.and("host = ANY(?)", hosts)
	}
	if len(names) > 0 {
		w.and("name = ANY(?)", names)
	}
	query := "SELECT host, name, body FROM mined" + w.sql() + " ORDER BY host, name"
	return s.stream.streamNow(ctx, "reading suggestions", query, w.args, func(scan scanner) error {
		p := review.MinedPart{Kind: kind}
		if err := scan(&p.Host, &p.Name, &p.Body); err != nil {
			return err
		}
		return rows.Own(fn(p))
	})
}

// partsAtOnce is the largest number of parts that one transaction stores, so that others can write in between.
const partsAtOnce = 1000

// SaveMined stores parts in several transactions. Until the last one the state has no body.
func (s *Store) SaveMined(ctx context.Context, c review.MinedChange) error {
	for begun := false; ; begun = true {
		n := min(partsAtOnce, len(c.Parts))
		err := s.update(ctx, "storing suggestions", func(t *tx) error { return t.saveMined(&c, begun, c.Parts[:n]) })
		if err != nil || n == len(c.Parts) {
			return err
		}
		c.Parts = c.Parts[n:]
	}
}

// saveMined stores some of the parts. The first transaction raises the token, the last one stores the state.
func (t *tx) saveMined(c *review.MinedChange, begun bool, parts []review.MinedPart) error {
	raise := int64(1)
	if begun {
		raise = 0
	}
	err := t.Hit(review.ErrStale, "UPDATE mining SET token = ?1, body = NULL WHERE token = ?1::bigint - ?2::bigint",
		c.Token+1, raise)
	if err == nil && c.Reset && !begun {
		err = t.Exec("DELETE FROM mined")
	}
	for i := 0; err == nil && i < len(parts); i++ {
		err = t.saveMinedPart(parts[i])
	}
	if err != nil || len(parts) < len(c.Parts) {
		return err
	}
	for _, h := range c.Mined {
		err := t.Exec("DELETE FROM stale_host WHERE marks = ? AND host_id = (SELECT id FROM host WHERE sha256(name) = "+
			"sha256(?))", h.Marks, h.Host)
		if err != nil {
			return err
		}
	}
	return t.Exec("UPDATE mining SET body = ?", c.Body)
}

func (t *tx) saveMinedPart(p review.MinedPart) error {
	if p.Body == nil {
		return t.Exec("DELETE FROM mined WHERE kind = ? AND sha256(host) = sha256(?) AND sha256(name) = sha256(?)",
			int64(p.Kind), p.Host, p.Name)
	}
	return t.Exec(insertQuery("INTO mined (kind, host, name, body)")+
		" ON CONFLICT (kind, sha256(host), sha256(name)) DO UPDATE SET body = excluded.body", int64(p.Kind), p.Host,
		p.Name, p.Body)
}

// MarkStaleItem marks the hosts of an item.
func (t *tx) MarkStaleItem(item int64) error {
	var host, inHost int64
	found, err := t.Find("SELECT host_id, in_host_id FROM item WHERE id = ?", []any{item}, &host, &inHost)
	if found {
		t.stale[host], t.stale[inHost] = true, true
	}
	return err
}

// noteStaleHosts notes the hosts whose counts the transaction changed.
func (t *tx) noteStaleHosts() {
	for k := range t.deltas {
		t.stale[k.Host], t.stale[k.InHost] = true, true
	}
}

// writeStale marks the hosts of the items that the transaction changed.
func (t *tx) writeStale() error {
	if !t.head.mined || len(t.stale) == 0 {
		return nil
	}
	return t.Exec(`INSERT INTO stale_host (host_id, marks) SELECT unnest(?::bigint[]), 1
		ON CONFLICT (host_id) DO UPDATE SET marks = stale_host.marks + 1`, slices.Sorted(maps.Keys(t.stale)))
}
