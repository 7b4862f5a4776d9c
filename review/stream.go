package review

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"visto/canon"
	"visto/review/fault"
)

// worker computes a value from an item. Each goroutine has its own, because a Canonicalizer owns scratch memory.
type worker[T any] func(*Item, *canon.Evidence) T

// batchSize is the number of items that a goroutine gets at once, large enough to make the handover cheap.
const batchSize = 256

type streamBatch[T any] struct {
	items    []Item
	evidence []*canon.Evidence
	results  []T // fewer than items after a fault
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
		group.Go(func() { work(jobs, newWorker, cancel) })
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

// work computes the batches. After a fault it stops the stream and drains the channel.
func work[T any](jobs <-chan *streamBatch[T], newWorker func() worker[T], stop context.CancelCauseFunc) {
	var do worker[T]
	err := fault.Do(func() error {
		do = newWorker()
		return nil
	})
	for b := range jobs {
		if err == nil {
			err = fault.Do(func() error { return b.compute(do) })
		}
		if err != nil {
			stop(err)
		}
		close(b.done)
	}
}

func (b *streamBatch[T]) compute(do worker[T]) error {
	b.results = make([]T, 0, len(b.items))
	for i := range b.items {
		b.results = append(b.results, do(&b.items[i], b.evidence[i]))
	}
	return nil
}

// deliver calls fn until it fails or a result is missing, then stops the stream and drains the channel.
func deliver[T any](ordered <-chan *streamBatch[T], fn func(*Item, T) error, stop context.CancelCauseFunc) {
	var err error
	for b := range ordered {
		<-b.done
		if err == nil {
			if err = fault.Do(func() error { return b.deliver(fn) }); err != nil {
				stop(err)
			}
		}
	}
}

func (b *streamBatch[T]) deliver(fn func(*Item, T) error) error {
	for i, result := range b.results {
		if err := fn(&b.items[i], result); err != nil {
			return err
		}
	}
	if len(b.results) < len(b.items) {
		return errFaulty
	}
	return nil
}

// errFaulty ends the delivery after a fault of a worker, which is the cause.
var errFaulty = errors.New("a result is missing")
