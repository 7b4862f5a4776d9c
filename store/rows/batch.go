package rows

import (
	"context"
	"fmt"

	"visto/review"
)

// readBatch reads a batch without its items and rules. rest is the query behind the table. Error: review.ErrNotFound.
func readBatch(each Each, rest string, args []any) (b review.Batch, err error) {
	err = each("SELECT id, reviewer, at, action, summary, undone_seq > 0, confirms FROM batch "+rest, args,
		func(scan Scan) error {
			return scan(&b.ID, &b.Reviewer, Stamp(&b.At), &b.Action, &b.Summary, &b.Undone, &b.Confirms)
		})
	if err == nil && b.ID == 0 {
		err = review.ErrNotFound
	}
	return b, err
}

// ReadBatch reads a batch with its items and rules. decisions are the rows of all decisions, rest is the query behind
// the table. Error: review.ErrNotFound.
func ReadBatch(each Each, decisions, rest string, args ...any) (review.Batch, error) {
	b, err := readBatch(each, rest, args)
	if err != nil {
		return b, err
	}
	items := "SELECT item_id FROM " + decisions + " d WHERE batch_id = ?1 UNION SELECT item_id FROM note " +
		"WHERE batch_id = ?1 ORDER BY item_id"
	const rules = "SELECT coalesce(before, ''), coalesce(after, '') FROM batch_rule WHERE batch_id = ? ORDER BY id"
	b.Items, err = Collect(each, items, []any{b.ID}, func(id *int64, scan Scan) error { return scan(id) })
	if err == nil {
		b.Rules, err = Collect(each, rules, []any{b.ID}, func(c *review.OverrideChange, scan Scan) error {
			return scanRule(c, scan)
		})
	}
	return b, err
}

// Proposals returns the proposed overrides that wait for another person.
func (s Shared) Proposals(ctx context.Context) (all []review.Batch, err error) {
	const query = `SELECT id FROM batch b WHERE action = 'propose' AND undone_seq = 0 AND NOT EXISTS (SELECT 1
		FROM batch c WHERE c.confirms = b.id AND c.confirms > 0 AND c.undone_seq = 0) ORDER BY id`
	ids, err := list(ctx, s, "reading proposed overrides", query, nil, func(id *int64, scan Scan) error {
		return scan(id)
	})
	if err != nil {
		return nil, err
	}
	err = ForEach(ids, func(id int64) error {
		b, err := s.db.Batch(ctx, id)
		all = append(all, b)
		return err
	})
	return all, err
}

// Reverted returns the batch that a change undoes or redoes, if it does so. It refuses one that cannot be undone, or is
// already undone or redone. lock is the end of the query.
func Reverted(t Tx, c *Change, lock string) (review.Batch, error) {
	if c.Reverts() == 0 {
		return review.Batch{}, nil
	}
	b, err := readBatch(t.Each, "WHERE id = ?"+lock, []any{c.Reverts()})
	switch {
	case err == review.ErrNotFound:
		err = fmt.Errorf("batch %d: %w", c.Reverts(), review.ErrNotFound)
	case err != nil:
	case !b.Action.Undoable():
		err = fmt.Errorf("batch %d cannot be undone: it changed the %s", b.ID, b.Action)
	case c.Undo != 0 && b.Undone:
		err = fmt.Errorf("batch %d is undone already", b.ID)
	case c.Redo != 0 && !b.Undone:
		err = fmt.Errorf("batch %d is not undone", b.ID)
	}
	return b, err
}
