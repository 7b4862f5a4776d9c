package sqlitetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a new database for a test that does not test durability. Where the system has room for
// files in memory the database is in memory: there a commit waits for no disk. The end of the test removes it.
func Path(t testing.TB) string {
	t.Helper()
	if roomy() {
		if dir, err := os.MkdirTemp(memory, "visto-test-"); err == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			return filepath.Join(dir, "visto.db")
		}
	}
	return filepath.Join(t.TempDir(), "visto.db")
}
