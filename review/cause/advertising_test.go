package cause_test

import (
	"fmt"
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
)

// advertised are URLs with identifiers of advertising, and with other parameters.
var advertised = []string{
	"https://uno.ejemplo.gob.es/a/b/ficha-1?gbraid=1", "https://uno.ejemplo.gob.es/a/b/ficha-2?gbraid=1&msclkid=2",
	"https://dos.ejemplo.gob.es/a/b/ficha-3?msclkid=1", "https://dos.ejemplo.gob.es/a/b/ficha-4?gbraid=1&plaza=2",
	"https://tres.ejemplo.gob.es:8443/a/b/ficha-5?gbraid=1", "https://tres.ejemplo.gob.es/a/b/ficha-6?plaza=2",
	"https://dos.ejemplo.gob.es/a/b/ficha-7?mtm_*=1",
}

const ofAdvertising = "unknown-param of advertising: gbraid, msclkid (3 hosts)"

// Spec 2 and 6: the identifiers of advertising on all hosts are one cause, which one rule settles.
func TestAdvertisingIsOneCause(t *testing.T) {
	d := newDesk(t)
	d.add(advertised...)
	all := d.causes(review.Filter{})
	listed := all[slices.IndexFunc(all, func(c cause.Cause) bool { return c.Kind == cause.ByAdvertising })]
	s := d.study(ofAdvertising)
	if listed.N != 5 || listed.Sole != 3 || s.Cause.N != 5 || s.Cause.Sole != 3 || s.Settles != 3 {
		t.Errorf("%d URLs, settles %d %d", s.Cause.N, s.Cause.Sole, s.Settles)
	}
	under := []review.Bucket{{Value: "gbraid", N: 4}, {Value: "msclkid", N: 2}}
	if !slices.Equal(s.Under, under) {
		t.Errorf("narrows to %v", s.Under)
	}
	want := []string{
		"drop gbraid, msclkid on all hosts [gbraid marks visitors for Google Ads, clicks from iOS apps (Google Ads help) " +
			"msclkid marks visitors for Microsoft Advertising (Microsoft Advertising help, auto-tagging)] true",
		"reject the 5 URLs [] false"}
	var got []string
	for _, f := range s.Fixes {
		got = append(got, fmt.Sprint(f.Title, " ", f.Reasons, " ", f.Recommended))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("fixes\n\t%q\nwant\n\t%q", got, want)
	}
	rule := s.Fixes[0].Rules
	if len(rule) != 1 || rule[0].Match != (canon.Match{Host: "*"}) {
		t.Fatalf("rules %+v", rule)
	}
	d.save(rule...)
	for _, u := range d.items(review.Filter{}) {
		if names := cause.NamesOf(u.Computed.Unknown...); !names.Within([]string{"plaza", "mtm_*"}) {
			t.Errorf("%s still has %s", u.Canonical(), names)
		}
	}
	if open := d.items(review.Filter{Open: true}); len(open) != 4 {
		t.Errorf("%d URLs are open", len(open))
	}
}

// A rule for one identifier leaves the others.
func TestOneIdentifierOfAdvertising(t *testing.T) {
	d := newDesk(t)
	d.add(advertised...)
	s := d.examine(d.study(ofAdvertising).Cause.Narrow("msclkid"))
	if s.Cause.N != 2 || s.Cause.Sole != 1 || s.Fixes[0].Title != "drop msclkid on all hosts" {
		t.Errorf("%d URLs, settles %d, %s", s.Cause.N, s.Cause.Sole, s.Fixes[0].Title)
	}
	d.save(s.Fixes[0].Rules...)
	d.study("unknown-param of advertising: gbraid (3 hosts)")
}

// On one host alone the cause of the host is enough, and no path has a cause besides.
func TestAdvertisingElsewhere(t *testing.T) {
	d := newDesk(t)
	d.add(advertised[:2]...)
	for _, c := range d.causes(review.Filter{}) {
		if c.Kind != cause.ByHost {
			t.Errorf("%s", c)
		}
	}
	d.add(advertised[2:]...)
	for _, c := range d.causes(review.Filter{}) {
		if c.Kind == cause.ByPath && c.Params != cause.NamesOf("plaza") {
			t.Errorf("%s", c)
		}
	}
}

// A page that names itself with the identifier is a reason against the list.
func TestPagesAgainstAdvertising(t *testing.T) {
	d := newDesk(t)
	d.add(advertised...)
	const url = "https://uno.ejemplo.gob.es/a/b/ficha-8?gbraid=1"
	d.addFound(review.Found{URL: url, Evidence: evidence(func(ev *canon.Evidence) { ev.RelCanonical = url })})
	drop := d.study(ofAdvertising).Fixes[0]
	if drop.Recommended || !slices.Equal(drop.Reasons, []string{"advertising, but 1 page speaks against it"}) {
		t.Errorf("%v %q", drop.Recommended, drop.Reasons)
	}
}
