package sqlite

import (
	"context"
	"database/sql"
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

// checkpointLater starts a checkpoint in the background unless one is running or it is too early. While one is
// running the next is far off.
func (s *Store) checkpointLater() {
	now := time.Now()
	next := s.nextCheckpoint.Load()
	if now.UnixNano() < next || !s.nextCheckpoint.CompareAndSwap(next, now.Add(time.Hour).UnixNano()) {
		return
	}
	s.background.Go(func() {
		wait := checkpointEvery
		// The next checkpoint, or the last one to close the database, repeats a failed attempt, on a full disk for
		// instance.
		if short, err := s.checkpointLog(s.working); err != nil || !short {
			wait = checkpointBackoff
		}
		s.nextCheckpoint.Store(time.Now().Add(wait).UnixNano())
	})
}

// checkpointLog copies the log into the file if much is missing there, and has a long log start over. It reports
// whether the log is short now.
func (s *Store) checkpointLog(ctx context.Context) (short bool, err error) {
	c, err := s.checkpointer.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	l, err := checkpoint(ctx, c, "NOOP")
	if err != nil || l.left < checkpointFrom && l.pages < longLog {
		return err == nil, err
	}
	for n := 0; n < maxPasses && l.left > maxRest && err == nil; n++ {
		l, err = checkpoint(ctx, c, "PASSIVE")
	}
	if err != nil || l.pages < longLog || l.left > maxRest {
		return l.pages < longLog, err
	}
	l, err = checkpoint(ctx, c, "RESTART")
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
