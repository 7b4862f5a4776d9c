package sqlite

import (
	"cmp"
	"context"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// follow brings an item up to date that is pending, before somebody writes to it.
func (t *tx) follow(item int64) error {
	if !t.anyPending || item == t.following {
		return nil
	}
	var p rows.Pending
	found, err := t.Find("SELECT "+rows.PendingColumns+" FROM pending WHERE item_id = ?", []any{item}, p.Into()...)
	if err != nil || !found {
		return err
	}
	f := newFollower(t)
	return rows.InOrder(func() error { return f.follow(&p, nil) }, f.end)
}

// follower brings pending items up to date in a transaction. Its results follow from the rules and the decisions in
// force, so the order of the items does not matter.
type follower struct{ *writer }

func newFollower(t *tx) *follower {
	return &follower{&writer{tx: t, change: &rows.Change{}, names: newInterner(t)}}
}

// follow brings one item up to date, unless somebody else did since its row was read. computed is its result under the
// rules in force, nil if nobody computed it yet.
func (f *follower) follow(p *rows.Pending, computed *review.Computed) error {
	n, err := f.execCount("DELETE FROM pending WHERE item_id = ? AND seq = ?", p.Item, p.Seq)
	if err != nil || n == 0 {
		return err
	}
	f.pended, f.following = f.pended-1, p.Item
	if d := p.Decision(); d != nil {
		own := review.ItemDecision{ID: p.Item, Decision: *d}
		if err := rows.InOrder(func() error { return rows.WriteDecision(f, p.Item, d) },
			func() error { return f.markSearchOf(own) }); err != nil {
			return err
		}
	}
	if p.Decides {
		if err := f.revertItem(p.Item); err != nil {
			return err
		}
	}
	switch {
	case !p.Computes:
		return nil
	case computed != nil && !p.Decides:
		return f.names.writeComputed(review.Recomputed{ID: p.Item, Computed: *computed})
	}
	if err := f.useRules(); err != nil {
		return err
	}
	return f.names.computeAgain(p.Item)
}

// useRules has the writer compute results under the rules in force, unless its change brings others.
func (w *writer) useRules() (err error) {
	if w.change.Compute == nil {
		w.change.Computing, err = w.rules(w.ctx)
		w.names.Computing = w.change.Computing
	}
	return err
}

// end settles items, and starts a generation if a correction changed.
func (f *follower) end() error {
	if err := f.settle(); err != nil || !f.corrected {
		return err
	}
	return f.RaiseGen(false, false)
}

// pendComputed makes the recomputed items pending.
func (w *writer) pendComputed() error {
	ids := make([]int64, len(w.change.Recomputed))
	for i := range ids {
		ids[i] = w.change.Recomputed[i].ID
	}
	var missing int64 // no item is ever deleted
	found, err := w.Find("SELECT value FROM json_each(?) WHERE value NOT BETWEEN 1 AND (SELECT max(id) FROM item)",
		[]any{jsonList(ids)}, &missing)
	if err != nil || found {
		return cmp.Or(err, rows.NoItem(missing))
	}
	return w.countPending(func() error {
		return w.Exec(`INSERT INTO pending (item_id, seq, decides, computes) SELECT value, ?, 0, 1 FROM json_each(?)
			WHERE true ON CONFLICT DO UPDATE SET seq = excluded.seq, computes = 1`, w.receipt.Seq, jsonList(ids))
	})
}

// pendReverted makes the items of the batch pending that the change undoes or redoes. Those with a new decision of the
// batch are pending already.
func (w *writer) pendReverted() error {
	return w.countPending(func() error {
		return w.Exec(`INSERT INTO pending (item_id, seq, decides, computes) SELECT item_id, ?, 1, 0 FROM decision
			WHERE batch_id = ? ORDER BY item_id ON CONFLICT DO UPDATE SET seq = excluded.seq, decides = 1`,
			w.receipt.Seq, w.receipt.Batch)
	})
}

// countPending notes how many items became pending.
func (w *writer) countPending(add func() error) error {
	var was, is int
	const query = "SELECT count(*) FROM pending"
	err := rows.InOrder(func() error { return w.Get(query, nil, &was) }, add,
		func() error { return w.Get(query, nil, &is) })
	w.pended += is - was
	return err
}

// pendDecisions makes the new decisions pending, for the next log entry and the next batch. Those on items that changed
// since they were checked are in conflict.
func (w *writer) pendDecisions() error {
	var seq, batch int64
	err := w.Get("SELECT (SELECT coalesce(max(seq), 0) + 1 FROM log), (SELECT coalesce(max(id), 0) + 1 FROM batch)",
		nil, &seq, &batch)
	if err != nil {
		return err
	}
	into := insertion{into: rows.IntoPending, or: " ON CONFLICT DO NOTHING"}
	n := 0
	write := func() error {
		added, err := into.count(w.tx)
		n += int(added)
		return err
	}
	for i := range w.decided {
		if into.add(rows.PendingDecision(&w.decided[i], seq, batch)...) {
			if err := write(); err != nil {
				return err
			}
		}
	}
	if err := write(); err != nil {
		return err
	}
	if n < len(w.decided) {
		return errOvertaken
	}
	w.pended += n
	changed, err := column[int64](w.ctx, w, `SELECT item_id FROM pending CROSS JOIN item i ON i.id = item_id
		WHERE seq = ? AND pending.rev > 0 AND pending.rev <> i.rev ORDER BY item_id`, seq)
	if err != nil || len(changed) == 0 {
		return err
	}
	return w.refuse(changed)
}

// refuse makes the pending decisions on items conflicts.
func (w *writer) refuse(items []int64) error {
	w.checked.body = nil
	w.decided = slices.DeleteFunc(slices.Clone(w.decided), func(d review.ItemDecision) bool {
		_, is := slices.BinarySearch(items, d.ID)
		return is
	})
	return rows.ForEach(items, func(id int64) error {
		if err := w.Exec("DELETE FROM pending WHERE item_id = ?", id); err != nil {
			return err
		}
		w.pended--
		it, err := readItem(w.ctx, w, id)
		w.receipt.Conflicts = append(w.receipt.Conflicts, review.Conflict{Item: it})
		return err
	})
}

// writeWork keeps the number of pending items.
func (t *tx) writeWork() error {
	if t.pended == 0 {
		return nil
	}
	return t.Exec("UPDATE work SET n = max(0, n + ?)", t.pended)
}

// Unfinished returns about how many items are pending.
func (s *Store) Unfinished(ctx context.Context) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT iif(EXISTS (SELECT 1 FROM pending), max(n, 1), 0) FROM work`).Scan(&n)
	return n, s.read.failed(ctx, "counting the URLs that are left", err)
}

// pendingSet are pending items to bring up to date.
type pendingSet struct {
	rows     []rows.Pending
	gen      int64                      // of the rules
	computed map[int64]*review.Computed // the results of those that only have to be computed
}

// readSet reads the first pending items, and computes their results.
func (l *largeChanges) readSet(ctx context.Context) (set pendingSet, err error) {
	var anyComputed bool
	const query = "SELECT EXISTS (SELECT 1 FROM pending WHERE computes = 1)"
	err = l.conn.read.QueryRowContext(ctx, query).Scan(&anyComputed)
	var rules review.Computing
	if err == nil && anyComputed {
		rules, err = l.conn.readRules(ctx)
	}
	if err != nil {
		return set, err
	}
	set.gen, set.computed = rules.Gen, map[int64]*review.Computed{}
	return set, l.conn.read.snapshot(ctx, finishing, func(q queryer) error {
		set.rows, err = collect(ctx, q, "SELECT "+rows.PendingColumns+" FROM pending ORDER BY item_id"+limit(l.setSize),
			nil, func(p *rows.Pending, scan scanner) error { return scan(p.Into()...) })
		if err != nil || !anyComputed || len(set.rows) == 0 {
			return err
		}
		return set.compute(ctx, q, rules.Compute)
	})
}

// compute computes the results of the items that only have to be computed.
func (s *pendingSet) compute(
	ctx context.Context, q queryer, compute func(review.Item, *canon.Evidence) review.Computed,
) error {
	known, err := readHosts(ctx, q, allHosts)
	if err != nil {
		return err
	}
	row := newEvidenceRow(ctx, q)
	query := "SELECT " + itemColumns + ", e.body FROM pending p CROSS JOIN item i ON i.id = p.item_id" + itemJoins +
		evidenceJoin + " WHERE p.item_id <= ? AND p.computes = 1 AND p.decides = 0"
	return each(ctx, q, query, []any{s.rows[len(s.rows)-1].Item}, func(scan scanner) error {
		it, ev, err := row.ReadWithEvidence(scan)
		if err == nil {
			s.computed[it.ID] = new(compute(it, rows.WithHosts(ev, known)))
		}
		return err
	})
}
