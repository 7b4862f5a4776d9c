package postgres

import (
	"context"
	"errors"
	"slices"

	"visto/store/rows"

	"github.com/jackc/pgx/v5/pgconn"

	"visto/review"
)

// A rule for a large host gives very many items a new result, and the undo of a decision on them another status.
// Writing these rows takes seconds. So it happens before the head is locked, and others go on deciding:
//
//   - The transaction takes the lock of large changes, locks the rows of the items, and writes them (prepare).
//   - Then it locks the head, computes the items again that somebody added, corrected or probed meanwhile, and writes
//     the rest: the log entry, the rule and the counts.
//
// One large change is written at a time. Whoever has the head must not wait for a row that it has written: it waits for
// the head. Decisions, notes and evidence are written beside it. If they meet such a row they give up, and begin again
// once the large change has ended. All other changes wait for its end before they begin: its rows follow from the
// rules, the items and their places, which they change.
//
// A new decision on very many items is not a large change. Its rows have the number of its batch, which nobody knows
// before the head is locked.
const (
	lockLarge = "SELECT pg_advisory_xact_lock(1986622325)" // the number after migrationLock
	waitLarge = "SELECT pg_advisory_xact_lock_shared(1986622325)"
	tryLarge  = "SELECT pg_try_advisory_xact_lock_shared(1986622325)"
	// yieldToLarge follows the lock of the head. All others wait for the head that long at most.
	yieldToLarge = "set local lock_timeout = '100ms'"
)

// largeFrom is the number of items from which on a change is large.
const largeFrom = 1000

// errBehindLarge is the error of a change beside a large one that has to wait for its end.
var errBehindLarge = errors.New("it has to wait for the end of a large change")

// passLarge keeps large changes from beginning, or fails with errBehindLarge if one has begun.
func (t *tx) passLarge() error {
	if !t.beside {
		return nil
	}
	var none bool
	err := t.Get(tryLarge, nil, &none)
	if err == nil && !none {
		err = errBehindLarge
	}
	return err
}

// lockTimeout is the code of the error after yieldToLarge.
const lockTimeout = "55P03"

// isBehindLarge reports whether a change has to wait for the end of a large one.
func isBehindLarge(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == lockTimeout || errors.Is(err, errBehindLarge)
}

// isBeside reports whether the change can be written beside a large one, as far as it shows.
func isBeside(c *rows.Change) bool {
	return len(c.Overrides) == 0 && c.Policy == nil && c.Forget == "" && !c.Adds()
}

// isLarge reports whether the change gives very many items new results, or reverts decisions on them.
func (u *updater) isLarge(ctx context.Context, c *rows.Change) (bool, error) {
	reverted := c.Reverts()
	switch {
	case len(c.Decisions)+len(c.Notes)+len(c.Evidence) > 0 || c.Forget != "" || c.Adds():
		return false, nil
	case len(c.Recomputed) >= u.large:
		return true, nil
	case reverted == 0:
		return false, nil
	}
	var n int
	err := get(ctx, u.read, "SELECT count(*) FROM (SELECT FROM decision WHERE batch_id = ? LIMIT ?) d",
		[]any{reverted, u.large}, &n)
	return n == u.large, err
}

// commitLarge writes a large change.
func (u *updater) commitLarge(ctx context.Context, doing string, c *rows.Change) (r review.Receipt, err error) {
	err = u.transact(ctx, doing, func(t *tx) error {
		t.Exec(lockLarge)
		return t.readHead() // others may change it until it is locked
	}, func(t *tx) error {
		w := newWriter(t, c)
		err := rows.InOrder(w.prepare, w.lock, w.commit)
		r = w.receipt
		return err
	})
	return r, err
}

// prepare writes the rows of the items of a large change, and marks the batch that it reverts.
func (w *writer) prepare() error {
	w.large, w.preparing = true, true
	defer func() { w.preparing = false }()
	err := rows.InOrder(w.checkRules, w.checkRevert, w.writeRecomputed)
	if err != nil || w.reverted.ID == 0 {
		return err
	}
	return rows.InOrder(func() error { return rows.MarkReverted(w, w.change, w.head.LastSeq+1) }, w.revertRows, w.settle)
}

// lock locks the head. It fails with ErrStale if a correction was computed before evidence came.
func (w *writer) lock() error {
	gen := w.head.Gen
	err := w.lockHead(func(*tx) {})
	if err == nil && w.corrected && w.head.Gen > gen {
		err = review.ErrStale
	}
	w.names.AllHosts = nil
	return err
}

// lockItems locks items that a large change is about to write: nobody changes their states from now on.
func (w *writer) lockItems(ids []int64) error {
	if !w.large {
		return nil
	}
	return w.Exec("SELECT FROM item WHERE id = ANY(?) ORDER BY id FOR NO KEY UPDATE", slices.Sorted(slices.Values(ids)))
}
