package suggest_test

import (
	"fmt"
	"testing"

	"visto/review"
	"visto/review/suggest"
)

// TestDismiss dismisses a suggestion, which comes back when twice as many pages speak for it.
func TestDismiss(t *testing.T) {
	d := newDesk(t)
	add := func(from, to int) {
		for i := from; i < to; i++ {
			d.answered(fmt.Sprintf("/t/uno-%c?plaza=1", 'a'+i), hop(fmt.Sprintf("/t/uno-%c", 'a'+i)))
		}
	}
	list := func(hosts ...string) []suggest.Suggestion {
		t.Helper()
		list, err := suggest.List(t.Context(), d, hosts)
		d.must(err)
		return list
	}
	want := func(when string, dismissed bool) {
		t.Helper()
		if list := list(); len(list) != 1 || (list[0].Dismissed != nil) != dismissed {
			t.Errorf("%s: %+v", when, list)
		}
	}
	add(0, 3)
	want("at first", false)
	d.must(suggest.Dismiss(t.Context(), d, &list()[0]))
	want("dismissed", true)
	add(3, 5)
	want("with five of six pages", true)
	add(5, 6)
	want("with six pages", false)
	d.must(suggest.Dismiss(t.Context(), d, &list()[0]))
	d.must(suggest.Restore(t.Context(), d, &list()[0]))
	want("restored", false)
	if err := suggest.Restore(t.Context(), d, &list()[0]); err == nil {
		t.Error("restored twice")
	}
	if len(list("s.gob.es")) != 1 || len(list("*.gob.es", "x.es")) != 1 || len(list("otra.gob.es")) != 0 {
		t.Error("of a host")
	}
	stale, err := suggest.IsStale(t.Context(), d)
	d.must(err)
	if stale {
		t.Error("stale after a list")
	}
	d.add(review.Found{URL: absolute("/t/uno-z?plaza=1")})
	if stale, err = suggest.IsStale(t.Context(), d); err != nil || !stale {
		t.Errorf("not stale after adding: %v", err)
	}
}

// A suggestion for several hosts is one of those on which it changes a URL.
func TestListOfHosts(t *testing.T) {
	d := newDesk(t)
	for _, host := range []string{"https://a.gob.es", "https://b.gob.es", "https://c.gob.es"} {
		for _, path := range []string{"/ver/x", "/ver/y"} {
			d.answered(host+path+"?plaza=1", hop(host+path))
		}
	}
	d.add(review.Found{URL: "https://a.gob.es/ver/z?plaza=1"}, review.Found{URL: "https://otra.gob.es/ver/x"})
	for host, want := range map[string]string{"a.gob.es": "*drop plaza on */ver 6:0\n", "otra.gob.es": ""} {
		list, err := suggest.List(t.Context(), d, []string{host})
		d.must(err)
		if got := found(list); got != want {
			t.Errorf("%s: %q", host, got)
		}
	}
}
