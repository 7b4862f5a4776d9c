package cli_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// TestRefusedDatabases opens files that are no database of this program: every command refuses them, untouched.
func TestRefusedDatabases(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for _, test := range []struct {
		name  string
		make  func(t *testing.T, p *program)
		error string
	}{
		{"another program's", func(t *testing.T, p *program) {
			execute(t, p.db, "CREATE TABLE page (url TEXT)")
		}, "another program"},
		{"a newer schema", func(t *testing.T, p *program) {
			p.run(0, strings.NewReader("https://www.boe.es/"), "add", "-")
			execute(t, p.db, "PRAGMA user_version = 1000000")
		}, "newer visto"},
		{"no database", func(t *testing.T, p *program) {
			write(t, p.db, strings.Repeat("no database\n", 1000))
		}, "not a SQLite database"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProgram(t)
			test.make(t, p)
			before := read(t, p.db)
			for _, args := range [][]string{{"list"}, {"add", "-"}, {"approve", "1"}, {"check"}, {"undo"}, {}} {
				_, stderr := p.run(1, strings.NewReader("https://www.sepe.es/"), args...)
				if !strings.Contains(stderr, test.error) {
					t.Errorf("visto %v: %s", args, stderr)
				}
			}
			if read(t, p.db) != before {
				t.Error("the file was changed")
			}
			for _, name := range entries(t, filepath.Dir(p.db)) {
				if name != filepath.Base(p.db) {
					t.Errorf("%s was left beside it", name)
				}
			}
		})
	}
}

// TestCheckFindsTampering changes a reviewer's decisions behind the program's back.
func TestCheckFindsTampering(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	p := newProgram(t)
	p.run(0, strings.NewReader("https://www.boe.es/\nhttps://www.sepe.es/"), "add", "-")
	p.ok("reject", "1", "--note", "genuine")
	p.ok("check")
	execute(t, p.db, "DROP TRIGGER log_no_update; UPDATE log SET reviewer = 'eve' WHERE action = 'reject'")
	stdout, stderr := p.run(1, strings.NewReader(""), "check")
	if !strings.Contains(stdout, "log: ") || !strings.Contains(stderr, "problem") {
		t.Errorf("%s%s", stdout, stderr)
	}
}

func execute(t testing.TB, file, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func entries(t testing.TB, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
