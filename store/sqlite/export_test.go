package sqlite

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"modernc.org/sqlite"

	"visto/review"
	"visto/store/migrations"
)

// SetWait limits how long the store waits for another program that writes.
func SetWait(s *Store, d time.Duration) { s.write.maxWait = d }

// SetMaxPages makes the disk full at that size, or at the size of the file if it is larger.
func SetMaxPages(t *testing.T, s *Store, n int) { setPragma(t, s, "max_page_count", n) }

func setPragma(t *testing.T, s *Store, name string, value int) {
	t.Helper()
	if _, err := s.write.ExecContext(t.Context(), fmt.Sprintf("PRAGMA %s = %d", name, value)); err != nil {
		t.Fatal(err)
	}
}

// SetFew sets the largest number of items that are sorted for a page by record.
func SetFew(s *Store, n int) { s.few = n }

// DropIdle closes the connections that read and are not in use.
func DropIdle(s *Store) { s.read.SetMaxIdleConns(-1) }

// Exec runs SQL on the writing connection, behind the program's back.
func Exec(t *testing.T, s *Store, query string) error {
	_, err := s.write.ExecContext(t.Context(), query)
	return err
}

// EachPlan returns SQLite's plan for reading the items of the filter.
func EachPlan(t *testing.T, s *Store, f review.Filter) []string {
	w := filterItems(f)
	return plan(t, s.read, "SELECT "+itemColumns+fromItems+w.sql()+" ORDER BY i.id", w.args)
}

// AllLarge makes the items of every change of rules or decisions pending.
func AllLarge(s *Store) { s.large.most = 0 }

// LeavePending is AllLarge, and leaves the items pending.
func LeavePending(s *Store) { s.large.most, s.large.leave = 0, true }

// MaxChunk is the largest number of items of a chunk.
const MaxChunk = maxChunk

// Chunks limits the chunks of a change to n items. It calls between after each of them, and before and after a large
// change comes into force.
func Chunks(s *Store, n int, between func()) {
	s.large.atOnce, s.large.most = n, n
	s.write.maxItems, s.write.between = n, between
}

func plan(t *testing.T, q queryer, query string, args []any) (lines []string) {
	t.Helper()
	err := each(t.Context(), q, "EXPLAIN QUERY PLAN "+query, args, func(scan scanner) error {
		var id, parent, unused int
		var line string
		err := scan(&id, &parent, &unused, &line)
		lines = append(lines, line)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Alone reports whether nobody else wrote within that time.
func Alone(t *testing.T, s *Store, within time.Duration) (alone bool) {
	s.write.idleAfter = within
	err := s.write.transact(t.Context(), "looking", s.write.beginBulk, func(t *tx) (err error) {
		alone, err = s.write.alone(t)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return alone
}

// ApplicationID is that of this program's files.
const ApplicationID = applicationID

// Steps returns the migration steps of this program.
func Steps() migrations.Steps { return thisSchema.steps }

// OpenSteps is Open for a program with other migration steps.
func OpenSteps(ctx context.Context, path string, opt Options, steps migrations.Steps) (*Store, error) {
	return openPath(ctx, path, realPath(path), opt, newSchema(steps))
}

// Migrate runs the steps that a database lacks, and nothing else of opening it.
func Migrate(ctx context.Context, path string, steps migrations.Steps) error {
	db, err := connect(writerDSN(path, "mode=rw"))
	if err != nil {
		return err
	}
	return errors.Join(newSchema(steps).migrate(ctx, db), db.Close())
}

// Enter makes the store wait for an interactive write until the returned function is called.
func Enter(s *Store) func() {
	s.write.lock.enter()
	return s.write.lock.leave
}

func Waiting(s *Store) bool { return s.write.lock.waiting() }

// Update runs an empty interactive write.
func Update(t *testing.T, s *Store) error {
	return s.write.update(t.Context(), "writing nothing", func(*tx) error { return nil })
}

// Stopping makes Close stop background work at once, and returns a channel that is closed then.
func Stopping(s *Store) <-chan struct{} {
	s.background.closing = 0
	return s.background.ctx.Done()
}

// WaitApplied waits until the store's background work is done.
func WaitApplied(s *Store) { s.background.Wait() }

// Schema lists the tables, views and, as table.index, the named indexes of the schema.
func Schema(t *testing.T, s *Store) (names []string) {
	t.Helper()
	err := each(t.Context(), s.read, `SELECT iif(type = 'index', tbl_name || '.', '') || name FROM sqlite_schema
		WHERE type IN ('table', 'view', 'index') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
		AND (name NOT LIKE 'search!_%' ESCAPE '!' OR name IN ('search_state', 'search_dirty'))`, nil,
		func(scan scanner) error {
			var name string
			err := scan(&name)
			names = append(names, name)
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// CheckpointLog runs a checkpoint of the write-ahead log, and returns whether the log is short afterwards, and its
// pages.
func CheckpointLog(t *testing.T, s *Store) (short bool, pages int) {
	t.Helper()
	s.background.Wait()
	short, err := s.write.checkpoints.run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return short, LogPages(t, s)
}

// LogPages returns the number of pages of the write-ahead log.
func LogPages(t *testing.T, s *Store) int {
	t.Helper()
	c, err := s.write.checkpoints.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	l, err := checkpoint(t.Context(), c, "NOOP")
	if err != nil {
		t.Fatal(err)
	}
	return l.pages
}

// Segments counts the segments of the search index.
func Segments(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), "SELECT count(DISTINCT id >> 37) FROM search_data "+
		"WHERE id >> 37 > 0").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// WriterCache returns the cache size of the writing connection in KiB.
func WriterCache(t *testing.T, s *Store) int {
	t.Helper()
	var n int
	if err := s.write.QueryRow("PRAGMA cache_size").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return -n
}

// LeaveSearch leaves the index of the search as it is.
func LeaveSearch(ctx context.Context, s *Store) error {
	return s.write.run(ctx, "leaving the search", "UPDATE search_state SET upto = 1 << 40")
}

// BuildWhileSomebodyWaits tries to build an index while an interactive writer waits, and reports whether it gave way.
func BuildWhileSomebodyWaits(t *testing.T, s *Store, name string) bool {
	t.Helper()
	s.write.lock.enter()
	defer s.write.lock.leave()
	sql, err := s.known.indexes()
	if err != nil {
		t.Fatal(err)
	}
	err = s.write.buildIndex(t.Context(), name, sql[name], true)
	return errors.Is(err, errYield)
}

// DeferFrom is the number of items from which the indexes of a new database are deferred.
const DeferFrom = deferFrom

// MissingIndexes returns the names of the indexes that are still to build.
func MissingIndexes(t *testing.T, s *Store) []string {
	t.Helper()
	names, err := s.read.missingIndexes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// AddSearchTexts reads a row of each query for the texts of the search, and returns the errors.
func AddSearchTexts(scan func(into ...any) error) (errs []error) {
	for _, add := range []func(searchTexts, scanner) error{searchTexts.addRecord, searchTexts.addItem,
		searchTexts.addLater} {
		errs = append(errs, add(searchTexts{}, scan))
	}
	return errs
}

// BeforeCommit calls fn before each commit of the store's writes.
func BeforeCommit(t *testing.T, s *Store, fn func()) {
	t.Helper()
	c, err := s.write.Conn(t.Context())
	if err == nil {
		err = errors.Join(c.Raw(func(driver any) error {
			driver.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 {
				fn()
				return 0
			})
			return nil
		}), c.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}
