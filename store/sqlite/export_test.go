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

// Plan returns SQLite's plan for a page of the query after the place.
func Plan(t *testing.T, s *Store, q review.Query, from *review.Cursor) (plans []string) {
	for _, w := range pageParts(q.Filter, false) {
		for _, stretch := range stretches(q, from) {
			query, args := pageQuery(w, stretch, q, from, 50)
			plans = append(plans, plan(t, s, "SELECT "+itemColumns+query, args)...)
		}
	}
	return plans
}

// EachPlan returns SQLite's plan for going through what the filter selects.
func EachPlan(t *testing.T, s *Store, f review.Filter) []string {
	w := filterItems(f)
	return plan(t, s, "SELECT "+itemColumns+fromItems+w.sql()+" ORDER BY i.id", w.args)
}

// CountPlan returns SQLite's plan for counting what the filter selects, and FacetPlan the ones for its facets.
func CountPlan(t *testing.T, s *Store, f review.Filter) []string {
	query, args := countQuery(f)
	return plan(t, s, query, args)
}

func FacetPlan(t *testing.T, s *Store, f review.Filter) []string {
	query, args := groupQuery(f, "status, flags")
	lines := plan(t, s, query, args)
	for _, table := range []string{"host", "file", "field"} {
		query, args := bucketQuery(f, table)
		lines = append(lines, plan(t, s, query, append(args, mostHosts))...)
	}
	return lines
}

// StageAll makes the store stage every change of the rules, and leave it unfolded.
func StageAll(s *Store) {
	s.atOnce, s.unhurried = 0, true
}

func plan(t *testing.T, s *Store, query string, args []any) (lines []string) {
	t.Helper()
	err := each(t.Context(), s.read, "EXPLAIN QUERY PLAN "+query, args, func(scan func(...any) error) error {
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

// CheckLog looks at the write-ahead log as Open does.
var CheckLog = checkLog

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
