package sqlite_test

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// While many items are added to a new database its indexes are missing, which is recorded (spec 12). Stored URLs are
// known all the same, queries give the same answers as with the indexes, and check finds nothing.
func TestDeferredIndexes(t *testing.T) {
	oneGoroutine(t)
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	in := &review.Intake{}
	list := samples(sqlite.DeferFrom)
	for _, known := range []bool{false, true} {
		out, err := s.Add(t.Context(), in, list)
		must(t, err)
		for i, o := range out {
			if o != (review.AddOutcome{ID: int64(i + 1), Known: known}) {
				t.Fatalf("item %d: %+v", i, o)
			}
		}
	}
	if n := len(sqlite.MissingIndexes(t, s)); n < 10 {
		t.Errorf("%d indexes are missing", n)
	}
	problems, err := s.Check(t.Context())
	must(t, err)
	if len(problems) > 0 {
		t.Errorf("check: %v", problems)
	}
	if !sqlite.BuildWhileSomebodyWaits(t, s, "item_host") {
		t.Error("building an index does not give way")
	}
	before := answers(t, s)
	must(t, s.Maintain(t.Context()))
	if missing := sqlite.MissingIndexes(t, s); len(missing) > 0 {
		t.Errorf("after Maintain %v are missing", missing)
	}
	if after := answers(t, s); !reflect.DeepEqual(before, after) {
		t.Errorf("without indexes\n%v\nwith them\n%v", before, after)
	}
}

// answers asks each kind of question.
func answers(t *testing.T, s *sqlite.Store) (list []string) {
	t.Helper()
	first, err := s.Item(t.Context(), 7)
	must(t, err)
	found, err := s.Find(t.Context(), first.Original)
	must(t, err)
	list = append(list, fmt.Sprint(found))
	for _, f := range []review.Filter{{}, {Open: true}, {Hosts: []string{first.Computed.Host}},
		{Flags: canon.SetOf(canon.HomePage)}, {Keys: []review.Key{first.Computed.Key}},
		{Reach: []string{first.Computed.Host}}, {Search: "7"}} {
		n, err := s.Count(t.Context(), f)
		must(t, err)
		for _, sort := range review.Sorts() {
			page, err := s.Page(t.Context(), review.Query{Filter: f, Sort: sort}, nil, 20)
			must(t, err)
			list = append(list, fmt.Sprint(f, sort, n, page))
		}
	}
	return list
}

// Another program that adds meanwhile knows the URLs that are there, and so does the first one after it.
func TestDeferredIndexesShared(t *testing.T) {
	t.Parallel() // opening waits for the program that may still add
	path := filepath.Join(t.TempDir(), "visto.db")
	a := open(t, path)
	list := samples(sqlite.DeferFrom)
	_, err := a.Add(t.Context(), &review.Intake{}, list)
	must(t, err)
	b, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	defer b.Close()
	more := append(samples(sqlite.DeferFrom + 2)[sqlite.DeferFrom-1:], list[0])
	for i, s := range []*sqlite.Store{b, a} {
		out, err := s.Add(t.Context(), &review.Intake{}, more)
		must(t, err)
		if !out[0].Known || out[1].Known != (i > 0) || !out[3].Known {
			t.Errorf("store %d: %v", i, out)
		}
	}
}

