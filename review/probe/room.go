package probe

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"
)

// roomFor returns the number of bytes that bodies may take at a time, from before they are read until their pages are
// known: those of pages of Config.MaxBody for all requests, but that of a PDF of Config.MaxPDF in any case.
func roomFor(c Config) int64 { return max(int64(c.Concurrency)*c.MaxBody, c.MaxPDF) }

// bodyRoom is the part of the room that the body of a visit takes.
type bodyRoom struct {
	all   *semaphore.Weighted
	size  int64 // of all
	taken int64
}

// take waits until there is room for a body. The limit of the exchange does not run meanwhile.
func (r *bodyRoom) take(ctx context.Context, limit *timeLimit, size int64) error {
	size = min(size, r.size)
	if !r.all.TryAcquire(size) {
		limit.pause()
		defer limit.goOn()
		if err := r.all.Acquire(ctx, size); err != nil {
			return context.Cause(ctx)
		}
	}
	r.taken = size
	return nil
}

// shrink gives back the room beyond the size of the last body.
func (r *bodyRoom) shrink(size int64) {
	size = min(size, r.taken)
	r.all.Release(r.taken - size)
	r.taken = size
}

// release gives back the room of the last body.
func (r *bodyRoom) release() {
	r.all.Release(r.taken)
	r.taken = 0
}

// timeLimit ends a context with context.DeadlineExceeded once it has run for some time, without the pauses.
type timeLimit struct {
	timer  *time.Timer
	left   time.Duration // when it last went on
	since  time.Time     // when that was
	cancel context.CancelCauseFunc
}

func startLimit(ctx context.Context, d time.Duration) (context.Context, *timeLimit) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() { cancel(context.DeadlineExceeded) })
	return ctx, &timeLimit{timer, d, time.Now(), cancel}
}

func (l *timeLimit) pause() {
	l.timer.Stop()
	l.left -= time.Since(l.since)
}

func (l *timeLimit) goOn() {
	l.since = time.Now()
	l.timer.Reset(l.left)
}

func (l *timeLimit) end() {
	l.timer.Stop()
	l.cancel(nil)
}
