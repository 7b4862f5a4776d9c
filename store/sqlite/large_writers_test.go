//go:build unix && !solaris && !illumos && !aix

package sqlite_test

import (
	"path/filepath"
	"testing"

	"visto/store/sqlite"
)

// Bulk work of every program gives way while any program waits for an interactive write, and no longer.
func TestQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	a, b := open(t, path), open(t, path)
	waiting := func(want bool) {
		t.Helper()
		for i, s := range []*sqlite.Store{a, b} {
			if sqlite.Waiting(s) != want {
				t.Errorf("program %d: %v", i, !want)
			}
		}
	}
	waiting(false)
	one := sqlite.Enter(a)
	waiting(true)
	two, three := sqlite.Enter(a), sqlite.Enter(b)
	one()
	two()
	waiting(true)
	three()
	waiting(false)
	must(t, sqlite.Update(t, a))
	waiting(false)
}
