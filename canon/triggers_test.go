package canon

import (
	"strings"
	"testing"
)

// TestDueSteps checks which steps the fast scan makes due. A needless step is only slow, so no other test sees it.
func TestDueSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	for _, c := range []struct{ policy, url, due string }{
		{"clara", "https://www.boe.es/a/b/c", "classify"},
		{"clara", "http://www.boe.es/a/b/c", "scheme classify"},
		{"clara", "HTTPS://www.boe.es/a/b/c", "scheme classify"},
		{"clara", "hTTp://www.boe.es/a/b/c", "scheme classify"},
		{"clara", "https://WWW.boe.es/a/b/c", "host classify"},
		{"clara", "https://boe.es/a/b/c", "www classify"},
		{"clara", "https://www.example.com/a/b/c", "redirects classify"},
		{"clara", "https://bit.ly/abc", "redirects classify"},
		{"clara", "https://www.b0e.es/a/b/c", "host redirects classify"},
		{"clara", "https://www.boe.es", "classify"},
		{"clara", "https://www.boe.es/", "path classify"},
		{"clara", "https://www.boe.es?id=1", "path classify"},
		{"clara", "https://www.boe.es/a/b/", "path classify"},
		{"clara", "https://www.boe.es/a//b", "classify"},
		{"clara", "https://www.boe.es/a/./b", "session path language classify"},
		{"clara", "https://www.boe.es/(S(x))/b", "session path language classify"},
		{"clara", "https://www.boe.es/a;b=1/c", "session path language classify"},
		{"clara", "https://www.boe.es/a/%41/c", "path language classify"},
		{"clara", "https://www.boe.es/a/%2c/c", "path classify"},
		{"clara", "https://www.boe.es/a/%2/c", "path classify"},
		{"clara", "https://www.boe.es/a/%C3%B3/c", "path classify"},
		{"clara", "https://www.boe.es/a/%2C%20%252F/c", "classify"},
		{"clara", "https://www.boe.es/a%3Bb=1/c", "session language classify"},
		{"clara", "https://www.boe.es/%28S(x))/b", "session language classify"},
		{"clara", "https://www.boe.es/a/b/c?id=%3A%2F%2F", "classify"},
		{"clara", "https://www.boe.es/a/b/c?id=%3a", "path classify"},
		{"clara", "https://www.boe.es/a/b/c?id=%C3%B3", "path classify"},
		{"clara", "https://www.boe.es/a/b/c?id=%61", "path classify"},
		{"clara", "https://www.boe.es/a/b/c?id=1%3Bsid", "session classify"},
		{"clara", "https://www.boe.es/a/b/c?id%3D1", "session tracking classify"},
		{"clara", "https://www.boe.es/a b/c", "path classify"},
		{"clara", "https://www.boe.es/ca/a/b", "language classify"},
		{"clara", "https://www.boe.es/es-ES/a/b", "language classify"},
		{"clara", "https://www.boe.es/cat-alan/b", "language classify"},
		{"clara", "https://www.boe.es/ru/a/b", "language classify"},
		{"clara", "https://www.boe.es/zh-CN/a/b", "language classify"},
		{"clara", "https://www.boe.es/a/uk/b", "classify"},
		{"clara", "https://www.boe.es/a/zh-CN/b", "classify"},
		{"clara, languages: {}", "https://www.boe.es/ru/a/b", "classify"},
		{"clara", "https://www.boe.es/a/b/c#", "fragment classify"},
		{"clara", "https://www.boe.es/a/b/c#x", "fragment classify"},
		{"clara", "https://www.boe.es/a/b/c?", "path classify"},
		{"clara", "https://www.boe.es/a/b/c?&id=1", "path classify"},
		{"clara", "https://www.boe.es/a/b/c?id=1", "classify"},
		{"clara", "https://www.boe.es/a/b/c?id=1&tipo=2", "classify"},
		{"clara", "https://www.boe.es/a/b/c?utm_source=1", "tracking classify"},
		{"clara", "https://www.boe.es/a/b/c?jsessionid", "session classify"},
		{"clara", "https://www.boe.es/a/b/c?p=2", "pagination classify"},
		{"clara", "https://www.boe.es/a/b/c?lang=es", "language classify"},
		{"clara", "https://www.boe.es/a/b/c?plaza=1", "tracking classify"},
		{"clara", "https://www.boe.es/a/b/c?id=a b", "path classify"},
		{"clara", "https://www.boe.es/a/b/c?i d=1", "tracking path classify"},
		{"clara", "https://www.boe.es:443/a", "parse scheme host redirects www override query classify"},
		{"clara", "https://ana@www.boe.es/a", "parse scheme host redirects www override query classify"},
		{"clara", "https://www.boe.es\\a", "parse scheme host redirects www override query classify"},
		{"clara", "https://www.boe.es/a\\b", "parse scheme host redirects www override query classify"},
		{"clara", "https://www.boe.es/a?b\tc", "parse scheme host tracking redirects www override query classify"},
		{"clara", "https://www.boe.es/a?b=c\td", "parse scheme host tracking redirects www override query classify"},
		{"clara", "https://www.boe.es/a#b\tc", "parse scheme host fragment redirects www override query classify"},
		{"clara", "https://www.boe.es:8443/ca/a/?p=2",
			"parse scheme host path redirects www override language pagination query classify"},
		{"clara", "https:///a", "all"},
		{"clara", "https:/www.boe.es/a", "parse scheme host redirects www override query classify"},
		{"clara", "www.boe.es/a", "parse scheme host redirects www override query classify"},
		{"clara", "https://a/b", "all"},
		{"clara", "https://a.example/b", "redirects classify"},
		{"clara", "https://127.1/a", "all"},
		{"clara", "https://xn--a/b", "all"},
		{"rfc3986", "https://example.com/a?b=1", ""},
		{"rfc3986", "http://example.com/A/b", ""},
		{"rfc3986", "http://example.com/ru/b", ""},
		{"rfc3986", "https://example.com", "path"},
		{"rfc3986", "https://example.com/a/", "path"},
		{"rfc3986", "https://example.com/a#b", "fragment"},
		{"aggressive", "https://example.com/a", "all"},
		{"aggressive", "http://example.com/a", "all"},
		{"aggressive", "http://example.com/a?b=1", "all"},
		{"curious-now-v0", "https://example.com/a//b", "path"},
		{"curious-now-v0", "https://example.com/a?b=1", "query"},
		{"curious-now-v0", "https://example.com", "path"},
		{"fetch-guidelines", "https://example.com/a?b=1", "query"},
		{"fetch-guidelines", "http://example.com/a", ""},
		{"clara, trailing_slash: always", "https://www.boe.es/a/b/c", "path classify"},
		{"clara, trailing_slash: always", "https://www.boe.es/a/b/", "path classify"},
		{"clara, classify: false, flag_unknown_params: false", "https://www.boe.es/a/b/c?plaza=1", ""},
		{"clara, classify: false, flag_unknown_params: false", "http://www.boe.es/a/b/c", "scheme"},
		{"clara, classify: false, default_values: {a: b}", "https://www.boe.es/a?id=1", "query"},
		{"clara, classify: false, default_values: {a: b}", "https://www.boe.es/a", ""},
		{"clara, classify: false, allowed_query_params: [id]", "https://www.boe.es/a?id=1", "query"},
		{"clara, classify: false, escape_query_values: true", "https://www.boe.es/a?id=1", "query"},
		{"clara, scheme: keep", "http://www.boe.es/a/b/c", "classify"},
		{"clara, lowercase_paths: true", "https://www.boe.es/a", "all"},
		{"clara, remove_index_pages: true", "https://www.boe.es/a", "all"},
		{"clara, scheme: base, public_base_url: 'http://www.boe.es'", "https://www.boe.es/a/b/c", "scheme classify"},
		{"clara, scheme: base, public_base_url: 'http://www.boe.es'", "http://www.boe.es/a/b/c", "scheme classify"},
		{"clara, public_base_url: 'http://www.boe.es/a'", "https://www.boe.es/a/b/c", "all"},
		{"seoslug, canonical_host: example.com", "https://example.com/a", "all"},
	} {
		p, err := ParsePolicy(PolicyFile{Name: "p.yaml", Data: []byte("{extends: " + c.policy + "}")})
		if err != nil {
			t.Fatal(err)
		}
		r := newRun(p, nil)
		r.start(c.url, nil, everyStep)
		r.stepParse()
		var due []string
		for i, s := range pipeline {
			if r.due>>i&1 == 1 {
				due = append(due, s.id)
			}
		}
		got := strings.Join(due, " ")
		if len(due) == len(pipeline) {
			got = "all"
		}
		if got != c.due {
			t.Errorf("%s, %s: due are %q, want %q", c.policy, c.url, got, c.due)
		}
	}
}
