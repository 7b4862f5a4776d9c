package sqlite

import (
	"context"
	"fmt"

	"visto/review"
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
	link, err := rows.UnpackLink(n)
	*p.link = link
	return err
}

// linkStateOfItem is review.Item.LinkState of item i: of the decisions by which records cite its page, the oldest
// counts. One for a record alone is of kind 1, for a correction cites another page. approvalForAll is the batch of that
// for all records, NULL if it is no approval.
const (
	approvalForAll = `CASE WHEN ifnull(i.approved, i.settled_by) IS NOT NULL THEN i.batch_id
		WHEN i.batch_id IS NULL THEN 0 END`
	linkStateOfItem = `iif(i.link >> 6 & 3 AND EXISTS (SELECT 1 FROM decision m WHERE m.item_id = i.id
		AND m.batch_id = i.batch_id AND i.settled_by IS NULL AND m.kind IN (2, 6) AND m.canonical <> m.seen
		AND m.batch_id > i.link >> 9) OR i.link >> 8 & 1 AND i.link >> 9 < (SELECT iif(count(*) = 0,
		ifnull(` + approvalForAll + `, 0),
		ifnull(min(CASE WHEN d.kind IS NULL THEN ` + approvalForAll + ` 
		WHEN d.kind = 1 AND NOT ` + rows.Waits + ` THEN d.batch_id END), 0))
		FROM (SELECT DISTINCT o.record_id FROM occurrence o WHERE o.item_id = i.id AND o.gone = 0) c
		LEFT JOIN decision d ON d.item_id = i.id AND d.batch_id = (SELECT max(x.batch_id) FROM decision x
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

// FollowLink brings the status of an item up to date with its link. Its result and its decisions stay.
func (t *tx) FollowLink(item int64) error {
	if err := t.follow(item); err != nil {
		return err
	}
	w := &writer{tx: t}
	var s rows.Standing
	err := w.Get("SELECT "+standingColumns+" FROM item i"+decisionJoin+" WHERE i.id = ?", []any{item}, s.Into()...)
	if err != nil {
		return err
	}
	was, is, err := w.outcome(item, s.Decision())
	if err == nil && was != is {
		w.deltas.Move(was, is)
		err = w.Exec("UPDATE item SET rev = rev + 1, status = ?, flags = ?, open = ?, was_open = ? WHERE id = ?",
			is.Status, is.Flags, is.Open, is.WasOpen, item)
	}
	return err
}

func (t *tx) keepPage(e review.ItemEvidence) error {
	if e.Link != nil {
		if err := t.follow(e.ID); err != nil {
			return err
		}
	}
	return rows.KeepPage(t, e)
}

// EachScheduled calls fn for each item of the filter, by ID, from one snapshot. It reads the items in the order of
// their IDs: to sort them with their histories would take much room.
func (s *Store) EachScheduled(ctx context.Context, f review.Filter, fn func(review.Scheduled) error) error {
	w := filterItemsIn(f, shortWalk(f), true)
	query := "SELECT " + rows.ScheduleColumns + " FROM item i" + decisionJoin + rows.ScheduleJoins + w.sql() +
		" ORDER BY i.id"
	return s.read.snapshot(ctx, "reading when links are due", func(q queryer) error {
		r := rows.NewSchedule(hostNames(ctx, q), func(it review.Scheduled) error { return rows.Own(fn(it)) })
		if err := each(ctx, q, query, w.args, r.Read); err != nil {
			return err
		}
		return r.Flush()
	})
}
