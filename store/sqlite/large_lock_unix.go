//go:build unix && !solaris && !illumos && !aix

package sqlite

import (
	"os"
	"syscall"
)

// lockShared locks the file, unless another program is testing the lock right now: then it goes without.
func lockShared(f *os.File) { syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) }

func unlock(f *os.File) { syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

// lockedByOthers reports whether another program has locked the file. This program must not have.
func lockedByOthers(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	unlock(f)
	return err == syscall.EWOULDBLOCK
}
