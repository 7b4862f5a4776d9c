package sqlite

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	lib "modernc.org/sqlite/lib"
)

// One program writes at a time. SQLite's own way to wait for a turn asks less and less often, down to ten times a second, so
// that who has waited long comes last. Here each writer asks every millisecond or so and has the same chance, whatever it
// has waited for; and whatever writes much, transaction after transaction, lets those go first that wait to write a decision.
const (
	maxWait  = 10 * time.Second      // how long a writer waits for the others
	asking   = 2 * time.Millisecond  // how long it sleeps at most before it asks again
	yielding = 50 * time.Millisecond // how long bulk work stands back at most before each transaction
)

// begin starts a transaction that writes, when it is its turn.
func (s *Store) begin(ctx context.Context) (*sql.Tx, error) {
	end := time.Now().Add(s.waits)
	for {
		tx, err := s.write.BeginTx(ctx, nil)
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
	case <-time.After(rand.N(asking)):
		return nil
	}
}

// first starts a transaction for which bulk work of all programs stands back.
func (s *Store) first(ctx context.Context) (*sql.Tx, error) {
	s.queue.enter()
	defer s.queue.leave()
	return s.begin(ctx)
}

// last starts a transaction of bulk work.
func (s *Store) last(ctx context.Context) (*sql.Tx, error) {
	for end := time.Now().Add(yielding); s.queue.waiting() && time.Now().Before(end); {
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
	return s.begin(ctx)
}

// queue tells the programs on one file whether any of them waits to write a decision. Who waits holds a shared lock on the
// write-ahead log (flock, which SQLite does not use there), and whether somebody does shows when asking for an exclusive one.
// Nobody ever waits for these locks, and nothing but the order of work depends on them.
type queue struct {
	mu   sync.Mutex
	file *os.File  // nil: there is no such lock, and only this program's own writers count
	n    int       // of this program's writers that wait
	seen time.Time // when one of them last did
}

func openQueue(path string) *queue {
	f, err := os.Open(path + "-wal")
	if err != nil {
		return &queue{}
	}
	return &queue{file: f}
}

func (q *queue) enter() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seen = time.Now()
	if q.n++; q.n == 1 && q.file != nil {
		lockShared(q.file)
	}
}

func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n--; q.n == 0 && q.file != nil {
		unlock(q.file)
	}
}

func (q *queue) waiting() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.n > 0 || q.file != nil && lockedByOthers(q.file)
}

// forget takes it that no writer of this program has waited yet.
func (q *queue) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seen = time.Time{}
}

// quiet returns for how long no writer of this program has waited.
func (q *queue) quiet() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Since(q.seen)
}

func (q *queue) close() error {
	if q == nil || q.file == nil {
		return nil
	}
	return q.file.Close()
}
