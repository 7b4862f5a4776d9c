package postgres

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
	return s.updateUnlocked(ctx, "postponing a URL", func(t *tx) error {
		if p.Until.IsZero() {
			return rows.Unpostpone(t, p.ID)
		}
		return t.Hit(rows.NoItem(p.ID), `INSERT INTO postponed (item_id, until, why) SELECT id, ?, ? FROM item WHERE id = ?
			ON CONFLICT (item_id) DO UPDATE SET until = excluded.until, why = excluded.why`,
			rows.Millis(p.Until), p.Why, p.ID)
	})
}

// Postponed returns the postponement of an item, nil if it has none.
func (s *Store) Postponed(ctx context.Context, id int64) (*review.Postponed, error) {
	p := review.Postponed{ID: id}
	err := get(ctx, s.read, "SELECT until, why FROM postponed WHERE item_id = ?", []any{id},
		rows.Stamp(&p.Until), &p.Why)
	return kept(ctx, s.read, "reading postponements", &p, err)
}

// kept returns nil for a missing row.
func kept[T any](ctx context.Context, r *reader, doing string, row *T, err error) (*T, error) {
	if found, err := rows.IsFound(err); !found {
		return nil, r.failed(ctx, doing, err)
	}
	return row, nil
}

// Lease gives the lease to want, unless another holder has it. A holder on this machine whose process has ended has it
// no more.
func (s *Store) Lease(ctx context.Context, want review.Lease, now time.Time) error {
	return s.updateBeside(ctx, "beginning a probe", func(*tx) {}, func(t *tx) error {
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
		return t.Exec(insertQuery("INTO lease (id, reviewer, machine, pid, since, until)")+` ON CONFLICT (id) DO UPDATE
			SET reviewer = excluded.reviewer, machine = excluded.machine, pid = excluded.pid, since = excluded.since,
			until = excluded.until`, rows.LeaseID(want), want.Reviewer, want.Machine, want.PID, want.Since.UnixMilli(),
			want.Until.UnixMilli())
	})
}

// EndLease ends the holder's own lease, if it still has it.
func (s *Store) EndLease(ctx context.Context, l review.Lease) error {
	return s.updateUnlocked(ctx, "ending a probe", func(t *tx) error {
		return t.Exec("DELETE FROM lease WHERE id = ? AND machine = ? AND pid = ? AND since = ?", rows.LeaseID(l),
			l.Machine, l.PID, l.Since.UnixMilli())
	})
}

var _ probe.Cache = (*Store)(nil)

// Robots returns the cached robots.txt of an origin, nil if there is none.
func (s *Store) Robots(ctx context.Context, origin string) (*probe.Robots, error) {
	r := probe.Robots{Origin: origin}
	err := get(ctx, s.read, "SELECT at, status, body FROM robots WHERE sha256(origin) = sha256(?)", []any{origin},
		rows.Stamp(&r.FetchedAt), &r.Status, &r.Body)
	return kept(ctx, s.read, "reading a robots.txt", &r, err)
}

// KeepRobots replaces the robots.txt of its origin.
func (s *Store) KeepRobots(ctx context.Context, r probe.Robots) error {
	return s.updateUnlocked(ctx, "storing a robots.txt", func(t *tx) error {
		return t.Exec(insertQuery("INTO robots (origin, at, status, body)")+` ON CONFLICT (sha256(origin)) DO UPDATE
			SET at = excluded.at, status = excluded.status, body = excluded.body`, r.Origin, r.FetchedAt.UnixMilli(),
			r.Status, append([]byte{}, r.Body...))
	})
}

// Host returns the cached facts about a host, nil if there are none.
func (s *Store) Host(ctx context.Context, host string) (*probe.HostFacts, error) {
	f := probe.HostFacts{Host: host}
	var pause int64
	err := get(ctx, s.read, "SELECT at, https, preferred, not_before FROM probed_host WHERE sha256(host) = sha256(?)",
		[]any{host}, rows.Stamp(&f.CheckedAt), &f.HTTPS, &f.PreferredHost, &pause)
	if pause > 0 {
		f.NotBefore = rows.FromMillis(pause)
	}
	return kept(ctx, s.read, "reading facts about a host", &f, err)
}

// KeepHost replaces the facts about its host.
func (s *Store) KeepHost(ctx context.Context, f probe.HostFacts) error {
	return s.updateUnlocked(ctx, "storing facts about a host", func(t *tx) error {
		return t.Exec(insertQuery("INTO probed_host (host, at, https, preferred, not_before)")+
			` ON CONFLICT (sha256(host)) DO UPDATE SET at = excluded.at, https = excluded.https,
			preferred = excluded.preferred, not_before = excluded.not_before`, f.Host, f.CheckedAt.UnixMilli(), f.HTTPS,
			f.PreferredHost, rows.Millis(f.NotBefore))
	})
}

// Earlier returns an item's own evidence, nil if it has none.
func (s *Store) Earlier(ctx context.Context, target probe.Target) (*canon.Evidence, error) {
	var body string
	_, err := find(ctx, s.read, "SELECT body FROM evidence WHERE item_id = ?", []any{target.ID}, &body)
	if err != nil {
		return nil, s.read.failed(ctx, "reading evidence", err)
	}
	return rows.ParseEvidence(target.ID, body)
}

// HasContent reports whether a content of an item's page is stored.
func (s *Store) HasContent(ctx context.Context, target probe.Target) (has bool, err error) {
	err = get(ctx, s.read, "SELECT EXISTS (SELECT 1 FROM item_content WHERE item_id = ?)", []any{target.ID}, &has)
	return has, s.read.failed(ctx, "reading the contents of a page", err)
}

// Contents returns the last versions of the content of an item's page, newest first.
func (s *Store) Contents(ctx context.Context, id int64) ([]review.StoredContent, error) {
	const query = `SELECT v.at, c.hash, c.body FROM item_content v JOIN content c ON c.id = v.content_id
		WHERE v.item_id = ? ORDER BY v.number DESC`
	return listOf(ctx, s.read, "reading the contents of a page", query, []any{id},
		func(v *review.StoredContent, scan scanner) (err error) {
			var hash, body []byte
			if err = scan(rows.Stamp(&v.At), &hash, &body); err == nil {
				v.Document, err = rows.UnpackContent(id, hash, body)
			}
			return err
		})
}

// LastReport returns the time of the last report on the links of a filter.
func (s *Store) LastReport(ctx context.Context, filter string) (at time.Time, err error) {
	_, err = find(ctx, s.read, "SELECT at FROM link_report WHERE sha256(filter) = sha256(?)", []any{filter},
		rows.Stamp(&at))
	return at, s.read.failed(ctx, "reading the time of the last report", err)
}

// KeepReport sets the time of the last report.
func (s *Store) KeepReport(ctx context.Context, filter string, at time.Time) error {
	return s.updateUnlocked(ctx, "noting the time of the report", func(t *tx) error {
		return t.Exec(insertQuery("INTO link_report (filter, at)")+" ON CONFLICT (sha256(filter)) DO UPDATE SET at = "+
			"excluded.at", filter, rows.Millis(at))
	})
}
