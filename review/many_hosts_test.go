package review_test

import (
	"fmt"
	"testing"

	"visto/canon"
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
