//go:build !linux

package extract

import "runtime/debug"

// limitMemory makes the garbage collector work harder from 256 MB on. Other systems than Linux have no limit that
// counts the memory that Go uses; PDFium has its own in any case.
func limitMemory() { debug.SetMemoryLimit(256 << 20) }
