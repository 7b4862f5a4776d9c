//go:build !unix || solaris || illumos || aix

package file

import "os"

func openFolder(path string) (*os.File, error) { return os.Open(path) }

func hold(*os.File) bool { return true }

// free reports false: where folders cannot be locked, what a killed program left stays.
func free(*os.File) bool { return false }
