//go:build unix

package file_test

import (
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// The owner of a file is kept, or the file is refused.
func TestUpdateKeepsOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs the right to give files away")
	}
	_, path := made(t)
	must(t, os.Chown(path, 12345, 54321))
	must(t, os.Chmod(path, 0o4755))
	before, err := os.Stat(path)
	must(t, err)
	must(t, update(path))
	after, err := os.Stat(path)
	must(t, err)
	if after.Mode() != before.Mode() || owner(after) != owner(before) {
		t.Errorf("%v of %v, want %v of %v", after.Mode(), owner(after), before.Mode(), owner(before))
	}
}

// owner returns user and group of a file.
func owner(info fs.FileInfo) [2]uint32 {
	s := info.Sys().(*syscall.Stat_t)
	return [2]uint32{s.Uid, s.Gid}
}
