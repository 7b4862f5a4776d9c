package sqlite_test

import (
	"path/filepath"
	"testing"

	"visto/store/sqlite"
)

// SQLite skips the pages of a row behind the last column that a statement reads, so none behind the summary may be
// read.
func TestLogPageSkipsBodies(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	columns := sqlite.LogPageColumns(t, s)
	if len(columns) == 0 {
		t.Fatal("the query reads no column")
	}
	for _, name := range columns {
		switch name {
		case "seq", "at", "reviewer", "action", "batch_id", "summary":
		default:
			t.Errorf("a page of the log reads %s", name)
		}
	}
}
