package sqlite

import (
	"context"
	"errors"

	"visto/review"
)

// unmetOf are the occurrences in a file that a run has not met and that are not gone.
func (r *reader) unmetOf(ctx context.Context, in *review.Intake, file string, takes func(string) bool) ([]int64, error) {
	var ids []int64
	const query = `SELECT o.id, fe.name FROM record r CROSS JOIN occurrence o ON o.record_id = r.id
		CROSS JOIN place p ON p.id = o.place_id CROSS JOIN field fe ON fe.id = p.field_id
		WHERE r.file_id = (SELECT id FROM file WHERE name = ?) AND o.gone = 0 ORDER BY o.id`
	err := each(ctx, r, query, []any{file}, func(scan scanner) error {
		var id int64
		var field string
		err := scan(&id, &field)
		if err == nil && !in.Occurrences.Has(id) && (takes == nil || takes(field)) {
			ids = append(ids, id)
		}
		return err
	})
	return ids, err
}

// MarkGone marks the occurrences in the file that the run has not met, in chunks with a log entry each.
func (s *Store) MarkGone(ctx context.Context, in *review.Intake, file string, takes func(field string) bool) error {
	const doing = "marking places that are gone"
	ids, err := s.read.unmetOf(ctx, in, file, takes)
	if err != nil {
		return s.read.failed(ctx, doing, err)
	}
	for len(ids) > 0 {
		var a adder
		done := 0
		err := s.write.chunk(ctx, doing, func(t *tx) error {
			t.readClock(s.write.now)
			a, done = adder{tx: t, intake: *in, names: newInterner(t)}, 0
			seq, err := t.nextEntry()
			if err != nil {
				return err
			}
			for ; done < len(ids) && t.more() && err == nil; done++ {
				err = a.leave(ids[done], seq)
			}
			if err != nil || len(a.gone) == 0 {
				return err
			}
			return a.appendIntake(review.IntakeEntry{Gone: review.IDRanges(a.gone)})
		})
		if err != nil {
			return err
		}
		*in, ids = a.intake, ids[done:]
	}
	return nil
}

// nextEntry returns the number of the next log entry.
func (t *tx) nextEntry() (seq int64, err error) {
	err = t.get("SELECT coalesce(max(seq), 0) + 1 FROM log", nil, &seq)
	return seq, err
}

// leave marks an occurrence as gone, unless it is already.
func (a *adder) leave(id, seq int64) error {
	marked, err := a.names.markGone(id, seq)
	if err == nil && marked {
		a.gone = append(a.gone, id)
		a.intake.Went++
	}
	return err
}

// markGone marks an occurrence as gone since a log entry, or with 0 as not gone, and reports whether it was not so.
func (in *interner) markGone(id, seq int64) (bool, error) {
	var item int64
	found, err := in.find("UPDATE occurrence SET gone = ?1 WHERE id = ?2 AND (gone > 0) <> (?1 > 0) RETURNING item_id",
		[]any{seq, id}, &item)
	if err != nil || !found {
		return false, err
	}
	set, err := in.placesOf(item)
	if err != nil {
		return false, err
	}
	return true, in.setPlaces(item, set)
}

// checkForget finds the occurrences that the change, which forgets a file or takes that back, concerns.
func (w *writer) checkForget() error {
	c := w.change
	file, where, batchSeq := c.Forget, "o.gone = 0", int64(0)
	if id := revertedBatch(c); id > 0 {
		found, err := w.find("SELECT l.seq, l.body ->> '$.forget' FROM batch b CROSS JOIN log l ON l.seq = b.seq "+
			"WHERE b.id = ? AND b.action = ?", []any{id, string(review.ActForget)}, &batchSeq, &file)
		if err != nil || !found {
			return err
		}
		if c.Undo > 0 {
			where = "o.gone = ?2"
		}
	}
	if file == "" {
		return nil
	}
	ids, err := column[int64](w.ctx, w, `SELECT o.id FROM record r CROSS JOIN occurrence o ON o.record_id = r.id
		WHERE r.file_id = (SELECT id FROM file WHERE name = ?1) AND ?2 = ?2 AND `+where+" ORDER BY o.id", file, batchSeq)
	if c.Undo > 0 {
		w.back = ids
	} else {
		w.gone = ids
	}
	w.goneSince = batchSeq
	return err
}

// writePresence marks the occurrences of checkForget. A batch that forgets a file marks them with the number of its
// first entry, also when it is redone.
func (w *writer) writePresence() error {
	if w.goneSince == 0 {
		w.goneSince = w.receipt.Seq
	}
	return errors.Join(w.mark(w.gone, w.goneSince), w.mark(w.back, 0))
}

func (w *writer) mark(ids []int64, seq int64) error {
	return forEach(ids, func(id int64) error {
		_, err := w.names.markGone(id, seq)
		return err
	})
}
