package postgres_test

import (
	"fmt"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/postgres"
)

// While a change of many URLs is being written, and even while it waits for one of their rows, others decide about
// other URLs. A decision about one of its own URLs waits until it is written.
func TestDecideDuringLarge(t *testing.T) {
	const n, host, elsewhere = 40, "sede.grande.gob.es", "sede.chica.gob.es"
	s, other := both(t)
	postgres.SetLarge(s, n)
	ana, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	berta, err := review.Open(t.Context(), other, "berta", nil)
	must(t, err)
	_, err = ana.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for i := range n + 20 {
			at := host
			if i >= n {
				at = elsewhere
			}
			if err := yield(review.Found{URL: fmt.Sprintf("https://%s/%d?plaza=1", at, i)}); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	all, err := ana.DecideAll(t.Context(), review.Choice{Kind: review.Reject}, review.Filter{Hosts: []string{host}})
	must(t, err)
	var rule int64
	for i, step := range []struct {
		name string
		do   func() (review.Receipt, error)
	}{
		{"rule", func() (r review.Receipt, err error) {
			o := canon.Override{Match: canon.Match{Host: host}, DropQueryParams: []string{"plaza"}}
			r, _, err = ana.SaveOverrides(t.Context(), []review.OverrideChange{{After: &o}}, "")
			rule = r.Batch
			return r, err
		}},
		{"undo of the rule", func() (review.Receipt, error) {
			_, r, err := ana.Undo(t.Context(), rule)
			return r, err
		}},
		{"undo of the decisions", func() (review.Receipt, error) {
			_, r, err := ana.Undo(t.Context(), all.Batch)
			return r, err
		}},
	} {
		letGo := postgres.HoldItem(t, other, n)
		large := make(chan review.Receipt, 1)
		go func() {
			r, err := step.do()
			if err != nil {
				t.Errorf("%s: %v", step.name, err)
			}
			large <- r
		}()
		postgres.AwaitBlocked(t, other, 1)
		id := int64(n + 1 + 2*i)
		r, err := berta.Decide(t.Context(), review.Choice{Kind: review.Defer}, review.Target{ID: id})
		if err != nil || r.Decided != 1 {
			t.Fatalf("%s: deciding elsewhere: %+v, %v", step.name, r, err)
		}
		_, undone, err := berta.Undo(t.Context(), r.Batch)
		if err != nil || undone.Decided != 1 {
			t.Fatalf("%s: undoing that: %+v, %v", step.name, undone, err)
		}
		inside := make(chan review.Receipt, 1)
		go func() {
			r, err := berta.Decide(t.Context(), review.Choice{Kind: review.Defer}, review.Target{ID: int64(i + 1)})
			if err != nil {
				t.Errorf("%s: deciding about one of its URLs: %v", step.name, err)
			}
			inside <- r
		}()
		postgres.AwaitBlocked(t, other, 2)
		r, err = berta.Decide(t.Context(), review.Choice{Kind: review.Defer}, review.Target{ID: id + 1})
		if err != nil || r.Decided != 1 {
			t.Fatalf("%s: deciding elsewhere behind that: %+v, %v", step.name, r, err)
		}
		letGo()
		first, second := <-large, <-inside
		if first.Decided+first.Updated != n || second.Decided+len(second.Conflicts) != 1 || second.Seq > 0 &&
			second.Seq < first.Seq || first.Seq < r.Seq {
			t.Errorf("%s: wrote %+v, then %+v", step.name, first, second)
		}
	}
	problems, err := ana.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	countsAgree(t, s)
}
