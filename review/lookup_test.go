package review_test

import (
	"testing"

	"visto/canon"
	"visto/review"
)

// A URL that equals an approved canonical URL counts as decided unless it has a decision of its own.
func TestLookup(t *testing.T) {
	d := newDesk(t)
	d.add("http://www.boe.es/", "https://www.boe.es", "http://www.boe.es/buscar/act.php?id=BOE-A-2015-10565",
		"https://www.sepe.es/prestaciones/solicitud-de-paro", "https://usuario:clave@www.dgt.es/",
		"https://www.sepe.es", "https://www.dgt.es")
	d.decide(review.Approve, "http://www.boe.es/")
	d.must(d.correct(review.Correct, "https://www.sepe.es/prestaciones/solicitud-de-paro", "https://www.sepe.es"))
	d.decide(review.Reject, "https://www.sepe.es")
	lookup, err := d.Lookup(d.Context())
	d.must(err)
	for _, tc := range []struct {
		url                string
		item               int64
		approved, accepted bool
		verdict            canon.Verdict
	}{
		{"http://www.boe.es/", 1, false, false, 0}, // settled: it is not explained
		{"https://www.boe.es", 2, true, false, 0},  // settled by the approval of item 1
		{" https://www.boe.es ", 2, true, false, 0},
		{"http://www.boe.es/buscar/act.php?id=BOE-A-2015-10565", 3, false, false, canon.Accepted},
		{"https://www.boe.es/buscar/act.php?id=BOE-A-2015-10565", 0, false, true, canon.Accepted},
		{"https://www.sepe.es", 6, false, false, 0}, // it has a decision of its own
		{"https://www.sepe.es/", 0, false, false, canon.Flagged},
		{"https://otro:otra@www.dgt.es/", 5, false, false, canon.Flagged},
		{"https://www.dgt.es", 7, false, false, canon.Flagged}, // nobody approved URL 5
		{"ftp://x", 0, false, false, canon.Rejected},
	} {
		k, err := lookup.Find(d.Context(), tc.url, "url", nil)
		d.must(err)
		var item int64
		if k.Item != nil {
			item = k.Item.ID
		}
		settled := k.Item != nil && k.Item.Decision != nil && k.Item.Decision.CanonicalOf != nil
		if item != tc.item || (k.Approved != nil || settled) != tc.approved || k.Accepted != tc.accepted ||
			k.Result.Verdict != tc.verdict {
			t.Errorf("%s: item %d, approved %v, accepted %v, %s", tc.url, item, k.Approved, k.Accepted,
				k.Result.Verdict)
		}
	}
}
