//go:build unix

package sqlite_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// A file, or a folder, that may not be written is opened read-only; one that may not be read is refused. Nothing is
// forbidden to root, so root runs the test as nobody.
func TestPermissions(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	t.Run("file", func(t *testing.T) { forbidden(t, 0o400, 0o700) })
	t.Run("folder", func(t *testing.T) { forbidden(t, 0o600, 0o500) })
	t.Run("file and folder", func(t *testing.T) { forbidden(t, 0o400, 0o500) })
	t.Run("read", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "visto.db")
		filled(t, path, 3)
		must(t, os.Chmod(path, 0))
		denied(t, path, sqlite.Options{})
		denied(t, path, sqlite.Options{ReadOnly: true})
		must(t, os.Chmod(filepath.Dir(path), 0))
		denied(t, path, sqlite.Options{Create: true})
		must(t, os.Chmod(filepath.Dir(path), 0o700))
	})
	t.Run("create", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.Chmod(dir, 0o500))
		denied(t, filepath.Join(dir, "visto.db"), sqlite.Options{Create: true})
		denied(t, filepath.Join(dir, "new", "visto.db"), sqlite.Options{Create: true})
	})
}

func forbidden(t *testing.T, file, folder os.FileMode) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	must(t, os.Chmod(path, file))
	must(t, os.Chmod(filepath.Dir(path), folder))
	t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })
	before := snapshot(t, filepath.Dir(path))
	for _, opt := range []sqlite.Options{{}, {Create: true}, {ReadOnly: true}} {
		s, err := sqlite.Open(t.Context(), path, opt)
		if err != nil {
			t.Errorf("%+v: %v", opt, err)
			continue
		}
		readOnly(t, s, path)
		must(t, s.Close())
		if after := snapshot(t, filepath.Dir(path)); folder == 0o500 && after != before {
			t.Errorf("%+v: reading changed the folder from\n%s\nto\n%s", opt, before, after)
		}
	}
}

func denied(t *testing.T, path string, opt sqlite.Options) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opt)
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, review.ErrDenied) || !strings.Contains(err.Error(), path) {
		t.Errorf("%s, %+v: error %v", path, opt, err)
	}
}

// asNobody runs the calling test again in a process without root's rights, from a copy of the binary that it may
// read.
func asNobody(t *testing.T) {
	dir, err := os.MkdirTemp("", "visto-nobody-*")
	must(t, err)
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	must(t, err)
	binary, err := os.ReadFile(self)
	must(t, err)
	copied := filepath.Join(dir, "store.test")
	must(t, os.WriteFile(copied, binary, 0o755))
	must(t, os.Chmod(dir, 0o777))

	cmd := exec.CommandContext(t.Context(), copied, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "GOTMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("as nobody: %v\n%s", err, out)
	}
}
