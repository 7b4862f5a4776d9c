package watch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/testnet"
	"visto/review/read"
	"visto/review/watch"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

func TestMain(m *testing.M) { os.Exit(suite.InMemory{Tests: m}.Run()) }

func newDesk(t *testing.T) (*review.Desk, review.Store) {
	t.Helper()
	store, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	return desk, store
}

func add(t *testing.T, desk *review.Desk, urls ...string) {
	t.Helper()
	_, err := desk.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for _, url := range urls {
			if err := yield(review.Found{URL: url, Place: read.Place{File: "/urls.txt"}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A watch keeps to the hours, waits for the network and for other programs, sees URLs that are added while it waits,
// and ends with its context.
func TestWatch(t *testing.T) {
	desk, _ := newDesk(t)
	clock := testnet.NewClock()
	add(t, desk, "https://a.gob.es/tramites/uno")
	hours, err := watch.ParseHours("12:00-13:00", madrid(t)) // the clock begins at 10:00 there
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var told []watch.Reason
	asks := []error{probe.ErrOffline, &review.LeaseError{}, probe.ErrClosed, nil}
	var asked []time.Duration
	w := watch.Watch{Desk: desk, Clock: clock, Hours: hours,
		Ask: func(_ context.Context, jobs []review.ProbeJob) error {
			asked = append(asked, clock.Now().Sub(testnet.Begin).Truncate(time.Minute))
			if len(asked) > len(asks) {
				if len(jobs) != 1 || jobs[0].URL != "https://a.gob.es/tramites/dos" {
					t.Errorf("jobs %+v", jobs)
				}
				cancel()
				return nil
			}
			err := asks[len(asked)-1]
			if err == nil {
				p := review.NewProbing(desk, answers{}, clock.Now)
				return p.RunDue(t.Context(), jobs, func(review.ProbeResult) error { return nil })
			}
			return err
		},
		Tell: func(wait watch.Wait) {
			told = append(told, wait.Why)
			if (wait.Err != nil) != (wait.Why == watch.Offline || wait.Why == watch.Busy) {
				t.Errorf("reason %d with the error %v", wait.Why, wait.Err)
			}
			if wait.Why == watch.NothingDue {
				add(t, desk, "https://a.gob.es/tramites/dos")
			}
		}}
	if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	if want := []watch.Reason{watch.Closed, watch.Offline, watch.Busy, watch.NothingDue}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	const opens = 2 * time.Hour // a minute passes after each of the first two
	want := []time.Duration{opens, opens + time.Minute, opens + 2*time.Minute, opens + 2*time.Minute,
		opens + 2*time.Minute}
	if !slices.Equal(asked, want) {
		t.Errorf("asked at %v, want %v", asked, want)
	}
}

// slowClock is a clock that goes on by three seconds with each reading.
type slowClock struct{ *testnet.Clock }

func (c slowClock) Now() time.Time {
	_ = c.Sleep(context.Background(), 3*time.Second)
	return c.Clock.Now()
}

// A round asks for a bounded number of links of a host. A watch spends at most a twentieth of its time on looking for
// them, which takes three seconds here.
func TestWatchIsBounded(t *testing.T) {
	desk, _ := newDesk(t)
	clock := slowClock{testnet.NewClock()}
	var urls []string
	for i := range 501 {
		urls = append(urls, fmt.Sprintf("https://a.gob.es/tramites/numero-%d", i))
	}
	add(t, desk, urls...)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked []time.Time
	w := watch.Watch{Desk: desk, Clock: clock,
		Ask: func(_ context.Context, jobs []review.ProbeJob) error {
			if len(jobs) != 500 {
				t.Errorf("%d links in a round", len(jobs))
			}
			if asked = append(asked, clock.Clock.Now()); len(asked) == 3 {
				cancel()
			}
			return nil
		}}
	if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	for i := 1; i < len(asked); i++ {
		if pause := asked[i].Sub(asked[i-1]); pause < time.Minute {
			t.Errorf("looks again after %v", pause)
		}
	}
}

// answers is a prober to which each page answers.
type answers struct{}

func (answers) Run(_ context.Context, targets []probe.Target, sink func(probe.Report) error) error {
	for _, t := range targets {
		if err := sink(probe.Report{Target: t, Evidence: &canon.Evidence{Status: 200, TTLHours: 1}}); err != nil {
			return err
		}
	}
	return nil
}

// Neither a link that is due soon nor a change of the store brings the next look forward.
func TestWatchLooksSeldom(t *testing.T) {
	desk, store := newDesk(t)
	clock := slowClock{testnet.NewClock()}
	add(t, desk, "https://a.gob.es/tramites/uno")
	soon := review.Postponed{ID: 1, Until: testnet.Begin.Add(15 * time.Second)}
	if err := store.Postpone(t.Context(), soon); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := watch.Watch{Desk: desk, Clock: clock,
		Ask: func(_ context.Context, jobs []review.ProbeJob) error {
			if after := clock.Clock.Now().Sub(testnet.Begin); len(jobs) != 2 || after < time.Minute {
				t.Errorf("after %v %d jobs", after, len(jobs))
			}
			cancel()
			return nil
		},
		Tell: func(wait watch.Wait) {
			if after := wait.Until.Sub(testnet.Begin); after < time.Minute {
				t.Errorf("the next look is after %v", after)
			}
			add(t, desk, "https://a.gob.es/tramites/dos")
		}}
	if err := w.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
