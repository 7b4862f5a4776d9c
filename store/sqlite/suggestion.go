package sqlite

import (
	"context"
	"maps"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// Mining returns the state of the mining with the hosts that were marked since.
func (s *Store) Mining(ctx context.Context) (review.Mining, error) {
	return readNow(ctx, s.read, "reading the state of the suggestions", func(q queryer) (m review.Mining, err error) {
		err = q.QueryRowContext(ctx, "SELECT token, body FROM mining").Scan(&m.Token, &m.Body)
		if err == nil {
			m.Stale, err = collect(ctx, q, "SELECT h.name, s.marks FROM stale_host s CROSS JOIN host h "+
				"ON h.id = s.host_id WHERE s.marks > 0 ORDER BY h.name", nil,
				func(h *review.StaleHost, scan scanner) error { return scan(&h.Host, &h.Marks) })
		}
		return m, err
	})
}

// EachMined calls fn for parts of a kind, by host, then name.
func (s *Store) EachMined(ctx context.Context, kind review.MinedKind, hosts, names []string,
	fn func(review.MinedPart) error) error {
	w := &where{}
	w.and("kind = ?", kind)
	andInTexts(w, "host IN %s", hosts)
	andInTexts(w, "name IN %s", names)
	query := "SELECT host, name, body FROM mined" + w.sql() + " ORDER BY host, name"
	return s.read.eachNow(ctx, "reading suggestions", query, w.args, func(scan scanner) error {
		p := review.MinedPart{Kind: kind}
		if err := scan(&p.Host, &p.Name, &p.Body); err != nil {
			return err
		}
		return rows.Own(fn(p))
	})
}

// SaveMined stores parts in chunks, in which others can write in between. Until the last one the state has no body.
func (s *Store) SaveMined(ctx context.Context, c review.MinedChange) error {
	begun := false
	return s.write.chunks(ctx, "storing suggestions", func(t *tx) (more bool, err error) {
		if more, err = t.saveMined(&c, begun); err == nil && more {
			begun = true
		}
		return more, err
	})
}

// saveMined stores some of the parts, takes them off the change, and reports whether there are more.
func (t *tx) saveMined(c *review.MinedChange, begun bool) (more bool, err error) {
	if !begun {
		c.Token++
		err = t.Hit(review.ErrStale, "UPDATE mining SET token = ?1, body = NULL WHERE token = ?1 - 1", c.Token)
	} else {
		err = t.Hit(review.ErrStale, "UPDATE mining SET body = NULL WHERE token = ?", c.Token)
	}
	for err == nil && c.Reset && t.more() {
		var n int64
		n, err = t.execCount("DELETE FROM mined WHERE id IN (SELECT id FROM mined LIMIT 200)")
		c.Reset = n > 0
	}
	for ; err == nil && !c.Reset && len(c.Parts) > 0 && t.more(); c.Parts = c.Parts[1:] {
		err = t.saveMinedPart(c.Parts[0])
	}
	if err != nil || c.Reset || len(c.Parts) > 0 {
		return true, err
	}
	for _, h := range c.Mined {
		err := t.Exec(`UPDATE stale_host SET marks = 0 WHERE marks = ? AND host_id = (SELECT id FROM host
			WHERE name = ?)`, h.Marks, h.Host)
		if err != nil {
			return false, err
		}
	}
	return false, rows.InOrder(func() error { return t.Exec("DELETE FROM stale_host WHERE marks = 0 AND staged = 0") },
		func() error { return t.Exec("UPDATE mining SET body = ?", c.Body) })
}

func (t *tx) saveMinedPart(p review.MinedPart) error {
	if p.Body == nil {
		return t.Exec("DELETE FROM mined WHERE kind = ? AND host = ? AND name = ?", p.Kind, p.Host, p.Name)
	}
	return t.Exec(insertQuery("INTO mined (kind, host, name, body)")+
		" ON CONFLICT (kind, host, name) DO UPDATE SET body = excluded.body", p.Kind, p.Host, p.Name, p.Body)
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

// writeStale marks the hosts of the items that the transaction changed: those whose counts it touched, and those that
// it noted. Items that it staged change when the change comes into force (staleInForce).
func (t *tx) writeStale() error {
	staged := map[int64]bool{}
	noteHosts(t.stale, t.deltas)
	noteHosts(staged, t.stagedDeltas)
	if t.stage.state != staging {
		maps.Copy(t.stale, staged)
		clear(staged)
	}
	if len(t.stale)+len(staged) == 0 {
		return nil
	}
	var mined bool
	if err := t.Get("SELECT token > 0 FROM mining", nil, &mined); err != nil || !mined {
		return err
	}
	if err := t.markStale(t.stale, 1, 0); err != nil {
		return err
	}
	return t.markStale(staged, 0, 1)
}

func noteHosts(hosts map[int64]bool, deltas rows.CountDeltas) {
	for k := range deltas {
		hosts[k.Host], hosts[k.InHost] = true, true
	}
}

func (t *tx) markStale(hosts map[int64]bool, marks, staged int) error {
	rows := insertion{into: "INTO stale_host (host_id, marks, staged)",
		or: " ON CONFLICT DO UPDATE SET marks = marks + excluded.marks, staged = max(staged, excluded.staged)"}
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		if full := rows.add(host, marks, staged); full {
			if err := rows.write(t); err != nil {
				return err
			}
		}
	}
	return rows.write(t)
}

// staleInForce marks the hosts whose items a staged change changes, as it comes into force.
func (t *tx) staleInForce() error {
	return t.Exec("UPDATE stale_host SET marks = marks + 1, staged = 0 WHERE staged = 1")
}
