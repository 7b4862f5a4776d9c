package extract

import (
	"math"
	"runtime/debug"
	"syscall"
)

const (
	softMemory = 256 << 20 // bytes from which the garbage collector works harder
	hardMemory = 1 << 30   // bytes at which the process dies
)

// limitMemory limits the memory of this process. The address space would be the wrong measure: Go reserves more than
// a gigabyte of it at the start. RLIMIT_DATA counts the memory that can be written, which since Linux 4.7 includes
// mappings.
func limitMemory() {
	debug.SetMemoryLimit(softMemory)
	limit := syscall.Rlimit{Cur: hardMemory, Max: math.MaxUint64}
	var now syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &now); err != nil {
		return
	}
	limit.Cur, limit.Max = min(limit.Cur, now.Cur), now.Max
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
}
