package console

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// loseFile replaces the database of a console by another one.
func loseFile(t *testing.T, path string) {
	t.Helper()
	other := filepath.Join(t.TempDir(), "backup.db")
	if err := os.WriteFile(other, filled(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
}

// Spec 11: a decision that the console has confirmed is kept. Once the file is another one the console says so within
// one look at the version, approves nothing, and keeps the typed text.
func TestFileGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	desk := openDesk(t, path, "ana")
	add(t, desk, many())
	s := openScreen(t, desk, 100, 24)
	s.poll().lacks("file gone")
	s.keys("r", "type:la sede ya no existe")
	loseFile(t, path)
	s.poll().shows("file gone", "! the database file was moved, deleted or replaced", "la sede ya no existe")
	s.keys("enter").shows("nothing is written any more", "la sede ya no existe").lacks("rejected:")
	s.keys("esc", "a").shows("nothing is written any more", "file gone").lacks("approved:")
	if other, err := os.ReadFile(path); err != nil || !bytes.Equal(other, filled()) {
		t.Errorf("the other file was changed, %v", err)
	}
}

// A file that is back where it was is the same one.
func TestFileGoneAndBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d", "visto.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	desk := openDesk(t, path, "ana")
	add(t, desk, many())
	s := openScreen(t, desk, 100, 24)
	if err := os.Rename(filepath.Dir(path), filepath.Dir(path)+"-old"); err != nil {
		t.Fatal(err)
	}
	s.poll().shows("file gone")
	if err := os.Rename(filepath.Dir(path)+"-old", filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	s.poll().lacks("file gone").shows("the database file is back")
	s.keys("a").shows("approved: URL 1")
}

// A backup that somebody puts back shows within one look at the version, and the console goes on.
func TestRestoredMeanwhile(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "visto.db"), filepath.Join(dir, "backup.db")
	if err := os.WriteFile(backup, filled(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, filled(), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, openDesk(t, path, "ana"), 120, 24).poll()
	s.keys("a").shows("approved: URL 1", "reviewed 1 of 10").poll()
	if _, err := sqlite.Restore(t.Context(), path, backup, "berta"); err != nil {
		t.Fatal(err)
	}
	s.poll().shows("somebody put a backup back", "reviewed 0 of 10").lacks("file gone")
	s.keys("g", "a").shows("approved: URL 1", "reviewed 1 of 10")
	s.poll().lacks("somebody put a backup back")
}

// The log only grows. One that ends earlier, or has another entry in the place of the newest, is that of a backup.
func TestLogThatWasSetBack(t *testing.T) {
	entry := func(seq int64) review.EntryInfo { return review.EntryInfo{Seq: seq, Reviewer: "ana"} }
	other := review.EntryInfo{Seq: 2, Reviewer: "berta"}
	for _, test := range []struct {
		name string
		list []review.EntryInfo // newest first
		want bool
	}{
		{"unchanged", []review.EntryInfo{entry(2), entry(1)}, false},
		{"longer", []review.EntryInfo{entry(3), entry(2), entry(1)}, false},
		{"longer than a page", []review.EntryInfo{entry(4), entry(3)}, false},
		{"empty", nil, true},
		{"shorter", []review.EntryInfo{entry(1)}, true},
		{"another one", []review.EntryInfo{other, entry(1)}, true},
		{"another one, longer", []review.EntryInfo{entry(3), other, entry(1)}, true},
	} {
		var u updates
		if u.take([]review.EntryInfo{entry(2), entry(1)}) {
			t.Error("the first look has nothing to compare with")
		}
		if got := u.take(test.list); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
