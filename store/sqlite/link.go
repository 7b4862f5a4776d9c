package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"visto/review"
	"visto/review/health"
	"visto/store/rows"
)

// packedLink scans the column.
type packedLink struct{ link *review.Link }

// Scan is sql.Scanner's.
func (p packedLink) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("the state of a link is stored as %v", value)
	}
	*p.link = rows.UnpackLink(n)
	return nil
}

// linkStateOfItem is review.Item.LinkState of item i: of the decisions by which records cite its page, the oldest
// counts. One for a record alone is of kind 1, for a correction cites another page. approvalForAll is the batch of that
// for all records, NULL if it is no approval.
const (
	approvalForAll = `CASE WHEN ifnull(i.approved, i.settled_by) IS NOT NULL THEN i.batch_id
		WHEN i.batch_id IS NULL THEN 0 END`
	linkStateOfItem = `iif(i.link >> 6 & 3 AND EXISTS (SELECT 1 FROM main.decision m WHERE m.item_id = i.id
		AND m.batch_id = i.batch_id AND i.settled_by IS NULL AND m.kind IN (2, 6) AND m.canonical <> m.seen
		AND m.batch_id > i.link >> 9) OR i.link >> 8 & 1 AND i.link >> 9 < (SELECT iif(count(*) = 0,
		ifnull(` + approvalForAll + `, 0),
		ifnull(min(CASE WHEN d.kind IS NULL THEN ` + approvalForAll + ` 
		WHEN d.kind = 1 AND NOT ` + waits + ` THEN d.batch_id END), 0))
		FROM (SELECT DISTINCT o.record_id FROM occurrence o WHERE o.item_id = i.id AND o.gone = 0) c
		LEFT JOIN main.decision d ON d.item_id = i.id AND d.batch_id = (SELECT max(x.batch_id) FROM main.decision x
		CROSS JOIN batch y ON y.id = x.batch_id WHERE x.item_id = i.id AND x.record_id = c.record_id
		AND x.batch_id > iif(i.settled_by IS NULL, ifnull(i.batch_id, 0), 0) AND y.undone_seq = 0)), 0,
		i.link >> 6 & 3)`
)

// KeepChecks stores contents and histories, and leaves the evidence as it is.
func (s *Store) KeepChecks(ctx context.Context, list []review.ItemEvidence) error {
	return s.write.update(ctx, "storing the checks of links", func(t *tx) error {
		return rows.ForEach(list, t.keepPage)
	})
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
	if err := t.applyStagedItem(e.ID); err != nil {
		return err
	}
	var was review.Link
	var rev int64
	found, err := t.Find("SELECT link, rev FROM item WHERE id = ?", []any{e.ID}, packedLink{&was}, &rev)
	if err == nil && !found {
		err = noItem(e.ID)
	}
	if err == nil && e.Basis != nil {
		err = t.checkBasis(e.ID, rev, e.Basis)
	}
	if err == nil {
		err = t.markStaleText(e)
	}
	if err == nil {
		err = t.Insert("OR REPLACE INTO link_history (item_id, body)", e.ID, e.Link.Pack())
	}
	now := review.LinkOf(e.Link)
	if err != nil || was == now {
		return err
	}
	err = t.Exec("UPDATE item SET link = ? WHERE id = ?", rows.PackLink(now), e.ID)
	if err != nil || was.Flags|now.Flags == 0 {
		return err
	}
	return (&writer{tx: t}).followLink(e.ID)
}

// checkBasis fails with ErrStale if an item of that revision, or the history of its link, is not the basis.
func (t *tx) checkBasis(item, rev int64, basis *review.LinkBasis) error {
	if rev != basis.Rev {
		return review.ErrStale
	}
	var body []byte
	found, err := t.Find("SELECT body FROM link_history WHERE item_id = ?", []any{item}, &body)
	if err != nil {
		return err
	}
	var last health.Check
	if found {
		r, err := rows.LinkRecord(item, body, health.Unpack)
		if err != nil {
			return err
		}
		last = *r.Last()
	}
	if last != basis.Last {
		return review.ErrStale
	}
	return nil
}

