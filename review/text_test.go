package review_test

import (
	"testing"

	"visto/canon"
	"visto/review"
)

func TestSplitCanonical(t *testing.T) {
	for url, want := range map[string][2]string{
		"https://a.es/x/y?z=1":    {"a.es", "/x/y?z=1"},
		"https://a.es":            {"a.es", ""},
		"https://a.es:8443/x":     {"a.es", "/x"},
		"https://[2001:db8::1]/x": {"[2001:db8::1]", "/x"},
		"https://[::1]:8443/x:1":  {"[::1]", "/x:1"},
		"":                        {"", ""},
	} {
		if host, path := review.SplitCanonical(url); host != want[0] || path != want[1] {
			t.Errorf("%q: %q, %q", url, host, path)
		}
	}
}

func TestPathOf(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.es/x/y/?z=/1/": "/x/y",
		"https://a.es/x#/y":       "/x",
		"https://a.es/":           "",
		"https://a.es":            "",
	} {
		if got := review.PathOf(url); got != want {
			t.Errorf("%q: %q", url, got)
		}
	}
}

func TestPrefixPair(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     canon.Prefixes
	}{
		{"https://a.es/ca/x", "https://a.es/es/x", canon.Prefixes{From: "/ca/", To: "/es/"}},
		{"https://a.es/w/ca/x?p", "https://a.es/w/es/x", canon.Prefixes{From: "/w/ca/", To: "/w/es/"}},
		{"https://a.es/x/ca", "https://a.es/x/es", canon.Prefixes{From: "/x/ca/", To: "/x/es/"}},
		{"https://a.es/ca/tramits/x", "https://a.es/es/tramites/x",
			canon.Prefixes{From: "/ca/tramits/", To: "/es/tramites/"}},
		{"https://a.es/ca/x", "https://a.es/ca/x/", canon.Prefixes{}},
		{"https://a.es/ca/x", "https://a.es/es/x/y", canon.Prefixes{}},
		{"https://a.es/ca/x", "https://b.es/ca/x", canon.Prefixes{}},
		{"https://a.es/ca/x", "", canon.Prefixes{}},
	} {
		if got := review.PrefixPair(test.from, test.to); got != test.want {
			t.Errorf("%s, %s: %+v", test.from, test.to, got)
		}
	}
}

func TestIsSpanish(t *testing.T) {
	for tag, want := range map[string]bool{"es": true, "ES-mx": true, "est": false, "ca-ES": false, "": false} {
		if review.IsSpanish(tag) != want {
			t.Errorf("%q: %v", tag, !want)
		}
	}
}
