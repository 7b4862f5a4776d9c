package probe

import (
	"net/http"
	"strings"
	"testing"

	"visto/canon"
	"visto/review/probe/testnet"
)

// TestRequestsOfAGoodPage counts what a URL costs whose servers behave well, besides robots.txt: the page and what tells
// the preferred host. A host that is preferred without a redirect costs one request more, and so does a Spanish version.
func TestRequestsOfAGoodPage(t *testing.T) {
	site := func(host string, pages map[string]http.Handler) testnet.Site {
		return testnet.Site{Host: host, Rest: page, Pages: pages}
	}
	leads := func(path, to string) map[string]http.Handler {
		return map[string]http.Handler{path: testnet.Redirect(301, to)}
	}
	answers := func(host string) testnet.Site {
		return testnet.Site{Host: host, Rest: page, Insecure: testnet.SamePages}
	}
	catalan := testnet.Page{Lang: "ca", Title: "Tràmit 55", Head: testnet.Alternates(
		"es", "https://www.a.es/es/tramite-55", "fr", "https://www.a.es/fr/acte-55", "eu", "https://www.a.es/eu/55")}
	home := leads("/", "https://www.a.es/")
	const host = ", HEAD http://a.es/, HEAD https://a.es/, HEAD https://www.a.es/" // once for all its pages
	for name, test := range map[string]struct {
		sites     []testnet.Site
		url, want string
		asked     string
	}{
		"a page": {[]testnet.Site{site("www.a.es", nil), site("a.es", home)},
			"https://www.a.es/x", "https://www.a.es/x", "GET https://www.a.es/x" + host},
		"a redirect": {[]testnet.Site{site("www.a.es", leads("/x", "/y")), site("a.es", home)},
			"https://www.a.es/x", "https://www.a.es/y",
			"GET https://www.a.es/x, GET https://www.a.es/y" + host},
		"a preferred host, by a redirect": {[]testnet.Site{site("www.a.es", nil), {Host: "a.es",
			Rest: redirectAll("https://www.a.es")}}, "https://a.es/x", "https://www.a.es/x",
			"GET https://a.es/x, GET https://www.a.es/x, HEAD http://a.es/, HEAD https://a.es/"},
		"a preferred host, without one": {[]testnet.Site{site("www.a.es", nil), answers("a.es")},
			"https://www.a.es/x", "https://a.es/x", "GET https://www.a.es/x, HEAD http://a.es/, GET https://a.es/x"},
		"a Spanish version": {[]testnet.Site{site("www.a.es", map[string]http.Handler{"/ca/tramit-55": catalan}),
			site("a.es", home)}, "https://www.a.es/ca/tramit-55", "https://www.a.es/es/tramite-55",
			"GET https://www.a.es/ca/tramit-55" + host + ", GET https://www.a.es/es/tramite-55"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, test.sites...)
			w.cfg.Policy = everyHost(t)
			ev := w.probe(t, test.url)
			if got := canon.Canonicalize(test.url, w.cfg.Policy, nil, ev).Canonical; got != test.want {
				t.Errorf("canonical %s, want %s; %+v", got, test.want, ev)
			}
			if got := w.asked(); got != test.asked {
				t.Errorf("asked %s, want %s", got, test.asked)
			}
			pages := strings.Count(test.asked, "GET ")
			w.probe(t, test.url)
			if got := w.asked(); strings.Count(got, "https://") != pages || strings.Contains(got, "HEAD") {
				t.Errorf("then asked %s, want the %d pages alone", got, pages)
			}
		})
	}
}
