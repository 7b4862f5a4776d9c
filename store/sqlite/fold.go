package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// foldLater folds what stands while the caller goes on.
func (s *Store) foldLater() {
	if s.stageAll {
		return
	}
	s.background.Go(func() {
		// What fails is done by the next change of the rules, or by Tend: what stands, stands.
		if s.fold(s.working) == nil {
			s.index(s.working)
		}
	})
}

// fold folds a change that stands into the items, piece by piece.
func (s *Store) fold(ctx context.Context) error {
	for more := true; more; {
		err := s.piece(ctx, "writing what follows from a rule", func(t *tx) (err error) {
			if more = t.stage.state == folding; more {
				err = t.foldPiece(s.atOnce)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// foldSlice is how many items are folded before it is asked whether others wait: each is some ten writes to indexes.
const foldSlice = 32

// foldPiece folds staged items, as many as others can wait for and no more than atOnce, or where there are none the tally.
func (t *tx) foldPiece(atOnce int) error {
	for folded := 0; folded < atOnce && (folded == 0 || t.room()); folded += foldSlice {
		var last int64
		err := t.get(`SELECT coalesce(max(id), 0) FROM (SELECT id FROM staged UNION ALL SELECT item_id FROM staged_decision
			ORDER BY 1 LIMIT ?)`, []any{min(foldSlice, atOnce-folded)}, &last)
		switch {
		case err != nil:
			return err
		case last > 0:
			err = t.foldItems("BETWEEN 1 AND ?", last)
		case folded == 0:
			err = t.foldTally()
		}
		if err != nil || last == 0 {
			return err
		}
	}
	return nil
}

// foldItems makes the staged items whose ID is as it says what they will be. The items are named one by one: asked for by the range
// of their IDs, SQLite goes through all items in it.
func (t *tx) foldItems(is string, id int64) error {
	if t.stage.batch > 0 {
		return t.foldDecisions(is, id)
	}
	_, err := t.exec(`UPDATE item SET rev = rev + 1, title = iif(s.title = '', item.title, s.title),
		title_seal = iif(s.title = '', item.title_seal, s.title_seal), canonical = s.canonical, page_key = s.page_key,
		verdict = s.verdict, reason = s.reason, flags = s.flags, unknown = s.unknown, in_host_id = s.in_host_id, host_id = s.host_id,
		link_type = s.link_type, language = s.language, via = s.via, status = s.status, open = s.open, was_open = s.was_open
		FROM staged s WHERE s.id = item.id AND item.id IN (SELECT id FROM staged WHERE id `+is+")", id)
	if err == nil {
		_, err = t.exec("DELETE FROM staged WHERE id "+is, id)
	}
	return err
}

// foldDecisions makes the items whose ID is as it says what their staged decisions leave them as.
func (t *tx) foldDecisions(is string, id int64) error {
	for _, query := range []string{
		`INSERT INTO decision (item_id, batch_id, kind, canonical, seen, note) SELECT item_id, (SELECT batch FROM stage), kind, canonical,
			seen, note FROM staged_decision WHERE kind IS NOT NULL AND item_id ` + is,
		`UPDATE item SET rev = rev + 1, status = s.status, flags = s.flags, open = s.open, was_open = s.was_open, approved = s.approved,
			batch_id = iif(s.kind IS NULL, s.batch_id, (SELECT batch FROM stage))
			FROM staged_decision s WHERE s.item_id = item.id AND item.id IN (SELECT item_id FROM staged_decision WHERE item_id ` + is + ")",
		"DELETE FROM staged_decision WHERE item_id " + is,
	} {
		if _, err := t.exec(query, id); err != nil {
			return err
		}
	}
	return nil
}

// settle folds one item, for what is to be written to it.
func (t *tx) settle(id int64) error {
	if t.stage.state != folding {
		return nil
	}
	return t.foldItems("= ?", id)
}

// foldTally adds some of what the staged items changed about the tally to the rest of it. After the last the stage is free.
func (t *tx) foldTally() error {
	folded := moves{}
	err := each(t.ctx, t, "SELECT "+kindColumns+", n FROM tally i WHERE staged = 1 LIMIT ?", []any{maxAtOnce}, func(scan func(...any) error) error {
		var k kind
		var n int
		err := scan(append(k.into(), &n)...)
		folded[k] = n
		return err
	})
	if err != nil {
		return err
	}
	if len(folded) == 0 {
		return t.setState(idle, 0)
	}
	for _, k := range slices.Collect(maps.Keys(folded)) {
		err := t.addTally(k, false, folded[k])
		if err == nil {
			err = t.addTally(k, true, -folded[k])
		}
		if err != nil {
			return fmt.Errorf("folding the tally: %w", err)
		}
	}
	return nil
}