// markStaleText marks the hosts of an item if the check found another text than the one before.
func (t *tx) markStaleText(e review.ItemEvidence) error {
	var body []byte
	found, err := t.Find("SELECT body FROM link_history WHERE item_id = ?", []any{e.ID}, &body)
	if err != nil {
		return err
	}
	if found {
		was, err := rows.LinkRecord(e.ID, body, health.Unpack)
		if err != nil || bytes.Equal(was.Page.Sketch, e.Link.Page.Sketch) {
			return err
		}
	}
	return t.markStaleItem(e.ID)
}

// followLink brings the status of an item up to date with its link. Its result and its decisions stay.
func (w *writer) followLink(item int64) error {
	if err := w.dropStaged(item); err != nil {
		return err
	}
	var s standing
	err := w.Get("SELECT "+standingColumns+" FROM item i"+decisionJoin+" WHERE i.id = ?", []any{item}, s.into()...)
	if err != nil {
		return err
	}
	was, is, err := w.outcome(item, s.decision())
	if err == nil && was != is {
		w.deltas.Move(was, is)
		err = w.Exec("UPDATE item SET rev = rev + 1, status = ?, flags = ?, open = ?, was_open = ? WHERE id = ?",
			is.Status, is.Flags, is.Open, is.WasOpen, item)
	}
	if err != nil {
		return err
	}
	return w.restage(item, was, is, s.decision())
}

// LinkRecord returns the history of an item's link.
func (s *Store) LinkRecord(ctx context.Context, id int64) (*health.Record, error) {
	var body []byte
	err := s.read.QueryRowContext(ctx, "SELECT body FROM link_history WHERE item_id = ?", id).Scan(&body)
	if found, err := rows.IsFound(err); !found {
		return nil, s.read.failed(ctx, "reading the checks of a link", err)
	}
	return rows.LinkRecord(id, body, health.Unpack)
}

// EachLink calls fn for each item of the filter with the history of its link, by ID, from one snapshot.
func (s *Store) EachLink(ctx context.Context, f review.Filter, fn func(review.Item, *health.Record) error) error {
	w := filterItems(f)
	query := "SELECT " + itemColumns + ", l.body" + fromItems + " LEFT JOIN link_history l ON l.item_id = i.id" +
		w.sql() + " ORDER BY i.id"
	return s.read.snapshot(ctx, "reading the checks of links", func(q queryer) error {
		row := newEvidenceRow(ctx, q)
		return each(ctx, q, query, w.args, func(scan scanner) error {
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

// LastReport returns the time of the last report on the links of a filter.
func (s *Store) LastReport(ctx context.Context, filter string) (at time.Time, err error) {
	var ms int64
	err = s.read.QueryRowContext(ctx, "SELECT at FROM link_report WHERE filter = ?", filter).Scan(&ms)
	if found, err := rows.IsFound(err); !found {
		return at, s.read.failed(ctx, "reading the time of the last report", err)
	}
	return rows.FromMillis(ms), nil
}

// KeepReport sets the time of the last report.
func (s *Store) KeepReport(ctx context.Context, filter string, at time.Time) error {
	return s.write.update(ctx, "noting the time of the report", func(t *tx) error {
		return t.Insert("OR REPLACE INTO link_report (filter, at)", filter, rows.Millis(at))
	})
}

// EachScheduled calls fn for each item of the filter, by ID, from one snapshot. It reads the items in the order of
// their IDs: to sort them with their histories would take much room.
func (s *Store) EachScheduled(ctx context.Context, f review.Filter, fn func(review.Scheduled) error) error {
	w := filterItemsIn(f, shortWalk(f), true)
	query := "SELECT " + rows.ScheduleColumns + " FROM item i" + decisionJoin + rows.ScheduleJoins + w.sql() +
		" ORDER BY i.id"
	return s.read.snapshot(ctx, "reading when links are due", func(q queryer) error {
		r := rows.NewSchedule(hostNames(ctx, q), func(it review.Scheduled) error { return own(fn(it)) })
		if err := each(ctx, q, query, w.args, r.Read); err != nil {
			return err
		}
		return r.Flush()
	})
}
