package testnet

import (
	"context"
	"sync"
	"time"
)

// Clock is a clock that nobody waits for: who sleeps moves it on. Where several sleep at a time, each moves it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Begin is when every Clock begins.
var Begin = time.Date(2026, 2, 18, 9, 0, 0, 0, time.UTC)

// NewClock returns a clock that stands at Begin.
func NewClock() *Clock { return &Clock{now: Begin} }

// Now tells the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the clock on, unless ctx has ended: then it returns the cause of that.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(max(d, 0))
	return context.Cause(ctx)
}
