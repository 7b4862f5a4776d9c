package candidate_test

import (
	"strings"
	"testing"

	"visto/review/candidate"
)

// A page is clear if it fits well, leads by far, and has no flag.
func TestClear(t *testing.T) {
	scored := func(scores ...float64) (list []candidate.Candidate) {
		for _, s := range scores {
			list = append(list, candidate.Candidate{URL: "https://villa.gob.es/padron", Score: s})
		}
		return list
	}
	flagged := scored(30)
	flagged[0].Flags = []string{"section-page"}
	for _, c := range []struct {
		list []candidate.Candidate
		why  string
	}{
		{scored(16, 10, 9.9), ""}, {scored(16), ""},
		{nil, "nothing was found"},
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
