package canon_test

import (
	"strings"
	"testing"

	"visto/canon"
)

// A rule for hosts that anybody can register trusts none of them. One for a named host, or for those below a domain that
// somebody owns, may.
func TestDoors(t *testing.T) {
	for _, tt := range []struct {
		match canon.Match
		open  bool
	}{
		{canon.Match{Field: "portal_url"}, true},
		{canon.Match{Field: "portal_url", Host: "boe.es"}, true},
		{canon.Match{Host: "*", PathPrefix: "/sta"}, true},
		{canon.Match{Host: "*.es"}, true},
		{canon.Match{Host: "*.ES"}, true},
		{canon.Match{Host: "*.com", PathPrefix: "/a"}, true},
		{canon.Match{Host: "*.gob.es"}, true},
		{canon.Match{Host: "*.blogspot.com"}, true},              // of the private section
		{canon.Match{Host: "*.github.io"}, true},                 //
		{canon.Match{Host: "*.ck"}, true},                        // each domain below it is a suffix
		{canon.Match{Host: "*.kawasaki.jp"}, true},               //
		{canon.Match{Host: "*.xn--55qx5d.cn"}, true},             // in wire form
		{canon.Match{Host: "*.公司.cn"}, true},                     //
		{canon.Match{Host: "*.noexiste"}, true},                  // the list has no such domain
		{canon.Match{Host: "*.gencat.cat"}, false},               //
		{canon.Match{Host: "*.sede.gob.es"}, false},              //
		{canon.Match{Host: "*.villa.blogspot.com"}, false},       //
		{canon.Match{Host: "villa.blogspot.com"}, false},         //
		{canon.Match{Host: "boe.es", PathPrefix: "/x"}, false},   //
		{canon.Match{Host: "gob.es"}, false},                     // one host
		{canon.Match{Host: "www.ayto-villa.example.com"}, false}, //
	} {
		for _, flags := range [][]string{{"off-allowlist"}, {"home-page", "suspicious-host"}} {
			o := canon.Override{Match: tt.match, Accept: flags}
			if open := o.Doors() != 0; open != tt.open {
				t.Errorf("%s accepts %s: a door %t, want %t", tt.match, flags, open, tt.open)
			}
		}
		if o := (canon.Override{Match: tt.match, Accept: []string{"home-page"}}); o.Doors() != 0 {
			t.Errorf("%s accepts home-page: it is no door", tt.match)
		}
	}
}

func TestDoorError(t *testing.T) {
	for match, want := range map[canon.Match]string{
		{Field: "portal_url"}:                   "of field portal_url, on any host",
		{Field: "portal_url", Host: "boe.es"}:   "of field portal_url, on boe.es",
		{Host: "*", PathPrefix: "/sta"}:         "on any host, under /sta",
		{Host: "*.es", PathPrefix: "/tramites"}: "on any host below es, under /tramites",
		{Host: "boe.es"}:                        "on boe.es",
	} {
		if got := match.Reach(); got != want {
			t.Errorf("%s reaches %q, want %q", match, got, want)
		}
		err := &canon.DoorError{Match: match, Flags: canon.SetOf(canon.OffAllowlist, canon.SuspiciousHost)}
		if got := err.Error(); !strings.Contains(got, "off-allowlist and suspicious-host") || !strings.Contains(got, want) {
			t.Errorf("the error is %q", got)
		}
	}
}

// A prefix that is no path at all leaves a rule for host "*" without one.
func TestAnywhereNeedsARealPath(t *testing.T) {
	for _, prefix := range []string{"/", "//", "/.", "/./", "/x/..", "/%2e", "/a/../"} {
		o := canon.Override{Match: canon.Match{Host: "*", PathPrefix: prefix}, Accept: []string{"home-page"}}
		if _, err := o.Check(); err == nil {
			t.Errorf("a rule for * under %q accepts the home pages of all hosts", prefix)
		}
		o.Accept, o.DropQueryParams = nil, []string{"gclid"}
		if key, err := o.Check(); err != nil {
			t.Errorf("a rule for * under %q cannot drop gclid: %s: %v", prefix, key, err)
		}
	}
}
