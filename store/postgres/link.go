package postgres

import (
	"bytes"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"

	"visto/review"
	"visto/review/health"
	"visto/store/rows"
)

// packedLink scans the column link.
type packedLink struct{ link *review.Link }

// ScanInt64 is pgtype.Int64Scanner's.
func (p packedLink) ScanInt64(n pgtype.Int8) error {
	if !n.Valid {
		return fmt.Errorf("the state of a link is missing")
	}
	*p.link = rows.UnpackLink(n.Int64)
	return nil
}

// KeepChecks stores contents and histories, and leaves the evidence as it is.
func (s *Store) KeepChecks(ctx context.Context, list []review.ItemEvidence) error {
	return s.update(ctx, "storing the checks of links", func(t *tx) error { return rows.ForEach(list, t.keepPage) })
}

// keepPage stores the history of an item's link and the content of its page, as far as there are any.
func (t *tx) keepPage(e review.ItemEvidence) error {
	return rows.InOrder(func() error { return t.keepLink(e) }, func() error { return t.keepContent(e) })
}

// keepLink stores the history of an item's link, if there is one, with the status that follows from it.
func (t *tx) keepLink(e review.ItemEvidence) error {
	if e.Link == nil {
		return nil
	}
	var was review.Link
	var rev int64
	found, err := t.Find("SELECT link, rev FROM item WHERE id = ?", []any{e.ID}, packedLink{&was}, &rev)
	if err == nil && !found {
		err = noItem(e.ID)
	}
	if err != nil {
		return err
	}
	record, err := t.linkRecord(e.ID)
	if err != nil {
		return err
	}
	if e.Basis != nil && !isBasis(rev, record, e.Basis) {
		return review.ErrStale
	}
	if record == nil || !bytes.Equal(record.Page.Sketch, e.Link.Page.Sketch) {
		err = t.markStaleItem(e.ID)
	}
	if err == nil {
		err = t.Exec(insertQuery("INTO link_history (item_id, body)")+" ON CONFLICT (item_id) DO UPDATE SET body = "+
			"excluded.body", e.ID, e.Link.Pack())
	}
	now := review.LinkOf(e.Link)
	if err != nil || was == now {
		return err
	}
	err = t.Exec("UPDATE item SET link = ? WHERE id = ?", rows.PackLink(now), e.ID)
	if err != nil || was.Flags|now.Flags == 0 {
		return err
	}
	return t.followLink(e.ID)
}

// isBasis reports whether an item of that revision and the history of its link are those that a check was based on.
func isBasis(rev int64, record *health.Record, basis *review.LinkBasis) bool {
	var last health.Check
	if record != nil {
		last = *record.Last()
	}
	return rev == basis.Rev && last == basis.Last
}

// linkRecord returns the history of an item's link, nil if there is none.
func (t *tx) linkRecord(item int64) (*health.Record, error) { return linkRecord(t.ctx, t, item) }

func linkRecord(ctx context.Context, q queryer, item int64) (*health.Record, error) {
	var body []byte
	found, err := find(ctx, q, "SELECT body FROM link_history WHERE item_id = ?", []any{item}, &body)
	if !found {
		return nil, err
	}
	return rows.LinkRecord(item, body, health.Unpack)
}

// LinkRecord returns the history of an item's link.
func (s *Store) LinkRecord(ctx context.Context, id int64) (*health.Record, error) {
	record, err := linkRecord(ctx, s.read, id)
	return record, s.read.failed(ctx, "reading the checks of a link", err)
}

// EachLink calls fn for each item of the filter with the history of its link, by ID, from one snapshot.
func (s *Store) EachLink(ctx context.Context, f review.Filter, fn func(review.Item, *health.Record) error) error {
	return s.stream.snapshot(ctx, "reading the checks of links", func(q *snapshot) error {
		w, err := filterItems(ctx, q, f)
		if err != nil {
			return err
		}
		query := "SELECT " + itemColumns + ", l.body" + fromItems + " LEFT JOIN link_history l ON l.item_id = i.id" +
			w.sql() + " ORDER BY i.id"
		row := newEvidenceRow(ctx, q)
		return q.stream(ctx, query, w.args, func(scan scanner) error {
			it, err := row.Read(scan)
			if err != nil {
				return err
			}
			if row.IsNull(rows.ItemWidth) {
				return own(fn(it, nil))
			}
			record, err := rows.LinkRecord(it.ID, row.Bytes(rows.ItemWidth), health.Unpack)
			if err != nil {
				return err
			}
			return own(fn(it, record))
		})
	})
}

// EachScheduled calls fn for each item of the filter, by ID, from one snapshot.
func (s *Store) EachScheduled(ctx context.Context, f review.Filter, fn func(review.Scheduled) error) error {
	return s.stream.snapshot(ctx, "reading when links are due", func(q *snapshot) error {
		w, err := filterItems(ctx, q, f)
		if err != nil {
			return err
		}
		query := "SELECT " + rows.ScheduleColumns + " FROM item i" + decisionJoin + rows.ScheduleJoins + w.sql() +
			" ORDER BY i.id"
		r := rows.NewSchedule(hostNames(ctx, q), func(it review.Scheduled) error { return own(fn(it)) })
		if err = q.stream(ctx, query, w.args, r.Read); err != nil {
			return err
		}
		return r.Flush()
	})
}
