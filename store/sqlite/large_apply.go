package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"visto/store/rows"
)

// applyLater applies the change in force in the background.
func (l *largeChanges) applyLater() {
	if l.stageAll {
		return
	}
	work := l.conn.background
	l.applying.Add(1)
	work.Go(func() {
		// The next change of the rules, or Maintain, repeats a failed attempt: the change stays in force.
		err := l.apply(work.ctx)
		l.applying.Done()
		if err == nil {
			l.search.update(work.ctx)
		}
	})
}

// Settle waits until the large changes that this store wrote are applied, or ctx ends. A program that ends without it
// leaves the rest to another one.
func (s *Store) Settle(ctx context.Context) {
	applied := make(chan struct{})
	go func() {
		s.large.applying.Wait()
		close(applied)
	}()
	select {
	case <-applied:
	case <-ctx.Done():
	}
}

// apply applies the staged change in force to the items, chunk by chunk.
func (l *largeChanges) apply(ctx context.Context) error {
	return l.conn.chunks(ctx, "applying a staged change", func(t *tx) (more bool, err error) {
		if more = t.stage.state == applying; more {
			err = t.applyChunk(l.atOnce)
		}
		return more, err
	})
}

// applySlice is the number of items that are applied between two looks at the budget. Each costs some ten index
// writes.
const applySlice = 32

// applyChunk applies up to atOnce staged items, as long as the budget allows, or part of the counts if no items are
// left.
func (t *tx) applyChunk(atOnce int) error {
	for applied := 0; applied < atOnce && (applied == 0 || t.inBudget()); applied += applySlice {
		var last int64
		err := t.Get(`SELECT coalesce(max(id), 0) FROM (SELECT id FROM staged UNION ALL SELECT item_id
			FROM staged_decision ORDER BY 1 LIMIT ?)`, []any{min(applySlice, atOnce-applied)}, &last)
		switch {
		case err != nil:
			return err
		case last > 0:
			err = t.applyItems("BETWEEN 1 AND ?", last)
		case applied == 0:
			err = t.applyCounts()
		}
		if err != nil || last == 0 {
			return err
		}
	}
	return nil
}

// applyItems applies the staged items whose ID matches the condition "is". The IN names them one by one: for a range
// of IDs SQLite would scan all items in it.
func (t *tx) applyItems(is string, id int64) error {
	if t.stage.batch > 0 {
		return t.applyDecisions(is, id)
	}
	err := t.Exec(`UPDATE item SET rev = rev + 1, title = iif(s.title = '', item.title, s.title),
		title_seal = iif(s.title = '', item.title_seal, s.title_seal), canonical = s.canonical, page_key = s.page_key,
		verdict = s.verdict, reason = s.reason, flags = s.flags, unknown = s.unknown, in_host_id = s.in_host_id,
		host_id = s.host_id, link_type = s.link_type, language = s.language, via = s.via, status = s.status,
		open = s.open, was_open = s.was_open
		FROM staged s WHERE s.id = item.id AND item.id IN (SELECT id FROM staged WHERE id `+is+")", id)
	if err == nil {
		err = t.Exec("DELETE FROM staged WHERE id "+is, id)
	}
	return err
}

// applyDecisions applies the staged decisions whose item ID matches the condition.
func (t *tx) applyDecisions(is string, id int64) error {
	return rows.ForEach([]string{
		`INSERT INTO decision (item_id, batch_id, kind, canonical, seen, note, confirms)
			SELECT item_id, (SELECT batch FROM stage), kind, canonical, seen, note, confirms FROM staged_decision
			WHERE kind IS NOT NULL AND item_id ` + is,
		`UPDATE item SET rev = rev + 1, status = s.status, flags = s.flags, open = s.open, was_open = s.was_open,
			approved = s.approved, settled_by = s.settled_by,
			batch_id = iif(s.kind IS NULL, s.batch_id, (SELECT batch FROM stage))
			FROM staged_decision s WHERE s.item_id = item.id AND item.id IN (SELECT item_id FROM staged_decision
			WHERE item_id ` + is + ")",
		"DELETE FROM staged_decision WHERE item_id " + is,
	}, func(query string) error { return t.Exec(query, id) })
}