// A program that is killed while it adds leaves the database without indexes. Whoever opens it next builds them, and
// all that was added is there.
func TestDeferredIndexesKilled(t *testing.T) {
	t.Parallel() // opening waits for the program that may still add
	path := filepath.Join(t.TempDir(), "visto.db")
	cmd := exec.Command(os.Args[0], "-test.run=^TestDeferredProgram$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), "VISTO_DEFERRED="+path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	must(t, cmd.Process.Kill())
	cmd.Wait()
	if !strings.Contains(line, "missing") {
		t.Fatalf("the program said %q", line)
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	defer s.Close()
	if missing := sqlite.MissingIndexes(t, s); len(missing) > 0 {
		t.Errorf("%v are missing", missing)
	}
	n, err := s.Count(t.Context(), review.Filter{})
	must(t, err)
	if n != sqlite.DeferFrom {
		t.Errorf("%d items, want %d", n, sqlite.DeferFrom)
	}
	problems, err := s.Check(t.Context())
	must(t, err)
	if len(problems) > 0 {
		t.Errorf("check: %v", problems)
	}
}

// TestDeferredProgram is the program of TestDeferredIndexesKilled, and nothing when it is run by itself.
func TestDeferredProgram(t *testing.T) {
	path := os.Getenv("VISTO_DEFERRED")
	if path == "" {
		t.Skip("run by TestDeferredIndexesKilled")
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	_, err = s.Add(t.Context(), &review.Intake{}, samples(sqlite.DeferFrom))
	must(t, err)
	fmt.Println(len(sqlite.MissingIndexes(t, s)), "missing")
	select {}
}

// In a new database the rows of URLs wait for each other and are written together. URLs that come again while their
// rows wait, and evidence, are stored as without that (spec 12).
func TestDeferredIndexesStored(t *testing.T) {
	oneGoroutine(t)
	list := samples(sqlite.DeferFrom)
	for i := range list {
		if i%5 == 4 {
			list[i].Original, list[i].Source.Field = list[i-i%23%5].Original, fmt.Sprintf("field%d", i%3)
		}
		if i%7 == 0 {
			list[i].Evidence = &canon.Evidence{Status: 200}
		}
	}
	var stored [][]string
	for _, atOnce := range []int{500, len(list)} {
		s := open(t, filepath.Join(t.TempDir(), "visto.db"))
		in := &review.Intake{}
		for part := range slices.Chunk(list, atOnce) {
			_, err := s.Add(t.Context(), in, part)
			must(t, err)
		}
		stored = append(stored, rowsOf(t, s))
		problems, err := s.Check(t.Context())
		must(t, err)
		if len(problems) > 0 {
			t.Errorf("%d at once: check: %v", atOnce, problems)
		}
	}
	for i, row := range stored[0] {
		if i >= len(stored[1]) || stored[1][i] != row {
			t.Fatalf("row %d of %d and %d: %s", i, len(stored[0]), len(stored[1]), row)
		}
	}
}

// rowsOf returns all URLs with their evidence, all occurrences, and the totals.
func rowsOf(t *testing.T, s *sqlite.Store) (rows []string) {
	t.Helper()
	must(t, s.EachWithEvidence(t.Context(), review.Filter{}, func(it review.Item, ev *canon.Evidence) error {
		rows = append(rows, fmt.Sprintf("%+v, evidence %+v", it, ev))
		return nil
	}))
	must(t, s.EachOccurrence(t.Context(), func(o review.StoredOccurrence) error {
		rows = append(rows, fmt.Sprintf("%+v", o))
		return nil
	}))
	totals, err := s.Totals(t.Context())
	must(t, err)
	return append(rows, fmt.Sprintf("%+v", totals))
}

// A name in index_to_build that no program wrote ends opening with an error, and restore moves the file away. The name
// of an index that is there is taken off.
func TestDamagedIndexToBuild(t *testing.T) {
	t.Parallel()
	for value, damaged := range map[string]bool{"'nothing'": true, "x'00'": true, "''": true, "'item_host'": false} {
		t.Run(value, func(t *testing.T) {
			t.Parallel() // opening waits for the program that may still add
			dir := t.TempDir()
			path, backup := filepath.Join(dir, "visto.db"), filepath.Join(dir, "backup.db")
			filled(t, path, 20)
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			must(t, err)
			must(t, s.Backup(t.Context(), backup))
			must(t, s.Close())
			db, err := sql.Open("sqlite", path)
			must(t, err)
			_, err = db.Exec("INSERT INTO index_to_build (name) VALUES (" + value + ")")
			must(t, errors.Join(err, db.Close()))

			s, err = sqlite.Open(t.Context(), path, sqlite.Options{})
			if !damaged {
				must(t, err)
				soundStore(t, s)
				must(t, s.Close())
				return
			}
			if !errors.Is(err, review.ErrDamaged) ||
				!strings.Contains(err.Error(), "column name of index_to_build holds") {
				t.Fatal(err)
			}
			kept, err := sqlite.Restore(t.Context(), path, backup, "berta")
			must(t, err)
			if _, err := os.Stat(kept); err != nil {
				t.Error(err)
			}
			soundStore(t, open(t, path))
		})
	}
}
