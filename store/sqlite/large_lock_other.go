//go:build !unix || solaris || illumos || aix

package sqlite

import "os"

func lockShared(*os.File) {}

func unlock(*os.File) {}

func lockedByOthers(*os.File) bool { return false }