// applyStagedItem applies one item before it is written to.
func (t *tx) applyStagedItem(id int64) error {
	if t.stage.state != applying {
		return nil
	}
	return t.applyItems("= ?", id)
}

// applyCounts applies part of the staged counts. Once none are left, the stage is idle.
func (t *tx) applyCounts() error {
	applied := rows.CountDeltas{}
	err := each(t.ctx, t, "SELECT "+rows.CountColumns+", n FROM item_count i WHERE staged = 1 LIMIT ?",
		[]any{maxAtOnce}, func(scan scanner) error {
			var k rows.CountKey
			var n int
			if err := scan(append(k.Into(), &n)...); err != nil {
				return err
			}
			applied[k] = n
			return nil
		})
	if err != nil {
		return err
	}
	if len(applied) == 0 {
		return t.setState(idle, 0)
	}
	for k, n := range applied {
		err := t.addCount(k, false, n)
		if err == nil {
			err = t.addCount(k, true, -n)
		}
		if err != nil {
			return fmt.Errorf("applying the counts: %w", err)
		}
	}
	return nil
}

// Commits go to the write-ahead log, which a checkpoint copies into the database file from time to time. SQLite would
// make the commit that finds the log long do that before it returns. And while others write, SQLite never copies the
// log to its end: it grows, every read searches all of it, and each commit copies a little. Therefore the store
// checkpoints in the background: nearly all of the log while others write, then the rest with the writers locked out
// for a moment, so that the log starts over.
const (
	checkpointEvery   = 50 * time.Millisecond  // how often the length of the log is looked at
	checkpointBackoff = 500 * time.Millisecond // the pause after readers kept the log from starting over

	checkpointFrom = 4000 // pages: the log is copied if more are missing in the file
	maxPasses      = 3    // each copies the pages written during the one before
	longLog        = 8000 // pages: a log of this length has to start over
	maxRest        = 200  // pages: with more left to copy the writers are not locked out
	// readerWait is how long at most the writers are locked out to wait for readers of the log.
	readerWait = 5 * time.Millisecond
	// autoCheckpoint is the length of the log, in pages, at which SQLite checkpoints by itself: for programs that end
	// after each commit.
	autoCheckpoint = 16000
)

// checkpoints copies the write-ahead log in the background.
type checkpoints struct {
	*sql.DB                 // one connection; nil when the store is read-only
	next       atomic.Int64 // the time of the next checkpoint, in ns since 1970
	background *background
}

// later starts a checkpoint in the background unless one is running or it is too early. While one is
// running the next is far off.
func (c *checkpoints) later() {
	now := time.Now()
	next := c.next.Load()
	if now.UnixNano() < next || !c.next.CompareAndSwap(next, now.Add(time.Hour).UnixNano()) {
		return
	}
	c.background.Go(func() {
		wait := checkpointEvery
		// The next checkpoint, or the last one to close the database, repeats a failed attempt, on a full disk for
		// instance.
		if short, err := c.run(c.background.ctx); err != nil || !short {
			wait = checkpointBackoff
		}
		c.next.Store(time.Now().Add(wait).UnixNano())
	})
}

// run copies the log into the file if much is missing there, and has a long log start over. It reports
// whether the log is short now.
func (c *checkpoints) run(ctx context.Context) (short bool, err error) {
	conn, err := c.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	l, err := checkpoint(ctx, conn, "NOOP")
	if err != nil || l.left < checkpointFrom && l.pages < longLog {
		return err == nil, err
	}
	for n := 0; n < maxPasses && l.left > maxRest && err == nil; n++ {
		l, err = checkpoint(ctx, conn, "PASSIVE")
	}
	if err != nil || l.pages < longLog || l.left > maxRest {
		return l.pages < longLog, err
	}
	l, err = checkpoint(ctx, conn, "RESTART")
	return !l.busy, err
}

