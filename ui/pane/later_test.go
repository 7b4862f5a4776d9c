package pane

import (
	"testing"

	"visto/canon"
)

func TestLater(t *testing.T) {
	rule := func(field, host string) canon.Override {
		return canon.Override{Match: canon.Match{Field: field, Host: host}}
	}
	for _, test := range []struct {
		rules []canon.Override
		want  string
	}{
		{nil, ""},
		{[]canon.Override{rule("", "boe.es")}, "and every later URL on boe.es"},
		{[]canon.Override{rule("a", ""), rule("b", ""), rule("c", ""), rule("d", "")},
			"and every later URL of field a, b, c, d, on any host"},
		{[]canon.Override{rule("a", "boe.es"), rule("b", "")},
			"and every later URL of field a, on boe.es, or of field b, on any host"},
		{[]canon.Override{rule("", "a.es"), rule("", "b.es"), rule("", "c.es"), rule("", "d.es")},
			"and every later URL that one of the 4 rules matches"},
	} {
		if got := Later(test.rules); got != test.want {
			t.Errorf("%v: %q, want %q", test.rules, got, test.want)
		}
	}
}
