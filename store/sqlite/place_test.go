package sqlite_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// beside are the suffixes of the names of a database's files.
var beside = []string{"", "-wal", "-shm"}

// A decision that was confirmed is in the file at the path (spec 11). Once the file, its write-ahead log or its
// shared memory is another one or none, a store says so and writes nothing more.
func TestGone(t *testing.T) {
	for name, test := range map[string]struct {
		lose func(t *testing.T, path string)
		read bool // a store that only reads notices
	}{
		"all deleted": {func(t *testing.T, path string) {
			for _, s := range beside {
				must(t, os.Remove(path+s))
			}
		}, true},
		"another file moved over it": {func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), "backup.db")
			filled(t, other, 5)
			must(t, os.Rename(other, path))
		}, true},
		"folder moved": {func(t *testing.T, path string) {
			must(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+"-old"))
		}, true},
		"log deleted":           {func(t *testing.T, path string) { must(t, os.Remove(path+"-wal")) }, false},
		"shared memory deleted": {func(t *testing.T, path string) { must(t, os.Remove(path+"-shm")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "d", "visto.db")
			must(t, os.Mkdir(filepath.Dir(path), 0o700))
			filled(t, path, 5)
			s, reading := open(t, path), openReading(t, path)
			approve(t, s, 2, 1)
			test.lose(t, path)

			_, err := s.Version(t.Context())
			gone(t, "Version", err, path)
			_, err = s.Commit(t.Context(), approval("berta", 3, 0))
			gone(t, "Commit", err, path)
			_, err = s.Add(t.Context(), &review.Intake{}, []review.NewItem{sample(9)})
			gone(t, "Add", err, path)
			if _, err = reading.Version(t.Context()); test.read {
				gone(t, "Version of a reader", err, path)
			} else {
				must(t, err)
			}
		})
	}
}

func openReading(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func gone(t *testing.T, doing string, err error, path string) {
	t.Helper()
	if !errors.Is(err, review.ErrGone) || !strings.Contains(err.Error(), path) {
		t.Errorf("%s: %v", doing, err)
	}
}

// A file that comes back to its path is the same one again.
func TestGoneAndBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d", "visto.db")
	must(t, os.Mkdir(filepath.Dir(path), 0o700))
	filled(t, path, 5)
	s := open(t, path)
	away := filepath.Dir(path) + "-old"
	must(t, os.Rename(filepath.Dir(path), away))
	_, err := s.Commit(t.Context(), approval("berta", 2, 0))
	gone(t, "Commit", err, path)
	must(t, os.Rename(away, filepath.Dir(path)))
	approve(t, s, 2, 1)
	soundStore(t, s)
}

// A new connection never opens the file that took the place of the store's own: the two would mix.
func TestGoneConnection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 5)
	s := open(t, path)
	other := filepath.Join(t.TempDir(), "other.db")
	filled(t, other, 2)
	must(t, os.Rename(other, path))
	sqlite.DropIdle(s)
	_, err := s.Item(t.Context(), 5)
	gone(t, "Item", err, path)
}

// The last program on a deleted database spares the files of the database that was made in its place.
func TestGoneSparesTheNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 5)
	old := opened(t, path)
	approve(t, old, 2, 1)
	for _, s := range beside {
		must(t, os.Remove(path+s))
	}
	filled(t, path, 3)
	next := opened(t, path)
	approve(t, next, 2, 1)
	must(t, old.Close())
	approve(t, next, 3, 1)
	must(t, next.Close())
	again := open(t, path)
	soundStore(t, again)
	if n, err := again.Count(t.Context(), review.Filter{Statuses: []review.Status{review.Approved}}); n != 3 {
		t.Errorf("%d are approved, %v", n, err)
	}
}

func soundStore(t *testing.T, s *sqlite.Store) {
	t.Helper()
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}

// A store that only reads leaves the folder as it was (spec 13: lint writes nothing), unless somebody else has the
// database open or its write-ahead log holds something.
func TestReadOnlyLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	files := func() (names []string) {
		list, err := os.ReadDir(filepath.Dir(path))
		must(t, err)
		for _, f := range list {
			names = append(names, f.Name())
		}
		return names
	}
	reader := func() *sqlite.Store {
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true})
		must(t, err)
		_, err = s.Count(t.Context(), review.Filter{})
		must(t, err)
		return s
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, errors.Join(err, s.Close()))
	alone := files()
	first, second := reader(), reader()
	must(t, first.Close())
	shared := files()
	if _, err := second.Count(t.Context(), review.Filter{}); err != nil || len(shared) != len(alone)+2 {
		t.Errorf("%q while another reads: %v", shared, err)
	}
	must(t, second.Close())
	if left := files(); !slices.Equal(left, alone) {
		t.Errorf("%q, want %q", left, alone)
	}

	s = open(t, path)
	_, err = s.Add(t.Context(), &review.Intake{}, samples(3))
	must(t, err)
	before, err := os.ReadFile(path)
	must(t, err)
	must(t, reader().Close())
	after, err := os.ReadFile(path)
	must(t, err)
	if left := files(); len(left) != len(shared) || !bytes.Equal(before, after) {
		t.Errorf("%q, the database changed: %t", left, !bytes.Equal(before, after))
	}
}
