package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"visto/ui/cli"
)

// TestFixGolden: "visto lint --fix writes accepted and approved canonical URLs back into the files, in place, and
// nothing else". Each archive of testdata/fix has files of one kind, before and after, and the sentence of the
// specification. A second run changes nothing. A file whose lines end with a lone CR is written alike.
func TestFixGolden(t *testing.T) {
	archives, err := filepath.Glob("../../testdata/fix/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("%v, %v", archives, err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil || len(archive.Files)%2 != 0 || len(archive.Files) < 10 {
				t.Fatalf("%d files, %v", len(archive.Files), err)
			}
			for i := 0; i < len(archive.Files); i += 2 {
				before, after := archive.Files[i], archive.Files[i+1]
				name, ok := strings.CutSuffix(before.Name, ".before")
				if !ok || after.Name != name+".after" {
					t.Fatalf("%s is no pair with %s", before.Name, after.Name)
				}
				fixedAs(t, name, string(before.Data), string(after.Data))
				fixedAs(t, name, withCR(before.Data), withCR(after.Data))
			}
		})
	}
}

// withCR returns a text with a lone CR at the end of each line, as spreadsheets save it for the Macintosh.
func withCR(text []byte) string {
	return strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n", "\r")
}

// fixedAs checks what lint --fix without a database makes of a file.
func fixedAs(t *testing.T, name, before, after string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, before)
	for range 2 {
		var out, said strings.Builder
		cli.Run([]string{"lint", "--no-db", "--fix", path}, strings.NewReader(""), &out, &said, nil)
		if got := read(t, path); got != after {
			t.Errorf("%s became\n%q, want\n%q\n%s%s", name, got, after, out.String(), said.String())
			return
		}
	}
}
