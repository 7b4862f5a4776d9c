package review

import (
	"fmt"
	"time"
)

// Postponed is an item that cannot be probed before a time, because its host asks for a pause.
type Postponed struct {
	ID    int64
	Until time.Time
	Why   string
}

// Holder names the program that has a lease. Two programs that run at the same time have different ones.
type Holder struct {
	Machine string // host name
	PID     int    // process on that machine
}

// Lease is the right to probe the URLs of a store, which one program has at a time, so that each host gets the
// requests of one prober.
type Lease struct {
	Reviewer string
	Holder
	Since time.Time
	Until time.Time // it ends then unless the holder prolongs it
}

// LeaseError is the error of a program that wants to probe while another one does.
type LeaseError struct{ Held Lease }

func (e *LeaseError) Error() string {
	h := &e.Held
	return fmt.Sprintf("another probe runs on this database: %s's, on %s since %s (process %d)",
		h.Reviewer, h.Machine, h.Since.UTC().Format(time.RFC3339), h.PID)
}
