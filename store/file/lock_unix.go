//go:build unix && !solaris && !illumos && !aix

package file

import (
	"os"
	"syscall"
)

// openFolder opens a folder. A link to one is an error.
func openFolder(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
}

// hold locks the folder until it is closed, and reports whether it could.
func hold(f *os.File) bool { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil }

// abandoned reports whether nobody held the folder. It holds it from then on.
func abandoned(f *os.File) bool { return hold(f) }
