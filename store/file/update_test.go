package file_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"visto/store/file"
)

// made makes a file with the contents "old" in a folder of its own.
func made(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, "a")
	must(t, os.WriteFile(path, []byte("old"), 0o640))
	return dir, path
}

func update(name string) error { return file.Update(name, []byte("old"), []byte("new")) }

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// Update keeps the mode of a file, and follows links to it.
func TestUpdate(t *testing.T) {
	dir, path := made(t)
	must(t, os.Chmod(path, 0o754|fs.ModeSetgid))
	before, err := os.Stat(path)
	must(t, err)
	links := t.TempDir()
	must(t, os.Symlink(path, filepath.Join(links, "one")))
	must(t, os.Symlink("one", filepath.Join(links, "two")))
	must(t, update(filepath.Join(links, "two")))
	after, err := os.Lstat(path)
	must(t, err)
	if contents(t, path) != "new" || after.Mode() != before.Mode() {
		t.Errorf("%q, %v instead of %v", contents(t, path), after.Mode(), before.Mode())
	}
	for name, dir := range map[string]string{"a": dir, "one": links, "two": links} {
		info, err := os.Lstat(filepath.Join(dir, name))
		must(t, err)
		if isLink := info.Mode()&fs.ModeSymlink != 0; isLink != (name != "a") {
			t.Errorf("%s: %v", name, info.Mode())
		}
	}
	if list := names(t, dir); !slices.Equal(list, []string{"a"}) {
		t.Errorf("there are %v", list)
	}
}

// Update refuses a file that it cannot replace without loss, and leaves it as it is.
func TestUpdateRefuses(t *testing.T) {
	dir, path := made(t)
	for name, spoil := range map[string]func(){
		"it changed since it was read": func() { must(t, os.WriteFile(path, []byte("other"), 0o600)) },
		"it has several names (hard links), which would become different files": func() {
			must(t, os.Link(path, filepath.Join(dir, "b")))
		},
		"no such file or directory": func() { must(t, os.Remove(path)) },
		"it is a directory": func() {
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o700))
		},
		"it is no regular file": func() {
			must(t, os.Remove(path))
			must(t, os.Symlink(os.DevNull, path))
		},
	} {
		must(t, os.RemoveAll(dir))
		must(t, os.Mkdir(dir, 0o700))
		must(t, os.WriteFile(path, []byte("old"), 0o640))
		spoil()
		before := names(t, dir)
		if err := update(path); err == nil || err.Error() != name {
			t.Errorf("%v, want: %s", err, name)
		}
		if after := names(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: %v became %v", name, before, after)
		}
	}
}

// A file that the user may not write is not replaced, although the folder would allow it.
func TestUpdateReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everything")
	}
	_, path := made(t)
	must(t, os.Chmod(path, 0o440))
	if err := update(path); !errors.Is(err, fs.ErrPermission) || contents(t, path) != "old" {
		t.Errorf("%v, %q", err, contents(t, path))
	}
}
