//go:build !unix || solaris || illumos || aix

package file

import "os"

func openFolder(path string) (*os.File, error) { return os.Open(path) }

func hold(*os.File) bool { return true }

// abandoned reports false: where folders cannot be locked, those of killed programs stay.
func abandoned(*os.File) bool { return false }
