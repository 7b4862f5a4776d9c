package review

import (
	"context"
	"errors"
	"testing"

	"visto/canon"
	"visto/review/fault"
)

// A fault of a worker, or of the function that gets the results, is the error of the stream. No result is passed on
// behind a missing one.
func TestStreamFaults(t *testing.T) {
	const n, bad = 20 * batchSize, 3*batchSize + 7
	read := func(_ context.Context, _ Filter, fn func(Item, *canon.Evidence) error) error {
		for id := range int64(n) {
			if err := fn(Item{ID: id}, nil); err != nil {
				return err
			}
		}
		return nil
	}
	for _, test := range []struct {
		start, work, take int64 // the item of the panic; -1: none
		want              int64 // the first item that is not passed on, or a few before it
	}{{0, -1, -1, 0}, {-1, bad, -1, bad}, {-1, -1, bad, bad}} {
		next := int64(0)
		worker := func() worker[int64] {
			if test.start == 0 {
				panic("start")
			}
			return func(it *Item, _ *canon.Evidence) int64 {
				if it.ID == test.work {
					panic("work")
				}
				return it.ID
			}
		}
		err := stream(t.Context(), read, Filter{}, worker, func(it *Item, id int64) error {
			if it.ID != id || id != next {
				t.Fatalf("URL %d has the result of %d after %d", it.ID, id, next-1)
			}
			if id == test.take {
				panic("take")
			}
			next++
			return nil
		})
		if _, ok := errors.AsType[*fault.Error](err); !ok || next > test.want {
			t.Errorf("%+v: %v after %d items", test, err, next)
		}
	}
}
