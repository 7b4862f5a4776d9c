package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// checkDecisions keeps the decisions whose item is still as the reviewer saw it, and reports the others as conflicts.
func (w *writer) checkDecisions() error {
	if k := w.checked; k != nil {
		w.decided, w.receipt.Conflicts = k.decided, k.conflicts
		return rows.InOrder(w.checkCorrections, w.pendDecisions)
	}
	return rows.ForEach(w.change.Decisions, w.checkDecision)
}

// checkCorrections fails with ErrStale if the rules changed since corrections were found to be acceptable.
func (w *writer) checkCorrections() error {
	if !slices.ContainsFunc(w.decided, func(d review.ItemDecision) bool { return d.Decision.Kind.Corrects() }) {
		return nil
	}
	return w.checkRulesGen(w.change.Computing.Gen)
}

func (w *writer) checkDecision(d review.ItemDecision) error {
	if err := w.follow(d.ID); err != nil {
		return err
	}
	var rev int64
	found, err := w.Find("SELECT rev FROM item WHERE id = ?", []any{d.ID}, &rev)
	switch {
	case err != nil:
		return err
	case !found:
		return rows.NoItem(d.ID)
	}
	if err := checkCites(w.bare, prepared{w.tx}, &d); err != nil {
		return err
	}
	if d.Rev == 0 || d.Rev == rev {
		w.decided = append(w.decided, d)
		return nil
	}
	it, err := readItem(w.ctx, w, d.ID)
	w.receipt.Conflicts = append(w.receipt.Conflicts, review.Conflict{Item: it})
	return err
}

func (w *writer) writeDecisions() error {
	w.receipt.Decided += len(w.decided)
	if w.later {
		return nil // they are pending
	}
	return rows.ForEach(w.decided, w.writeDecision)
}

func (w *writer) writeDecision(d review.ItemDecision) error {
	k := d.Decision
	k.Batch = w.receipt.Batch // the newest batch is in force
	err := rows.WriteDecision(w, d.ID, &k)
	if err == nil {
		err = w.markSearchOf(d)
	}
	if err != nil {
		return err
	}
	if k.Record > 0 {
		return w.revertItem(d.ID)
	}
	return w.applyDecision(d.ID, &k)
}

// markSearchOf is markSearch for a decision with a text of its own.
func (w *writer) markSearchOf(d review.ItemDecision) error {
	if d.Decision.Note == "" && d.Decision.Record == 0 { // that of a correction for all marks its result
		return nil
	}
	return w.markSearch(d.ID)
}

// decisionInForce returns the decision on an item, for all records, that is in force after the change: the newest one
// of a batch that is not undone. It fills in the batch and the fields that review.ResolveStatus reads.
func (w *writer) decisionInForce(item int64) (*review.Decision, error) {
	if err := w.follow(item); err != nil {
		return nil, err
	}
	var d review.Decision
	const query = `SELECT d.batch_id, d.kind, d.canonical, d.seen, d.confirms IS NOT NULL, ifnull((SELECT c.id
		FROM batch c WHERE c.id = d.confirms AND (c.undone_seq = 0 AND c.id <> ?2 OR c.id = ?3)), 0)
		FROM decision d JOIN batch b ON b.id = d.batch_id
		WHERE d.item_id = ?1 AND d.record_id IS NULL AND (b.undone_seq = 0 AND b.id <> ?2 OR b.id = ?3)
		ORDER BY d.batch_id DESC LIMIT 1`
	found, err := w.Find(query, []any{item, w.change.Undo, w.change.Redo}, &d.Batch, rows.DecisionKind(&d.Kind),
		&d.Canonical, &d.From, &d.SecondLook, &d.Confirms)
	if !found {
		return nil, err
	}
	return &d, nil
}

// applyDecision writes the decision in force, nil for none, to the item, with the status that follows from it.
func (w *writer) applyDecision(item int64, decision *review.Decision) error {
	if err := w.follow(item); err != nil {
		return err
	}
	changed, err := w.changesCorrection(item, decision)
	if err == nil && !changed {
		changed, err = w.hasRecordCorrection(item)
	}
	if err != nil {
		return err
	}
	if changed {
		return w.applyCorrection(item, decision)
	}
	was, is, err := w.outcome(item, decision)
	if err == nil {
		err = w.unsettle(item, decision)
	}
	if err != nil {
		return err
	}
	w.deltas.Move(was, is)
	batch, approved := rows.DecisionColumns(decision)
	return w.Exec(`UPDATE item SET rev = rev + 1, status = ?, flags = ?, batch_id = ?, approved = ?, settled_by = NULL,
		open = ?, was_open = ? WHERE id = ?`, is.Status, is.Flags, batch, approved, is.Open, is.WasOpen, item)
}

