package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// sample is an item to add.
func sample(i int) review.NewItem {
	url := fmt.Sprintf("https://boe.es/%d", i)
	return review.NewItem{Original: url + "?p", Computed: review.Computed{Canonical: url,
		Key:     review.Key{byte(i), byte(i >> 8), 1},
		Verdict: canon.Flagged, Flags: canon.SetOf(canon.HomePage), InHost: "boe.es", Host: "boe.es"}}
}

// filled makes a database with n items, the first of which is approved, and closes it.
func filled(t *testing.T, path string, n int) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	var list []review.NewItem
	for i := range n {
		list = append(list, sample(i))
	}
	_, err = s.Add(t.Context(), &review.Intake{}, list)
	must(t, err)
	_, err = s.Commit(t.Context(), approval("ana", 1, 0))
	must(t, err)
	must(t, s.Close())
}

func approval(reviewer string, id, rev int64) review.Decide {
	url := fmt.Sprintf("https://boe.es/%d", id-1)
	return review.Decide{Reviewer: reviewer, Action: review.ActApprove, Decisions: []review.ItemDecision{
		{ID: id, Rev: rev, Decision: review.Decision{Kind: review.Approve, Canonical: url, From: url}}}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestPaths opens databases at paths with a meaning in a URI or to SQLite.
func TestPaths(t *testing.T) {
	for _, name := range []string{"with space.db", "a?mode=memory", "a#b", "100%25.db", "ñ&=;+", "new/folder/x.db",
		":memory:", "file:x"} {
		path := filepath.Join(t.TempDir(), name)
		filled(t, path, 3)
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		s := open(t, path)
		if n, err := s.Count(t.Context(), review.Filter{}); n != 3 || err != nil {
			t.Errorf("%q: %d items, %v", name, n, err)
		}
	}
	t.Chdir(t.TempDir())
	filled(t, "relative.db", 1)
	if _, err := os.Stat("relative.db"); err != nil {
		t.Error(err)
	}
}

// The next program finds the data of the one before.
func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	s := open(t, path)
	it, err := s.Item(t.Context(), 1)
	must(t, err)
	if it.Status != review.Approved || it.Decision.Reviewer != "ana" {
		t.Errorf("item 1 is %+v", it)
	}
	m, err := s.Meta(t.Context())
	must(t, err)
	if m.LastID != 3 || s.Path() != path {
		t.Errorf("meta %+v", m)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("the database is not in WAL mode: %v", err)
	}
}

// A file that is not for this program is refused by name, with the reason, and is not touched.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	filled(t, whole, 300)
	data, err := os.ReadFile(whole)
	must(t, err)
	files := []struct {
		name    string
		content func(path string)
		want    error
	}{
		{"missing.db", nil, sqlite.ErrMissing},
		{"folder", func(path string) { must(t, os.Mkdir(path, 0o700)) }, sqlite.ErrDirectory},
		{"empty.db", write(t, nil), sqlite.ErrMissing},
		{"text.txt", write(t, []byte("https://boe.es\nhttps://gencat.cat\n")), sqlite.ErrNotSQLite},
		{"binary", write(t, bytes.Repeat([]byte{0, 1, 2, 255}, 4096)), sqlite.ErrNotSQLite},
		{"short", write(t, data[:40]), sqlite.ErrNotSQLite},
		{"truncated", write(t, data[:len(data)/2]), sqlite.ErrNotSQLite},
		{"other.db", func(path string) { script(t, path, "CREATE TABLE t (x)") }, sqlite.ErrNotOurs},
		{"numbered.db", func(path string) { script(t, path, "CREATE TABLE t (x); PRAGMA application_id = 7") },
			sqlite.ErrNotOurs},
		{"newer.db", func(path string) {
			filled(t, path, 2)
			script(t, path, "PRAGMA user_version = 99")
		}, sqlite.ErrNewer},
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if f.content != nil {
			f.content(path)
		}
		for _, opt := range []sqlite.Options{{}, {ReadOnly: true}, {Create: true}, {Create: true, ReadOnly: true}} {
			if opt.Create && !opt.ReadOnly && f.want == sqlite.ErrMissing {
				continue // it is made then
			}
			before := snapshot(t, dir)
			s, err := sqlite.Open(t.Context(), path, opt)
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, f.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s, %+v: error %v, want %v", f.name, opt, err, f.want)
			}
			if after := snapshot(t, dir); after != before {
				t.Errorf("%s, %+v: refusing it changed the folder from\n%s\nto\n%s", f.name, opt, before, after)
			}
		}
	}
}

func write(t *testing.T, data []byte) func(path string) {
	return func(path string) { must(t, os.WriteFile(path, data, 0o600)) }
}

