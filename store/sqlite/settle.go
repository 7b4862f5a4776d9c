package sqlite

import (
	"slices"

	"visto/review"
	"visto/store/rows"
)

// An item whose original is the approved canonical URL of another item has that approval, unless it has a decision of
// its own. settled_by then names the other item, and batch_id the batch of its approval; of several the newest
// counts. Whoever sets, replaces or lifts a decision notes the items that this may settle or unsettle (unsettle), and
// brings them up to date at the end of the transaction (settle). A new item is settled when it is added. So the
// columns follow from the decisions in force alone.

// standingColumns are the columns of rows.Standing. decisionJoin has to join the decision.
const standingColumns = rows.StandingColumns + ", " + rows.Confirmed

// unsettle notes the items to settle after the decision on an item is replaced by another one, nil for none: the item
// itself, and those with the URLs that were and are approved, also for a record alone, as their originals.
func (w *writer) unsettle(item int64, decision *review.Decision) error {
	var was string
	err := w.Get("SELECT coalesce(approved, '') FROM item WHERE id = ?", []any{item}, &was)
	if err == nil && was != "" {
		err = w.unsettleURL(was)
	}
	switch {
	case decision == nil:
		w.unsettled = append(w.unsettled, item)
	case err == nil && decision.Approves() && decision.Canonical != was:
		err = w.unsettleURL(decision.Canonical)
	}
	if err != nil {
		return err
	}
	urls, err := column[string](w.bare, prepared{w.tx}, "SELECT canonical FROM decision WHERE item_id = ? "+
		"AND record_id IS NOT NULL AND canonical <> ''", item)
	if err != nil {
		return err
	}
	return rows.ForEach(urls, w.unsettleURL)
}

// unsettleURL notes the item with that original, if there is one.
func (w *writer) unsettleURL(url string) error {
	var id int64
	key := rows.Key(url)
	found, err := w.Find("SELECT id FROM item WHERE original_key = ?", []any{key[:]}, &id)
	if found {
		w.unsettled = append(w.unsettled, id)
	}
	return err
}

// settle brings the noted items up to date.
func (w *writer) settle() error {
	slices.Sort(w.unsettled)
	return rows.ForEach(slices.Compact(w.unsettled), w.settleItem)
}

// settleItem brings one item up to date, unless it has a decision of its own.
func (w *writer) settleItem(id int64) error {
	if err := w.follow(id); err != nil {
		return err
	}
	var original string
	var now rows.Settling
	err := w.Get("SELECT original, batch_id, settled_by FROM item WHERE id = ?", []any{id}, &original, &now.Batch,
		&now.Item)
	if err != nil || now.Own() {
		return err
	}
	next, err := w.approval(id, original)
	if err != nil || next == now {
		return err
	}
	was, is, err := w.outcome(id, next.Decision(original))
	if err != nil {
		return err
	}
	w.deltas.Move(was, is)
	return w.Exec(`UPDATE item SET rev = rev + 1, status = ?, flags = ?, open = ?, was_open = ?, batch_id = ?,
		settled_by = ? WHERE id = ?`, is.Status, is.Flags, is.Open, is.WasOpen, next.Batch, next.Item, id)
}

// approvalQuery is the newest approval of a URL as the canonical one of another item.
const approvalQuery = `SELECT i.batch_id, i.id FROM item i WHERE i.approved = ?1 AND i.id <> ?2
	ORDER BY i.batch_id DESC, i.id DESC LIMIT 1`

// approval returns the latest approval of the original as the canonical URL of another item. It settles the item with
// that original if that has no decision of its own.
func (t *tx) approval(id int64, original string) (s rows.Settling, err error) {
	if _, err = t.Find(approvalQuery, []any{original, id}, &s.Batch, &s.Item); err != nil {
		return s, err
	}
	return t.newerApproval(s, id, original)
}

// recordApprovalQuery is approvalQuery for decisions for one record alone. They count as well if the record no longer
// cites the item: the URL was written back there.
const recordApprovalQuery = `SELECT d.batch_id, d.item_id FROM decision d CROSS JOIN batch b ON b.id = d.batch_id
	CROSS JOIN item i ON i.id = d.item_id
	WHERE d.canonical = ?1 AND d.record_id IS NOT NULL AND d.item_id <> ?2 AND d.kind IN (1, 2, 6) AND b.undone_seq = 0
	AND NOT ` + rows.Waits + ` AND d.batch_id > iif(i.settled_by IS NULL, ifnull(i.batch_id, 0), 0)
	AND NOT EXISTS (SELECT 1 FROM decision x CROSS JOIN batch y ON y.id = x.batch_id WHERE x.item_id = d.item_id
	AND x.record_id = d.record_id AND x.batch_id > d.batch_id AND y.undone_seq = 0)
	ORDER BY d.batch_id DESC, d.item_id DESC LIMIT 1`

// newerApproval returns the newest approval for one record alone, if it is newer than s.
func (t *tx) newerApproval(s rows.Settling, id int64, original string) (rows.Settling, error) {
	var own rows.Settling
	_, err := t.Find(recordApprovalQuery, []any{original, id}, &own.Batch, &own.Item)
	return s.OrNewer(own), err
}
