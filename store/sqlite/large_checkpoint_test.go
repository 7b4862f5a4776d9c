package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// long is the length, in pages of 4 KB, of a log that has to start over.
const long = 9000

// lengthen makes the log that long without any checkpoint.
func lengthen(t *testing.T, s *sqlite.Store) {
	t.Helper()
	must(t, sqlite.Exec(t, s, "CREATE TABLE scratch (bytes)"))
	must(t, sqlite.Exec(t, s, fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "+
		"WHERE i < %d) INSERT INTO scratch SELECT zeroblob(4000) FROM n", long)))
}

// A long log starts over, even if it is never copied to its end. While somebody reads from it, it waits.
func TestLogBeginsAnew(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	manyItems(t, s)
	if short, pages := sqlite.CheckpointLog(t, s); !short || pages == 0 {
		t.Errorf("after a little: short %v, %d pages", short, pages)
	}
	lengthen(t, s)
	read := false
	must(t, s.Each(t.Context(), review.Filter{}, func(review.Item) error {
		if short, pages := sqlite.CheckpointLog(t, s); !read && (short || pages < long) {
			t.Errorf("while it is read: short %v, %d pages", short, pages)
		}
		read = true
		return nil
	}))
	if short, _ := sqlite.CheckpointLog(t, s); !read || !short {
		t.Error("afterwards it is not short")
	}
	must(t, sqlite.Exec(t, s, "INSERT INTO scratch VALUES ('')")) // the next write starts over
	if _, pages := sqlite.CheckpointLog(t, s); pages > long/10 {
		t.Errorf("after the next commit it has %d pages", pages)
	}
}

// Each chunk of indexing adds a segment, and a search asks all segments. They are merged, even if there are too few
// for FTS5 to merge them by itself.
func TestSegmentsAreMerged(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	const chunks = 14
	sqlite.Chunks(s, few, func() {})
	_, err := s.Add(t.Context(), &review.Intake{}, samples(chunks*few))
	must(t, err)
	must(t, s.Maintain(t.Context()))
	if n := sqlite.Segments(t, s); n == 0 || n > chunks/2 {
		t.Errorf("%d chunks left %d segments", chunks, n)
	}
	if found, err := s.Count(t.Context(), review.Filter{Search: "boe.es/9"}); found != 9 || err != nil {
		t.Errorf("%d are found, %v", found, err)
	}
}

// Commits start checkpoints, but do not run them themselves.
func TestCommitsHaveTheLogLookedAfter(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	manyItems(t, s)
	lengthen(t, s)
	pages := long
	for n := int64(0); n < 300 && pages >= long; n++ { // SQLite itself would do it at nearly twice the length
		note := review.AddNotes{Reviewer: "ana", Notes: []review.ItemNote{{ID: 1, Text: "ojo"}}}
		_, err := s.Commit(t.Context(), note)
		must(t, err)
		sqlite.WaitApplied(s)
		pages = sqlite.LogPages(t, s)
	}
	if pages >= long {
		t.Errorf("the log has %d pages", pages)
	}
}
