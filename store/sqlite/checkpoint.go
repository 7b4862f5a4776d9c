package sqlite

import (
	"context"
	"database/sql"
	"sync/atomic"
	"time"
)

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
