package cli_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// released writes the database of the first released schema to path.
func released(t testing.TB, path string) {
	t.Helper()
	f, err := os.Open("../../testdata/schema/1.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(data))
}

// An older database that may not be written is refused with a hint, and left unchanged. Opened for writing it is
// upgraded, with one message.
func TestOlderDatabase(t *testing.T) {
	p := newProgram(t)
	p.db = filepath.Join(t.TempDir(), "released.db")
	released(t, p.db)
	before := read(t, p.db)
	_, stderr := p.run(1, strings.NewReader(""), "stats", "--read-only", "--db", p.db)
	if !strings.Contains(stderr, "its schema is of an older visto") ||
		!strings.Contains(stderr, "hint: open it, or a copy, once without --read-only") {
		t.Errorf("read-only: %s", stderr)
	}
	if read(t, p.db) != before || len(entries(t, filepath.Dir(p.db))) != 1 {
		t.Error("it was changed, or something was left beside it")
	}
	_, stderr = p.run(0, strings.NewReader(""), "stats", "--db", p.db)
	if !strings.HasPrefix(stderr, "bringing "+p.db+" up to date, from schema 1 to ") {
		t.Errorf("upgrading: %q", stderr)
	}
	if _, stderr = p.run(0, strings.NewReader(""), "check", "--db", p.db); stderr != "" {
		t.Errorf("again: %q", stderr)
	}
}
