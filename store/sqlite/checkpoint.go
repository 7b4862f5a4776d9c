package sqlite

import (
	"context"
	"database/sql"
	"time"
)

// What is committed is in the write-ahead log, and has to be copied into the database from time to time. SQLite would have the one
// whose commit makes the log long do that before it may go on; and while others write the log is never copied to its end, so it gets
// longer, what is read is looked for in all of it, and each commit copies a little. So it is done here, beside the work: nearly all of
// it while others write, and then, with the writers kept out for a moment, the rest, so that the log begins anew.
const (
	lookAtLog = 50 * time.Millisecond  // how often the log is looked at
	backOff   = 500 * time.Millisecond // how long it is left alone after it could not begin anew, for readers need it

	copyFrom   = 4000 // pages that are not in the database: from there they are copied
	copies     = 3    // how often at most, each time what was written meanwhile
	longLog    = 8000 // pages of the log: from there it has to begin anew
	restAtMost = 200  // pages: with more left to copy the writers are not kept out
	// readersTime is how long the writers are kept out at most to wait for readers of what is in the log.
	readersTime = 5 * time.Millisecond
	// backstop is the length of the log, in pages, at which SQLite copies it all the same: for programs that end after each commit.
	backstop = 16000
)

// tendLog has the write-ahead log looked after while the caller goes on, if that is not being done already: as long as it is, the next
// look is far off.
func (s *Store) tendLog() {
	now := time.Now()
	next := s.nextLook.Load()
	if now.UnixNano() < next || !s.nextLook.CompareAndSwap(next, now.Add(time.Hour).UnixNano()) {
		return
	}
	s.background.Go(func() {
		wait := lookAtLog
		// What fails, on a full disk, is done by the next look, or by whoever closes the database last.
		if short, err := s.copyLog(s.working); err != nil || !short {
			wait = backOff
		}
		s.nextLook.Store(time.Now().Add(wait).UnixNano())
	})
}

// copyLog copies what the log has into the database, if that is much, and has a long log begin anew. It reports whether it is short now.
func (s *Store) copyLog(ctx context.Context) (short bool, err error) {
	c, err := s.copier.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer c.Close()
	l, err := checkpoint(ctx, c, "NOOP")
	if err != nil || l.left < copyFrom && l.pages < longLog {
		return err == nil, err
	}
	for n := 0; n < copies && l.left > restAtMost && err == nil; n++ {
		l, err = checkpoint(ctx, c, "PASSIVE")
	}
	if err != nil || l.pages < longLog || l.left > restAtMost {
		return l.pages < longLog, err
	}
	l, err = checkpoint(ctx, c, "RESTART")
	return !l.busy, err
}

// logState is what a checkpoint leaves.
type logState struct {
	busy  bool // others were in the way
	pages int  // of the log
	left  int  // of them not in the database
}

func checkpoint(ctx context.Context, c *sql.Conn, mode string) (l logState, err error) {
	var copied int
	err = c.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&l.busy, &l.pages, &copied)
	l.left = l.pages - copied
	return l, err
}
