package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// countApproved counts the approved items.
func countApproved(t *testing.T, s *sqlite.Store) int {
	t.Helper()
	n, err := s.Count(t.Context(), review.Filter{Statuses: []review.Status{review.Approved}})
	must(t, err)
	return n
}

// Spec 9: restore puts a backup back safely. A program at work on the database sees it, and goes on; the replaced
// database is kept whole.
func TestRestore(t *testing.T) {
	oneGoroutine(t)
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "visto.db"), filepath.Join(dir, "backup.db")
	filled(t, path, 20)
	s := open(t, path)
	must(t, s.Backup(t.Context(), backup))
	approve(t, s, 2, 9)
	before, err := s.Version(t.Context())
	must(t, err)

	kept, err := sqlite.Restore(t.Context(), path, backup, "berta")
	must(t, err)
	if n := countApproved(t, s); n != 1 {
		t.Errorf("the open store sees %d approved", n)
	}
	if after, err := s.Version(t.Context()); err != nil || after == before {
		t.Errorf("the version is still %d, %v", after, err)
	}
	approve(t, s, 2, 2)
	soundStore(t, s)
	if n := countApproved(t, open(t, kept)); n != 10 {
		t.Errorf("what was replaced has %d approved", n)
	}
	next := open(t, laidOut(t, path)) // as a crash would leave it
	soundStore(t, next)
	if n := countApproved(t, next); n != 3 {
		t.Errorf("after a crash %d are approved", n)
	}
	if again, err := sqlite.Restore(t.Context(), path, kept, "berta"); err != nil || countApproved(t, s) != 10 {
		t.Errorf("restored again: %s, %v", again, err)
	}
	soundStore(t, open(t, laidOut(t, path)))
	must(t, fsNone(filepath.Glob(filepath.Join(dir, ".visto-tmp-*"))))
}

func fsNone(list []string, err error) error {
	if err == nil && len(list) > 0 {
		err = errors.New("left behind: " + list[0])
	}
	return err
}

// A change that was computed before a restore is stale after it, and a generation never means two things.
func TestRestoreIsNewGeneration(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "visto.db"), filepath.Join(dir, "backup.db")
	s := open(t, path)
	manyItems(t, s)
	must(t, s.Backup(t.Context(), backup))
	_, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	sqlite.WaitApplied(s)
	late := moveAll(t, s, "late.es")
	_, err = sqlite.Restore(t.Context(), path, backup, "berta")
	must(t, err)
	if _, err := s.Commit(t.Context(), late); !errors.Is(err, review.ErrStale) {
		t.Errorf("committed: %v", err)
	}
	m, err := s.Meta(t.Context())
	if err != nil || m.Gen <= late.Gen || m.RulesGen <= late.Gen || m.HostsGen <= late.Gen {
		t.Errorf("after generation %d: %+v, %v", late.Gen, m, err)
	}
}

// A backup of a moment at which items were pending is restored while they follow. They follow there, too.
func TestRestoreWhilePending(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "visto.db"), filepath.Join(dir, "backup.db")
	s, other := openMoving(t, path), openMoving(t, path)
	manyItems(t, s)
	chunks := 0
	sqlite.Chunks(s, few, func() {
		switch chunks++; chunks {
		case 2:
			must(t, other.Backup(t.Context(), backup))
		case 4:
			_, err := sqlite.Restore(t.Context(), path, backup, "berta")
			must(t, err)
		}
	})
	r, err := s.Commit(t.Context(), rejectAll(t, s, "no"))
	if err != nil || r.Decided != many || len(r.Conflicts) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	sqlite.WaitApplied(s)
	if chunks < many/few+3 {
		t.Errorf("only %d chunks", chunks)
	}
	rejected(t, other, many)
}

// A database that is damaged, or not there, is replaced as a whole; the damaged files stay under another name.
func TestRestoreOverDamage(t *testing.T) {
	oneGoroutine(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	filled(t, backup, 5)
	db, wal := crashed(t, 3)
	for name, files := range map[string][3][]byte{
		"not there":         {},
		"log of another":    {mustRead(t, backup), wal},
		"log without file":  {nil, wal},
		"not a database":    {[]byte("tabula rasa, by mistake")},
		"header wiped, log": {append(make([]byte, 100), db[100:]...), wal},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "visto.db")
			for i, data := range files {
				if data != nil {
					must(t, os.WriteFile(path+beside[i], data, 0o600))
				}
			}
			kept, err := sqlite.Restore(t.Context(), path, backup, "berta")
			must(t, err)
			for i, data := range files {
				if data != nil && string(mustRead(t, kept+beside[i])) != string(data) {
					t.Errorf("%s was changed", kept+beside[i])
				}
			}
			s := open(t, path)
			soundStore(t, s)
			if n := countApproved(t, s); n != 1 {
				t.Errorf("%d are approved", n)
			}
		})
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// A backup that is not there, not ours, newer or damaged is refused, and nothing is changed.
func TestRestoreRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "visto.db")
	filled(t, path, 5)
	s := open(t, path)
	link := filepath.Join(dir, "link.db")
	must(t, os.Link(path, link))
	foreign := filepath.Join(dir, "foreign.txt")
	must(t, os.WriteFile(foreign, []byte("url\n"), 0o600))
	changed := filepath.Join(dir, "changed.db")
	filled(t, changed, 5)
	c := opened(t, changed)
	must(t, sqlite.Exec(t, c, "UPDATE item SET approved = 'https://evil.es' WHERE id = 1"))
	must(t, c.Close())
	before := names(t, dir)
	for from, want := range map[string]error{
		filepath.Join(dir, "none.db"): fs.ErrNotExist, path: sqlite.ErrSameFile, link: sqlite.ErrSameFile,
		foreign: sqlite.ErrNotSQLite, changed: review.ErrDamaged, dir: sqlite.ErrDirectory,
	} {
		if kept, err := sqlite.Restore(t.Context(), path, from, "berta"); !errors.Is(err, want) || kept != "" {
			t.Errorf("%s: %q, %v, want %v", from, kept, err, want)
		}
	}
	soundStore(t, s)
	if after := names(t, dir); !slices.Equal(after, before) {
		t.Errorf("there are %v, before %v", after, before)
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// laidOut copies the files of a database that is open, in another process: to close one here would drop its locks.
func laidOut(t *testing.T, path string) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("cp", path, path+"-wal", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, filepath.Base(path))
}
