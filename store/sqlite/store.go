package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"
	"visto/review"
)

// Store is review.Store on a SQLite file. It is safe for concurrent use, by any number of programs.
type Store struct {
	path         string
	write        *sql.DB   // one connection; nil when the store is read-only
	read         *sql.DB   // several, which cannot write
	checkpointer *sql.DB   // one connection for checkpoints; nil when the store is read-only
	watch        *sql.Conn // of read, for Version alone: data_version reports the writes of all other connections
	now          func() time.Time
	maxWait      time.Duration // how long to wait for other writers
	lock         *writeLock    // nil when the store is read-only
	readOnly     bool
	known        schema // the migration steps of this program

	background     sync.WaitGroup  // work that goes on after a large change is in force
	working        context.Context // the context of the background
	stop           func()          // cancels working
	closing        time.Duration   // how long Close waits for the background
	atOnce         int             // the most items of a chunk that cannot end early
	maxItems       int             // the most items of any chunk
	version        int64           // data_version of the file when the writing connection last looked
	othersWrote    time.Time       // when version last changed
	idleAfter      time.Duration   // other programs count as idle after this long without a write
	stalledAfter   time.Duration   // a change that is staged without progress for this long is abandoned
	afterChunk     func()          // if not nil, called after each chunk
	nextCheckpoint atomic.Int64    // the time of the next checkpoint, in ns since 1970
	kept           *statements     // of the writing connection
	widened        sync.Once       // the writing connection has the larger cache
	stageAll       bool            // stage every change of the rules, and do not apply it
}

var _ review.Store = (*Store)(nil)

// ReadOnly reports whether the store was opened read-only, or the file cannot be written.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Path returns the absolute path of the file.
func (s *Store) Path() string { return s.path }

// Close closes the connections after a short wait for background work. The last one to close a database copies its
// write-ahead log into the file.
func (s *Store) Close() error {
	s.endBackground()
	var errs []error
	if s.watch != nil {
		errs = append(errs, s.watch.Close())
	}
	if s.read != nil {
		errs = append(errs, s.read.Close())
	}
	if s.checkpointer != nil {
		errs = append(errs, s.checkpointer.Close())
	}
	if s.write != nil {
		errs = append(errs, s.write.Close())
	}
	errs = append(errs, s.lock.close())
	return errors.Join(errs...)
}

// closingTime is how long a program that ends goes on applying and indexing. Nothing is lost if it stops: whoever
// changes a rule next, adds URLs or opens the console goes on.
const closingTime = time.Second

// endBackground waits for background work, then cancels the rest, which rolls back its current chunk.
func (s *Store) endBackground() {
	late := time.AfterFunc(s.closing, s.stop)
	s.background.Wait()
	late.Stop()
	s.stop()
}

// Meta returns the store's policy and generations.
func (s *Store) Meta(ctx context.Context) (review.Meta, error) {
	m, err := readMeta(ctx, s.read)
	return m, s.failed(ctx, "reading the store's rules", err)
}

func readMeta(ctx context.Context, q queryer) (review.Meta, error) {
	var m review.Meta
	err := q.QueryRowContext(ctx, `SELECT coalesce(p.name, ''), coalesce(p.digest, ''), p.yaml, m.gen, m.rules_gen,
		m.hosts_gen, coalesce((SELECT max(id) FROM item), 0) FROM meta m LEFT JOIN policy p ON p.id = m.policy_id`).
		Scan(&m.PolicyID, &m.PolicyDigest, &m.PolicyYAML, &m.Gen, &m.RulesGen, &m.HostsGen, &m.LastID)
	return m, err
}

// Version changes whenever any connection, of this program or another, has written.
func (s *Store) Version(ctx context.Context) (int64, error) {
	var v int64
	err := s.watch.QueryRowContext(ctx, "PRAGMA data_version").Scan(&v)
	return v, s.failed(ctx, "asking whether the store changed", err)
}
