package sqlite

import (
	"context"
	"time"
)

// Bulk work is done in pieces, each a transaction of its own that others wait for. While somebody else is at work a piece is
// brief. While nobody is it is ample, for pages that many rows share are then written once; it ends as soon as somebody waits.
const (
	brief       = 10 * time.Millisecond  // committing what was done takes about as long again
	ample       = 300 * time.Millisecond // committing it may take as long again on a slow disk: who comes first waits for that
	absentAfter = 5 * time.Second        // after how long without a write of theirs nobody else is at work
	// maxPiece is how many items a piece is about at most, and maxAtOnce how many of them one that cannot end halfway.
	maxPiece  = 8000
	maxAtOnce = 500
	// glance is after how many items a piece looks whether it has to end.
	glance = 16
)

// piece is update for one of many pieces of work, none of which asks for the time. It gives everybody else the turn before.
func (s *Store) piece(ctx context.Context, doing string, fn func(*tx) error) error {
	err := s.transact(ctx, doing, s.last, func(t *tx) error {
		alone, err := s.alone(t)
		if err != nil {
			return err
		}
		start := time.Now()
		t.room = func() bool {
			took := time.Since(start)
			return took < brief || alone && took < ample && !s.queue.waiting()
		}
		return fn(t)
	})
	if s.between != nil {
		s.between()
	}
	return err
}

// more reports whether one more item is to be part of the piece. The first always is.
func (t *tx) more() bool {
	n := t.items
	t.items++
	return n == 0 || n < t.most && (n%glance > 0 || t.room())
}

// alone reports whether nobody else has written for a while: neither another program nor another part of this one.
func (s *Store) alone(t *tx) (bool, error) {
	var version int64
	if err := t.QueryRowContext(t.bare, "PRAGMA data_version").Scan(&version); err != nil {
		return false, err
	}
	if version != s.version {
		s.version, s.others = version, time.Now()
	}
	return time.Since(s.others) > s.absent && s.queue.quiet() > s.absent, nil
}
