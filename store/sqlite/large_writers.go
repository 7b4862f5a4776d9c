package sqlite

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"

	lib "modernc.org/sqlite/lib"
)

// One program writes at a time. SQLite's busy handler retries less and less often, down to ten times a second, so
// that a program that has waited long comes last. Here each writer retries every millisecond or so with the same
// chance, and bulk work lets interactive writers go first.
const (
	maxWait   = 10 * time.Second      // how long a writer waits for the others
	writePoll = 2 * time.Millisecond  // the longest pause between two attempts
	bulkYield = 50 * time.Millisecond // how long bulk work gives way before each transaction at most
)

// begin starts a transaction that writes as soon as no other program does.
func (c *writeConn) begin(ctx context.Context) (*sql.Tx, error) {
	end := time.Now().Add(c.maxWait)
	for {
		tx, err := c.BeginTx(ctx, nil)
		if !busy(err) || time.Now().After(end) {
			return tx, err
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// busy reports whether the error goes away when others are done.
func busy(err error) bool {
	switch code(err) & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_PROTOCOL:
		return true
	}
	return false
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(rand.N(writePoll)):
		return nil
	}
}

// beginInteractive starts a transaction for which the bulk work of all programs gives way.
func (c *writeConn) beginInteractive(ctx context.Context) (*sql.Tx, error) {
	c.lock.enter()
	defer c.lock.leave()
	return c.begin(ctx)
}

// beginBulk starts a transaction of bulk work.
func (c *writeConn) beginBulk(ctx context.Context) (*sql.Tx, error) {
	for end := time.Now().Add(bulkYield); c.lock.waiting() && time.Now().Before(end); {
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
	return c.begin(ctx)
}

// writeLock tells the programs on one file whether any of them waits for an interactive write. A waiting program
// holds a shared lock on the write-ahead log (flock, which SQLite does not use there); trying for an exclusive lock
// reveals it. Nobody waits for these locks, and only the order of work depends on them.
type writeLock struct {
	mu   sync.Mutex
	file *os.File     // nil: no such locks here, only this program's writers count
	n    int          // this program's waiting writers
	seen atomic.Int64 // when one of them last waited, in ns since 1970
}

func openWriteLock(path string) *writeLock {
	f, err := os.Open(path + "-wal")
	if err != nil {
		return &writeLock{}
	}
	return &writeLock{file: f}
}

func (q *writeLock) enter() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seen.Store(time.Now().UnixNano())
	if q.n++; q.n == 1 && q.file != nil {
		lockShared(q.file)
	}
}

func (q *writeLock) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n--; q.n == 0 && q.file != nil {
		unlock(q.file)
	}
}

func (q *writeLock) waiting() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.n > 0 || q.file != nil && lockedByOthers(q.file)
}

// forget resets quiet: no writer of this program has waited yet.
func (q *writeLock) forget() { q.seen.Store(0) }

// quiet returns how long no writer of this program has waited.
func (q *writeLock) quiet() time.Duration { return time.Since(time.Unix(0, q.seen.Load())) }

// Bulk work is done in chunks, each a transaction that others wait for. While others are at work a chunk has a small
// budget. While nobody is, its budget is large, because pages that many rows share are then written once; the chunk
// still ends as soon as somebody waits.
const (
	sharedBudget = 10 * time.Millisecond // the commit takes about as long again
	// on a slow disk the commit takes as long again, and the first to come waits for it
	idleBudget = 300 * time.Millisecond
	idleAfter  = 5 * time.Second // others count as idle after this long without a write
	// maxChunk is the largest number of items of a chunk, maxAtOnce that of a chunk that cannot end early.
	maxChunk  = 8000
	maxAtOnce = 500
	// checkEvery is the number of items between two looks at the budget.
	checkEvery = 16
)

// chunk runs fn like update, as one of many chunks of bulk work. It does not read the clock, and gives way to others
// first.
func (c *writeConn) chunk(ctx context.Context, doing string, fn func(*tx) error) error {
	err := c.transact(ctx, doing, c.beginBulk, func(t *tx) error {
		alone, err := c.alone(t)
		if err != nil {
			return err
		}
		start := time.Now()
		t.inBudget = func() bool {
			took := time.Since(start)
			return took < sharedBudget || alone && took < idleBudget && !c.lock.waiting()
		}
		return fn(t)
	})
	c.pauseBetween()
	return err
}

// pauseBetween calls between.
func (c *writeConn) pauseBetween() {
	if c.between != nil {
		c.between()
	}
}

// chunks runs fn in one chunk after another while it reports that there is more.
func (c *writeConn) chunks(ctx context.Context, doing string, fn func(*tx) (more bool, err error)) error {
	for more := true; more; {
		err := c.chunk(ctx, doing, func(t *tx) (err error) {
			more, err = fn(t)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// more reports whether the chunk may take one more item. The first is always allowed.
func (t *tx) more() bool {
	n := t.items
	t.items++
	return n == 0 || n < t.maxItems && (n%checkEvery > 0 || t.inBudget())
}

// alone reports whether nobody else, neither another program nor another part of this one, has written for a while.
func (c *writeConn) alone(t *tx) (bool, error) {
	version, err := dataVersion(t.bare, t)
	if version != c.version && err == nil {
		c.version, c.othersWrote = version, time.Now()
	}
	return time.Since(c.othersWrote) > c.idleAfter && c.lock.quiet() > c.idleAfter, err
}
