package sqlite_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

// settledStore is a store in which URL 2 is the approved canonical URL of URL 1.
func settledStore(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s := open(t, path)
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		return cmp.Or(yield(review.Found{URL: "http://www.boe.es/"}), yield(review.Found{URL: "https://www.boe.es"}))
	})
	must(t, err)
	_, err = d.Decide(t.Context(), review.Choice{Kind: review.Approve}, review.Target{ID: 1})
	must(t, err)
	isSettled(t, s)
	return s
}

func isSettled(t *testing.T, s *sqlite.Store) {
	t.Helper()
	it, err := s.Item(t.Context(), 2)
	must(t, err)
	if it.Status != review.Approved || it.Decision == nil || it.Decision.CanonicalOf == nil || it.Open() {
		t.Errorf("URL 2 is %s, with the decision %+v", it.Status, it.Decision)
	}
	problems, err := s.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}

// A database of an earlier schema, which does not know settled URLs, has them once it is opened.
func TestSettledOnOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s := settledStore(t, path)
	const counted = "place_set_id, verdict, status, open, was_open, flags"
	for _, query := range []string{
		"UPDATE item SET settled_by = NULL, batch_id = NULL, status = 0, open = 1 WHERE id = 2",
		"DELETE FROM item_count",
		"INSERT INTO item_count SELECT host_id, in_host_id, " + counted + ", count(*) FROM item GROUP BY host_id, " +
			"in_host_id, " + counted,
		"INSERT INTO item_count SELECT 0, 0, " + counted + ", count(*) FROM item GROUP BY " + counted,
		"UPDATE meta SET unsettled = 1",
	} {
		must(t, sqlite.Exec(t, s, query))
	}
	isSettled(t, open(t, path))
}

// Check finds an item that is settled by another one that does not approve it.
func TestCheckSettled(t *testing.T) {
	for _, query := range []string{"UPDATE item SET settled_by = 2 WHERE id = 2",
		"UPDATE item SET approved = 'https://boe.es/a' WHERE id = 1"} {
		s := settledStore(t, filepath.Join(t.TempDir(), "visto.db"))
		must(t, sqlite.Exec(t, s, query))
		problems, err := s.Check(t.Context())
		must(t, err)
		var all strings.Builder
		for _, p := range problems {
			all.WriteString(p.Text + "\n")
		}
		if !strings.Contains(all.String(), "URL 2 is settled by an approval that is not there") {
			t.Errorf("%s: check finds %s", query, all.String())
		}
	}
}

// Settling asks indexes, also for pending decisions.
func TestSettlePlans(t *testing.T) {
	for _, pending := range []bool{false, true} {
		s := settledStore(t, filepath.Join(t.TempDir(), "visto.db"))
		d, err := review.Open(t.Context(), s, "ana", nil)
		must(t, err)
		if pending {
			sqlite.LeavePending(s)
		}
		for _, asked := range sqlite.AskedToWrite(t, s, func() {
			for _, kind := range []review.Kind{review.Reject, review.Approve} {
				_, err := d.Decide(t.Context(), review.Choice{Kind: kind}, review.Target{ID: 1})
				must(t, err)
			}
			_, err = d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
				return yield(review.Found{URL: "https://www.boe.es/b"})
			})
			must(t, err)
		}) {
			plan := strings.Join(asked.Plan, "\n")
			if strings.Contains(asked.Query, "approved") && (strings.Contains(plan, "SCAN i\n") ||
				strings.Contains(plan, "SCAN item\n") || strings.HasSuffix(plan, "SCAN i")) {
				t.Errorf("%s\nin %s", plan, asked.Query)
			}
		}
	}
}

// While many URLs are approved in chunks, another program adds their canonical URLs and decides on some of these. In
// the end all without a decision of their own are settled, and after the undo none is.
func TestSettledWhileDeciding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	berta, err := review.Open(t.Context(), other, "berta", nil)
	must(t, err)
	add := func(d *review.Desk, from, to int, format string) {
		_, err := d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
			for i := from; i < to; i++ {
				if err := yield(review.Found{URL: fmt.Sprintf(format, i)}); err != nil {
					return err
				}
			}
			return nil
		})
		must(t, err)
	}
	add(d, 0, many, "http://www.h%d.gob.es/")
	add(d, 0, 4, "https://www.h%d.gob.es")
	var chunks atomic.Int64 // following has chunks too, in the background
	sqlite.Chunks(s, few, func() {
		if chunks.Add(1) == 3 {
			add(berta, 4, many, "https://www.h%d.gob.es")
			_, err := berta.Decide(t.Context(), review.Choice{Kind: review.Reject}, review.Target{ID: many + 1})
			must(t, err)
		}
	})
	r, err := d.DecideAll(t.Context(), review.Choice{Kind: review.Approve}, review.Filter{UpTo: many})
	must(t, err)
	count := func(f review.Filter) int {
		n, err := s.Count(t.Context(), f)
		must(t, err)
		return n
	}
	state := func(when string, open, approved int) {
		t.Helper()
		must(t, s.Finish(t.Context()))
		statuses := []review.Status{review.Approved}
		got := [2]int{count(review.Filter{Open: true}), count(review.Filter{Statuses: statuses})}
		if got != [2]int{open, approved} {
			t.Errorf("%s: open and approved are %v, want %d and %d", when, got, open, approved)
		}
		problems, err := d.Check(t.Context())
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: check: %v %v", when, problems, err)
		}
	}
	state("approved", 0, 2*many-1)
	_, _, err = d.Undo(t.Context(), r.Batch)
	must(t, err)
	state("undone", 2*many-1, 0)
}