// script runs SQL on a file as another program would, and closes it.
func script(t *testing.T, path, text string) {
	t.Helper()
	uri := url.URL{Scheme: "file", Path: path}
	db, err := sql.Open("sqlite", uri.String())
	must(t, err)
	defer db.Close()
	_, err = db.Exec(text)
	must(t, err)
}

// snapshot describes every file of a folder with its content.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var b strings.Builder
	for _, e := range entries {
		data, _ := os.ReadFile(filepath.Join(dir, e.Name())) // a folder has none
		fmt.Fprintf(&b, "%s %d %x\n", e.Name(), len(data), sum(data))
	}
	return b.String()
}

// A newer schema is refused too while it is only in the write-ahead log.
func TestNewerInLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 1)
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec("PRAGMA user_version = 99")
	must(t, err)
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, sqlite.ErrNewer) {
		t.Errorf("error %v", err)
	}
}

// A database whose creation was interrupted is finished by the next program.
func TestHalfMade(t *testing.T) {
	for _, done := range []string{"", "PRAGMA journal_mode = WAL", fmt.Sprintf("PRAGMA application_id = %d",
		sqlite.ApplicationID)} {
		path := filepath.Join(t.TempDir(), "visto.db")
		must(t, os.WriteFile(path, nil, 0o600))
		script(t, path, done)
		filled(t, path, 1)
	}
}

func TestReadOnlyOption(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true})
	must(t, err)
	defer s.Close()
	readOnly(t, s, path)
}

// readOnly checks that a store with three items reads and does not write.
func readOnly(t *testing.T, s *sqlite.Store, path string) {
	t.Helper()
	if !s.ReadOnly() {
		t.Error("it is not read-only")
	}
	if n, err := s.Count(t.Context(), review.Filter{}); n != 3 || err != nil {
		t.Errorf("%d items, %v", n, err)
	}
	if _, err := s.Version(t.Context()); err != nil {
		t.Error(err)
	}
	_, err := s.Commit(t.Context(), approval("ana", 2, 0))
	if !errors.Is(err, review.ErrReadOnly) || !strings.Contains(err.Error(), path) {
		t.Errorf("writing: %v", err)
	}
	if _, err = s.Add(t.Context(), &review.Intake{}, []review.NewItem{sample(9)}); !errors.Is(err, review.ErrReadOnly) {
		t.Errorf("adding: %v", err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, s.Backup(t.Context(), copied))
	if n, err := open(t, copied).Count(t.Context(), review.Filter{}); n != 3 || err != nil {
		t.Errorf("the backup has %d items, %v", n, err)
	}
}

// Another program holds the lock: reading works, and writing fails with ErrLocked.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	s := open(t, path)
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate")
	must(t, err)
	defer db.Close()
	tx, err := db.Begin()
	must(t, err)
	defer tx.Rollback()
	if it, err := s.Item(t.Context(), 2); err != nil || it.Status != review.Pending {
		t.Errorf("reading while another program writes: %v", err)
	}
	sqlite.SetWait(s, 0)
	_, err = s.Commit(t.Context(), approval("ana", 2, 0))
	if !errors.Is(err, review.ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("writing while another program writes: %v", err)
	}
}

func TestFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	s := open(t, path)
	sqlite.SetMaxPages(t, s, 1)
	var list []review.NewItem
	for i := range 1000 {
		list = append(list, sample(100+i))
	}
	_, err := s.Add(t.Context(), &review.Intake{}, list)
	if !errors.Is(err, review.ErrFull) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if n, err := s.Count(t.Context(), review.Filter{}); n != 3 || err != nil {
		t.Errorf("%d items, %v", n, err)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "visto.db")
	filled(t, path, 3)
	s := open(t, path)
	copied := filepath.Join(dir, "copy.db")
	must(t, os.Chmod(path, 0o440))
	must(t, s.Backup(t.Context(), copied))
	info, err := os.Stat(copied)
	if must(t, err); info.Mode().Perm() != 0o640 {
		t.Errorf("the copy of a database with mode 0440 has %#o, want 0640", info.Mode().Perm())
	}
	c := open(t, copied)
	if problems, err := c.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	it, err := c.Item(t.Context(), 1)
	if err != nil || it.Status != review.Approved {
		t.Errorf("item %+v, %v", it, err)
	}
	if err := s.Backup(t.Context(), copied); !errors.Is(err, sqlite.ErrExists) ||
		!strings.Contains(err.Error(), copied) {
		t.Errorf("error %v", err)
	}
	if err := s.Backup(t.Context(), path); !errors.Is(err, sqlite.ErrExists) {
		t.Errorf("error %v", err)
	}
}
