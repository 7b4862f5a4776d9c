package suggest_test

import (
	"strings"
	"testing"

	"visto/canon"
	"visto/review/suggest"
)

// TestApply has URLs that a template just changes or just leaves; "" means that it leaves them.
func TestApply(t *testing.T) {
	drop := suggest.Template{Kind: suggest.DropParam, Host: "boe.es", Path: "/a/b", Params: "v"}
	anywhere := suggest.Template{Kind: suggest.DropParam, Host: "*", Params: "v"}
	move := suggest.Template{Kind: suggest.ReplaceSegment, Host: "boe.es", From: "/a/b", To: "/c"}
	id := suggest.Template{Kind: suggest.Capture, Host: "boe.es", From: "/a?id={x}", To: "/a/{x}"}
	fromRoot := suggest.Template{Kind: suggest.Capture, Host: "boe.es", From: "/?id={x}", To: "/a/{x}"}
	toRoot := suggest.Template{Kind: suggest.Capture, Host: "boe.es", From: "/a/{x}", To: "/?id={x}"}
	index := suggest.Template{Kind: suggest.IndexPage, Host: "boe.es", From: "index.php"}
	deep := "https://boe.es" + strings.Repeat("/a", 23)
	for _, test := range []struct {
		suggest.Template
		url, want string
	}{
		{drop, "https://boe.es/a/b?v=1", "https://boe.es/a/b"},
		{drop, "https://boe.es/a/b/c?V=1&v=2&w=3&v", "https://boe.es/a/b/c?w=3"},
		{drop, "https://boe.es/a/bc?v=1", ""},
		{drop, "https://boe.es/a?v=1", ""},
		{drop, "https://boe.es/aa/b?v=1", ""},
		{drop, "https://www.boe.es/a/b?v=1", ""},
		{drop, "https://boe.es:8443/a/b?v=1", ""},
		{drop, "https://boe.es/a/b?w=1", ""},
		{anywhere, "https://boe.es/?v=1", "https://boe.es"},
		{anywhere, "https://boe.es/?v=1&a", "https://boe.es/?a"},
		{move, "https://boe.es/a/b/x?v=1", "https://boe.es/c/x?v=1"},
		{move, "https://boe.es/a/b", ""},
		{move, "https://boe.es/a/bb/x", ""},
		{move, "http://boe.es/a/b/x", ""},
		{id, "https://boe.es/a?v=1&id=2", "https://boe.es/a/2?v=1"},
		{id, "https://boe.es/a?id=1&id=2", ""},
		{id, "https://boe.es/a?id=", ""},
		{id, "https://boe.es/a?id=1%2F2", ""},
		{id, "https://boe.es/a/b?id=1", ""},
		{fromRoot, "https://boe.es/?id=1&v=2", "https://boe.es/a/1?v=2"},
		{fromRoot, "https://boe.es/a?id=1", ""},
		{toRoot, "https://boe.es/a/1?v=2", "https://boe.es/?id=1&v=2"},
		{toRoot, "https://boe.es/a", ""},
		{index, "https://boe.es/index.php", ""},
		{suggest.Template{Kind: suggest.Extension, Host: "boe.es", From: ".html"}, "https://boe.es/.html", ""},
		{index, deep + "/index.php", deep}, {index, deep + "/a/index.php", ""},
		{suggest.Template{Kind: suggest.Extension, Host: "boe.es", From: ".html"}, "https://boe.es/a.html.html", ""},
	} {
		got, changes := test.Apply(test.url)
		if changes != (test.want != "") || changes && got != test.want {
			t.Errorf("%s: %s becomes %s, %v", test.Template, test.url, got, changes)
		}
	}
}

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
		{"https://boe.es/a/1", "https://boe.es/?id=1"}, {"https://boe.es/?id=1", "https://boe.es/a/1"},
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
