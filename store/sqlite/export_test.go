package sqlite

import (
	"fmt"
	"testing"
	"time"

	"visto/review"
)

// SetWait makes the store wait no longer than that for another program that writes.
func SetWait(s *Store, d time.Duration) { s.waits = d }

// SetMaxPages makes the disk full at that size, or at that of the file if it is larger.
func SetMaxPages(t *testing.T, s *Store, n int) { setPragma(t, s, "max_page_count", n) }

func setPragma(t *testing.T, s *Store, name string, value int) {
	t.Helper()
	if _, err := s.write.ExecContext(t.Context(), fmt.Sprintf("PRAGMA %s = %d", name, value)); err != nil {
		t.Fatal(err)
	}
}

// Exec runs SQL on the connection that writes, as no part of the program does.
func Exec(t *testing.T, s *Store, query string) error {
	_, err := s.write.ExecContext(t.Context(), query)
	return err
}

// EachPlan returns SQLite's plan for going through what the filter selects.
func EachPlan(t *testing.T, s *Store, f review.Filter) []string {
	w := filterItems(f)
	return plan(t, s.read, "SELECT "+itemColumns+fromItems+w.sql()+" ORDER BY i.id", w.args)
}

// StageAll makes the store stage every change of the rules, and leave it unfolded.
func StageAll(s *Store) { s.stageAll = true }

// MaxPiece is how many items a piece is about at most.
const MaxPiece = maxPiece

// Pieces makes the pieces of a change no larger than n items, and calls between after each of them. A change that somebody
// else stages counts as abandoned at once.
func Pieces(s *Store, n int, between func()) {
	s.atOnce, s.most, s.patience, s.between = n, n, 0, between
}

func plan(t *testing.T, q queryer, query string, args []any) (lines []string) {
	t.Helper()
	err := each(t.Context(), q, "EXPLAIN QUERY PLAN "+query, args, func(scan func(...any) error) error {
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

// Alone reports whether nobody else is at work, or was in that time.
func Alone(t *testing.T, s *Store, within time.Duration) (alone bool) {
	s.absent = within
	err := s.transact(t.Context(), "looking", s.last, func(t *tx) (err error) {
		alone, err = s.alone(t)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return alone
}

// CheckLog looks at the write-ahead log as Open does.
func CheckLog(path string) error { return checkLog(path, walIndex{}) }

// Enter has the store wait to write a decision, until the function is called. Waiting reports whether bulk work stands back.
func Enter(s *Store) func() {
	s.queue.enter()
	return s.queue.leave
}

func Waiting(s *Store) bool { return s.queue.waiting() }

// Update writes nothing, as a decision does.
func Update(t *testing.T, s *Store) error {
	return s.update(t.Context(), "writing nothing", func(*tx) error { return nil })
}

// Stopping makes the store stop its background at once when it is closed, and returns what is closed then.
func Stopping(s *Store) <-chan struct{} {
	s.closing = 0
	return s.working.Done()
}

// WaitFolded waits until the store does nothing in the background.
func WaitFolded(s *Store) { s.background.Wait() }

// Schema lists the tables, views and, as table.index, the indexes that the migrations make by name.
func Schema(t *testing.T, s *Store) (names []string) {
	t.Helper()
	err := each(t.Context(), s.read, `SELECT iif(type = 'index', tbl_name || '.', '') || name FROM sqlite_schema
		WHERE type IN ('table', 'view', 'index') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
		AND (name NOT LIKE 'search!_%' ESCAPE '!' OR name IN ('search_state', 'search_dirty'))`, nil,
		func(scan func(...any) error) error {
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

// CopyLog looks after the write-ahead log, and returns whether it is short then, and how many pages it has.
func CopyLog(t *testing.T, s *Store) (short bool, pages int) {
	t.Helper()
	s.background.Wait()
	short, err := s.copyLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return short, LogPages(t, s)
}

// LogPages returns how many pages the write-ahead log has.
func LogPages(t *testing.T, s *Store) int {
	t.Helper()
	c, err := s.copier.Conn(t.Context())
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
	if err := s.read.QueryRowContext(t.Context(), "SELECT count(DISTINCT id >> 37) FROM search_data WHERE id >> 37 > 0").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// WriterCache returns how much of the database the connection that writes keeps, in KiB.
func WriterCache(t *testing.T, s *Store) int {
	t.Helper()
	var n int
	if err := s.write.QueryRow("PRAGMA cache_size").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return -n
}
