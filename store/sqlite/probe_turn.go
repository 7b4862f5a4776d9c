package sqlite

import (
	"context"
	"time"

	"visto/review"
)

// Postpone has an item not be due before a time.
func (s *Store) Postpone(ctx context.Context, p review.Postponed) error {
	return s.update(ctx, "postponing a URL", func(t *tx) error {
		res, err := t.exec(`INSERT INTO postponed (item_id, until, why) SELECT id, ?, ? FROM item WHERE id = ?
			ON CONFLICT (item_id) DO UPDATE SET until = excluded.until, why = excluded.why`, millis(p.Until), p.Why, p.ID)
		if err != nil {
			return err
		}
		return mustHit(res, p.ID)
	})
}

// unpostpone ends it: there is new evidence.
func (t *tx) unpostpone(item int64) error {
	_, err := t.exec("DELETE FROM postponed WHERE item_id = ?", item)
	return err
}

// Postponed returns until when an item is postponed, nil if it is not.
func (s *Store) Postponed(ctx context.Context, id int64) (*review.Postponed, error) {
	p := review.Postponed{ID: id}
	var until int64
	err := s.read.QueryRowContext(ctx, "SELECT until, why FROM postponed WHERE item_id = ?", id).Scan(&until, &p.Why)
	p.Until = time.UnixMilli(until).UTC()
	return kept(&p, s.failed(ctx, "reading what is postponed", err))
}

// Lease gives the lease to want, unless another holder has it. A holder on this machine whose process has ended has it no more.
func (s *Store) Lease(ctx context.Context, want review.Lease, now time.Time) error {
	return s.update(ctx, "beginning a probe", func(t *tx) error {
		var held review.Lease
		var since, until int64
		found, err := t.find("SELECT reviewer, machine, pid, since, until FROM lease", nil, &held.Reviewer, &held.Machine, &held.PID, &since, &until)
		if err != nil {
			return err
		}
		held.Since, held.Until = time.UnixMilli(since).UTC(), time.UnixMilli(until).UTC()
		if found && !sameHolder(held, want) && held.Until.After(now) && !ended(held.Holder) {
			return &review.LeaseError{Held: held}
		}
		_, err = t.exec(`INSERT INTO lease (id, reviewer, machine, pid, since, until) VALUES (1, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
			SET reviewer = excluded.reviewer, machine = excluded.machine, pid = excluded.pid, since = excluded.since, until = excluded.until`,
			want.Reviewer, want.Machine, want.PID, want.Since.UnixMilli(), want.Until.UnixMilli())
		return err
	})
}

// EndLease ends the holder's own lease, if it still is.
func (s *Store) EndLease(ctx context.Context, l review.Lease) error {
	return s.update(ctx, "ending a probe", func(t *tx) error {
		_, err := t.exec("DELETE FROM lease WHERE machine = ? AND pid = ? AND since = ?", l.Machine, l.PID, l.Since.UnixMilli())
		return err
	})
}

func sameHolder(a, b review.Lease) bool {
	return a.Holder == b.Holder && a.Since.UnixMilli() == b.Since.UnixMilli()
}
