package sqlite

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"visto/review"
	"visto/store/rows"
)

// largeChanges writes the changes of very many items (large_doc.go).
type largeChanges struct {
	conn    *writeConn
	search  searchIndex
	atOnce  int            // the most items of a transaction that cannot end early
	most    int            // the most items of a change that do not become pending
	setSize int            // the number of pending items that are computed at once
	one     sync.Mutex     // for one set at a time
	running sync.WaitGroup // the work in the background
	leave   bool           // leave pending items to others
}

// finishing is what bringing pending items up to date is called in an error.
const finishing = "finishing a change of many URLs"

// maxSet is the usual setSize. Their results have some megabytes.
const maxSet = 8000

// Finish brings all pending items up to date.
func (s *Store) Finish(ctx context.Context) error {
	if !s.ReadOnly() {
		return s.large.finish(ctx)
	}
	n, err := s.Unfinished(ctx)
	if err == nil && n > 0 {
		err = s.read.failed(ctx, finishing, s.write.reason)
	}
	return err
}

func (l *largeChanges) finish(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = l.finishSet(ctx); err != nil {
			return err
		}
	}
	return nil
}

// finishSet brings some pending items up to date, and reports whether there were any.
func (l *largeChanges) finishSet(ctx context.Context) (any bool, err error) {
	l.one.Lock()
	defer l.one.Unlock()
	set, err := l.readSet(ctx)
	switch {
	case err != nil:
		return false, l.conn.read.failed(ctx, finishing, err)
	case len(set.rows) == 0:
		return false, l.endWork(ctx)
	}
	err = l.conn.chunks(ctx, finishing, func(t *tx) (more bool, err error) {
		var gen int64
		err = t.Get("SELECT max(rules_gen, hosts_gen) FROM meta", nil, &gen)
		if err != nil || len(set.computed) > 0 && gen > set.gen {
			return false, err // they have to be computed again
		}
		f := newFollower(t)
		for ; len(set.rows) > 0 && t.more(); set.rows = set.rows[1:] {
			p := &set.rows[0]
			if err := f.follow(p, set.computed[p.Item]); err != nil {
				return false, err
			}
		}
		return len(set.rows) > 0, f.end()
	})
	return true, err
}

// endWork corrects the number of pending items once there are none.
func (l *largeChanges) endWork(ctx context.Context) error {
	const wrong = "SELECT n <> 0 AND NOT EXISTS (SELECT 1 FROM pending) FROM work"
	var is bool
	err := l.conn.read.QueryRowContext(ctx, wrong).Scan(&is)
	if err != nil || !is {
		return l.conn.read.failed(ctx, finishing, err)
	}
	return l.conn.chunk(ctx, finishing, func(t *tx) error {
		return t.Exec("UPDATE work SET n = 0 WHERE NOT EXISTS (SELECT 1 FROM pending)")
	})
}

// A failed attempt to finish in the background is repeated, with a pause in between. After finishTries it is left to
// the next program, or to whoever needs the items.
const (
	finishTries = 5
	finishPause = 200 * time.Millisecond
)

// finishLater brings all pending items up to date in the background.
func (l *largeChanges) finishLater() {
	if l.leave {
		return
	}
	work := l.conn.background
	l.running.Add(1)
	work.Go(func() {
		if l.finishPatiently(work.ctx) == nil {
			l.search.update(work.ctx)
		}
	})
}

func (l *largeChanges) finishPatiently(ctx context.Context) (err error) {
	defer l.running.Done()
	for range finishTries {
		if err = l.finish(ctx); err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(finishPause):
		}
	}
	return err
}

// goOn brings the items up to date that a program left pending which ended early.
func (l *largeChanges) goOn(ctx context.Context) error {
	var left bool
	err := l.conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pending)").Scan(&left)
	if left {
		l.finishLater()
	}
	return err
}

// Settle waits until the large changes that this store wrote, or found when it was opened, are finished, or ctx ends. A
// program that ends without it leaves the rest to another one.
func (s *Store) Settle(ctx context.Context) {
	finished := make(chan struct{})
	go func() {
		s.large.running.Wait()
		close(finished)
	}()
	select {
	case <-finished:
	case <-ctx.Done():
	}
}

