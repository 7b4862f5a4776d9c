package suite

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"
)

// Tests that were killed leave their folder. The next ones remove it, and no other.
func TestFoldersOfDeadProcessesAreRemoved(t *testing.T) {
	root := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(root, prefix+strconv.Itoa(cmd.Process.Pid))
	other := filepath.Join(root, prefix+"x")
	for _, folder := range []string{filepath.Join(dead, "TestAny"), other} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	mine, err := own(root)
	if err != nil {
		t.Fatal(err)
	}
	clearDead(root)
	if _, err := os.Stat(dead); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", dead, err)
	}
	for _, folder := range []string{mine, other} {
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
	}
}

// looking is tests that look at their temporary folder.
type looking struct{ folder string }

func (l *looking) Run() int {
	l.folder = os.TempDir()
	return 0
}

func TestTemporaryFolderGoesWithItsTests(t *testing.T) {
	root := memory()
	if root == "" {
		t.Skip("there is no memory for temporary files")
	}
	t.Setenv("TMPDIR", "")
	t.Setenv("GOTMPDIR", "")
	var l looking
	InMemory{&l}.Run()
	if filepath.Dir(l.folder) != root {
		t.Errorf("temporary files are in %s", l.folder)
	}
	if _, err := os.Stat(l.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", l.folder, err)
	}
}

func TestGarbageIsCollectedLater(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // Run leaves a chosen one alone
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	for _, c := range []struct {
		gogc string
		want int
	}{{"", gcPercent}, {"100", 100}} {
		t.Setenv("GOGC", c.gogc)
		InMemory{new(looking)}.Run()
		if got := debug.SetGCPercent(100); got != c.want {
			t.Errorf("with GOGC=%q it is %d, want %d", c.gogc, got, c.want)
		}
		if got := os.Getenv("GOGC"); got != strconv.Itoa(c.want) {
			t.Errorf("with GOGC=%q the programs of tests have %q, want %d", c.gogc, got, c.want)
		}
	}
}
