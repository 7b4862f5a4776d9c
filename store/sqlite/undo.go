package sqlite

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
	sign := -1
	if w.change.Redo != 0 {
		sign = 1
	}
	err := rows.MarkReverted(w, w.change, w.receipt.Seq)
	if err == nil {
		err = w.revertDecisions()
	}
	if err != nil {
		return err
	}
	return w.Exec(`UPDATE item SET rev = rev + 1, notes = notes + ? * n.count
		FROM (SELECT item_id, count(*) AS count FROM note WHERE batch_id = ? GROUP BY item_id) n
		WHERE n.item_id = item.id`, sign, w.receipt.Batch)
}

// checkRevert refuses a batch that cannot be undone, or is already undone or redone.
func (w *writer) checkRevert() (err error) {
	w.reverted, err = rows.Reverted(w, w.change, "")
	return err
}

func (w *writer) revertDecisions() error {
	if w.later {
		err := w.Get("SELECT count(*) FROM "+rows.AllDecisions+" WHERE batch_id = ?", []any{w.receipt.Batch},
			&w.receipt.Decided)
		if err != nil {
			return err
		}
		return w.pendReverted()
	}
	ids, err := column[int64](w.ctx, w, "SELECT item_id FROM decision WHERE batch_id = ? ORDER BY item_id",
		w.receipt.Batch)
	if err != nil {
		return err
	}
	w.receipt.Decided += len(ids)
	return rows.ForEach(ids, w.revertItem)
}

// revertItem applies the decision that is now in force to the item.
func (w *writer) revertItem(id int64) error {
	decision, err := w.decisionInForce(id)
	if err != nil {
		return err
	}
	return w.applyDecision(id, decision)
}

// Batch returns a batch with its items and rules.
func (s *Store) Batch(ctx context.Context, id int64) (review.Batch, error) {
	return s.read.batch(ctx, "WHERE id = ?", id)
}

// LastBatch returns the batch that undo or redo would take. Undo takes the reviewer's newest batch in force. Redo
// takes the batch that the reviewer undid last, unless the reviewer has made a batch since.
func (s *Store) LastBatch(ctx context.Context, reviewer string, undone bool) (review.Batch, error) {
	if undone {
		return s.read.batch(ctx, `WHERE undone_by = ? AND undone_seq > 0 AND undone_seq > (SELECT coalesce(max(seq), 0)
			FROM batch WHERE reviewer = ?) ORDER BY undone_seq DESC LIMIT 1`, reviewer, reviewer)
	}
	permanent := anys(review.PermanentActions())
	return s.read.batch(ctx, "WHERE reviewer = ? AND undone_seq = 0 AND action NOT IN "+marks(len(permanent))+
		" ORDER BY seq DESC LIMIT 1", append([]any{reviewer}, permanent...)...)
}

func (r *reader) batch(ctx context.Context, rest string, args ...any) (review.Batch, error) {
	return readNow(ctx, r, "reading a batch", func(q queryer) (review.Batch, error) {
		return rows.ReadBatch(eachOf(ctx, q), rows.AllDecisions, rest, args...)
	})
}
