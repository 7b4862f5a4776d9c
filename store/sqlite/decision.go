package sqlite

import (
	"context"
	"fmt"

	"visto/review"
)

// checkDecisions keeps the decisions whose item is as the reviewer saw it, and reports the others.
func (w *writer) checkDecisions() error {
	if w.decisions != nil {
		return w.settleStaging()
	}
	for _, d := range w.change.Decisions {
		if err := w.checkDecision(d); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) checkDecision(d review.ItemDecision) error {
	if err := w.settle(d.ID); err != nil {
		return err
	}
	var rev int64
	found, err := w.find("SELECT rev FROM item WHERE id = ?", []any{d.ID}, &rev)
	switch {
	case err != nil:
		return err
	case !found:
		return fmt.Errorf("URL %d: %w", d.ID, review.ErrNotFound)
	case d.Rev == 0 || d.Rev == rev:
		w.decided = append(w.decided, d)
		return nil
	}
	it, err := readItem(w.ctx, w, d.ID)
	w.receipt.Conflicts = append(w.receipt.Conflicts, review.Conflict{Item: it})
	return err
}

func (w *writer) writeDecisions() error {
	w.receipt.Decided += len(w.decided)
	if w.decisions != nil {
		return nil
	}
	for _, d := range w.decided {
		k := &d.Decision
		_, err := w.exec("INSERT INTO decision (item_id, batch_id, kind, canonical, seen, note) VALUES (?, ?, ?, ?, ?, ?)",
			d.ID, w.batch, int64(k.Kind), k.Canonical, k.From, k.Note)
		if err == nil && (k.Note != "" || k.Kind == review.Correct) {
			err = w.markSearch(d.ID)
		}
		if err == nil { // of the newest batch: it stands
			err = w.makeStand(d.ID, &review.Decision{Batch: w.batch, Kind: k.Kind, Canonical: k.Canonical, From: k.From})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// standing returns the decision on an item that stands: the newest one of a batch that is not undone, or not to be undone by the
// change, or to be brought back by it. Of it only what review.Stand looks at is filled in, and the batch.
func (w *writer) standing(item int64) (*review.Decision, error) {
	if err := w.settle(item); err != nil {
		return nil, err
	}
	var d review.Decision
	found, err := w.find(`SELECT d.batch_id, d.kind, d.canonical, d.seen FROM decision d JOIN batch b ON b.id = d.batch_id
		WHERE d.item_id = ? AND (b.undone_seq = 0 AND b.id <> ? OR b.id = ?) ORDER BY d.batch_id DESC LIMIT 1`,
		[]any{item, w.change.Undo, w.change.Redo},
		&d.Batch, &d.Kind, &d.Canonical, &d.From)
	if !found {
		return nil, err
	}
	return &d, nil
}

// makeStand writes to the item which decision stands now, nil for none, and what follows from that.
func (w *writer) makeStand(item int64, decision *review.Decision) error {
	if err := w.settle(item); err != nil {
		return err
	}
	if err := w.overtake(item); err != nil {
		return err
	}
	was, is, err := w.wouldStand(item, decision)
	if err != nil {
		return err
	}
	w.moved.move(was, is)
	batch, approved := standColumns(is, decision)
	_, err = w.exec("UPDATE item SET rev = rev + 1, status = ?, flags = ?, batch_id = ?, approved = ?, open = ?, was_open = ? WHERE id = ?",
		is.status, is.flags, batch, approved, is.open, is.wasOpen, item)
	if err != nil {
		return err
	}
	return w.restage(item, was, is, decision)
}

// wouldStand returns the kind that an item is of, and the one with that decision.
func (w *writer) wouldStand(item int64, decision *review.Decision) (was, is kind, err error) {
	var c review.Computed // as far as Stand looks at it
	err = w.get("SELECT i.canonical, i.verdict, i.flags, "+kindColumns+" FROM item i WHERE i.id = ?", []any{item},
		append([]any{&c.Canonical, &c.Verdict, &c.Flags}, was.into()...)...)
	return was, was.stands(c, decision), err
}

// standColumns are batch_id and approved of an item with that decision.
func standColumns(is kind, decision *review.Decision) (batch, approved any) {
	if decision != nil {
		batch = decision.Batch
	}
	if review.Status(is.status) == review.Approved {
		approved = decision.Canonical
	}
	return batch, approved
}

func (w *writer) writeNotes() error {
	for _, n := range w.change.Notes {
		if err := w.overtake(n.ID); err != nil {
			return err
		}
		res, err := w.exec("UPDATE item SET rev = rev + 1, notes = notes + 1 WHERE id = ?", n.ID)
		if err == nil {
			err = mustHit(res, n.ID)
		}
		if err == nil {
			_, err = w.exec("INSERT INTO note (item_id, batch_id, text) VALUES (?, ?, ?)", n.ID, w.batch, n.Text)
		}
		if err == nil {
			err = w.markSearch(n.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Notes returns an item's notes of batches that stand, oldest first.
func (s *Store) Notes(ctx context.Context, id int64) ([]review.Note, error) {
	var list []review.Note
	err := each(ctx, s.read, `SELECT b.at, b.reviewer, n.text FROM note n JOIN batch b ON b.id = n.batch_id
		WHERE n.item_id = ? AND b.undone_seq = 0 ORDER BY n.id`, []any{id}, func(scan func(...any) error) error {
		var n review.Note
		var at int64
		err := scan(&at, &n.Reviewer, &n.Text)
		n.At = fromMillis(at)
		list = append(list, n)
		return err
	})
	return list, s.failed(ctx, "reading notes", err)
}

// History returns every decision on an item, oldest first.
func (s *Store) History(ctx context.Context, id int64) ([]review.PastDecision, error) {
	var list []review.PastDecision
	err := s.eachNow(ctx, "reading decisions", `SELECT d.kind, d.canonical, d.seen, b.reviewer, b.at, d.note, b.id, b.undone_seq > 0
		FROM decision d JOIN batch b ON b.id = d.batch_id WHERE d.item_id = ? ORDER BY d.batch_id`, []any{id},
		func(scan func(...any) error) error {
			var p review.PastDecision
			var at int64
			err := scan(&p.Kind, &p.Canonical, &p.From, &p.Reviewer, &at, &p.Note, &p.Batch, &p.Undone)
			p.At = fromMillis(at)
			list = append(list, p)
			return err
		})
	return list, err
}

// DecisionCounts counts the decisions that stand by reviewer, day and kind.
func (s *Store) DecisionCounts(ctx context.Context) ([]review.DecisionCount, error) {
	var list []review.DecisionCount
	err := s.eachNow(ctx, "counting decisions", `SELECT b.reviewer, date(b.at / 1000, 'unixepoch') AS day, d.kind, count(*)
		FROM batch b JOIN decision d ON d.batch_id = b.id WHERE b.undone_seq = 0
		GROUP BY b.reviewer, day, d.kind ORDER BY day, b.reviewer, d.kind`, nil, func(scan func(...any) error) error {
		var t review.DecisionCount
		err := scan(&t.Reviewer, &t.Day, &t.Kind, &t.N)
		list = append(list, t)
		return err
	})
	return list, err
}
