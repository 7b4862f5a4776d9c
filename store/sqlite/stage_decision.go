package sqlite

import (
	"context"
	"errors"
	"slices"

	"visto/review"
)

// A decision on very many items, an undo of one and a redo are staged like what follows from a rule. Others go on deciding. Who
// writes to an item before the batch stands comes first: what is staged of the item is dropped. Such a decision is a conflict; such
// an undo or redo is done with the batch.

// decides reports whether the change is of decisions alone.
func decides(c *review.Change) bool {
	return !c.OnRules() && len(c.Notes) == 0 && len(c.Evidence) == 0 && (len(c.Decisions) > 0 || turned(c) > 0)
}

// turned returns the batch that the change takes back or brings back, 0 if it does neither.
func turned(c *review.Change) int64 { return max(c.Undo, c.Redo) }

// manyDecisions reports whether the change is of decisions alone, and of more than others can wait for.
func (s *Store) manyDecisions(ctx context.Context, doing string, c *review.Change) (bool, error) {
	if !decides(c) {
		return false, nil
	}
	n, notes := len(c.Decisions), 0
	if batch := turned(c); batch > 0 {
		err := s.snapshot(ctx, doing, func(q queryer) error {
			return q.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM (SELECT 1 FROM decision WHERE batch_id = ? LIMIT ?)),
				(SELECT count(*) FROM (SELECT 1 FROM note WHERE batch_id = ? LIMIT 1))`, batch, s.atOnce+1, batch).Scan(&n, &notes)
		})
		if err != nil {
			return false, err
		}
	}
	return notes == 0 && (n > s.atOnce || s.stageAll && n > 0), nil
}

// stagedBatch is what is staged of a change of decisions.
type stagedBatch struct {
	decided   []review.ItemDecision // the new decisions
	conflicts []review.Conflict
	ids       []int64 // the items, in their order
	body      []byte  // of the log entry, if all of them are left
	left      bool    // all of them are left
	overtaken []int64 // those that are not
}

// runDecisions stages the decisions, and makes them stand. A change that was taken for abandoned is staged once more.
func (g *stager) runDecisions() (review.Receipt, error) {
	list, stage, err := g.toStage()
	if err == nil {
		g.decisions = &stagedBatch{}
		err = g.stageEach(list, stage)
	}
	var r review.Receipt
	if err == nil {
		g.decisions.body = review.BodyOf(g.change, g.decisions.decided)
		r, err = g.stand()
	}
	if errors.Is(err, review.ErrStale) {
		err = errStaged
	}
	return r, err
}

// toStage returns the items, and what stages each.
func (g *stager) toStage() ([]review.ItemDecision, func(*writer, review.ItemDecision) error, error) {
	if turned(g.change) == 0 {
		return g.change.Decisions, (*writer).stageDecision, nil
	}
	ids, err := readIDs(g.ctx, g.read, "SELECT item_id FROM decision WHERE batch_id = ? ORDER BY item_id", turned(g.change))
	list := make([]review.ItemDecision, len(ids))
	for i, id := range ids {
		list[i].ID = id
	}
	return list, (*writer).stageTurn, g.failed(g.ctx, g.doing, err)
}

// stageEach stages the items in pieces.
func (g *stager) stageEach(list []review.ItemDecision, stage func(*writer, review.ItemDecision) error) error {
	for len(list) > 0 {
		var piece *writer
		n := 0
		err := g.step(func(w *writer) error {
			for n, piece = 0, w; n < len(list) && w.more(); n++ {
				if err := stage(w, list[n]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		list = list[n:]
		g.decisions.add(piece)
	}
	return nil
}

// add adds what a piece has staged.
func (b *stagedBatch) add(w *writer) {
	b.decided, b.ids = append(b.decided, w.decided...), append(b.ids, w.restood...)
	b.conflicts = append(b.conflicts, w.receipt.Conflicts...)
}

// stageDecision stages a new decision, unless it is a conflict.
func (w *writer) stageDecision(d review.ItemDecision) error {
	n := len(w.decided)
	if err := w.checkDecision(d); err != nil || len(w.decided) == n {
		return err
	}
	k := &d.Decision
	if k.Note != "" || k.Kind == review.Correct {
		if err := w.markSearch(d.ID); err != nil {
			return err
		}
	}
	return w.stageStand(d.ID, k, k.Kind, k.Canonical, k.From, k.Note)
}

// stageTurn stages the decision that will stand when the batch is taken back, or brought back.
func (w *writer) stageTurn(d review.ItemDecision) error {
	decision, err := w.standing(d.ID)
	if err != nil {
		return err
	}
	return w.stageStand(d.ID, decision, nil, nil, nil, nil)
}

// stageStand stages where a decision, nil for none, leaves an item. kind to note are of a new one.
func (w *writer) stageStand(item int64, decision *review.Decision, kind, canonical, seen, note any) error {
	was, is, err := w.wouldStand(item, decision)
	if err != nil {
		return err
	}
	w.stagedMoves.move(was, is)
	w.restood = append(w.restood, item)
	w.staged++
	batch, approved := standColumns(is, decision)
	_, err = w.exec(`INSERT INTO staged_decision (item_id, kind, canonical, seen, note, batch_id, approved, status, flags, open, was_open)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, item, kind, canonical, seen, note, batch, approved, is.status, is.flags, is.open, is.wasOpen)
	return err
}

// overtake drops the decision that is staged of an item, if one is, because somebody else writes to the item first.
func (t *tx) overtake(item int64) error {
	if t.stage.state != staging {
		return nil
	}
	var will kind
	found, err := t.find(`SELECT i.host_id, i.in_host_id, i.file_id, i.field_id, i.verdict, s.status, s.open, s.was_open, s.flags
		FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id WHERE s.item_id = ?`, []any{item}, will.into()...)
	if err != nil || !found {
		return err
	}
	var is kind
	if err := t.get("SELECT "+kindColumns+" FROM item i WHERE i.id = ?", []any{item}, is.into()...); err != nil {
		return err
	}
	t.stagedMoves.move(will, is)
	_, err = t.exec("DELETE FROM staged_decision WHERE item_id = ?", item)
	return err
}

// settleStaging finds which of the staged decisions are left to stand.
func (w *writer) settleStaging() error {
	st := w.decisions
	var n int
	if err := w.get("SELECT count(*) FROM staged_decision", nil, &n); err != nil {
		return err
	}
	w.decided, w.receipt.Conflicts = st.decided, st.conflicts
	if st.left = n == len(st.ids); st.left {
		return nil
	}
	left, err := readIDs(w.ctx, w, "SELECT item_id FROM staged_decision ORDER BY item_id")
	if err != nil {
		return err
	}
	for _, id := range st.ids {
		if _, ok := slices.BinarySearch(left, id); !ok {
			st.overtaken = append(st.overtaken, id)
		}
	}
	return w.refuseOvertaken()
}

// refuseOvertaken reports the new decisions that others have overtaken.
func (w *writer) refuseOvertaken() error {
	if turned(w.change) > 0 {
		return nil
	}
	w.decided = nil
	late := map[int64]bool{}
	for _, id := range w.decisions.overtaken {
		late[id] = true
	}
	for _, d := range w.decisions.decided {
		if !late[d.ID] {
			w.decided = append(w.decided, d)
			continue
		}
		it, err := readItem(w.ctx, w, d.ID)
		if err != nil {
			return err
		}
		w.receipt.Conflicts = append(w.receipt.Conflicts, review.Conflict{Item: it})
	}
	return nil
}

// body is that of the log entry. That of very many decisions was written before the others had to wait.
func (w *writer) body() []byte {
	if w.decisions != nil && w.decisions.left {
		return w.decisions.body
	}
	return review.BodyOf(w.change, w.decided)
}
