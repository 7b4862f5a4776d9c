package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// Two programs decide about the same URLs at once, and read meanwhile. Each URL is decided once, the second reviewer
// gets a conflict, nobody is turned away, and the log's chain holds.
func TestTwoPrograms(t *testing.T) {
	const n = 60
	path := filepath.Join(t.TempDir(), "visto.db")
	stores := []*sqlite.Store{open(t, path), open(t, path)}
	var list []review.NewItem
	for i := range n {
		list = append(list, sample(i))
	}
	_, err := stores[0].Add(t.Context(), &review.Intake{}, list)
	must(t, err)

	var decided, conflicts [2]int
	var group sync.WaitGroup
	for i, s := range stores {
		group.Go(func() {
			for id := range int64(n) {
				r, err := s.Commit(t.Context(), approval(fmt.Sprint("reviewer ", i), id+1, 1))
				if err != nil {
					t.Errorf("program %d, URL %d: %v", i, id+1, err)
					return
				}
				decided[i] += r.Decided
				conflicts[i] += len(r.Conflicts)
				if _, err := s.Page(t.Context(), review.Query{Filter: review.Filter{Open: true}}, nil, 10); err != nil {
					t.Errorf("program %d: %v", i, err)
				}
			}
		})
	}
	group.Wait()
	if decided[0]+decided[1] != n || conflicts[0]+conflicts[1] != n {
		t.Errorf("decided %v, conflicts %v, of %d URLs", decided, conflicts, n)
	}
	for _, s := range stores {
		if open, err := s.Count(t.Context(), review.Filter{Open: true}); err != nil || open != 0 {
			t.Errorf("%d open, %v", open, err)
		}
		if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("check: %v %v", problems, err)
		}
	}
}

// Several programs make the same new database at once.
func TestMadeAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.Add(t.Context(), &review.Intake{}, []review.NewItem{sample(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	if n, err := s.Count(t.Context(), review.Filter{}); n != 4 || err != nil {
		t.Errorf("%d items, %v", n, err)
	}
	// Of stores that close at the same moment, none may be the last one, which removes the write-ahead log.
	must(t, s.Close())
	if entries, err := os.ReadDir(filepath.Dir(path)); len(entries) != 1 || err != nil {
		t.Errorf("there are %v, %v", entries, err)
	}
}

// A write of one program changes the version of the other.
func TestVersionAcrossPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	a, b := open(t, path), open(t, path)
	before, err := b.Version(t.Context())
	must(t, err)
	_, err = a.Add(t.Context(), &review.Intake{}, []review.NewItem{sample(1)})
	must(t, err)
	after, err := b.Version(t.Context())
	must(t, err)
	if after == before {
		t.Error("the version is the same after another program has written")
	}
}
