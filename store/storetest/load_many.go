package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
)

// DecideWhileMany has one reviewer decide a few times a second in other, while another one writes a rule, and then a
// decision, for all URLs of a large host in s, which is the same database. applied waits until that is written. It
// reports how long the first one waited.
func (l *Load) DecideWhileMany(t *testing.T, s, other review.Store, applied func()) {
	const host, elsewhere = "sede.grande.gob.es", "sede.chica.gob.es"
	ana, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = ana.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for i := range l.URLs + 50 {
			at := host
			if i < 50 {
				at = elsewhere
			}
			if err := yield(review.Found{URL: fmt.Sprintf("https://%s/catalogo/tramites/%d?plaza=1", at,
				i)}); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	var undo int64
	for _, step := range []struct {
		name string
		do   func() (review.Receipt, error)
	}{
		{"nothing", func() (review.Receipt, error) {
			time.Sleep(100 * time.Millisecond)
			return review.Receipt{}, nil
		}},
		{"a rule", func() (review.Receipt, error) {
			rule := canon.Override{Match: canon.Match{Host: host}, DropQueryParams: []string{"plaza"}}
			r, _, err := ana.SaveOverrides(t.Context(), []review.OverrideChange{{After: &rule}}, "")
			return r, err
		}},
		{"a decision on all", func() (review.Receipt, error) {
			r, err := ana.DecideAll(t.Context(), review.Choice{Kind: review.Reject, Note: "retirada"},
				review.Filter{Hosts: []string{host}})
			undo = r.Batch
			return r, err
		}},
		{"its undo", func() (review.Receipt, error) {
			_, r, err := ana.Undo(t.Context(), undo)
			return r, err
		}},
	} {
		stop := make(chan struct{})
		waits := decideUntil(t, other, stop)
		start := time.Now()
		r, err := step.do()
		inForce := time.Since(start)
		applied()
		whole := time.Since(start)
		close(stop)
		list := <-waits
		must(t, err)
		if n := r.Decided + r.Updated; n != l.URLs && step.name != "nothing" {
			t.Errorf("%s: of %d URLs", step.name, n)
		}
		slices.Sort(list)
		t.Logf("%-18s in force after %8v, applied after %8v; %4d decisions meanwhile: half within %8v, "+
			"99 %% within %8v, all within %v", step.name,
			inForce.Round(time.Millisecond), whole.Round(time.Millisecond), len(list),
			list[len(list)/2].Round(10*time.Microsecond),
			list[len(list)*99/100].Round(10*time.Microsecond), list[len(list)-1].Round(time.Millisecond))
	}
}

// decideUntil decides on one URL after the other, and sends the durations when it is confirmed to stop.
func decideUntil(t *testing.T, s review.Store, stop <-chan struct{}) <-chan []time.Duration {
	waits := make(chan []time.Duration, 1)
	go func() {
		var list []time.Duration
		defer func() { waits <- list }()
		desk, err := review.Open(t.Context(), s, "berta", nil)
		for i := int64(0); err == nil; i++ {
			start := time.Now()
			_, err = desk.Decide(t.Context(), review.Choice{Kind: review.Defer}, review.Target{ID: i%50 + 1})
			list = append(list, time.Since(start))
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
		t.Errorf("deciding meanwhile: %v", err)
	}()
	return waits
}
