package desk_test

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
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

// A result serves until the store changes, and for a while longer if the console has not written since it was read.
func TestShared(t *testing.T) {
	c := &counter{version: 1}
	var s desk.Shared[int]
	for i, step := range []struct {
		version int64
		later   time.Duration
		before  time.Duration // the last write of this console; 0: now

		want  int
		of    int64
		stale time.Duration
	}{
		{1, 0, 0, 1, 1, 0},
		{1, time.Hour, 0, 1, 1, 0}, // nothing has changed
		{2, 0, 0, 2, 2, 0},
		{3, 4 * time.Second, 6 * time.Second, 2, 2, 5 * time.Second},
		{3, 0, 5 * time.Second, 3, 3, 0}, // which is when it was read
		{4, 8 * time.Second, time.Hour, 3, 3, time.Second},
		{4, time.Second, time.Hour, 4, 4, 0},
	} {
		c.version, c.now = step.version, c.now.Add(step.later)
		got, of, stale, err := s.Get(c.source(), c.now.Add(-step.before))
		if got != step.want || of != step.of || stale != step.stale || err != nil {
			t.Errorf("step %d: %d of version %d, stale for %v: %v", i, got, of, stale, err)
		}
	}
	c.err, c.version = errors.New("no"), 5
	if _, _, _, err := s.Get(c.source(), c.now); !errors.Is(err, c.err) {
		t.Error(err)
	}
}

// All counts of a filter together are repeated for the part of the time in which another reading is.
func TestSharedFacetsRest(t *testing.T) {
	var facets desk.SharedFacets
	c := &counter{version: 1, now: time.Unix(0, 0)}
	who := deskAt(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	together := 0.0 // the part of the time
	for _, count := range desk.FacetCounts(who, review.Filter{}) {
		from := desk.Source[map[string][]dialog.Facet]{
			Version: c.source().Version, Now: c.source().Now,
			Read: func() (map[string][]dialog.Facet, error) { _, err := c.source().Read(); return nil, err },
		}
		if _, _, _, err := facets.Of(count).Get(from, time.Time{}); err != nil {
			t.Fatal(err)
		}
		c.version++
		_, _, stale, err := facets.Of(count).Get(from, time.Time{})
		if err != nil || stale <= 0 {
			t.Fatalf("%v is stale for %v: %v", count.Groups, stale, err)
		}
		together += 1 / (stale + time.Second).Seconds()
	}
	if together < 0.08 || together > 0.12 {
		t.Errorf("they take %.2f of the time, want a tenth", together)
	}
}

// Reviewers share a count, unless it depends on the one who asks.
func TestSharedFacetsOfReviewers(t *testing.T) {
	var facets desk.SharedFacets
	ana, berta := halfApproved(t)
	one := deskAt(t, filepath.Join(t.TempDir(), "visto.db"), "ana")
	ben, err := one.As("ben")
	if err != nil {
		t.Fatal(err)
	}
	shared := func(f review.Filter, group string, reviewers ...*review.Desk) bool {
		of := map[*desk.Shared[map[string][]dialog.Facet]]bool{}
		for _, who := range reviewers {
			f.Me = who.Reviewer()
			for _, count := range desk.FacetCounts(who, f) {
				if slices.Contains(count.Groups, group) {
					of[facets.Of(count)] = true
				}
			}
		}
		return len(of) == 1
	}
	var mine, notMine, hers review.Filter
	mine.Assigned, notMine.Not.Assigned, hers.Assigned = []string{review.Mine}, []string{review.Mine}, []string{"ana"}
	for _, test := range []struct {
		filter review.Filter
		group  string
		want   bool
	}{
		{review.Filter{}, "host", true}, {review.Filter{}, "assignee", false}, {hers, "host", true},
		{hers, "assignee", false}, {mine, "host", false}, {notMine, "host", false},
	} {
		if got := shared(test.filter, test.group, one, ben); got != test.want {
			t.Errorf("%s of those assigned to %q, not %q: shared %v", test.group, test.filter.Assigned,
				test.filter.Not.Assigned, got)
		}
	}
	if shared(review.Filter{}, "status", ana, berta) || !shared(review.Filter{}, "reviewer", ana, berta) {
		t.Error("what waits for another person is shared with that one, or who decided is not")
	}
}

// Consoles that ask at the same time share one reading.
func TestSharedAtOnce(t *testing.T) {
	c := &counter{version: 1}
	var s desk.Shared[int]
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if got, _, _, err := s.Get(c.source(), time.Time{}); got != 1 || err != nil {
				t.Errorf("%d: %v", got, err)
			}
		})
	}
	all.Wait()
}

// Readings take turns where they are limited.
func TestTurns(t *testing.T) {
	var free, limited desk.Surveys
	free.Turn()
	free.Turn()()
	limited.Limit(2)
	one, _ := limited.Turn(), limited.Turn()
	third := make(chan struct{})
	go func() {
		limited.Turn()
		close(third)
	}()
	select {
	case <-third:
		t.Error("three have a turn")
	case <-time.After(20 * time.Millisecond):
	}
	one()
	<-third
}
