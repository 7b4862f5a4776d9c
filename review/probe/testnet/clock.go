package testnet

import (
	"context"
	"sync"
	"time"
)

// Clock is a clock without real waits: Sleep moves it. Concurrent sleeps add up.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Begin is the time at which every Clock begins.
var Begin = time.Date(2026, 2, 18, 9, 0, 0, 0, time.UTC)

// NewClock returns a clock at Begin.
func NewClock() *Clock { return &Clock{now: Begin} }

// Set sets the time.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the clock, unless ctx has ended: then it returns the cause.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(max(d, 0))
	return context.Cause(ctx)
}
