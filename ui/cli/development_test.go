package cli_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A database of a development version is refused with a hint, and left as it is.
func TestDevelopmentDatabase(t *testing.T) {
	f, err := os.Open("../../testdata/schema/10.db.gz")
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
	p := newProgram(t)
	p.db = filepath.Join(t.TempDir(), "visto.db")
	write(t, p.db, string(data))
	_, stderr := p.run(1, strings.NewReader(""), "stats", "--db", p.db)
	if !strings.Contains(stderr, "its schema is version 10, this program's is") ||
		!strings.Contains(stderr, "hint: export it with that version") {
		t.Errorf("stats: %s", stderr)
	}
	if read(t, p.db) != string(data) || len(entries(t, filepath.Dir(p.db))) != 1 {
		t.Error("it was changed, or something was left beside it")
	}
}