// isLarge reports whether a change concerns so many items that they become pending.
func (l *largeChanges) isLarge(ctx context.Context, c *rows.Change) (bool, error) {
	switch {
	case c.Replay != nil:
		return false, nil // nobody else is at work
	case c.OnRules():
		return (len(c.Overrides) > 0 || c.Policy != nil) && len(c.Recomputed) > l.most, nil
	case c.Reverts() > 0:
		var n int
		var notes bool
		err := l.conn.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM note WHERE batch_id = ?1),
			(SELECT count(*) FROM (SELECT 1 FROM `+rows.AllDecisions+` WHERE batch_id = ?1 LIMIT ?2))`, c.Reverts(),
			l.most+1).Scan(&notes, &n)
		return n > l.most && !notes, err
	}
	return len(c.Decisions) > l.most, nil
}

// errOvertaken is the error of a large decision if another large change made one of its items pending since they were
// checked.
var errOvertaken = errors.New("another change of many URLs came first")

// commit puts a large change in force in one transaction, and has its items follow in the background.
func (l *largeChanges) commit(ctx context.Context, doing string, c *rows.Change) (r review.Receipt, err error) {
	if c.OnRules() {
		err = l.catchUp(ctx, doing, c)
	}
	for err == nil {
		var decided *checkedDecisions
		if len(c.Decisions) > 0 {
			decided, err = l.check(ctx, doing, c)
		}
		if err == nil {
			r, err = l.putInForce(ctx, doing, c, decided)
		}
		if !errors.Is(err, errOvertaken) {
			break
		}
		err = nil // the items follow that change first
	}
	if err != nil {
		return review.Receipt{}, err
	}
	l.finishLater()
	return r, nil
}

func (l *largeChanges) putInForce(
	ctx context.Context, doing string, c *rows.Change, decided *checkedDecisions,
) (r review.Receipt, err error) {
	l.conn.pauseBetween()
	err = l.conn.update(ctx, doing, func(t *tx) error {
		w := &writer{tx: t, change: c, names: newInterner(t), later: true, checked: decided}
		err := w.commit()
		r = w.receipt
		return err
	})
	l.conn.pauseBetween()
	return r, err
}

// catchUp computes the items that were added, or got evidence, since a change of rules was computed, until few are left
// for its transaction.
func (l *largeChanges) catchUp(ctx context.Context, doing string, c *rows.Change) error {
	for range maxCatchUps {
		var jobs []job
		var m review.Meta
		err := l.conn.read.snapshot(ctx, doing, func(q queryer) error {
			var err error
			if m, err = readMeta(ctx, q); err != nil {
				return err
			}
			late, err := c.Behind(m)
			if err != nil || !late || m.Gen == c.Results.Gen && m.LastID-c.LastID <= int64(l.atOnce) {
				return err
			}
			jobs, err = lateJobs(ctx, q, c)
			return err
		})
		if err != nil || len(jobs) == 0 {
			return err
		}
		c.Recomputed = merged(c.Recomputed, jobs)
		c.Results.Gen, c.LastID, c.Seq = m.Gen, m.LastID, m.LastSeq
	}
	return nil
}

// maxCatchUps limits the rounds of catching up; the transaction does the rest. An import is slower than that.
const maxCatchUps = 10

// checkedDecisions are the decisions of a change that are not in conflict, with the body of their log entry.
type checkedDecisions struct {
	decided   []review.ItemDecision
	conflicts []review.Conflict
	body      []byte // nil: it is yet to be made
}

// check checks the decisions of a large change before it locks others out. Its items are up to date first.
func (l *largeChanges) check(ctx context.Context, doing string, c *rows.Change) (*checkedDecisions, error) {
	if err := l.finish(ctx); err != nil {
		return nil, err
	}
	checked := &checkedDecisions{}
	err := l.conn.read.snapshot(ctx, doing, func(q queryer) error {
		for part := range slices.Chunk(c.Decisions, readAhead) {
			if err := checked.add(ctx, q, part); err != nil {
				return err
			}
		}
		return nil
	})
	checked.body = c.Body(checked.decided, nil, review.IntakeEntry{})
	return checked, err
}

// add checks some of the decisions.
func (k *checkedDecisions) add(ctx context.Context, q queryer, list []review.ItemDecision) error {
	ids := make([]int64, len(list))
	for i, d := range list {
		ids[i] = d.ID
	}
	revs := make(map[int64]int64, len(list))
	err := each(ctx, q, "SELECT id, rev FROM item WHERE id IN (SELECT value FROM json_each(?))", []any{jsonList(ids)},
		func(scan scanner) error {
			var id, rev int64
			err := scan(&id, &rev)
			revs[id] = rev
			return err
		})
	if err != nil {
		return err
	}
	for _, d := range list {
		rev, found := revs[d.ID]
		if !found {
			return rows.NoItem(d.ID)
		}
		if err := checkCites(ctx, q, &d); err != nil {
			return err
		}
		if d.Rev == 0 || d.Rev == rev {
			k.decided = append(k.decided, d)
			continue
		}
		it, err := readItem(ctx, q, d.ID)
		if err != nil {
			return err
		}
		k.conflicts = append(k.conflicts, review.Conflict{Item: it})
	}
	return nil
}

// pendingError is the error of a change with results that were computed before these items followed a large change.
type pendingError struct{ items []int64 }

func (e pendingError) Error() string { return "some URLs do not follow a change of many yet" }

// followNow brings the items of the error up to date. Then it is review.ErrStale.
func (l *largeChanges) followNow(ctx context.Context, doing string, e pendingError) error {
	for part := range slices.Chunk(e.items, maxAtOnce) {
		err := l.conn.update(ctx, finishing, func(t *tx) error { return rows.ForEach(part, t.follow) })
		if err != nil {
			return err
		}
	}
	return l.conn.read.failed(ctx, doing, review.ErrStale)
}
