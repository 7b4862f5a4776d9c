package sqlite_test

import (
	"cmp"
	"path/filepath"
	"strings"
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
		"INSERT INTO item_count SELECT host_id, in_host_id, " + counted + ", 0, count(*) FROM item GROUP BY host_id, " +
			"in_host_id, " + counted,
		"INSERT INTO item_count SELECT 0, 0, " + counted + ", 0, count(*) FROM item GROUP BY " + counted,
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

// Settling asks indexes, also while staged decisions are in force.
func TestSettlePlans(t *testing.T) {
	for _, staged := range []bool{false, true} {
		s := settledStore(t, filepath.Join(t.TempDir(), "visto.db"))
		d, err := review.Open(t.Context(), s, "ana", nil)
		must(t, err)
		if staged {
			sqlite.StageAll(s)
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
