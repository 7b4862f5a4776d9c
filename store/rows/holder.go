package rows

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"visto/review"
)

// ThisProcess returns the holder of the leases of this process.
func ThisProcess() review.Holder {
	machine, err := os.Hostname()
	if err != nil {
		machine = "this machine"
	}
	return review.Holder{Machine: machine, PID: os.Getpid()}
}

// ended reports whether the holder was a process on this machine that has ended.
func ended(h review.Holder) bool {
	if h.Machine != ThisProcess().Machine {
		return false
	}
	p, err := os.FindProcess(h.PID)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) || zombie(h.PID)
}

// zombie reports whether a process has ended and its parent has not waited for it yet: its state is then Z or X. It
// reads proc(5), and reports false where there is none.
func zombie(pid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}

// sameLease reports whether two leases of one kind are the same one.
func sameLease(a, b review.Lease) bool {
	return a.Holder == b.Holder && a.Since.UnixMilli() == b.Since.UnixMilli()
}

// leaseID returns the number under which a kind of lease is stored.
func leaseID(l review.Lease) int {
	if l.Watch {
		return 2
	}
	return 1
}