// outcome returns the current count key of an item, and its key with that decision.
func (w *writer) outcome(item int64, decision *review.Decision) (was, is rows.CountKey, err error) {
	var c review.Computed // only the fields that ResolveStatus reads
	var link review.Link
	err = w.Get("SELECT i.canonical, i.link, "+rows.CountColumns+" FROM item i WHERE i.id = ?", []any{item},
		append([]any{&c.Canonical, packedLink{&link}}, was.Into()...)...)
	if err != nil {
		return was, is, err
	}
	c.Verdict, c.Flags = canon.Verdict(was.Verdict), canon.CodeSet(was.Flags)
	by, err := w.byRecord(item, decision)
	return was, was.Resolve(c, link, decision, by), err
}

// firstLooks selects the open items of which a reviewer's approval, not outdated, waits for that of a second person: it
// is their review.Item.FirstLook; an approval for one record alone is not among these. With an affinity, which + takes
// away, SQLite would not use the index item_decided.
const firstLooks = `SELECT l.id FROM batch b CROSS JOIN item l ON ifnull(l.batch_id, 0) = +b.id AND l.open = 1
	CROSS JOIN decision d ON d.item_id = l.id AND d.batch_id = b.id
	WHERE b.reviewer = ? AND ` + rows.Waits + ` AND l.canonical IN (d.canonical, iif(d.kind = 1, d.seen, d.canonical))`

func (w *writer) writeNotes() error {
	return rows.ForEach(w.change.Notes, func(n review.ItemNote) error {
		err := w.follow(n.ID)
		if err == nil {
			err = w.Hit(rows.NoItem(n.ID), "UPDATE item SET rev = rev + 1, notes = notes + 1 WHERE id = ?", n.ID)
		}
		if err == nil {
			err = w.Insert("INTO note (item_id, batch_id, text)", n.ID, w.receipt.Batch, n.Text)
		}
		if err == nil {
			err = w.markSearch(n.ID)
		}
		return err
	})
}

// A decision may be for one record alone, or one file as a whole, that cites the item. It is in force if it is newer
// than the decision on the item and than others for that record. The item has batch_id as without it, and the status
// that follows from the decisions for all records that cite it: whoever adds or takes away an occurrence brings it up
// to date (restate).

// byRecord is rows.ByRecord.
func byRecord(ctx context.Context, q queryer, item int64, decision *review.Decision) ([]review.RecordDecision, error) {
	return rows.ByRecord(eachOf(ctx, q), item, decision)
}

// byRecord is the function of that name for a transaction that writes. Nearly all items have no such decision.
func (t *tx) byRecord(item int64, decision *review.Decision) ([]review.RecordDecision, error) {
	found, err := t.hasRecordDecision(item)
	if err != nil || !found {
		return nil, err
	}
	return byRecord(t.bare, prepared{t}, item, decision)
}

// checkCites fails if a decision is for a record alone that does not cite the item.
func checkCites(ctx context.Context, q queryer, d *review.ItemDecision) error {
	if d.Decision.Record == 0 {
		return nil
	}
	found, err := column[int](ctx, q, "SELECT 1 FROM occurrence WHERE item_id = ? AND record_id = ? AND gone = 0",
		d.ID, d.Decision.Record)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("record %d of URL %d: %w", d.Decision.Record, d.ID, review.ErrNotFound)
	}
	return err
}

// hasRecordDecision reports whether there ever was a decision for one record alone on the item.
func (t *tx) hasRecordDecision(item int64) (bool, error) {
	var one int
	return t.Find("SELECT 1 FROM decision WHERE item_id = ? AND record_id IS NOT NULL", []any{item}, &one)
}

// hasRecordCorrection reports whether there ever was a correction for one record alone on the item.
func (t *tx) hasRecordCorrection(item int64) (bool, error) {
	var one int
	return t.Find("SELECT 1 FROM decision WHERE item_id = ? AND record_id IS NOT NULL AND kind IN (2, 6)",
		[]any{item}, &one)
}

// Restate brings an item up to date after a record began or ceased to cite it.
func (in *interner) Restate(item int64) error {
	if err := in.follow(item); err != nil {
		return err
	}
	found, err := in.hasRecordDecision(item)
	if err != nil || !found {
		return err
	}
	w := &writer{tx: in.tx, change: &rows.Change{Computing: in.Computing}, names: in}
	err = rows.InOrder(func() error { return w.revertItem(item) }, w.settle)
	in.Recomputes = in.Recomputes || w.corrected
	return err
}

// History returns every decision on an item, oldest first.
func (s *Store) History(ctx context.Context, id int64) ([]review.PastDecision, error) {
	return collectNow(ctx, s.read, "reading decisions", rows.PastQuery(rows.AllDecisions), []any{id},
		rows.ScanPastDecision)
}

// DecisionCounts counts the decisions in force by reviewer, day and kind.
func (s *Store) DecisionCounts(ctx context.Context) ([]review.DecisionCount, error) {
	return collectNow(ctx, s.read, "counting decisions", `SELECT b.reviewer, date(b.at / 1000, 'unixepoch') AS day,
		d.kind, count(*) FROM batch b JOIN `+rows.AllDecisions+` d ON d.batch_id = b.id WHERE b.undone_seq = 0
		GROUP BY b.reviewer, day, d.kind ORDER BY day, b.reviewer, d.kind`, nil,
		func(c *review.DecisionCount, scan scanner) error {
			return scan(&c.Reviewer, &c.Day, rows.DecisionKind(&c.Kind), &c.N)
		})
}

