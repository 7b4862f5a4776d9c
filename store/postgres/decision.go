package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// firstLooks selects the items of which a reviewer's approval, not outdated, waits for that of a second person. If they
// are open, it is their review.Item.FirstLook; an approval for one record alone is not among these.
const firstLooks = `SELECT l.id FROM batch b JOIN decision d ON d.batch_id = b.id
	JOIN item l ON l.id = d.item_id AND l.batch_id = d.batch_id WHERE sha256(b.reviewer) = sha256(?) AND ` + rows.Waits + `
	AND l.canonical IN (d.canonical, CASE d.kind WHEN 1 THEN d.seen ELSE d.canonical END)`

// A decision may be for one record alone, or one file as a whole, that cites the item. It is in force if it is newer
// than the decision on the item and than others for that record. The item has batch_id as without it, and the status
// that follows from the decisions for all records that cite it: whoever adds or takes away an occurrence brings it up
// to date (restate).

// byRecord is rows.ByRecord.
func byRecord(ctx context.Context, q queryer, item int64, decision *review.Decision) ([]review.RecordDecision, error) {
	return rows.ByRecord(eachOf(ctx, q), item, decision)
}

// Restate brings an item up to date after a record began or ceased to cite it.
func (in *interner) Restate(item int64) error {
	var found bool
	err := in.Get("SELECT EXISTS (SELECT 1 FROM decision WHERE item_id = ? AND record_id IS NOT NULL)", []any{item},
		&found)
	if err != nil || !found {
		return err
	}
	w := newWriter(in.tx, &rows.Change{Computing: in.Computing})
	w.names = in
	err = rows.InOrder(func() error { return w.revertItems([]int64{item}) }, w.settle)
	in.Recomputes = in.Recomputes || w.corrected
	return err
}

