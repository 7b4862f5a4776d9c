package sqlite

import (
	"context"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// A decision on very many items, or its undo or redo, is staged like the results of a rule, and others go on
// deciding. Whoever writes to an item before the batch is in force comes first: the staged decision on the item is
// dropped. A dropped decision is a conflict; a dropped item of an undo or redo is reverted when the batch comes into
// force. A decision that sets or lifts a correction, or that meets one for a record alone, is not staged either, but
// written at that moment.

// decides reports whether the change has decisions only.
func decides(c *rows.Change) bool {
	return !c.OnRules() && len(c.Notes) == 0 && len(c.Evidence) == 0 && (len(c.Decisions) > 0 || c.Reverts() > 0)
}

// manyDecisions reports whether the change has decisions only, and too many for one transaction.
func (l *largeChanges) manyDecisions(ctx context.Context, doing string, c *rows.Change) (bool, error) {
	if !decides(c) {
		return false, nil
	}
	n, notes := len(c.Decisions), 0
	if batch := c.Reverts(); batch > 0 {
		err := l.conn.read.snapshot(ctx, doing, func(q queryer) error {
			return q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM note WHERE batch_id = ?1),
				(SELECT count(*) FROM (SELECT 1 FROM decision WHERE batch_id = ?1 LIMIT ?2))`, batch, l.atOnce+1).
				Scan(&notes, &n)
		})
		if err != nil {
			return false, err
		}
	}
	return notes == 0 && (n > l.atOnce || l.stageAll && n > 0), nil
}

// stagedBatch is the staged part of a change of decisions.
type stagedBatch struct {
	decided   []review.ItemDecision // the new decisions
	conflicts []review.Conflict
	ids       []int64 // the items, in ascending order of their IDs
	body      []byte  // of the log entry, valid if complete
	complete  bool    // none was dropped
	dropped   []int64 // the items that were

	corrections []review.ItemDecision // new decisions that are not staged (unstageable)
	unsettled   []int64               // the items to settle
	last        int64                 // the newest item before staging began
}

// runDecisions stages the decisions and puts them in force.
func (g *stager) runDecisions() (review.Receipt, error) {
	list, stage, err := g.toStage()
	if err == nil {
		g.decisions = &stagedBatch{}
		err = g.conn.read.failed(g.ctx, g.doing, g.conn.read.QueryRowContext(g.ctx,
			"SELECT coalesce(max(id), 0) FROM item").Scan(&g.decisions.last))
	}
	if err == nil {
		err = stageChunks(g, list, stage)
	}
	var r review.Receipt
	if err == nil {
		g.decisions.body = g.change.Body(g.decisions.decided, nil, review.IntakeEntry{})
		r, err = g.putInForce()
	}
	return r, err
}

// toStage returns the items, and the function that stages each.
func (g *stager) toStage() ([]review.ItemDecision, func(*writer, review.ItemDecision) error, error) {
	if g.change.Reverts() == 0 {
		return g.change.Decisions, (*writer).stageDecision, nil
	}
	ids, err := column[int64](g.ctx, g.conn.read, "SELECT item_id FROM decision WHERE batch_id = ? ORDER BY item_id",
		g.change.Reverts())
	list := make([]review.ItemDecision, len(ids))
	for i, id := range ids {
		list[i].ID = id
	}
	return list, (*writer).stageRevert, g.conn.read.failed(g.ctx, g.doing, err)
}

// add adds the results of one chunk.
func (b *stagedBatch) add(w *writer) {
	b.decided, b.ids = append(b.decided, w.decided...), append(b.ids, w.stagedIDs...)
	b.conflicts = append(b.conflicts, w.receipt.Conflicts...)
	b.corrections, b.unsettled = append(b.corrections, w.corrections...), append(b.unsettled, w.unsettled...)
}

// stageDecision stages a new decision, unless it is a conflict.
func (w *writer) stageDecision(d review.ItemDecision) error {
	n := len(w.decided)
	if err := w.checkDecision(d); err != nil || len(w.decided) == n {
		return err
	}
	if apart, err := w.unstageable(d.ID, &d.Decision); err != nil || apart {
		w.decided, w.corrections = w.decided[:n], append(w.corrections, d)
		return err
	}
	if err := w.markSearchOf(d); err != nil {
		return err
	}
	k := &d.Decision
	return w.stageOutcome(d.ID, k, k.Kind, k.Canonical, k.From, k.Note, rows.Confirms(k))
}

// unstageable reports whether a decision cannot be staged: it changes a correction, or there ever was one for a record
// alone on the item.
func (w *writer) unstageable(item int64, decision *review.Decision) (bool, error) {
	if decision != nil && decision.Record > 0 {
		return true, nil
	}
	if found, err := w.hasRecordDecision(item); err != nil || found {
		return found, err
	}
	return w.changesCorrection(item, decision)
}

// stageRevert stages the decision that the undo or redo puts in force.
func (w *writer) stageRevert(d review.ItemDecision) error {
	decision, err := w.decisionInForce(d.ID)
	if err != nil {
		return err
	}
	if apart, err := w.unstageable(d.ID, decision); err != nil || apart {
		w.stagedIDs = append(w.stagedIDs, d.ID) // as one that was dropped
		return err
	}
	return w.stageOutcome(d.ID, decision, nil, nil, nil, nil, nil)
}

// stageOutcome stages the outcome of a decision, nil for none, for an item. The arguments from kind to confirms
// are nil unless the decision is new.
func (w *writer) stageOutcome(
	item int64, decision *review.Decision, kind, canonical, seen, note, confirms any,
) error {
	effective := decision
	if kind != nil {
		effective = new(*decision)
		effective.Batch = review.NewBatch
	}
	was, is, err := w.outcome(item, effective)
	if err == nil {
		err = w.unsettle(item, decision)
	}
	if err != nil {
		return err
	}
	w.stagedDeltas.Move(was, is)
	w.stagedIDs = append(w.stagedIDs, item)
	w.staged++
	batch, approved := rows.DecisionColumns(decision)
	return w.Insert("INTO staged_decision (item_id, kind, canonical, seen, note, confirms, batch_id, approved, "+
		"status, flags, open, was_open)", item, kind, canonical, seen, note, confirms, batch, approved, is.Status,
		is.Flags, is.Open, is.WasOpen)
}

// dropStaged drops the staged decision on an item, if there is one, because somebody else writes to the item first.
func (t *tx) dropStaged(item int64) error {
	if t.stage.state != staging {
		return nil
	}
	var will rows.CountKey
	const query = `SELECT i.host_id, i.in_host_id, i.place_set_id, i.verdict, s.status, s.open, s.was_open,
		s.flags FROM staged_decision s CROSS JOIN item i ON i.id = s.item_id WHERE s.item_id = ?`
	found, err := t.Find(query, []any{item}, will.Into()...)
	if err != nil || !found {
		return err
	}
	return t.drop("DELETE FROM staged_decision WHERE item_id = ?", item, will)
}

// checkStaged determines which of the staged decisions were not dropped.
func (w *writer) checkStaged() error {
	st := w.decisions
	var n int
	if err := w.Get("SELECT count(*) FROM staged_decision", nil, &n); err != nil {
		return err
	}
	w.decided, w.receipt.Conflicts = st.decided, st.conflicts
	if st.complete = n == len(st.ids) && len(st.corrections) == 0; st.complete {
		return nil
	}
	left, err := column[int64](w.ctx, w, "SELECT item_id FROM staged_decision ORDER BY item_id")
	if err != nil {
		return err
	}
	for _, id := range st.ids {
		if _, ok := slices.BinarySearch(left, id); !ok {
			st.dropped = append(st.dropped, id)
		}
	}
	if err := w.refuseDropped(); err != nil {
		return err
	}
	n = len(w.decided)
	err = rows.ForEach(st.corrections, w.checkDecision)
	w.corrections = slices.Clone(w.decided[n:])
	w.sortDecided()
	return err
}

// sortDecided puts the decisions into the order of the change. A log entry has them in that order on both databases,
// or its replay would be another one.
func (w *writer) sortDecided() {
	type subject struct{ item, record int64 } // an item may have one for each of several records
	of := func(d review.ItemDecision) subject { return subject{d.ID, d.Decision.Record} }
	at := make(map[subject]int, len(w.change.Decisions))
	for i, d := range w.change.Decisions {
		at[of(d)] = i
	}
	slices.SortFunc(w.decided, func(a, b review.ItemDecision) int { return at[of(a)] - at[of(b)] })
}

// refuseDropped reports the dropped new decisions as conflicts.
func (w *writer) refuseDropped() error {
	if w.change.Reverts() > 0 {
		return nil
	}
	w.decided = nil
	late := map[int64]bool{}
	for _, id := range w.decisions.dropped {
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

// body returns the body of the log entry. That of very many decisions was prepared before this transaction locked
// others out.
func (w *writer) body() ([]byte, error) {
	if w.decisions != nil && w.decisions.complete {
		return w.decisions.body, nil
	}
	replaced, err := rows.ReplacedInputs(w, w.change)
	return w.change.Body(w.decided, replaced, w.presence.Entry()), err
}
