package sqlite

import (
	"context"
	"strings"

	"visto/review"
	"visto/store/rows"
)

// SetPlaces gives an item another place set. It waits for a person or not, as its status says, while it has any place.
// Rules may ask for the fields of the places, so the result follows these (followFields).
func (in *interner) SetPlaces(item, set int64) error {
	if err := in.follow(item); err != nil {
		return err
	}
	var was rows.CountKey
	err := in.Get("SELECT "+rows.CountColumns+" FROM item i WHERE i.id = ?", []any{item}, was.Into()...)
	if err != nil || was.Set == set {
		return err
	}
	is := was.PlacedIn(set)
	in.deltas.Move(was, is)
	err = in.Exec("UPDATE item SET place_set_id = ?, open = ?, was_open = ? WHERE id = ?", set, is.Open, is.WasOpen,
		item)
	if err != nil {
		return err
	}
	return in.followFields(item, was.Set, set)
}

// Queries for the place sets with a member in one of some files, under one of some fields, or both.
const (
	setsWith = "SELECT m.set_id FROM place_set_member m WHERE "
	inFiles  = "m.file_id IN (SELECT id FROM file WHERE name IN %s)"
	inFields = "m.field_id IN (SELECT id FROM field WHERE name IN %s)"
)

// andPlaces adds the conditions on the places of items. of is "i" for items or "t" for counts.
func (w *where) andPlaces(of string, f review.Filter) {
	switch {
	case f.Presence == review.Cited && !f.Open:
		w.and(of + ".place_set_id <> 0")
	case f.Presence == review.Gone:
		w.and(of + ".place_set_id = 0")
	}
	if len(f.Files) > 0 && len(f.Fields) > 0 {
		cond := strings.ReplaceAll(of+".place_set_id IN ("+setsWith+inFiles+" AND "+inFields+")", "%s", textSet)
		w.and(cond, hexList(f.Files), hexList(f.Fields))
		return
	}
	andInTexts(w, of+".place_set_id IN ("+setsWith+inFiles+")", f.Files)
	andInTexts(w, of+".place_set_id IN ("+setsWith+inFields+")", f.Fields)
}

// unmetOf are the occurrences in a file that a run has not met and that are not gone.
func (r *reader) unmetOf(
	ctx context.Context, in *review.Intake, file string, takes func(string) bool,
) ([]int64, error) {
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
	run := &rows.Adder{Intake: *in}
	err = s.write.markChunks(ctx, doing, run, rows.Marking{IDs: ids}, func(*tx) error { return nil })
	*in = run.Intake
	return err
}

// markChunks marks the occurrences in chunks, each with a log entry of the run. A chunk begins with check.
func (c *writeConn) markChunks(
	ctx context.Context, doing string, run *rows.Adder, p rows.Marking, check func(*tx) error,
) error {
	for len(p.IDs) > 0 {
		var a rows.Adder
		rest := p.IDs
		err := c.chunk(ctx, doing, func(t *tx) (err error) {
			t.readClock(c.now)
			a = rows.Adder{Intake: run.Intake, Action: run.Action, Summary: run.Summary}
			a.Begin(t, &newInterner(t).Interner, nil)
			if err := rows.InOrder(func() error { return t.checkRulesGen(a.Intake.Gen) }, func() error {
				return check(t)
			}); err != nil {
				return err
			}
			rest, err = a.Mark(p, t.more)
			return err
		})
		if err != nil {
			return err
		}
		run.Intake, p.IDs = a.Intake, rest
	}
	return nil
}

// NextEntry returns the number of the next log entry.
func (t *tx) NextEntry() (seq int64, err error) {
	err = t.Get("SELECT coalesce(max(seq), 0) + 1 FROM log", nil, &seq)
	return seq, err
}

// NextBatch returns the number of the next batch.
func (t *tx) NextBatch() (id int64, err error) {
	err = t.Get("SELECT coalesce(max(id), 0) + 1 FROM batch", nil, &id)
	return id, err
}

// presenceOf returns the occurrences that a change concerns that forgets a file, or takes that back. When Replay
// repeats an entry these are its own. Those of a batch are gone since its first entry or since others of its run.
func (r *reader) presenceOf(ctx context.Context, c *rows.Change) (p rows.Marking, err error) {
	file, where := c.Forget, "o.gone = 0"
	if id := max(c.Reverts(), c.Rest); id > 0 {
		const query = `SELECT l.seq, l.body ->> '$.forget' FROM batch b CROSS JOIN log l ON l.seq = b.seq
			WHERE b.id = ? AND b.action = ?`
		found, err := rows.IsFound(r.QueryRowContext(ctx, query, id, string(review.ActForget)).Scan(&p.Since, &file))
		if err != nil || !found {
			return p, err
		}
	}
	if file == "" {
		return p, nil
	}
	if p.Back = c.Undo > 0; p.Back {
		where = "(o.gone = ?2 OR o.gone IN (SELECT seq FROM log WHERE batch_id < 0 AND batch_id = -?2))"
	}
	if c.Replay != nil {
		p.IDs = c.Marks()
		return p, nil
	}
	p.IDs, err = column[int64](ctx, r, `SELECT o.id FROM record r CROSS JOIN occurrence o ON o.record_id = r.id
		WHERE r.file_id = (SELECT id FROM file WHERE name = ?1) AND ?2 = ?2 AND `+where+" ORDER BY o.id", file, p.Since)
	return p, err
}

// writePresence marks the occurrences of the change.
func (w *writer) writePresence() error {
	if len(w.presence.IDs) == 0 {
		return nil
	}
	if err := w.checkRulesGen(w.change.Computing.Gen); err != nil {
		return err
	}
	return w.presence.Write(w.tx, &w.names.Interner, w.change)
}
