package sqlite

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"visto/review"
	"visto/store/rows"
)

// Store is review.Store on a SQLite file. It is safe for concurrent use, by any number of programs.
type Store struct {
	rows.Shared
	read       *reader
	write      *writeConn
	large      *largeChanges
	search     searchIndex
	background *background
	known      *schema     // the migration steps of this program
	few        int         // the largest number of items that count as few for a page by record
	opened     []io.Closer // in this order
}

var _ review.Store = (*Store)(nil)

func newStore(ctx context.Context, path string, now func() time.Time, known *schema) *Store {
	s := &Store{known: known, few: fewFound, read: &reader{place: place{path: path}},
		background: &background{closing: closingTime}}
	s.background.ctx, s.background.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.Shared = rows.NewShared(database{s}, dialect)
	s.write = &writeConn{read: s.read, reason: review.ErrReadOnly, now: now, maxWait: maxWait, maxItems: maxChunk,
		idleAfter: idleAfter, kept: &sync.Map{}, background: s.background}
	s.write.checkpoints = &checkpoints{background: s.background}
	s.search = searchIndex{s.write}
	s.large = &largeChanges{conn: s.write, search: s.search, atOnce: maxAtOnce, most: maxAtOnce, setSize: maxSet}
	s.UseRules(review.RulesOf(s))
	return s
}

// database is rows.DB.
type database struct{ *Store }

// List is rows.DB's.
func (d database) List(ctx context.Context, doing, query string, args []any, fn func(scanner) error) error {
	return d.read.failed(ctx, doing, each(ctx, d.read, query, args, fn))
}

// Snapshot is rows.DB's.
func (d database) Snapshot(ctx context.Context, doing string, fn func(rows.Snapshot) error) error {
	return d.read.snapshot(ctx, doing, func(q queryer) error { return fn(walking{ctx, q}) })
}

// Update is rows.DB's.
func (d database) Update(ctx context.Context, doing string, fn func(t rows.Tx, at int64) error) error {
	return d.write.update(ctx, doing, func(t *tx) error { return fn(t, t.at.UnixMilli()) })
}

// Key is rows.DB's.
func (d database) Key(text string) string { return text }

// UseRules is review.PendingStore's.
func (s *Store) UseRules(rules func(context.Context) (review.Computing, error)) {
	s.write.rules.Store((*rulesReader)(&rules))
}

// ReadOnly reports whether the store was opened read-only, or the file cannot be written.
func (s *Store) ReadOnly() bool { return s.write.DB == nil }

// Path returns the absolute path of the file.
func (s *Store) Path() string { return s.read.path }

// Name returns Path.
func (s *Store) Name() string { return s.Path() }

// Close closes the connections after a short wait for background work. The last one to close a database copies its
// write-ahead log into the file.
func (s *Store) Close() error {
	s.background.end()
	var errs []error
	for _, c := range slices.Backward(s.opened) {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// closingTime is how long a program that ends goes on finishing and indexing. Nothing is lost if it stops: whoever
// changes a rule next, adds URLs or opens the console goes on.
const closingTime = time.Second

// background is the work that goes on after a transaction.
type background struct {
	sync.WaitGroup
	ctx     context.Context
	stop    func()        // cancels ctx
	closing time.Duration // how long Close waits
}

// end waits for the work, then cancels the rest, which rolls back its current chunk.
func (b *background) end() {
	late := time.AfterFunc(b.closing, b.stop)
	b.Wait()
	late.Stop()
	b.stop()
}

func readMeta(ctx context.Context, q queryer) (review.Meta, error) {
	var m review.Meta
	err := q.QueryRowContext(ctx, rows.MetaQuery).Scan(rows.MetaInto(&m)...)
	return m, err
}

// Version changes whenever any connection, of this program or another, has written. Error: review.ErrGone.
func (s *Store) Version(ctx context.Context) (int64, error) {
	err := s.read.check()
	var v int64
	if err == nil {
		v, err = dataVersion(ctx, s.read.watch)
	}
	return v, s.read.failed(ctx, "asking whether the store changed", err)
}

// Maintain finishes changes that a program left unfinished, and brings the indexes up to date. It may run
// at any time, and others can write in between.
func (s *Store) Maintain(ctx context.Context) error {
	if s.ReadOnly() {
		return nil
	}
	return rows.InOrder(func() error { return s.large.finish(ctx) },
		func() error { return s.write.buildIndexes(ctx, s.known) }, func() error { return s.search.update(ctx) })
}

// RenameView gives a view a name that no other view has.
func (s *Store) RenameView(ctx context.Context, from, to string) error {
	return s.write.update(ctx, "renaming a view", func(t *tx) error {
		return rows.RenameView(t, from, to)
	})
}

// Assign assigns items in chunks, in which others can write in between.
func (s *Store) Assign(ctx context.Context, c review.AssignmentChange) (changed int, err error) {
	err = s.write.chunks(ctx, "assigning URLs", func(t *tx) (more bool, err error) {
		t.readClock(s.write.now)
		for ; err == nil && len(c.Items) > 0 && t.more(); c.Items = c.Items[1:] {
			var n int64
			n, err = t.assign(&c)
			changed += int(n)
		}
		return len(c.Items) > 0, err
	})
	return changed, err
}

// assign assigns the first item of a change, and returns the number of changed rows.
func (t *tx) assign(c *review.AssignmentChange) (int64, error) {
	a := c.Items[0]
	if a.Reviewer == "" {
		return t.execCount("DELETE FROM assignment WHERE item_id = ?", a.ID)
	}
	conflict := "DO NOTHING"
	if c.Again {
		conflict = "DO UPDATE SET reviewer = excluded.reviewer, assigned_by = excluded.assigned_by, at = excluded.at " +
			"WHERE reviewer <> excluded.reviewer"
	}
	return t.execCount("INSERT INTO assignment (item_id, reviewer, assigned_by, at) SELECT id, ?, ?, ? FROM item "+
		"WHERE id = ? ON CONFLICT "+conflict, a.Reviewer, c.By, rows.Millis(t.at), a.ID)
}
