package sqlite

import (
	"errors"
	"os"
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
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
