package probe

import (
	"strings"
	"testing"
)

// FuzzParseArchived reads any answer of an archive.
func FuzzParseArchived(f *testing.F) {
	f.Add([]byte(hasCopy))
	f.Add([]byte(`[["timestamp","original"],["20240101","https://x.es/"]]`))
	service := parseURL(availability)
	f.Fuzz(func(t *testing.T, body []byte) {
		found, err := parseArchived(body, service)
		if err != nil || found == nil {
			return
		}
		u := parseURL(found.url)
		if u == nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Errorf("%+v", found)
		}
	})
}

// FuzzHeaderLinks reads Link headers. A link that was read, written and read again must be the same.
func FuzzHeaderLinks(f *testing.F) {
	f.Add(`<x>; rel="next"; title="a\"b, c", <y>;rel=prev`)
	f.Add(`</a,b;c>;hreflang=es;rel = alternate ; anchor=x,,`)
	f.Fuzz(func(t *testing.T, value string) {
		p := linkParser{rest: value}
		for before := len(value) + 1; ; before = len(p.rest) {
			l, ok := p.next()
			if !ok {
				return
			}
			if len(p.rest) >= before {
				t.Fatalf("%q: stands still at %q", value, p.rest)
			}
			again := linkParser{rest: writeLink(l)}
			if got, ok := again.next(); !ok || got.target != l.target || got.rel != l.rel ||
				len(got.params) != len(l.params) {
				t.Fatalf("%q: %+v, written %q, is read as %+v", value, l, writeLink(l), got)
			}
		}
	})
}

func writeLink(l link) string {
	text := "<" + l.target + ">"
	for name, value := range l.params {
		text += ";" + name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	}
	return text
}
