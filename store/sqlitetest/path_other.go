//go:build !linux

package sqlitetest

const memory = ""

func roomy() bool { return false }
