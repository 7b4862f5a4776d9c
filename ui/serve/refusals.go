package serve

import (
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// refusals writes to the log that connections without a session ended. The first one of a while has a line of its own,
// the others one line of each reason at its end: anybody can open a connection, and must not fill the log.
type refusals struct {
	log   *slog.Logger
	every time.Duration // the while

	mu    sync.Mutex
	more  map[string]int    // after the first one, by reason
	last  map[string]string // the address of the last one of each
	timer *time.Timer       // ends the while; nil: there is none
}

// add tells of a connection. detail follows the reason in a line of its own; "" is none.
func (r *refusals) add(from, why, detail string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer != nil {
		r.more[why]++
		r.last[why] = from
		return
	}
	if detail != "" {
		r.log.Info("refused", "from", from, "why", why, "detail", detail)
	} else {
		r.log.Info("refused", "from", from, "why", why)
	}
	r.begin()
}

// begin begins a while. The caller holds the mutex.
func (r *refusals) begin() {
	r.more, r.last = map[string]int{}, map[string]string{}
	r.timer = time.AfterFunc(r.every, r.sum)
}

// sum ends a while and writes its sums. If there were any, the next while begins at once.
func (r *refusals) sum() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer == nil {
		return
	}
	r.timer.Stop()
	r.timer = nil
	if len(r.more) == 0 {
		return
	}
	for _, why := range slices.Sorted(maps.Keys(r.more)) {
		r.log.Info("refused more", "connections", r.more[why], "why", why, "last", r.last[why])
	}
	r.begin()
}

// end writes the sums at the end of the server.
func (r *refusals) end() {
	r.sum()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
}
