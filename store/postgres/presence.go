package postgres

import (
	"context"

	"visto/review"
	"visto/store/rows"
)

// SetPlaces gives an item another place set. It waits for a person or not, as its status says, while it has any place.
// Rules may ask for the fields of the places, so the result follows these (followFields).
func (in *interner) SetPlaces(item, set int64) error {
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

// unmetOf are the occurrences in a file that a run has not met and that are not gone.
func (r *reader) unmetOf(
	ctx context.Context, in *review.Intake, file string, takes func(string) bool,
) (ids []int64, err error) {
	const query = `SELECT o.id, fe.name FROM record r JOIN occurrence o ON o.record_id = r.id
		JOIN place p ON p.id = o.place_id JOIN field fe ON fe.id = p.field_id
		WHERE r.file_id = (SELECT id FROM file WHERE sha256(name) = sha256(?)) AND o.gone = 0 ORDER BY o.id`
	err = r.streamNow(ctx, "marking places that are gone", query, []any{file}, func(scan scanner) error {
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
	ids, err := s.stream.unmetOf(ctx, in, file, takes)
	for len(ids) > 0 && err == nil {
		n := min(len(ids), maxChunk)
		a := adder{Adder: rows.Adder{Intake: *in}}
		err = s.update(ctx, doing, func(t *tx) error {
			if a.Intake.Gen < t.head.RulesGen {
				return review.ErrStale
			}
			a.prepare(t)
			_, err := a.Mark(rows.Marking{IDs: ids[:n]}, rows.Always)
			return err
		})
		if err == nil {
			*in, ids = a.Intake, ids[n:]
		}
	}
	return err
}

// NextEntry returns the number of the next log entry.
func (t *tx) NextEntry() (int64, error) { return t.head.LastSeq + 1, nil }

// NextBatch returns the number of the next batch.
func (t *tx) NextBatch() (int64, error) {
	t.head.lastBatch++
	return t.head.lastBatch, nil
}

// followFields computes the result of an item again whose place set changed, if its fields changed with that and a rule
// asks for fields.
func (in *interner) followFields(item, was, is int64) error {
	before, err := fieldsOf(in.ctx, in, was)
	if err != nil {
		return err
	}
	after, err := fieldsOf(in.ctx, in, is)
	if err != nil || before == after {
		return err
	}
	in.Recomputes = true
	if !in.OnFields {
		return nil
	}
	return in.computeAgain(item)
}
