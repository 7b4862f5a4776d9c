package postgres

import (
	"context"
	"slices"

	"visto/review"
	"visto/store/rows"
)

// Assign assigns items in transactions of some thousand.
func (s *Store) Assign(ctx context.Context, c review.AssignmentChange) (changed int, err error) {
	for first := true; first || len(c.Items) > 0; first = false {
		n := min(len(c.Items), maxChunk)
		var rows int64
		err := s.updateUnlocked(ctx, "assigning URLs", func(t *tx) (err error) {
			rows, err = t.assign(c.Items[:n], &c)
			return err
		})
		if err != nil {
			return changed, err
		}
		changed += int(rows)
		c.Items = c.Items[n:]
	}
	return changed, nil
}

// assign writes some of the items of a change, of which the last one counts for each item, in the order of their
// IDs: no transaction waits for one that waits for it. It returns the number of changed rows.
func (t *tx) assign(list []review.Assigned, c *review.AssignmentChange) (int64, error) {
	var ids, ended []int64
	var reviewers []string
	last := map[int64]string{}
	for _, a := range list {
		last[a.ID] = a.Reviewer
		ids = append(ids, a.ID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	ids = slices.DeleteFunc(ids, func(id int64) bool {
		if last[id] == "" {
			ended = append(ended, id)
		} else {
			reviewers = append(reviewers, last[id])
		}
		return last[id] == ""
	})
	conflict := "DO NOTHING"
	if c.Again {
		conflict = "DO UPDATE SET reviewer = excluded.reviewer, assigned_by = excluded.assigned_by, at = excluded.at " +
			"WHERE a.reviewer <> excluded.reviewer"
	}
	dropped, err := t.execCount("DELETE FROM assignment WHERE item_id = ANY(?)", ended)
	if err != nil {
		return 0, err
	}
	set, err := t.execCount(`INSERT INTO assignment AS a (item_id, reviewer, assigned_by, at)
		SELECT i.id, w.reviewer, ?, ? FROM unnest(?::bigint[], ?::bytea[]) AS w (id, reviewer)
		JOIN item i ON i.id = w.id
		ORDER BY i.id ON CONFLICT (item_id) `+conflict, c.By, rows.Millis(t.at), ids, reviewers)
	return dropped + set, err
}

// andAssigned adds the conditions on the assignments.
func (w *where) andAssigned(f review.Filter) {
	const reviewer = "(SELECT a.reviewer FROM assignment a WHERE a.item_id = i.id)"
	if len(f.Assigned) > 0 {
		names, none := f.Assignees(false)
		if none {
			w.and("("+reviewer+" IS NULL OR "+reviewer+" = ANY(?::bytea[]))", names)
		} else {
			w.and("i.id IN (SELECT item_id FROM assignment WHERE reviewer = ANY(?::bytea[]))", names)
		}
	}
	if len(f.Not.Assigned) > 0 {
		names, none := f.Assignees(true)
		w.and("("+reviewer+" = ANY(?::bytea[])) IS NOT TRUE", names)
		if none {
			w.and(reviewer + " IS NOT NULL")
		}
	}
}
