package postgres

import (
	"context"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/store/rows"
)

// Commit writes one batch, or nothing. An undo or a redo is a log entry but no batch of its own: its receipt names
// the batch that it reverts.
func (s *Store) Commit(ctx context.Context, c review.Change) (review.Receipt, error) {
	return s.commit(ctx, rows.ChangeOf(c))
}

// Replay is review.Replayer's.
func (s *Store) Replay(ctx context.Context, e review.Replayed) (review.Receipt, error) {
	return s.commit(ctx, rows.Again(e))
}

func (s *Store) commit(ctx context.Context, c *rows.Change) (r review.Receipt, err error) {
	doing := fmt.Sprintf("writing a batch (%s)", c.Action)
	if err := c.Validate(); err != nil {
		return r, s.read.failed(ctx, doing, err)
	}
	large, err := s.isLarge(ctx, c)
	switch {
	case err != nil:
		err = s.read.failed(ctx, doing, err)
	case large:
		r, err = s.commitLarge(ctx, doing, c)
	case isBeside(c):
		if r, err = commitBy(ctx, doing, c, s.updateBeside); !isBehindLarge(err) {
			break
		}
		fallthrough
	default:
		r, err = commitBy(ctx, doing, c, s.updateAsking)
	}
	if err != nil {
		return review.Receipt{}, err
	}
	return r, nil
}

// commitBy writes the change by update, which is updateAsking or updateBeside.
func commitBy(ctx context.Context, doing string, c *rows.Change,
	update func(ctx context.Context, doing string, ask func(*tx), fn func(*tx) error) error,
) (r review.Receipt, err error) {
	var states map[int64]*itemState
	err = update(ctx, doing, func(t *tx) { states = t.askDecided(c) }, func(t *tx) error {
		w := newWriter(t, c)
		w.states = states
		err := w.commit()
		r = w.receipt
		return err
	})
	return r, err
}

// writer writes one change in one transaction.
type writer struct {
	*tx
	change     *rows.Change
	names      *interner
	states     map[int64]*itemState  // of the items to decide
	decided    []review.ItemDecision // the decisions without a conflict
	recomputed []review.Recomputed
	reverted   review.Batch // the batch to undo or redo
	receipt    review.Receipt
	corrected  bool           // the correction of an item changed
	unsettled  []int64        // the items to settle (settle.go)
	owning     map[int64]bool // the items that have a decision of their own now
	presence   rows.Marking   // the occurrences that go or come back
	large      bool           // the rows of items are written before the head is locked (large.go)
	preparing  bool           // they are being written
}

func newWriter(t *tx, c *rows.Change) *writer {
	return &writer{tx: t, change: c, names: newInterner(t), recomputed: c.Recomputed, owning: map[int64]bool{}}
}

func (w *writer) commit() error {
	if w.change.Adds() {
		return w.addAgain()
	}
	err := rows.InOrder(w.checkRules, w.checkRevert, w.checkConfirmed, w.checkDecisions, w.writePresence)
	if err != nil || w.nothing() {
		return err
	}
	evidence := func() error {
		return rows.ForEach(w.change.Evidence, func(e review.ItemEvidence) error {
			return w.names.ReplaceEvidence(e, w.keepPage)
		})
	}
	return rows.InOrder(w.begin, w.writeOverrides, w.writePolicy, evidence, w.writeRecomputed, w.writeDecisions,
		w.writeNotes, w.revert, w.settle, w.startGen)
}

// addAgain adds the items of one log entry, with or without that entry, or appends the entry alone.
func (w *writer) addAgain() (err error) {
	a := adder{list: w.change.Replay.Added}
	w.receipt.Seq, err = rows.AddAgain(w.tx, w.change.Replay, &a.Adder, func() error { return a.run(w.tx) })
	return err
}

// checkRules fails with ErrStale if the stored rules are not those that the change was computed from.
func (w *writer) checkRules() error {
	if !w.change.OnRules() {
		return nil
	}
	late, err := w.change.Behind(w.head.Meta)
	if err != nil || !late {
		return err
	}
	return w.recomputeLate()
}

// recomputeLate replaces the results of the items that were added, corrected or got evidence since the change was
// computed. The change's own evidence does not count yet.
func (w *writer) recomputeLate() error {
	ids, err := w.lateItems()
	if err != nil {
		return err
	}
	w.recomputed = slices.DeleteFunc(slices.Clone(w.recomputed), func(r review.Recomputed) bool {
		_, late := slices.BinarySearch(ids, r.ID)
		return late
	})
	if w.preparing {
		return nil // these items are computed once the head is locked
	}
	return w.names.eachToCompute(ids, func(it review.Item, ev *canon.Evidence) error {
		if r := w.change.Late(it, ev); r != nil {
			w.recomputed = append(w.recomputed, *r)
		}
		return nil
	})
}

