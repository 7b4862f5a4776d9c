package postgres

import (
	"slices"

	"visto/store/rows"
)

// An item whose original is the approved canonical URL of another item has that approval, unless it has a decision of
// its own. settled_by then names the other item, and batch_id the batch of its approval; of several the newest
// counts. Whoever sets, replaces or lifts a decision notes the items that this may settle or unsettle (unsettle), and
// brings them up to date at the end of the transaction (settle). A new item is settled when it is added. So the
// columns follow from the decisions in force alone.

// standingColumns are the columns of rows.Standing. decisionJoin has to join the decision.
const standingColumns = rows.StandingColumns + ", " + rows.Confirmed

// unsettle notes the items to settle after the decision on an item is replaced: the item itself if there is none any
// more, and those with the URLs that were and are approved, also for a record alone, as their originals.
func (w *writer) unsettle(f inForce) {
	if w.owning[f.id] = f.decision != nil; f.decision == nil {
		w.unsettled = append(w.unsettled, f.id)
	}
	w.unsettled = append(w.unsettled, f.touches...)
}

// settle brings the noted items up to date, unless they have decisions of their own.
func (w *writer) settle() error {
	slices.Sort(w.unsettled)
	ids := slices.DeleteFunc(slices.Compact(w.unsettled), func(id int64) bool { return w.owning[id] })
	if w.unsettled = nil; len(ids) == 0 {
		return nil
	}
	w.lockItems(ids)
	const query = "SELECT i.id, a.batch_id, a.id, r.batch_id, r.item_id FROM unnest(?::bigint[]) w JOIN item i " +
		"ON i.id = w LEFT JOIN LATERAL (" + approvalOf + ") a ON true LEFT JOIN LATERAL (" + recordApprovalOf +
		") r ON true"
	approvals := make(map[int64]rows.Settling, len(ids))
	w.ask(query, []any{ids}, func(scan scanner) error {
		var id int64
		var next, alone rows.Settling
		if err := scan(&id, &next.Batch, &next.Item, &alone.Batch, &alone.Item); err != nil {
			return err
		}
		approvals[id] = next.OrNewer(alone)
		return nil
	})
	states, err := w.statesOf(ids)
	if err != nil {
		return err
	}
	var g grid
	for _, id := range ids {
		s, next := states[id], approvals[id]
		if s.Own() || next == s.Settling {
			continue
		}
		is, err := w.outcome(s, next.Decision(s.Original))
		if err != nil {
			return err
		}
		w.deltas.Move(s.CountKey, is)
		g.add(id, is.Status, is.Flags, is.Open, is.WasOpen, next.Batch, nil, next.Item)
	}
	return w.execGrid(updateStanding, &g)
}

// approvalOf finds the newest approval of item i's original as the canonical URL of another item. recordApprovalOf does
// so among decisions for one record alone. They count as well if the record no longer cites the item: the URL was
// written back there.
const (
	approvalOf = `SELECT y.batch_id, y.id FROM item y WHERE y.approved = i.original AND y.id <> i.id
		ORDER BY y.batch_id DESC, y.id DESC LIMIT 1`
	recordApprovalOf = `SELECT d.batch_id, d.item_id FROM decision d JOIN batch b ON b.id = d.batch_id
		JOIN item y ON y.id = d.item_id WHERE d.canonical = i.original AND d.record_id IS NOT NULL
		AND d.item_id <> i.id AND d.kind IN (1, 2, 6) AND b.undone_seq = 0 AND NOT ` + rows.Waits + `
		AND d.batch_id > CASE WHEN y.settled_by IS NULL THEN coalesce(y.batch_id, 0) ELSE 0 END
		AND NOT EXISTS (SELECT 1 FROM decision x JOIN batch z ON z.id = x.batch_id WHERE x.item_id = d.item_id
		AND x.record_id = d.record_id AND x.batch_id > d.batch_id AND z.undone_seq = 0)
		ORDER BY d.batch_id DESC, d.item_id DESC LIMIT 1`
)

// approval returns the latest approval of the original as the canonical URL of another item. It settles a new item with
// that original.
func (t *tx) approval(id int64, original string) (rows.Settling, error) {
	const one = " FROM (SELECT ?::bigint AS id, ?::bytea AS original) i LEFT JOIN LATERAL ("
	var s, alone rows.Settling
	err := t.Get("SELECT a.batch_id, a.id, r.batch_id, r.item_id"+one+approvalOf+") a ON true LEFT JOIN LATERAL ("+
		recordApprovalOf+") r ON true", []any{id, original}, &s.Batch, &s.Item, &alone.Batch, &alone.Item)
	return s.OrNewer(alone), err
}
