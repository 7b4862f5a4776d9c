package postgres

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// revert undoes or redoes the batch, with its decisions and its notes.
func (w *writer) revert() error {
	if w.change.Reverts() == 0 {
		return nil
	}
	if err := rows.MarkReverted(w, w.change, w.receipt.Seq); err != nil || w.large {
		return err // a large change has the rows already
	}
	return w.revertRows()
}

// revertRows writes the items that the batch decided or noted.
func (w *writer) revertRows() error {
	sign := -1
	if w.change.Redo != 0 {
		sign = 1
	}
	ids, err := column[int64](w.ctx, w, "SELECT item_id FROM decision WHERE batch_id = ? ORDER BY item_id",
		w.reverted.ID)
	if err == nil {
		w.receipt.Decided += len(ids)
		err = w.revertItems(ids)
	}
	if err != nil {
		return err
	}
	return w.Exec(`UPDATE item i SET rev = i.rev + 1, notes = i.notes + ? * n.count
		FROM (SELECT item_id, count(*) AS count FROM note WHERE batch_id = ? GROUP BY item_id) n
		WHERE n.item_id = i.id`, sign, w.reverted.ID)
}

// revertItems applies the decisions that are now in force to the items.
func (w *writer) revertItems(ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	w.lockItems(ids)
	decisions, err := w.decisionsInForce(ids)
	if err != nil {
		return err
	}
	want := make([]wanted, len(ids))
	for i, id := range ids {
		if want[i].id = id; decisions[id] != nil {
			want[i].url = decisions[id].Canonical
		}
	}
	states, err := w.tx.states(want)
	if err != nil {
		return err
	}
	list := make([]inForce, len(ids))
	for i, id := range ids {
		list[i] = inForce{states[id], decisions[id]}
	}
	return w.apply(list)
}

// checkRevert refuses a batch that cannot be undone, or is already undone or redone.
func (w *writer) checkRevert() (err error) {
	if w.reverted.ID == 0 { // else it was checked before the head was locked
		w.reverted, err = rows.Reverted(w, w.change, " FOR NO KEY UPDATE")
	}
	return err
}

// Batch returns a batch with its items and rules.
func (s *Store) Batch(ctx context.Context, id int64) (review.Batch, error) {
	return s.read.batch(ctx, "WHERE id = ?", id)
}

// LastBatch returns the batch that undo or redo would take. Undo takes the reviewer's newest batch in force. Redo
// takes the batch that the reviewer undid last, unless the reviewer has made a batch since.
func (s *Store) LastBatch(ctx context.Context, reviewer string, undone bool) (review.Batch, error) {
	const by = "sha256(reviewer) = sha256(?1) AND reviewer = ?1"
	if undone {
		return s.read.batch(ctx, `WHERE sha256(undone_by) = sha256(?1) AND undone_by = ?1 AND undone_seq > 0
			AND undone_seq > (SELECT coalesce(max(seq), 0) FROM batch WHERE `+by+`) ORDER BY undone_seq DESC LIMIT 1`,
			reviewer)
	}
	var permanent []string
	for _, action := range review.PermanentActions() {
		permanent = append(permanent, string(action))
	}
	return s.read.batch(ctx, "WHERE "+by+" AND undone_seq = 0 AND action <> ALL(?2::bytea[]) ORDER BY seq DESC LIMIT 1",
		reviewer, permanent)
}

func (r *reader) batch(ctx context.Context, rest string, args ...any) (review.Batch, error) {
	return readNow(ctx, r, "reading a batch", func(q *snapshot) (review.Batch, error) {
		return rows.ReadBatch(eachOf(ctx, q), "decision", rest, args...)
	})
}
