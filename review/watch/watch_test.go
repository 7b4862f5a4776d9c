package watch_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/testnet"
	"visto/review/read"
	"visto/review/watch"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

func newDesk(t *testing.T) *review.Desk {
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
	return desk
}

func add(t *testing.T, desk *review.Desk, url string) {
	t.Helper()
	_, err := desk.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		return yield(review.Found{URL: url, Place: read.Place{File: "/urls.txt"}})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A watch keeps to the hours, waits for the network and for other programs, sees URLs that are added while it waits,
// and ends with its context.
func TestWatch(t *testing.T) {
	desk, clock := newDesk(t), testnet.NewClock()
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
	if len(asked) != 5 || asked[0] != 2*time.Hour || asked[4] > 3*time.Hour {
		t.Errorf("asked at %v", asked)
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
