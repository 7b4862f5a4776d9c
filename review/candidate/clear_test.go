package candidate_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/probe"
)

// A page is clear if it fits well, leads by far, and has no flag.
func TestClear(t *testing.T) {
	scored := func(scores ...float64) (list []candidate.Candidate) {
		for _, s := range scores {
			list = append(list, candidate.Candidate{URL: "https://villa.gob.es/padron", Score: s})
		}
		return list
	}
	named := scored(9, 5)
	named[0].Named = true
	flagged := scored(30)
	flagged[0].Flags = []string{"section-page"}
	for _, c := range []struct {
		list []candidate.Candidate
		why  string
	}{
		{scored(16.5, 10, 9.9), ""}, {scored(16), ""}, {named, ""},
		{nil, "nothing was found"},
		{scored(16.4, 10, 9.9), "2 pages fit about as well"},
		{scored(15.99), "no page fits well: the best one scores 15.99"},
		{scored(18.82, 15.24, 12.54, 11), "3 pages fit about as well: the best two score 18.82 and 15.24"},
		{flagged, "flagged section-page"},
	} {
		best, why := candidate.Clear(c.list)
		if !strings.Contains(why, c.why) || (why == "") != (c.why == "") || (best.URL != "") != (c.why == "") {
			t.Errorf("%v: %q, want %q", c.list, why, c.why)
		}
	}
}

// A page leads if two or more were found, its score is twice that of the next one, and it has no flag.
func TestLeads(t *testing.T) {
	flagged := []candidate.Candidate{{URL: "a", Score: 9, Flags: []string{"section-page"}}, {URL: "b", Score: 1}}
	for _, c := range []struct {
		list []candidate.Candidate
		lead float64
	}{
		{[]candidate.Candidate{{URL: "a", Score: 4}, {URL: "b", Score: 2}, {URL: "c", Score: 1}}, 2},
		{[]candidate.Candidate{{URL: "a", Score: 3.99}, {URL: "b", Score: 2}}, 0},
		{[]candidate.Candidate{{URL: "a", Score: 40}}, 0}, {flagged, 0}, {nil, 0},
	} {
		if best, lead := candidate.Leads(c.list); lead != c.lead || (best.URL == "a") != (c.lead > 0) {
			t.Errorf("%v: %q leads by %v, want %v", c.list, best.URL, lead, c.lead)
		}
	}
}

// Several corrections are one batch, with the answers of all pages, and one undo takes them back. If one page cannot be
// cited, nothing is written.
func TestCiteSeveral(t *testing.T) {
	w := newWorld(t)
	works := true
	var list []review.Citation
	for _, name := range []string{"uno", "dos", "tres"} {
		it, url := w.cite("https://"+name+".gob.es", procedure(name, name)), "https://"+name+".gob.es/tramites/padron"
		page := probe.Report{Evidence: &canon.Evidence{URL: url, Asked: url, Status: 200, Title: "Padrón " + name,
			Language: "es", HTTPS: &works, FetchedAt: "2026-11-21T10:00:00Z", TTLHours: 24, Method: "get"}}
		list = append(list, review.Citation{Choice: review.Choice{Canonical: url},
			Target: review.Target{ID: it.ID, Rev: it.Rev}, Page: page})
	}
	wrong := append([]review.Citation{}, list...)
	wrong[2].Choice.Canonical = "http://127.0.0.1/"
	if _, err := w.desk.Cite(t.Context(), w.clock.Now, wrong...); err == nil {
		t.Error("a private address was cited")
	}
	if _, err := w.desk.Cite(t.Context(), w.clock.Now, list[0], list[0]); err == nil {
		t.Error("one URL was corrected twice")
	}
	unknown := slices.Clone(list)
	unknown[2].Target = review.Target{ID: 99}
	if _, err := w.desk.Cite(t.Context(), w.clock.Now, unknown...); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("an unknown URL was corrected: %v", err)
	}
	shared := slices.Clone(list[:1])
	shared[0].Choice.Record = 99
	if _, err := w.desk.Cite(t.Context(), w.clock.Now, shared...); err == nil {
		t.Error("a URL was corrected for a record that does not cite it")
	}
	changed := slices.Clone(list[:1])
	changed[0].Target.Rev++
	if receipt, err := w.desk.Cite(t.Context(), w.clock.Now, changed...); err != nil || len(receipt.Conflicts) != 1 {
		t.Errorf("a URL that changed was corrected: %v, %v", receipt, err)
	}
	w.waits(3)
	if found, err := w.desk.Find(t.Context(), list[0].Choice.Canonical); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("a page was stored: %+v, %v", found, err)
	}
	receipt, err := w.desk.Cite(t.Context(), w.clock.Now, list...)
	if err != nil || receipt.Decided != 3 || len(receipt.Conflicts) > 0 {
		t.Fatal(receipt, err)
	}
	w.waits(0)
	for _, c := range list {
		stored, err := w.desk.Find(t.Context(), c.Choice.Canonical)
		if err != nil || len(stored) == 0 || !strings.HasPrefix(stored[0].Title, "Padrón ") {
			t.Errorf("%s: stored as %+v, %v", c.Choice.Canonical, stored, err)
		}
	}
	_, _, err = w.desk.Undo(t.Context(), 0)
	w.must(err)
	w.waits(3)
}

// waits checks how many URLs wait.
func (w *world) waits(want int) {
	w.Helper()
	if open, err := w.desk.Count(w.Context(), review.Filter{Open: true}); err != nil || open != want {
		w.Errorf("%d URLs wait, %v; want %d", open, err, want)
	}
}
