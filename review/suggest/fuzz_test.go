package suggest_test

import (
	"testing"

	"visto/canon"
	"visto/review/suggest"
)

// FuzzDerive checks that each template of a pair of canonical URLs makes the second of the first, and that so does its
// override in package canon, if it reaches a fixed point.
func FuzzDerive(f *testing.F) {
	for _, pair := range [][2]string{
		{"https://boe.es/a?v=1&id=2", "https://boe.es/a?id=2"}, {"https://boe.es/web/a/x", "https://boe.es/a/x"},
		{"https://boe.es/a/x", "https://boe.es/web/a/x"}, {"https://boe.es/ca/a", "https://boe.es/es/a"},
		{"https://boe.es/A/a", "https://boe.es/a/a"}, {"https://viejo.es/?a=1", "https://boe.es/?a=1"},
		{"https://boe.es/?a&a=&%61=3&b", "https://boe.es/?b"}, {"https://boe.es/a?%26=1", "https://boe.es/a"},
		{"https://boe.es/a/a/a", "https://boe.es/a/a"}, {"https://boe.es/a?*=1", "https://boe.es/a"},
		{"https://boe.es/a?%97=1", "https://boe.es/a"},
		{"https://boe.es/p?a=1&b=2", "https://boe.es/p"}, {"https://boe.es/a;x=1/b/c", "https://boe.es/b/c"},
		{"https://boe.es/story?id=1&a=2", "https://boe.es/story_1?a=2"},
		{"https://boe.es/a/x.html", "https://boe.es/a/x"},
		{"https://boe.es/a/v-1", "https://boe.es/a?id=1"}, {"https://boe.es/a/index.html", "https://boe.es/a"},
	} {
		f.Add(pair[0], pair[1])
	}
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		suggest.Find([]suggest.Page{{URL: a, Final: b, Canonical: b, Approved: a}, {URL: b, SHA256: "x"}}, nil)
		a, b = canon.Canonicalize(a, policy, nil, nil).Canonical, canon.Canonicalize(b, policy, nil, nil).Canonical
		for _, s := range suggest.Derive(a, b) {
			if got, changes := s.Apply(a); got != b || !changes {
				t.Errorf("%s makes %s of %s, not %s", s.Template, got, a, b)
			}
			rule := s.Override()
			if key, err := rule.Check(); err != nil {
				t.Fatalf("%s: %s: %v", s.Template, key, err)
			}
			if canon.CheckFixedPoint(policy, []canon.Override{rule}, []string{a, b}) != nil {
				continue
			}
			set, err := canon.CompileOverrides([]canon.Override{rule})
			if err != nil {
				t.Fatal(err)
			}
			if got := canon.Canonicalize(a, policy, set, nil).Canonical; got != b {
				t.Errorf("the rule for %s makes %s of %s, not %s", s.Template, got, a, b)
			}
		}
	})
}
