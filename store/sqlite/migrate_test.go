package sqlite_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"visto/review"
	"visto/store/migrations"
	"visto/store/sqlite"
)

// developed returns the path of a copy of a development version's database, of schema 10.
func developed(t *testing.T) string { return older(t, 10) }

// older returns the path of a copy of the database of an earlier schema.
func older(t *testing.T, version int) string {
	t.Helper()
	f, err := os.Open(fmt.Sprintf("../../testdata/schema/%d.db.gz", version))
	must(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	must(t, err)
	data, err := io.ReadAll(r)
	must(t, err)
	path := filepath.Join(t.TempDir(), "visto.db")
	must(t, os.WriteFile(path, data, 0o600))
	return path
}

// The databases of development versions are refused untouched, with the version in the message.
func TestDevelopmentVersions(t *testing.T) {
	for version := 1; version < int(sqlite.Steps().First()); version++ {
		path := developed(t)
		script(t, path, fmt.Sprintf("PRAGMA user_version = %d", version))
		before := snapshot(t, filepath.Dir(path))
		for _, opt := range []sqlite.Options{{}, {ReadOnly: true}, {Create: true}} {
			s, err := sqlite.Open(t.Context(), path, opt)
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, sqlite.ErrTooOld) || !strings.Contains(err.Error(),
				fmt.Sprintf("its schema is version %d,", version)) {
				t.Errorf("schema %d, %+v: %v", version, opt, err)
			}
		}
		if after := snapshot(t, filepath.Dir(path)); after != before {
			t.Errorf("schema %d: refusing it changed the folder from\n%s\nto\n%s", version, before, after)
		}
	}
}

// nextSteps are the steps of this program, and two made-up ones of a later program.
func nextSteps() migrations.Steps {
	next := sqlite.Steps().Latest() + 1
	return append(slices.Clone(sqlite.Steps()),
		migrations.Step{Number: next, Name: "color.sql", SQL: "ALTER TABLE host ADD COLUMN color TEXT NOT NULL " +
			"DEFAULT '';\nUPDATE host SET color = 'red' WHERE name <> '';\n"},
		migrations.Step{Number: next + 1, Name: "shade.sql", SQL: "CREATE TABLE shade (id INTEGER PRIMARY KEY);\n"})
}

// upTo returns the steps up to the last one, like those of an earlier program.
func upTo(steps migrations.Steps, last int64) migrations.Steps { return steps[:last-steps.First()+1] }

// half leaves a database in the middle of a large change: in force, and no item follows it.
func half(t *testing.T, path string) []review.Entry {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	manyItems(t, s)
	sqlite.LeavePending(s)
	_, err = s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	log := entriesOf(t, s)
	must(t, s.Close())
	return log
}

func entriesOf(t *testing.T, s *sqlite.Store) (log []review.Entry) {
	t.Helper()
	must(t, s.EachEntry(t.Context(), func(e review.Entry) error {
		log = append(log, e)
		return nil
	}))
	return log
}

// A later program migrates a database with all content, wherever an earlier attempt was interrupted. The result has
// the schema of its new databases, with which check compares it. This program then refuses the database.
func TestMigrate(t *testing.T) {
	next := nextSteps()
	for done := sqlite.Steps().Latest(); done <= next.Latest(); done++ {
		path := filepath.Join(t.TempDir(), "visto.db")
		log := half(t, path)
		must(t, sqlite.Migrate(t.Context(), path, upTo(next, done)))
		s, err := sqlite.OpenSteps(t.Context(), path, sqlite.Options{}, next)
		must(t, err)
		moving(s)
		if !inForce(t, s, "moved.es") { // this checks the database too
			t.Errorf("after step %d the change is lost", done)
		}
		if got := entriesOf(t, s); !reflect.DeepEqual(got, log) {
			t.Errorf("the log is %+v, and was %+v", got, log)
		}
		must(t, s.Close())
		if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, sqlite.ErrNewer) {
			t.Errorf("this program on schema %d: %v", next.Latest(), err)
		}
	}
}

// Programs that migrate at once all find the work done, each step once.
func TestMigratedAtOnce(t *testing.T) {
	path := older(t, 13)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s, err := sqlite.OpenSteps(t.Context(), path, sqlite.Options{}, nextSteps())
			if err != nil {
				t.Error(err)
				return
			}
			if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
				t.Errorf("check: %v %v", problems, err)
			}
			s.Close()
		})
	}
	group.Wait()
}

// A database of schema 24 keeps everything but what suggestions were mined from, and which hosts changed since.
func TestMigrateMined(t *testing.T) {
	path := older(t, 13)
	must(t, sqlite.Migrate(t.Context(), path, upTo(sqlite.Steps(), 24)))
	script(t, path, "INSERT INTO mined (kind, host, name, body) VALUES (1, 'h', 'n', x'00'); "+
		"UPDATE mining SET token = 1, body = x'00'; INSERT INTO stale_host SELECT id, 1, 0 FROM host; "+
		"INSERT INTO dismissed (id, pages, reviewer, at) VALUES ('d', 3, 'ana', 1)")
	s := open(t, path)
	mined, err := s.Mined(t.Context())
	must(t, err)
	dismissed, err := s.Dismissals(t.Context())
	must(t, err)
	n, err := s.Count(t.Context(), review.Filter{})
	must(t, err)
	if mined != nil || len(dismissed) != 1 || n != 6 {
		t.Errorf("%+v, %+v, %d URLs", mined, dismissed, n)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}

// An older database that may not be written is refused untouched.
func TestMigrateReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	before := snapshot(t, filepath.Dir(path))
	s, err := sqlite.OpenSteps(t.Context(), path, sqlite.Options{ReadOnly: true}, nextSteps())
	if !errors.Is(err, sqlite.ErrOlder) {
		t.Errorf("read-only: %v %v", s, err)
	}
	if snapshot(t, filepath.Dir(path)) != before {
		t.Error("refusing it changed the folder")
	}
}

// A step that fails leaves the database at the step before: a program that knows only that one can use it.
func TestMigrateFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	broken := nextSteps()
	broken[len(broken)-2].SQL += "DROP TABLE missing;\n"
	s, err := sqlite.OpenSteps(t.Context(), path, sqlite.Options{}, broken)
	if err == nil || !strings.Contains(err.Error(), "bringing the schema up to date by color.sql: ") {
		t.Errorf("a broken step: %v %v", s, err)
	}
	s = open(t, path)
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}