// lateItems returns the IDs of the items to recompute, sorted: those that were added, have later evidence, themselves
// or by a host, were corrected later, or are cited elsewhere since.
func (w *writer) lateItems() ([]int64, error) {
	hosts, err := w.newlyKnown()
	if err != nil {
		return nil, err
	}
	first, last, came, err := w.placedLate()
	if err != nil {
		return nil, err
	}
	const query = `SELECT id FROM item WHERE id > ?1 UNION SELECT item_id FROM evidence WHERE gen > 0 AND gen > ?2
		UNION SELECT d.item_id FROM log l JOIN decision d ON d.batch_id = l.batch_id WHERE l.seq > ?3
		AND EXISTS (SELECT 1 FROM decision c WHERE c.item_id = d.item_id AND c.kind IN (2, 6))
		UNION SELECT o.item_id FROM unnest(?4::bigint[], ?5::bigint[], ?6::boolean[]) r (first, last, came)
		JOIN occurrence o ON o.id BETWEEN r.first AND r.last
		WHERE NOT r.came OR EXISTS (SELECT 1 FROM occurrence e WHERE e.item_id = o.item_id AND e.id < o.id)
		UNION SELECT i.id FROM unnest(?7::bytea[]) w (name) JOIN host h ON sha256(h.name) = sha256(w.name)
		JOIN item i ON i.host_id = h.id OR i.in_host_id = h.id AND i.in_host_id <> i.host_id
		UNION SELECT i.id FROM item i CROSS JOIN unnest(string_to_array(encode(i.via, 'escape'), ' ')) hop
		WHERE i.via <> '' AND hop IN (SELECT encode(name, 'escape') FROM unnest(?7::bytea[]) w (name)) ORDER BY 1`
	return column[int64](w.ctx, w, query, w.change.LastID, w.change.Results.Gen, w.change.Seq, first, last, came,
		hosts)
}

// placedLate returns the ranges of the occurrences that came, or went or came back, since the change was computed. One
// that came counts if its item had another one before.
func (w *writer) placedLate() (first, last []int64, came []bool, err error) {
	err = each(w.ctx, w, "SELECT "+rows.EntryColumns+" FROM log WHERE seq > ? ORDER BY seq", []any{w.change.Seq},
		func(scan scanner) error {
			e, err := rows.ScanEntry(scan)
			if err != nil {
				return err
			}
			body, err := e.Read()
			if o := body.Occurrences; o != nil {
				first, last, came = append(first, o.First), append(last, o.Last), append(came, true)
			}
			for _, r := range slices.Concat(body.Gone, body.Back) {
				first, last, came = append(first, r.First), append(last, r.Last), append(came, false)
			}
			return err
		})
	return first, last, came, err
}

// newlyKnown returns the hosts with new evidence since the change was computed, each with and without "www.".
func (w *writer) newlyKnown() ([]string, error) {
	names, err := column[string](w.ctx, w,
		"SELECT h.name FROM host_evidence e JOIN host h ON h.id = e.host_id WHERE e.gen > 0 AND e.gen > ?",
		w.change.Results.Gen)
	return review.RelatedHosts(nil, names...), err
}

// nothing reports whether the change is empty, or every decision is in conflict.
func (w *writer) nothing() bool {
	return w.change.Nothing(w.decided, len(w.presence.IDs), len(w.recomputed)+w.receipt.Updated)
}

// begin appends the log entry and, unless the change is an undo or a redo, starts the batch.
func (w *writer) begin() error {
	inputs, err := rows.ReplacedInputs(w, w.change)
	if err != nil {
		return err
	}
	body := w.change.Body(w.decided, inputs, w.presence.Entry())
	return rows.Begin(w, w.change, body, &w.receipt)
}

func (w *writer) writePolicy() error { return rows.WritePolicy(w, w.change.Policy) }

func (w *writer) startGen() error { return rows.StartGen(w, w.change, w.corrected, &w.names.Interner) }

// writeRecomputed stores the new results of the rules.
func (w *writer) writeRecomputed() error {
	w.receipt.Updated += len(w.recomputed)
	for part := range slices.Chunk(w.recomputed, gridSize) {
		ids := make([]int64, len(part))
		for i := range part {
			ids[i] = part[i].ID
		}
		w.lockItems(ids)
		states, err := w.statesOf(ids)
		if err == nil {
			err = w.names.recompute(part, states)
		}
		if err != nil {
			return err
		}
	}
	w.recomputed = nil
	return nil
}

// writePresence marks the occurrences of a change that forgets a file, or takes that back.
func (w *writer) writePresence() error {
	if err := w.findPresence(); err != nil || len(w.presence.IDs) == 0 {
		return err
	}
	if err := w.passLarge(); err != nil {
		return err
	}
	if err := w.checkRulesGen(w.change.Computing.Gen); err != nil {
		return err
	}
	return w.presence.Write(w.tx, &w.names.Interner, w.change)
}

// findPresence finds the occurrences of the change. When Replay repeats an entry these are its own. Those of a batch
// are gone since its first entry, or since others of its run.
func (w *writer) findPresence() error {
	c, p := w.change, &w.presence
	file := c.Forget
	if w.reverted.Action == review.ActForget {
		var first review.Entry
		err := w.Get("SELECT l.seq, l.body FROM batch b JOIN log l ON l.seq = b.seq WHERE b.id = ?",
			[]any{w.reverted.ID}, &first.Seq, &first.Body)
		if err != nil {
			return err
		}
		body, err := first.Read()
		if err != nil {
			return err
		}
		p.Since, file = first.Seq, body.Forget
	}
	if file == "" {
		return nil
	}
	p.Back = c.Undo > 0
	if c.Replay != nil {
		p.IDs = c.Marks()
		return nil
	}
	where := "o.gone = 0 AND ?2::bigint = ?2"
	if p.Back {
		where = "(o.gone = ?2 OR o.gone IN (SELECT seq FROM log WHERE batch_id < 0 AND batch_id = -?2::bigint))"
	}
	var err error
	p.IDs, err = column[int64](w.ctx, w, `SELECT o.id FROM record r JOIN occurrence o ON o.record_id = r.id
		WHERE r.file_id = (SELECT id FROM file WHERE sha256(name) = sha256(?1)) AND `+where+" ORDER BY o.id",
		file, p.Since)
	return err
}
