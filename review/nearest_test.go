package review_test

import (
	"fmt"
	"testing"

	"visto/canon"
)

// A host or a field that no stored URL has is told with the one that was meant. Patterns, hosts on the way to a page and
// an empty database ask nothing.
func TestStrangers(t *testing.T) {
	d := newDesk(t)
	strangers := func(want string, m ...canon.Match) {
		t.Helper()
		var rules []canon.Override
		for _, match := range m {
			rules = append(rules, canon.Override{Match: match, Accept: []string{"home-page"}})
		}
		list, err := d.Strangers(t.Context(), rules...)
		d.must(err)
		if got := fmt.Sprint(list); got != want {
			t.Errorf("%v: %s, want %s", m, got, want)
		}
	}
	strangers("[]", canon.Match{Host: "sede.valenca.es"})
	d.read("a.yaml", "portal_url", "https://sede.valencia.es/a/b", "sede_url", "http://boe.es/x", "url", "https://www.dgt.es")
	strangers("[no stored URL has the host sede.valenca.es; did you mean sede.valencia.es?]",
		canon.Match{Host: "Sede.Valenca.es"}, canon.Match{Host: "sede.valenca.es", PathPrefix: "/a"})
	strangers("[no stored URL has the host dgt.ess; did you mean www.dgt.es?]", canon.Match{Host: "dgt.ess"})
	strangers("[no stored URL has the host www.otra-cosa.example]", canon.Match{Host: "www.otra-cosa.example"})
	strangers("[no stored URL has the field portal_ulr; did you mean portal_url?]", canon.Match{Field: "portal_ulr"})
	strangers("[no stored URL has the host sede.valenca.es; did you mean sede.valencia.es? "+
		"no stored URL has the field portal; did you mean portal_url?]",
		canon.Match{Field: "portal_url", Host: "sede.valenca.es"}, canon.Match{Field: "portal"})
	strangers("[]", canon.Match{Host: "*.valenca.es"}, canon.Match{Host: "*", PathPrefix: "/a"},
		canon.Match{Host: "boe.es"}, canon.Match{Host: "www.boe.es"}, canon.Match{Field: "sede_url"})
}
