package cause_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
	"visto/review/health"
	"visto/review/probe"
)

// breaks checks the URLs, which are gone.
func (d *desk) breaks(urls ...string) {
	d.Helper()
	at := time.Date(2026, 3, 2, 3, 0, 0, 0, time.UTC)
	for _, u := range urls {
		report := probe.Report{Target: probe.Target{URL: u}, Evidence: &canon.Evidence{Status: 410}}
		_, err := d.KeepCheck(d.Context(), d.item(u).ID, report, at)
		d.must(err)
	}
}

// Spec 16: "More than half of a domain's URLs failing: one cause, not many". A domain is a host with and without www.,
// as in a summary of the links. Pending and rejected URLs are not cited, so they count neither way.
func TestMostOfADomainFails(t *testing.T) {
	d := newDesk(t)
	pages := func(host string, n int) (urls []string) {
		for i := range n {
			urls = append(urls, fmt.Sprintf("https://%s/tramites/lista-de-cosas/%d", host, i))
		}
		return urls
	}
	dark, half, one := pages("dark.gob.es", 4), pages("half.gob.es", 4), pages("one.gob.es", 1)
	split := slices.Concat(pages("split.gob.es", 2), pages("www.split.gob.es", 3))
	d.add(slices.Concat(dark, half, one, split)...)
	d.add("https://dark.gob.es/", "https://half.gob.es/")
	d.decide(review.Reject, dark[3])
	d.breaks(slices.Concat(dark[:2], half[:2], one, split[:2], split[3:4])...)
	d.breaks("https://half.gob.es/")
	is := func(when string, f review.Filter, want string) {
		t.Helper()
		var got []string
		for _, c := range d.causes(f) {
			if c.Flag == canon.LinkBroken {
				got = append(got, c.String())
				if s := d.examine(c).Cause; s.Site != c.Site {
					t.Errorf("%s: the study of %s has %+v", when, c, s.Site)
				}
			}
		}
		slices.Sort(got)
		if strings.Join(got, "\n") != want {
			t.Errorf("%s:\n%s\nwant\n%s", when, strings.Join(got, "\n"), want)
		}
	}
	is("broken", review.Filter{}, "link-broken on dark.gob.es: 2 of its 3 URLs fail\nlink-broken on half.gob.es\n"+
		"link-broken on one.gob.es\nlink-broken on split.gob.es and www.split.gob.es: 3 of its 5 URLs fail")
	is("under a filter", review.Filter{Search: dark[0]}, "link-broken on dark.gob.es: 2 of its 3 URLs fail")
	s := d.study("link-broken on dark.gob.es: 2 of its 3 URLs fail")
	if narrow := s.Cause.Narrow("/tramites"); strings.Contains(narrow.String(), "fail") || !narrow.Within(s.Cause.
		Narrow("/tramites")) {
		t.Errorf("narrowed: %s", narrow)
	}
	accept := s.Fixes[slices.IndexFunc(s.Fixes, func(f cause.Fix) bool { return f.Kind == cause.FixAccept })]
	_, err := d.DecideAll(t.Context(), review.Choice{Kind: accept.Decision}, accept.Only)
	d.must(err)
	if it := d.item(dark[0]); it.Open() || it.LinkState() != health.Inactive {
		t.Errorf("accepted: open %v, %s", it.Open(), it.LinkState())
	}
	is("accepted", review.Filter{AtHosts: []string{"dark.gob.es"}}, "")
}

// Spec 16: flags of links open approved and accepted URLs. A pending one waits anyway, so they are no cause of it; but
// once a rule accepts it they open it, for nobody has looked at the page. So such a rule does not settle it.
func TestLinkFlagsOfPendingURLs(t *testing.T) {
	d := newDesk(t)
	const fine, broken = "https://a.gob.es/", "https://a.gob.es/inicio"
	const param = "https://a.gob.es/t/lista-de-cosas?rara=1"
	d.add(fine, broken, param)
	d.breaks(broken, param)
	for _, want := range []struct {
		name    string
		n, sole int
	}{{"home-page on a.gob.es", 2, 1}, {"unknown-param rara on a.gob.es", 1, 0}} {
		c := d.study(want.name).Cause
		listed := d.causes(c.Filter())
		i := slices.IndexFunc(listed, c.Same)
		if c.N != want.n || c.Sole != want.sole || listed[i] != c {
			t.Errorf("%s: studied %d and %d alone, listed %d and %d", want.name, c.N, c.Sole, listed[i].N,
				listed[i].Sole)
		}
	}
	for _, c := range d.causes(review.Filter{}) {
		if c.Flag == canon.LinkBroken {
			t.Errorf("a cause of pending URLs: %s", c)
		}
	}
	d.save(d.study("home-page on a.gob.es").Fixes[0].Rules...)
	if it := d.item(fine); it.Open() {
		t.Error("the rule does not settle the URL without another flag")
	}
	if it := d.item(broken); !it.Open() || it.Status != review.Accepted || it.Computed.Flags !=
		canon.SetOf(canon.LinkBroken) {
		t.Errorf("under the rule: %s, open %v, %v", it.Status, it.Open(), it.Computed.Flags.Codes())
	}
	if s := d.study("link-broken on a.gob.es"); s.Cause.N != 1 {
		t.Errorf("under the rule: %+v", s.Cause)
	}
	d.decide(review.Approve, param)
	if it := d.item(param); it.Open() {
		t.Errorf("a person saw the page and approved it, and it waits: %v", it.Computed.Flags.Codes())
	}
}
