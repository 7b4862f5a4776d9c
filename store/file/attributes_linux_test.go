package file_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"visto/store/file"
)

// acl is a POSIX ACL as the kernel has it: owner rw, user 12345 r, group none, mask r, others none.
var acl = []byte{2, 0, 0, 0,
	1, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,
	2, 0, 4, 0, 0x39, 0x30, 0, 0,
	4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
	16, 0, 4, 0, 0xff, 0xff, 0xff, 0xff,
	32, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}

// setAttribute sets an extended attribute, or skips the test on a file system that has none.
func setAttribute(t *testing.T, path, name string, value []byte) {
	t.Helper()
	err := unix.Setxattr(path, name, value, 0)
	if errors.Is(err, unix.ENOTSUP) {
		t.Skipf("the file system has no %s", name)
	}
	must(t, err)
}

func attributesOf(t *testing.T, path string) map[string]string {
	t.Helper()
	list := make([]byte, 4096)
	n, err := unix.Listxattr(path, list)
	must(t, err)
	all := map[string]string{}
	for name := range bytes.SplitSeq(bytes.TrimRight(list[:n], "\x00"), []byte{0}) {
		if len(name) == 0 {
			continue
		}
		value := make([]byte, 4096)
		n, err := unix.Getxattr(path, string(name), value)
		must(t, err)
		all[string(name)] = string(value[:n])
	}
	return all
}

// Spec 13: "a write is atomic and keeps mode, owner, ACL and extended attributes".
func TestUpdateKeepsAttributes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	must(t, os.WriteFile(path, []byte("one"), 0o600))
	setAttribute(t, path, "user.origin", []byte("registry"))
	setAttribute(t, path, "system.posix_acl_access", acl)
	want := attributesOf(t, path)
	mode, err := os.Stat(path)
	must(t, err)
	must(t, file.Update(path, []byte("one"), []byte("two")))
	if got := attributesOf(t, path); !maps.Equal(got, want) || len(got) != 2 {
		t.Errorf("has %q, had %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	if now, err := os.Stat(path); err != nil || now.Mode() != mode.Mode() {
		t.Errorf("mode %v, was %v (%v)", now.Mode(), mode.Mode(), err)
	}
}

// A folder may hand an ACL down to new files. The file did not have it, and does not get it.
func TestUpdateTakesNoAttributes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	must(t, os.WriteFile(path, []byte("one"), 0o600))
	setAttribute(t, dir, "system.posix_acl_default", acl)
	must(t, file.Update(path, []byte("one"), []byte("two")))
	if got := attributesOf(t, path); len(got) > 0 {
		t.Errorf("has %q", got)
	}
}
