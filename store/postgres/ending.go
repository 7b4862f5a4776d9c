package postgres

import (
	"context"
	"sync"
)

// ending knows the snapshots that are rolled back while nobody waits for it. Whoever needs a connection then waits for
// one of theirs: that takes one round trip to the server, and a new connection takes several, and asks the server to
// read its catalog again.
type ending struct {
	mu   sync.Mutex // guards all
	n    int
	next chan struct{} // closed when the next one has ended; nil: nobody waits for it
}

// run runs fn, which gives a connection back, in the background.
func (e *ending) run(fn func()) {
	e.mu.Lock()
	e.n++
	e.mu.Unlock()
	go func() {
		defer e.done()
		fn()
	}()
}

func (e *ending) done() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n--
	if e.next != nil {
		close(e.next)
		e.next = nil
	}
}

// one returns a channel that is closed when the next one has ended, or nil if none is under way.
func (e *ending) one() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.n == 0 {
		return nil
	}
	if e.next == nil {
		e.next = make(chan struct{})
	}
	return e.next
}

// awaitEnding waits until a connection is idle, if one is about to be.
func (r *reader) awaitEnding(ctx context.Context) {
	for r.Stat().IdleConns() == 0 {
		next := r.ending.one()
		if next == nil {
			return
		}
		select {
		case <-next:
		case <-ctx.Done():
			return
		}
	}
}
