package sqlite

import (
	"database/sql"
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
	urls, err := column[string](w.bare, prepared{w.tx}, "SELECT canonical FROM main.decision WHERE item_id = ? "+
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
	if st := w.decisions; st != nil {
		const query = `SELECT i.id FROM item i WHERE i.id > ? AND (i.settled_by IS NOT NULL OR EXISTS (SELECT 1
			FROM staged_decision s WHERE s.approved = i.original))`
		added, err := column[int64](w.ctx, w, query, st.last)
		if err != nil {
			return err
		}
		w.unsettled = slices.Concat(w.unsettled, st.unsettled, added)
	}
	slices.Sort(w.unsettled)
	return rows.ForEach(slices.Compact(w.unsettled), w.settleItem)
}

// settleItem brings one item up to date, unless it has a decision of its own.
func (w *writer) settleItem(id int64) error {
	if err := w.applyStagedItem(id); err != nil {
		return err
	}
	if w.decisions != nil {
		if staged, err := w.settleStaged(id); err != nil || staged {
			return err
		}
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
	if err := w.dropStaged(id); err != nil {
		return err
	}
	was, is, err := w.outcome(id, next.Decision(original))
	if err != nil {
		return err
	}
	w.deltas.Move(was, is)
	err = w.Exec(`UPDATE item SET rev = rev + 1, status = ?, flags = ?, open = ?, was_open = ?, batch_id = ?,
		settled_by = ? WHERE id = ?`, is.Status, is.Flags, is.Open, is.WasOpen, next.Batch, next.Item, id)
	if err != nil {
		return err
	}
	return w.restage(id, was, is, next.Decision(original))
}

// settleStaged is settleItem for an item with a staged decision of the change, false if it has none.
func (w *writer) settleStaged(id int64) (bool, error) {
	var original string
	var kind sql.NullInt64
	var now rows.Settling
	var will rows.CountKey
	found, err := w.Find(`SELECT i.original, s.kind, s.batch_id, s.settled_by, i.host_id, i.in_host_id, i.place_set_id,
		i.verdict, s.status, s.open, s.was_open, s.flags FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id
		WHERE s.item_id = ?`, []any{id}, append([]any{&original, &kind, &now.Batch, &now.Item}, will.Into()...)...)
	if err != nil || !found || kind.Valid || now.Own() {
		return found, err
	}
	next, err := w.approval(id, original)
	if err != nil || next == now {
		return true, err
	}
	_, is, err := w.outcome(id, next.Decision(original))
	if err != nil {
		return true, err
	}
	w.stagedDeltas.Move(will, is)
	return true, w.Exec(`UPDATE staged_decision SET status = ?, flags = ?, open = ?, was_open = ?, batch_id = ?,
		settled_by = ? WHERE item_id = ?`, is.Status, is.Flags, is.Open, is.WasOpen, next.Batch, next.Item, id)
}

// The newest approval of a URL as the canonical one of another item: as items have it, and with the staged decisions
// that are in force, or come into force with this transaction as those of the batch ?3.
const (
	approvalQuery = `SELECT i.batch_id, i.id FROM item i WHERE i.approved = ?1 AND i.id <> ?2
		ORDER BY i.batch_id DESC, i.id DESC LIMIT 1`
	stagedApprovalQuery = `SELECT * FROM (SELECT i.batch_id, i.id FROM item i WHERE i.approved = ?1 AND i.id <> ?2
		AND NOT EXISTS (SELECT 1 FROM staged_decision s WHERE s.item_id = i.id)
		ORDER BY i.batch_id DESC, i.id DESC LIMIT 1)
		UNION ALL SELECT iif(s.kind IS NULL, s.batch_id, ?3), s.item_id FROM staged_decision s
		WHERE s.approved = ?1 AND s.item_id <> ?2 ORDER BY 1 DESC, 2 DESC LIMIT 1`
)

// approval returns the latest approval of the original as the canonical URL of another item. It settles the item with
// that original if that has no decision of its own.
func (w *writer) approval(id int64, original string) (rows.Settling, error) {
	if w.decisions != nil {
		return w.approvalWith(w.receipt.Batch, id, original)
	}
	return w.tx.approval(id, original)
}

// approval is writer.approval for a transaction that puts no staged decisions in force.
func (t *tx) approval(id int64, original string) (s rows.Settling, err error) {
	if t.stage.state == applying {
		return t.approvalWith(t.stage.batch, id, original)
	}
	if _, err = t.Find(approvalQuery, []any{original, id}, &s.Batch, &s.Item); err != nil {
		return s, err
	}
	return t.newerApproval(s, id, original)
}

// approvalWith takes the staged decisions for those of the batch.
func (t *tx) approvalWith(batch, id int64, original string) (s rows.Settling, err error) {
	if _, err = t.Find(stagedApprovalQuery, []any{original, id, batch}, &s.Batch, &s.Item); err != nil {
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