// workQuery scans the batches, the index of the decisions and the index of the decided items once each, and reads no
// item. The CAST gives the column a type: without it SQLite would search all of closed for each batch.
var workQuery = `WITH decided AS MATERIALIZED (SELECT batch, sum(n) AS n FROM (SELECT batch_id AS batch,
		count(*) AS n FROM decision GROUP BY batch_id UNION ALL SELECT batch_id, count(*) FROM pending
		WHERE kind IS NOT NULL GROUP BY batch_id) GROUP BY batch),
	closed AS MATERIALIZED (SELECT CAST(ifnull(i.batch_id, 0) AS INTEGER) AS batch, sum(i.open = 0 AND
		i.place_set_id <> 0) AS n FROM item i
		WHERE ifnull(i.batch_id, 0) > 0 AND i.settled_by IS NULL GROUP BY ifnull(i.batch_id, 0))
	SELECT b.reviewer, min(b.at), max(b.at), count(*), sum(ifnull(decided.n, 0)),
		sum(iif(decided.n = 1, ifnull(closed.n, 0), 0)), sum(iif(decided.n > 1, ifnull(closed.n, 0), 0))
	FROM batch b LEFT JOIN decided ON decided.batch = b.id LEFT JOIN closed ON closed.batch = b.id
	WHERE b.undone_seq = 0 AND b.action NOT IN ` + marks(len(review.PermanentActions())) + `
	GROUP BY b.reviewer, b.at / 60000 ORDER BY b.reviewer, min(b.at)`

// Work returns the work of each reviewer in each minute.
func (s *Store) Work(ctx context.Context) ([]review.Work, error) {
	return collectNow(ctx, s.read, "counting the work", workQuery, anys(review.PermanentActions()),
		func(w *review.Work, scan scanner) error {
			return scan(&w.Reviewer, rows.Stamp(&w.First), rows.Stamp(&w.Last), &w.Batches, &w.Decisions, &w.Single,
				&w.Bulk)
		})
}

// A correction stands in for the original of its item, so the result of the item follows it, and one for a record alone
// may be outdated by the rules. Whoever sets, replaces or lifts one, or changes the records that cite such an item,
// writes the new result in the same transaction (review.Computing) and starts a generation: a change of the rules
// that is computed meanwhile then computes these items late (lateItems).

// changesCorrection reports whether the item has another correction with the decision than with the one in force.
func (w *writer) changesCorrection(item int64, decision *review.Decision) (bool, error) {
	var kind sql.NullInt64
	var was, is review.Decision
	err := w.Get("SELECT iif(i.settled_by IS NULL, d.kind, NULL), coalesce(d.canonical, '') FROM item i"+decisionJoin+
		" WHERE i.id = ?", []any{item}, &kind, &was.Canonical)
	if was.Kind = review.Kind(kind.Int64); !was.Kind.Corrects() {
		was = review.Decision{}
	}
	if decision != nil && decision.Kind.Corrects() {
		is = review.Decision{Kind: decision.Kind, Canonical: decision.Canonical}
	}
	return was != is, err
}

// applyCorrection is applyDecision for an item whose result follows from its decisions.
func (w *writer) applyCorrection(item int64, decision *review.Decision) error {
	computed, err := w.compute(item, decision)
	if err == nil {
		err = w.unsettle(item, decision)
	}
	if err != nil {
		return err
	}
	row, err := w.names.Computed(&computed)
	if err != nil {
		return err
	}
	var was rows.CountKey
	var link review.Link
	err = w.Get("SELECT i.link, "+rows.CountColumns+" FROM item i WHERE i.id = ?", []any{item},
		append([]any{packedLink{&link}}, was.Into()...)...)
	if err != nil {
		return err
	}
	by, err := w.byRecord(item, decision)
	if err != nil {
		return err
	}
	row.Resolve(computed, link, decision, by, was)
	w.deltas.Move(was, row.CountKey)
	w.corrected = true
	batch, approved := rows.DecisionColumns(decision)
	err = w.Exec(updateComputed+", batch_id = ?, approved = ?, settled_by = NULL WHERE id = ?",
		append(row.Args(), batch, approved, item)...)
	if err != nil {
		return err
	}
	return w.markSearch(item)
}

// compute returns the result of the item with the decision, under the rules of the change.
func (w *writer) compute(item int64, decision *review.Decision) (review.Computed, error) {
	err := rows.InOrder(w.useRules, func() error { return w.checkRulesGen(w.change.Computing.Gen) })
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
	if it.ByRecord, err = w.byRecord(item, decision); err != nil {
		return review.Computed{}, err
	}
	return w.change.Compute(it, rows.WithHosts(ev, w.hosts)), nil
}