// checkDecisions keeps the decisions whose item is still as the reviewer saw it, and reports the others as conflicts.
func (w *writer) checkDecisions() error {
	var changed []int64
	for _, d := range w.change.Decisions {
		s := w.states[d.ID]
		switch {
		case s == nil:
			return rows.NoItem(d.ID)
		case !s.cited:
			return fmt.Errorf("record %d of URL %d: %w", d.Decision.Record, d.ID, review.ErrNotFound)
		case d.Rev == 0 || d.Rev == s.rev:
			w.decided = append(w.decided, d)
		default:
			changed = append(changed, d.ID)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	now := itemsOf(changed)
	found, err := w.query(w.ctx, now.query, now.args)
	if err != nil {
		return err
	}
	list, err := readItems(w.ctx, w, found)
	at := map[int64]review.Item{}
	for _, it := range list {
		at[it.ID] = it
	}
	for _, id := range changed {
		w.receipt.Conflicts = append(w.receipt.Conflicts, review.Conflict{Item: at[id]})
	}
	return err
}

// askDecided asks for the states of the items that the change decides.
func (t *tx) askDecided(c *rows.Change) map[int64]*itemState {
	want := make([]wanted, len(c.Decisions))
	for i, d := range c.Decisions {
		want[i] = wanted{d.ID, d.Decision.Record, d.Decision.Canonical}
	}
	return t.askStates(want)
}

var insertDecisions = "INSERT INTO decision (item_id, batch_id, kind, canonical, seen, note, record_id, confirms) " +
	"SELECT * FROM " + arrays("item_id bigint, batch_id bigint, kind bigint, canonical bytea, seen bytea, note bytea, "+
	"record_id bigint, confirms bigint")

func (w *writer) writeDecisions() error {
	if len(w.decided) == 0 {
		return nil
	}
	if c := w.change; c.OnRules() || len(c.Evidence)+len(w.presence.IDs) > 0 { // their states may have changed
		w.states = w.askDecided(c)
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.receipt.Decided += len(w.decided)
	var decisions, texts grid
	var apply []inForce
	var alone []int64
	for i := range w.decided {
		d := &w.decided[i]
		k := &d.Decision
		k.Batch = w.receipt.Batch // the newest batch is in force
		record := pgtype.Int8{Int64: k.Record, Valid: k.Record > 0}
		decisions.add(d.ID, w.receipt.Batch, int64(k.Kind), k.Canonical, k.From, k.Note, record, rows.Confirms(k))
		if k.Note != "" || k.Canonical != "" && k.Canonical != w.states[d.ID].result {
			texts.add(d.ID, string(searchText(k.Canonical, k.Note)))
		}
		if k.Record > 0 {
			alone = append(alone, d.ID)
		} else {
			apply = append(apply, inForce{w.states[d.ID], k})
		}
	}
	return rows.InOrder(func() error { return w.execGrid(insertDecisions, &decisions) },
		func() error { return w.execGrid(addTexts, &texts) },
		func() error { return w.apply(apply) }, func() error { return w.revertItems(alone) })
}

var (
	insertNotes = "INSERT INTO note (item_id, batch_id, text) SELECT * FROM " +
		arrays("item_id bigint, batch_id bigint, text bytea")
	countNotes = "UPDATE item i SET rev = i.rev + n.count, notes = i.notes + n.count FROM (SELECT id, count(*) " +
		"AS count FROM unnest(?::bigint[]) AS id GROUP BY id) n WHERE i.id = n.id RETURNING i.id"
)

func (w *writer) writeNotes() error {
	if len(w.change.Notes) == 0 {
		return nil
	}
	var ids []int64
	var notes, texts grid
	joined := map[int64]searchable{}
	for _, n := range w.change.Notes {
		ids = append(ids, n.ID)
		notes.add(n.ID, w.receipt.Batch, n.Text)
		joined[n.ID] += searchText(n.Text)
	}
	for id, text := range joined {
		texts.add(id, string(text))
	}
	found, err := column[int64](w.ctx, w, countNotes, ids)
	for _, id := range ids {
		if err == nil && !slices.Contains(found, id) {
			err = rows.NoItem(id)
		}
	}
	if err != nil {
		return err
	}
	return rows.InOrder(func() error { return w.execGrid(insertNotes, &notes) },
		func() error { return w.execGrid(addTexts, &texts) })
}

// decisionsInForce returns the decision on each item, for all records, that is in force after the change: the newest
// one of a batch that is not undone. It has the batch and the fields that review.ResolveStatus reads.
func (w *writer) decisionsInForce(ids []int64) (map[int64]*review.Decision, error) {
	const query = `SELECT DISTINCT ON (d.item_id) d.item_id, d.batch_id, d.kind, d.canonical, d.seen,
		CASE WHEN d.confirms IS NOT NULL THEN coalesce((SELECT c.id FROM batch c WHERE c.id = d.confirms
		AND (c.undone_seq = 0 AND c.id <> ?2 OR c.id = ?3)), 0) END
		FROM decision d JOIN batch b ON b.id = d.batch_id
		WHERE d.item_id = ANY(?1) AND d.record_id IS NULL AND (b.undone_seq = 0 AND b.id <> ?2 OR b.id = ?3)
		ORDER BY d.item_id, d.batch_id DESC`
	found := map[int64]*review.Decision{}
	err := each(w.ctx, w, query, []any{ids, w.change.Undo, w.change.Redo}, func(scan scanner) error {
		var item int64
		var d review.Decision
		if err := scan(&item, &d.Batch, rows.DecisionKind(&d.Kind), &d.Canonical, &d.From, rows.Looks(&d)); err != nil {
			return err
		}
		found[item] = &d
		return nil
	})
	return found, err
}

// History returns every decision on an item, oldest first.
func (s *Store) History(ctx context.Context, id int64) ([]review.PastDecision, error) {
	return listOf(ctx, s.read, "reading decisions", rows.PastQuery("decision"), []any{id}, rows.ScanPastDecision)
}

// A correction stands in for the original of its item, so the result of the item follows it, and one for a record alone
// may be outdated by the rules. Whoever sets, replaces or lifts one, or changes the records that cite such an item,
// writes the new result in the same transaction (review.Computing) and starts a generation: a change of the rules
// that is computed meanwhile then computes these items late (lateItems).

// corrects reports whether the result of the item follows from its decisions: it had, or will have, another correction.
func (f *inForce) corrects() bool {
	var was, is review.Decision
	if kind := review.Kind(f.Kind.Int64); !f.Item.Valid && kind.Corrects() {
		was = review.Decision{Kind: kind, Canonical: f.Canonical}
	}
	if d := f.decision; d != nil && d.Kind.Corrects() {
		is = review.Decision{Kind: d.Kind, Canonical: d.Canonical}
	}
	return f.corrected || was != is
}

// correct writes the results of the items whose corrections change, and returns their count keys.
func (w *writer) correct(list []inForce) (map[int64]rows.CountKey, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(f inForce) bool { return !f.corrects() })
	if len(list) == 0 {
		return nil, nil
	}
	if err := w.checkRulesGen(w.change.Computing.Gen); err != nil {
		return nil, err
	}
	w.corrected = true
	changed := make(map[int64]inForce, len(list))
	ids := make([]int64, len(list))
	for i, f := range list {
		ids[i], changed[f.id] = f.id, f
	}
	var results []newResult
	err := w.names.eachToCompute(ids, func(it review.Item, ev *canon.Evidence) (err error) {
		f := changed[it.ID]
		it.Decision = f.decision
		it.ByRecord, err = w.recordDecisions(f.itemState, f.decision)
		results = append(results, newResult{inForce: f, Computed: w.change.Compute(it, ev)})
		return err
	})
	if err != nil {
		return nil, err
	}
	return w.names.writeResults(results, 0)
}

// DecisionCounts counts decisions by day, reviewer and kind.
func (s *Store) DecisionCounts(ctx context.Context) ([]review.DecisionCount, error) {
	const query = `SELECT b.reviewer, to_char(to_timestamp(b.at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
		d.kind, count(*) FROM batch b JOIN decision d ON d.batch_id = b.id
		WHERE b.undone_seq = 0 GROUP BY b.reviewer, day, d.kind ORDER BY day, b.reviewer, d.kind`
	return readNow(ctx, s.read, "counting decisions", func(q *snapshot) ([]review.DecisionCount, error) {
		q.inFull()
		return collect(ctx, q, query, nil, func(c *review.DecisionCount, scan scanner) error {
			return scan(&c.Reviewer, &c.Day, rows.DecisionKind(&c.Kind), &c.N)
		})
	})
}

// workQuery counts the decisions of each batch, and the items that its decisions closed.
const workQuery = `WITH decided AS (SELECT batch_id AS batch, count(*) AS n FROM decision GROUP BY batch_id),
	closed AS (SELECT coalesce(i.batch_id, 0) AS batch, count(*) AS n FROM item i
		WHERE coalesce(i.batch_id, 0) > 0 AND i.settled_by IS NULL AND NOT i.open AND i.place_set_id <> 0 GROUP BY 1)
	SELECT b.reviewer, min(b.at), max(b.at), count(*), coalesce(sum(decided.n), 0)::bigint,
		coalesce(sum(closed.n) FILTER (WHERE decided.n = 1), 0)::bigint,
		coalesce(sum(closed.n) FILTER (WHERE decided.n > 1), 0)::bigint
	FROM batch b LEFT JOIN decided ON decided.batch = b.id LEFT JOIN closed ON closed.batch = b.id
	WHERE b.undone_seq = 0 AND b.action <> ALL(?::bytea[])
	GROUP BY b.reviewer, b.at / 60000 ORDER BY b.reviewer, min(b.at)`

// Work returns the work of each reviewer in each minute.
func (s *Store) Work(ctx context.Context) ([]review.Work, error) {
	var permanent []string
	for _, action := range review.PermanentActions() {
		permanent = append(permanent, string(action))
	}
	return readNow(ctx, s.read, "counting the work", func(q *snapshot) ([]review.Work, error) {
		q.inFull()
		return collect(ctx, q, workQuery, []any{permanent}, func(w *review.Work, scan scanner) error {
			return scan(&w.Reviewer, rows.Stamp(&w.First), rows.Stamp(&w.Last), &w.Batches, &w.Decisions, &w.Single,
				&w.Bulk)
		})
	})
}
