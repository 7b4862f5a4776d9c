//go:build unix && !solaris && !illumos && !aix

package file

import (
	"os"
	"syscall"
)

// openFolder opens a folder, and no link to one.
func openFolder(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
}

// hold reports whether the folder is now this program's, for as long as it is open.
func hold(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }

// free reports whether the folder was nobody's. It is this program's from then on.
func free(f *os.File) bool { return hold(f) }
