package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"visto/review"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
	"visto/store/storetest"
)

// A program is killed behind each transaction. A copy of its files before the next commit is what a kill leaves.
func TestKilledBehindEachTransaction(t *testing.T) {
	if testing.Short() {
		t.Skip("TestDecisionsBetweenChunks has its goroutines")
	}
	storetest.RunKilled(t, storetest.Killing{
		New:  func(t *testing.T) string { return filepath.Join(t.TempDir(), "visto.db") },
		Copy: copyFiles,
		Open: func(t *testing.T, db string) storetest.Loaded {
			t.Helper()
			s, err := sqlitetest.Open(t.Context(), db, sqlite.Options{})
			must(t, err)
			return s
		},
		Kill: func(t *testing.T, db string, do func(review.Store)) (killed []string) {
			path := copyFiles(t, db)
			s := open(t, path)
			sqlite.Chunks(s, 2*few, func() {})
			begun := false // the first commit has none before it
			sqlite.BeforeCommit(t, s, func() {
				if begun {
					killed = append(killed, copyFiles(t, path))
				}
				begun = true
			})
			do(s)
			sqlite.WaitApplied(s)
			return append(killed, copyFiles(t, path))
		},
	})
}

// copyFiles copies a database with what its write-ahead log has, that first: a checkpoint moves pages from there.
func copyFiles(t *testing.T, db string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, end := range []string{"-wal", ""} {
		data, err := os.ReadFile(db + end)
		if err == nil {
			err = os.WriteFile(to+end, data, 0o600)
		}
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(fmt.Errorf("copying %s: %w", db, err))
		}
	}
	return to
}
