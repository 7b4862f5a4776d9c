package sqlite

import (
	"context"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/store/rows"
)

// Postpone keeps an item from being due before a time. The zero time ends that.
func (s *Store) Postpone(ctx context.Context, p review.Postponed) error {
	return s.write.update(ctx, "postponing a URL", func(t *tx) error {
		if p.Until.IsZero() {
			return rows.Unpostpone(t, p.ID)
		}
		return t.Hit(rows.NoItem(p.ID), `INSERT OR REPLACE INTO postponed (item_id, until, why)
			SELECT id, ?, ? FROM item WHERE id = ?`, rows.Millis(p.Until), p.Why, p.ID)
	})
}

// Postponed returns the postponement of an item, nil if it has none.
func (s *Store) Postponed(ctx context.Context, id int64) (*review.Postponed, error) {
	p := review.Postponed{ID: id}
	err := s.read.QueryRowContext(ctx, "SELECT until, why FROM postponed WHERE item_id = ?", id).
		Scan(rows.Stamp(&p.Until), &p.Why)
	return kept(&p, s.read.failed(ctx, "reading postponements", err))
}

// Lease gives the lease to want, unless another holder has it. A holder on this machine whose process has ended has it
// no more.
func (s *Store) Lease(ctx context.Context, want review.Lease, now time.Time) error {
	return s.write.update(ctx, "beginning a probe", func(t *tx) error {
		held := review.Lease{Watch: want.Watch}
		found, err := t.Find("SELECT reviewer, machine, pid, since, until FROM lease WHERE id = ?",
			[]any{rows.LeaseID(want)}, &held.Reviewer, &held.Machine, &held.PID, rows.Stamp(&held.Since),
			rows.Stamp(&held.Until))
		if err != nil {
			return err
		}
		if found && !rows.SameLease(held, want) && held.Until.After(now) && !rows.Ended(held.Holder) {
			return &review.LeaseError{Held: held}
		}
		return t.Insert("OR REPLACE INTO lease (id, reviewer, machine, pid, since, until)", rows.LeaseID(want),
			want.Reviewer, want.Machine, want.PID, want.Since.UnixMilli(), want.Until.UnixMilli())
	})
}

// EndLease ends the holder's own lease, if it still has it.
func (s *Store) EndLease(ctx context.Context, l review.Lease) error {
	return s.write.run(ctx, "ending a probe", "DELETE FROM lease WHERE id = ? AND machine = ? AND pid = ? "+
		"AND since = ?",
		rows.LeaseID(l), l.Machine, l.PID, l.Since.UnixMilli())
}

var _ probe.Cache = (*Store)(nil)

// Robots returns the cached robots.txt of an origin, nil if there is none.
func (s *Store) Robots(ctx context.Context, origin string) (*probe.Robots, error) {
	r := probe.Robots{Origin: origin}
	err := s.read.QueryRowContext(ctx, "SELECT at, status, body FROM robots WHERE origin = ?", origin).
		Scan(rows.Stamp(&r.FetchedAt), &r.Status, &r.Body)
	return kept(&r, s.read.failed(ctx, "reading a robots.txt", err))
}

// KeepRobots replaces the robots.txt of its origin.
func (s *Store) KeepRobots(ctx context.Context, r probe.Robots) error {
	return s.write.run(ctx, "storing a robots.txt", insertQuery("OR REPLACE INTO robots (origin, at, status, body)"),
		r.Origin, r.FetchedAt.UnixMilli(), r.Status, append([]byte{}, r.Body...))
}

// Host returns the cached facts about a host, nil if there are none.
func (s *Store) Host(ctx context.Context, host string) (*probe.HostFacts, error) {
	f := probe.HostFacts{Host: host}
	var pause int64
	err := s.read.QueryRowContext(ctx, "SELECT at, https, preferred, not_before FROM probed_host WHERE host = ?", host).
		Scan(rows.Stamp(&f.CheckedAt), &f.HTTPS, &f.PreferredHost, &pause)
	if pause > 0 {
		f.NotBefore = rows.FromMillis(pause)
	}
	return kept(&f, s.read.failed(ctx, "reading facts about a host", err))
}

// KeepHost replaces the facts about its host.
func (s *Store) KeepHost(ctx context.Context, f probe.HostFacts) error {
	const into = "OR REPLACE INTO probed_host (host, at, https, preferred, not_before)"
	return s.write.run(ctx, "storing facts about a host", insertQuery(into), f.Host, f.CheckedAt.UnixMilli(), f.HTTPS,
		f.PreferredHost, rows.Millis(f.NotBefore))
}

// kept returns nil for a missing row.
func kept[T any](row *T, err error) (*T, error) {
	if found, err := rows.IsFound(err); !found {
		return nil, err
	}
	return row, nil
}

// Earlier returns an item's own evidence, nil if it has none.
func (s *Store) Earlier(ctx context.Context, target probe.Target) (*canon.Evidence, error) {
	var body string
	err := s.read.QueryRowContext(ctx, "SELECT body FROM evidence WHERE item_id = ?", target.ID).Scan(&body)
	if _, err := rows.IsFound(err); err != nil {
		return nil, s.read.failed(ctx, "reading evidence", err)
	}
	return rows.ParseEvidence(target.ID, body)
}

// HasContent reports whether a content of an item's page is stored.
func (s *Store) HasContent(ctx context.Context, target probe.Target) (has bool, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM item_content WHERE item_id = ?)", target.ID).
		Scan(&has)
	return has, s.read.failed(ctx, "reading the contents of a page", err)
}

// Contents returns the last versions of the content of an item's page, newest first.
func (s *Store) Contents(ctx context.Context, id int64) ([]review.StoredContent, error) {
	const query = `SELECT v.at, c.hash, c.body FROM item_content v CROSS JOIN content c ON c.id = v.content_id
		WHERE v.item_id = ? ORDER BY v.number DESC`
	return listOf(ctx, s.read, "reading the contents of a page", query, []any{id},
		func(v *review.StoredContent, scan scanner) error {
			var hash, body []byte
			if err := scan(rows.Stamp(&v.At), &hash, &body); err != nil {
				return err
			}
			doc, err := rows.UnpackContent(id, hash, body)
			v.Document = doc
			return err
		})
}
