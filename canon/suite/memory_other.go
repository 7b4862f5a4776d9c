//go:build !linux

package suite

// memory returns nothing: no file system in memory is known here.
func memory() string { return "" }
