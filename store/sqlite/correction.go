package sqlite

import (
	"database/sql"

	"visto/canon"
	"visto/review"
)

// A correction stands in for the original of its item, so the result of the item follows it. Whoever sets, replaces or
// lifts one writes the new result in the same transaction (review.Change.Compute) and starts a generation: a change
// of the rules that is computed meanwhile then computes these items late (lateItems).

// changesCorrection reports whether the item has another correction with the decision than with the one in force.
func (w *writer) changesCorrection(item int64, decision *review.Decision) (bool, error) {
	var kind sql.NullInt64
	var was, is review.Decision
	err := w.get("SELECT iif(i.settled_by IS NULL, d.kind, NULL), coalesce(d.canonical, '') FROM item i"+decisionJoin+
		" WHERE i.id = ?", []any{item}, &kind, &was.Canonical)
	if was.Kind = review.Kind(kind.Int64); !was.Kind.Corrects() {
		was = review.Decision{}
	}
	if decision != nil && decision.Kind.Corrects() {
		is = review.Decision{Kind: decision.Kind, Canonical: decision.Canonical}
	}
	return was != is, err
}

// applyCorrection is applyDecision for a decision that changes the correction of the item.
func (w *writer) applyCorrection(item int64, decision *review.Decision) error {
	if w.stage.state == staging {
		if err := w.unstage(item); err != nil { // it is computed late
			return err
		}
	}
	computed, err := w.compute(item, decision)
	if err == nil {
		err = w.unsettle(item, decision)
	}
	if err != nil {
		return err
	}
	row, err := w.names.computed(&computed)
	if err != nil {
		return err
	}
	var was countKey
	if err := w.get("SELECT "+countColumns+" FROM item i WHERE i.id = ?", []any{item}, was.into()...); err != nil {
		return err
	}
	row.resolve(computed, decision, was)
	w.deltas.move(was, row.countKey)
	w.corrected = true
	batch, approved := decisionColumns(row.countKey, decision)
	err = w.exec(updateComputed+", batch_id = ?, approved = ?, settled_by = NULL WHERE id = ?",
		append(row.args(), batch, approved, item)...)
	if err != nil {
		return err
	}
	return w.markSearch(item)
}

// compute returns the result of the item with the decision, under the rules of the change.
func (w *writer) compute(item int64, decision *review.Decision) (review.Computed, error) {
	m, err := readMeta(w.ctx, w)
	if err == nil && m.RulesGen > w.change.Gen {
		err = review.ErrStale
	}
	if err != nil {
		return review.Computed{}, err
	}
	if w.hosts == nil {
		if w.hosts, err = readHosts(w.ctx, w, allHosts); err != nil {
			return review.Computed{}, err
		}
	}
	it, err := readItem(w.ctx, w, item)
	if err != nil {
		return review.Computed{}, err
	}
	ev, err := w.ownEvidence(item)
	if err != nil {
		return review.Computed{}, err
	}
	it.Decision = decision
	return w.change.Compute(it, withHosts(ev, w.hosts)), nil
}

// ownEvidence returns the item's own evidence, nil if it has none.
func (w *writer) ownEvidence(item int64) (*canon.Evidence, error) {
	var body string
	if _, err := w.find("SELECT body FROM evidence WHERE item_id = ?", []any{item}, &body); err != nil {
		return nil, err
	}
	return parseEvidence(item, body)
}
