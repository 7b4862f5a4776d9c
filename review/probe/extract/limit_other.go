//go:build !linux

package extract

import "runtime/debug"

// limitMemory makes the garbage collector work harder from 256 MB on. Only Linux has a limit that
// counts the memory of Go; PDFium has its own everywhere.
func limitMemory() { debug.SetMemoryLimit(256 << 20) }
