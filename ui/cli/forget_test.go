package cli

import (
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
)

// A name that is stored as given, as older versions did, is that file, and not the one of its whole path (spec 13).
func TestStoredFile(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	desk, err := review.Open(t.Context(), s, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"a.txt", fullName("a.txt"), fullName("b.txt")} {
		f := review.Found{URL: "https://a.ejemplo.gob.es", Place: read.Place{File: file, Path: "1", Line: 1}}
		_, err = desk.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error { return yield(f) })
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	for range 20 {
		for name, want := range map[string]string{"a.txt": "a.txt", fullName("a.txt"): fullName("a.txt"),
			"b.txt": fullName("b.txt"), "./b.txt": fullName("b.txt")} {
			if file, err := new(app).storedFile(cmd, desk, name); file != want || err != nil {
				t.Errorf("%s is %s, %v, want %s", name, file, err, want)
			}
		}
	}
}
