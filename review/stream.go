package review

import (
	"context"
	"runtime"
	"sync"

	"visto/canon"
)

// worker computes a value from an item. Each goroutine has its own, because a Canonicalizer owns scratch memory.
type worker[T any] func(*Item, *canon.Evidence) T

// batchSize is the number of items that a goroutine gets at once, large enough to make the handover cheap.
const batchSize = 256

type streamBatch[T any] struct {
	items    []Item
	evidence []*canon.Evidence
	results  []T
	done     chan struct{}
}

// itemReader is a method of the store that reads items with their evidence.
type itemReader func(context.Context, Filter, func(Item, *canon.Evidence) error) error

// stream runs workers over all items of the filter on all cores. It calls fn with the results in the order of the
// IDs, from one goroutine. It holds only a few batches in memory.
func stream[T any](
	ctx context.Context, read itemReader, f Filter, newWorker func() worker[T], fn func(*Item, T) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := runtime.GOMAXPROCS(0)
	jobs, ordered := make(chan *streamBatch[T], workers), make(chan *streamBatch[T], 2*workers)

	var group sync.WaitGroup
	for range workers {
		group.Go(func() { work(jobs, newWorker()) })
	}
	group.Go(func() { deliver(ordered, fn, cancel) })

	err := feed(ctx, read, f, jobs, ordered)
	close(jobs)
	close(ordered)
	group.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// feed sends each batch to the workers and, in order, to deliver.
func feed[T any](ctx context.Context, read itemReader, f Filter, jobs, ordered chan<- *streamBatch[T]) error {
	var b *streamBatch[T]
	send := func() error {
		select {
		case ordered <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
		jobs <- b // never blocks for long: the workers always run
		b = nil
		return nil
	}
	err := read(ctx, f, func(it Item, ev *canon.Evidence) error {
		if b == nil {
			b = &streamBatch[T]{items: make([]Item, 0, batchSize), evidence: make([]*canon.Evidence, 0, batchSize),
				done: make(chan struct{})}
		}
		b.items = append(b.items, it)
		b.evidence = append(b.evidence, ev)
		if len(b.items) < batchSize {
			return nil
		}
		return send()
	})
	if err == nil && b != nil {
		err = send()
	}
	return err
}

func work[T any](jobs <-chan *streamBatch[T], do worker[T]) {
	for b := range jobs {
		b.results = make([]T, len(b.items))
		for i := range b.items {
			b.results[i] = do(&b.items[i], b.evidence[i])
		}
		close(b.done)
	}
}

// deliver calls fn until it fails, then stops the stream and drains the channel.
func deliver[T any](ordered <-chan *streamBatch[T], fn func(*Item, T) error, stop context.CancelCauseFunc) {
	failed := false
	for b := range ordered {
		<-b.done
		for i := 0; i < len(b.items) && !failed; i++ {
			if err := fn(&b.items[i], b.results[i]); err != nil {
				failed = true
				stop(err)
			}
		}
	}
}