// logState is the result of a checkpoint.
type logState struct {
	busy  bool // others were in the way
	pages int  // the length of the log
	left  int  // pages of the log that are missing in the file
}

func checkpoint(ctx context.Context, c *sql.Conn, mode string) (l logState, err error) {
	var copied int
	err = c.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&l.busy, &l.pages, &copied)
	l.left = l.pages - copied
	return l, err
}

// While a staged change is in force but not applied, every query reads the name item as the items without staged rows
// and the staged ones, as a common table expression. With new staged decisions it reads decision in the same way.
type overlay struct {
	unstaged string // the condition that item i has no staged row
	staged   string // the WITH that restricts item to the staged ones
	all      string // the WITH that makes item complete
}

const (
	itemIs     = "WITH item AS NOT MATERIALIZED "
	decisionIs = ", decision AS NOT MATERIALIZED (SELECT item_id, (SELECT batch FROM stage) AS batch_id, " +
		"kind, canonical, seen, note, NULL AS record_id, confirms FROM staged_decision"
)

func newOverlay(unstaged, view string) overlay {
	return overlay{unstaged: unstaged, staged: itemIs + "(SELECT * FROM " + view + ")",
		all: itemIs + "(SELECT * FROM main.item i WHERE " + unstaged + " UNION ALL SELECT * FROM " + view + ")"}
}

// overlayOf returns the overlay of a staged change: of rules (batch 0), of new decisions, or of reverted ones.
func overlayOf(batch int64, isNew bool) overlay {
	if batch == 0 {
		return newOverlay("i.id NOT IN (SELECT id FROM staged)", "staged_item")
	}
	o := newOverlay("i.id NOT IN (SELECT item_id FROM staged_decision)", "staged_decision_item")
	if isNew {
		o.staged += decisionIs + ")"
		o.all += decisionIs + " UNION ALL SELECT * FROM main.decision)"
	}
	return o
}

// prefixed is a queryer that puts a WITH in front of every query except PRAGMAs.
type prefixed struct {
	queryer
	prefix string
	of     overlay
}

// overlaid returns a queryer on the transaction that reads the staged change in force as applied.
func overlaid(ctx context.Context, q queryer) (queryer, error) {
	var state int
	var batch int64
	var isNew bool
	err := q.QueryRowContext(ctx, `SELECT state, batch, EXISTS (SELECT 1 FROM (SELECT kind
		FROM staged_decision LIMIT 1) WHERE kind IS NOT NULL) FROM stage`).Scan(&state, &batch, &isNew)
	if err != nil || state != applying {
		return q, err
	}
	o := overlayOf(batch, isNew)
	return prefixed{q, o.all, o}, nil
}

func (p prefixed) with(query string) string {
	switch {
	case strings.HasPrefix(query, "SELECT"):
		return p.prefix + " " + query
	case strings.HasPrefix(query, "WITH"):
		return p.prefix + "," + strings.TrimPrefix(query, "WITH")
	}
	return query
}

func (p prefixed) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return p.queryer.QueryContext(ctx, p.with(query), args...)
}

func (p prefixed) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return p.queryer.QueryRowContext(ctx, p.with(query), args...)
}

// layer is a part of the items with an index for every order.
type layer struct {
	queryer
	cond string // on item i; may be empty
}

// layers returns the disjoint parts of the items.
func layers(q queryer) []layer {
	if p, ok := q.(prefixed); ok {
		return []layer{{p.queryer, p.of.unstaged}, {prefixed{p.queryer, p.of.staged, p.of}, ""}}
	}
	return []layer{{q, ""}}
}
