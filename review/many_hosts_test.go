package review_test

import (
	"fmt"
	"runtime"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
)

// Evidence may come for any number of hosts at once, as add --evidence reads it (spec 7: host evidence concerns every
// URL on the host): for the URLs that it came with and for the stored ones.
func TestEvidenceOfManyHosts(t *testing.T) {
	const hosts = 2000
	d := newDesk(t)
	no := false
	for round, ev := range []*canon.Evidence{nil, {Status: 200, HTTPS: &no}} {
		found := make([]review.Found, hosts)
		for i := range found {
			found[i] = review.Found{URL: fmt.Sprintf("https://h%d.gob.es/a/b/c-%d", i, round), Evidence: ev}
		}
		d.addFound(found...)
	}
	if n := len(d.items(review.Filter{Flags: canon.SetOf(canon.HTTPOnly)})); n != 2*hosts {
		t.Errorf("%d URLs are kept http, want %d", n, 2*hosts)
	}
	d.sound()
}

// Host evidence of a URL counts for that URL alone until it is stored (spec 7), and costs no copy of all that is known.
func TestEvidenceAmongManyHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	hosts, urls := 5000, suite.Rounds(250, 1000)
	d := newDesk(t)
	yes, no := true, false
	known := make([]review.Found, hosts)
	for i := range known {
		url := fmt.Sprintf("https://h%d.gob.es/a/b/c-d", i)
		known[i] = review.Found{URL: url, Evidence: &canon.Evidence{HTTPS: &yes}}
	}
	d.addFound(known...)
	found := make([]review.Found, 0, 2*urls)
	for i := range urls {
		host := fmt.Sprintf("h%d.gob.es", i)
		for path, about := range map[string]string{"/a/b/e-f": host, "/a/b/g-h": "other.gob.es"} {
			news := &canon.Evidence{Hosts: canon.Hosts{about: {HTTPS: &no}}}
			found = append(found, review.Found{URL: "https://" + host + path, Evidence: news})
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report := d.addFound(found...)
	runtime.ReadMemStats(&after)
	if report.Flagged != urls || report.Accepted != urls {
		t.Errorf("%+v, want %d of each", report, urls)
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / uint64(2*urls); each > 100_000 {
		t.Errorf("%d bytes are allocated for each URL", each)
	}
	if n := len(d.items(review.Filter{Flags: canon.SetOf(canon.HTTPOnly)})); n != 3*urls {
		t.Errorf("%d URLs are kept http, want %d", n, 3*urls)
	}
}
