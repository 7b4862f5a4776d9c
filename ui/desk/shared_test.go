package desk_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"visto/ui/desk"
)

// counter is a source that takes a second to read, and gives the number of readings.
type counter struct {
	version int64
	now     time.Time
	read    int
	err     error
}

func (c *counter) source() desk.Source[int] {
	return desk.Source[int]{
		Version: func() (int64, error) { return c.version, c.err },
		Now:     func() time.Time { return c.now },
		Read: func() (int, error) {
			c.now = c.now.Add(time.Second)
			c.read++
			return c.read, c.err
		},
	}
}

// A result serves until the store changes, and for a while longer unless it has to be fresh.
func TestShared(t *testing.T) {
	c := &counter{version: 1}
	var s desk.Shared[int]
	for i, step := range []struct {
		version int64
		later   time.Duration
		fresh   bool

		want  int
		of    int64
		stale time.Duration
	}{
		{1, 0, false, 1, 1, 0},
		{1, time.Hour, true, 1, 1, 0}, // nothing has changed
		{2, 0, false, 2, 2, 0},
		{3, 4 * time.Second, false, 2, 2, 6 * time.Second},
		{3, 0, true, 3, 3, 0},
		{4, 9 * time.Second, false, 3, 3, time.Second},
		{4, time.Second, false, 4, 4, 0},
	} {
		c.version, c.now = step.version, c.now.Add(step.later)
		got, of, stale, err := s.Get(c.source(), step.fresh)
		if got != step.want || of != step.of || stale != step.stale || err != nil {
			t.Errorf("step %d: %d of version %d, stale for %v: %v", i, got, of, stale, err)
		}
	}
	s.Set(70, 5)
	c.version = 5
	if got, of, stale, err := s.Get(c.source(), true); got != 70 || of != 5 || stale != 0 || err != nil {
		t.Errorf("what was set is %d of version %d, stale for %v: %v", got, of, stale, err)
	}
	c.err, c.version = errors.New("no"), 6
	if _, _, _, err := s.Get(c.source(), true); !errors.Is(err, c.err) {
		t.Error(err)
	}
}

// Consoles that ask at the same time share one reading.
func TestSharedAtOnce(t *testing.T) {
	c := &counter{version: 1}
	var s desk.Shared[int]
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, _, _, err := s.Get(c.source(), false); got != 1 || err != nil {
				t.Errorf("%d: %v", got, err)
			}
		})
	}
	all.Wait()
}
