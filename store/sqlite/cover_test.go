package sqlite_test

import (
	"path/filepath"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// The items of a database of schema 11, whose log does not cover them, are covered when it is opened: once.
func TestCoverOld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, _ := corpusIn(t, path, 300)
	want := entriesOf(t, s)
	must(t, s.Close())
	script(t, path, `DROP TRIGGER log_no_delete; DELETE FROM log WHERE batch_id < 0;
		DROP INDEX log_run; DROP TABLE index_to_build;
		CREATE TRIGGER log_no_delete BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
		DELETE FROM goose_db_version WHERE version_id > 11; PRAGMA user_version = 11`)
	for range 2 {
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		must(t, err)
		got := entriesOf(t, s)
		if len(got) != len(want) || string(got[1].Body) != string(want[1].Body) || got[1].Run != 2 {
			t.Errorf("the log is %v", got)
		}
		d, err := review.Open(t.Context(), s, "ana", nil)
		must(t, err)
		problems, err := d.Check(t.Context())
		must(t, err)
		if len(problems) > 0 {
			t.Errorf("check: %v", problems)
		}
		must(t, s.Close())
	}
}
