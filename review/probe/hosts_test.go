package probe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review/probe/testnet"
)

// world is a test internet, with the configuration of a prober that reaches it.
type world struct {
	net   *testnet.Net
	clock *fakeClock
	cfg   Config
}

func newWorld(t *testing.T, sites ...testnet.Site) *world {
	t.Helper()
	clock := newFakeClock()
	n, err := testnet.Start(sites, testnet.Options{Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return &world{net: n, clock: clock, cfg: Config{Clock: clock, Resolver: n, RootCAs: n.Roots(),
		Cache: NewMemoryCache(), ConnectTo: must(ParseConnectTo(n.ConnectTo()...))}}
}

// probe returns the evidence for a URL, from a prober of its own.
func (w *world) probe(t *testing.T, url string) *canon.Evidence {
	t.Helper()
	return probeOne(t, proberFor(t, w.cfg), url).Evidence
}

// asked returns the requests to the hosts since the last call, without those for robots.txt.
func (w *world) asked(hosts ...string) string {
	defer w.net.Log().Clear()
	var list []string
	for _, r := range w.net.Log().Requests(hosts...) {
		if r.Target != "/robots.txt" {
			list = append(list, r.String())
		}
	}
	return strings.Join(list, ", ")
}

var page = testnet.Page{Lang: "es", Title: "Ayuda"}

// redirectAll redirects every path to the same path on another origin.
func redirectAll(origin string) http.Handler { return testnet.MovedTo(origin) }

// TestPreferredHost looks up the preferred host once per domain.
func TestPreferredHost(t *testing.T) {
	home := func(h http.Handler) map[string]http.Handler { return map[string]http.Handler{"/": h} }
	w := newWorld(t,
		testnet.Site{Host: "a.es", Rest: page, Pages: home(redirectAll("https://www.a.es"))},
		testnet.Site{Host: "www.a.es", Rest: page},
		testnet.Site{Host: "www.only-www.es", Rest: page},
		testnet.Site{Host: "sede.b.es", Rest: page, Pages: home(redirectAll("https://www.b.es"))},
		testnet.Site{Host: "www.b.es", Rest: page},
		testnet.Site{Host: "sede.c.es", Rest: page, Pages: home(redirectAll("https://www.sede.c.es"))},
		testnet.Site{Host: "www.sede.c.es", Rest: page},
		testnet.Site{Host: "broken-home.es", Rest: page, Pages: home(testnet.Gone(500))},
		testnet.Site{Host: "no-home.es", Rest: page, Pages: home(testnet.Gone(404))},
		testnet.Site{Host: "circle.es", Rest: page, Pages: home(testnet.Redirect(302, "/"))},
		testnet.Site{Host: "shut-home.es", Rest: page, Robots: testnet.Robots("User-agent: *", "Disallow: /$")},
	)
	w.cfg.Policy = everyHost(t)
	for _, test := range []struct{ url, bare, prefers string }{
		{"https://a.es/x", "a.es", "www.a.es"},
		{"https://www.only-www.es/x", "only-www.es", "www.only-www.es"},
		// a subdomain's home page may redirect elsewhere, its other pages stay
		{"https://sede.b.es/x", "sede.b.es", ""},
		{"https://sede.c.es/x", "sede.c.es", "www.sede.c.es"},
		{"https://broken-home.es/x", "broken-home.es", ""},
		{"https://no-home.es/x", "no-home.es", "no-home.es"},
		{"https://circle.es/x", "circle.es", ""},
		{"https://shut-home.es/x", "shut-home.es", ""},
	} {
		ev := w.probe(t, test.url)
		if got := ev.Hosts[test.bare].PreferredHost; ev.Title != "Ayuda" || got != test.prefers {
			t.Errorf("%s prefers %q, want %q (%s)", test.bare, got, test.prefers, ev.Error)
		}
	}
	w.asked()
	p := proberFor(t, w.cfg)
	probeOne(t, p, "https://www.a.es/y")
	if got := w.asked(); got != "GET https://www.a.es/y" {
		t.Errorf("the domain is known, and was asked for %s", got)
	}
	w.clock.Sleep(t.Context(), DefaultHostTTL)
	probeOne(t, p, "https://www.a.es/y")
	if got := w.asked(); !strings.Contains(got, "HEAD http://a.es/, HEAD https://a.es/, HEAD https://www.a.es/") {
		t.Errorf("the domain is no longer known, and was asked for %s", got)
	}
	for range 2 {
		probeOne(t, p, "https://broken-home.es/y")
	}
	if got := w.asked(); strings.Count(got, "/y") != 2 || strings.Count(got, "HEAD http://broken-home.es/,") != 1 {
		t.Errorf("a home page that is broken was asked for %s", got)
	}
}

// everyHost is the default policy without its allowlist.
func everyHost(t *testing.T) *canon.Policy {
	t.Helper()
	p, err := canon.ParsePolicy(canon.PolicyFile{Name: "all.yaml", Data: []byte("allowlist: []\n")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestHTTPSKept does not ask a host without HTTPS for it again until the fact is too old.
func TestHTTPSKept(t *testing.T) {
	site := testnet.Site{Host: "a.gob.es", Rest: page, Insecure: testnet.SamePages, Security: testnet.ClosedSecure}
	w := newWorld(t, site)
	for range 2 {
		if ev := w.probe(t, "https://a.gob.es/x"); ev.HTTPS == nil || *ev.HTTPS || ev.Asked != "http://a.gob.es/x" ||
			ev.Title != "Ayuda" {
			t.Fatalf("%+v", ev)
		}
	}
	later := newWorld(t, testnet.Site{Host: "a.gob.es", Rest: page})
	later.cfg.Cache, later.cfg.Clock = w.cfg.Cache, w.cfg.Clock
	ev := later.probe(t, "https://a.gob.es/x")
	if ev.HTTPS == nil || !*ev.HTTPS || ev.FinalURL != "https://a.gob.es/x" {
		t.Errorf("it has HTTPS since, redirects to it, and is said to have none: %+v", ev)
	}
	w.clock.Sleep(t.Context(), DefaultHostTTL)
	if ev := later.probe(t, "https://a.gob.es/x"); len(ev.Hops) > 0 {
		t.Errorf("asked over http in spite of its age: %+v", ev)
	}
}

// TestSilentHTTPS takes a host for one without HTTPS if port 443 stays silent through all retries and port 80
// answers.
func TestSilentHTTPS(t *testing.T) {
	w := newWorld(t, testnet.Site{Host: "a.gob.es", Rest: page, Insecure: testnet.SamePages, Security: testnet.Silent})
	r := probeOne(t, proberFor(t, w.cfg), "https://a.gob.es/x")
	if ev := r.Evidence; ev.HTTPS == nil || *ev.HTTPS || ev.Title != "Ayuda" {
		t.Errorf("%+v", ev)
	}
	failed := slices.DeleteFunc(slices.Clone(r.Exchanges), func(e Exchange) bool { return e.Error == "" })
	if len(failed) != 4 {
		t.Errorf("port 443 was tried %d times, want 4", len(failed))
	}
	retries := slices.DeleteFunc(w.clock.slept, func(d time.Duration) bool { return d <= DefaultDelay })
	if !slices.EqualFunc(retries, delays[:], func(got, want time.Duration) bool { return (got - want).Abs() <= want/5 }) {
		t.Errorf("retries after %v, want about %v", retries, delays)
	}
}

// TestUpgrade checks whether a page served over http, on another host, is there over HTTPS.
func TestUpgrade(t *testing.T) {
	from := testnet.Site{Host: "from.gob.es", Rest: redirectAll("http://to.gob.es")}
	for name, test := range map[string]struct {
		to    testnet.Site
		https string
	}{
		"the same page": {testnet.Site{Rest: page, Insecure: testnet.SamePages}, "true"},
		"back to http": {testnet.Site{Insecure: testnet.SamePages,
			Rest: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.TLS != nil {
					redirectAll("http://to.gob.es").ServeHTTP(w, r)
					return
				}
				page.ServeHTTP(w, r)
			})}, "false"},
		"nobody listens": {testnet.Site{Rest: page, Insecure: testnet.SamePages, Security: testnet.ClosedSecure},
			"false"},
		"expired": {testnet.Site{Rest: page, Insecure: testnet.SamePages, Security: testnet.Expired},
			"not known"},
	} {
		test.to.Host = "to.gob.es"
		w := newWorld(t, from, test.to)
		ev := w.probe(t, "https://from.gob.es/x")
		got := "not known"
		if https := ev.Hosts["to.gob.es"].HTTPS; https != nil {
			got = fmt.Sprint(*https)
		}
		if got != test.https || ev.FinalURL != "http://to.gob.es/x" || ev.Title != "Ayuda" {
			t.Errorf("%s: HTTPS %s, want %s; %+v", name, got, test.https, ev)
		}
	}
}

// TestBadCertificateIsNotHTTPOnly concludes nothing about HTTPS if the certificate is bad. It requests the page over
// http only if the certificate is that of another site, and records the answer for a person.
func TestBadCertificateIsNotHTTPOnly(t *testing.T) {
	for _, security := range []testnet.Security{testnet.Expired, testnet.NotYetValid, testnet.OtherName,
		testnet.SelfSigned} {
		w := newWorld(t, testnet.Site{Host: "a.gob.es", Rest: page, Insecure: testnet.SamePages, Security: security})
		ev := w.probe(t, "http://a.gob.es/x")
		if ev.TLSError == "" || ev.Error == "" || ev.HTTPS != nil || ev.Title != "" {
			t.Errorf("%d: %+v", security, ev)
		}
		want := ""
		if security == testnet.OtherName {
			want = "GET http://a.gob.es/x"
		}
		if ev.Answers["http://a.gob.es/x"].IsPage() != (want != "") {
			t.Errorf("%d: %+v", security, ev.Answers)
		}
		if handshakes, got := w.net.Log().Handshakes("a.gob.es"), w.asked(); got != want || handshakes != 1 {
			t.Errorf("%d: asked %s, %d handshakes", security, got, handshakes)
		}
	}
}

// failingCache fails on one of its operations.
type failingCache struct {
	Cache
	what string
}

var errDisk = errors.New("the disk is full")

func (c failingCache) fail(what string) error {
	if c.what == what {
		return errDisk
	}
	return nil
}

func (c failingCache) Robots(ctx context.Context, origin string) (*Robots, error) {
	return nil, c.fail("robots")
}
func (c failingCache) KeepRobots(context.Context, Robots) error { return c.fail("keep robots") }
func (c failingCache) Host(context.Context, string) (*HostFacts, error) {
	return nil, c.fail("host")
}
func (c failingCache) KeepHost(context.Context, HostFacts) error { return c.fail("keep host") }
func (c failingCache) Earlier(context.Context, Target) (*canon.Evidence, error) {
	return nil, c.fail("earlier")
}

// TestCacheFails returns no report if the cache fails.
func TestCacheFails(t *testing.T) {
	w := newWorld(t, testnet.Site{Host: "a.gob.es", Rest: page})
	for _, what := range []string{"robots", "keep robots", "host", "keep host", "earlier", ""} {
		w.cfg.Cache = failingCache{NewMemoryCache(), what}
		r, err := proberFor(t, w.cfg).Probe(t.Context(), Target{URL: "https://a.gob.es/x"})
		if errors.Is(err, errDisk) != (what != "") || (r.Evidence == nil) != (what != "") {
			t.Errorf("%q: %+v, %v", what, r.Evidence, err)
		}
	}
}

// TestAskedBesides lists all requests for one URL on a new domain: the page, robots.txt of each origin, and the
// lookups of rule 5.
func TestAskedBesides(t *testing.T) {
	w := newWorld(t, testnet.Site{Host: "a.gob.es", Rest: page})
	r := probeOne(t, proberFor(t, w.cfg), "https://a.gob.es/x")
	purposes := map[string]int{}
	for _, e := range r.Exchanges {
		purposes[e.Purpose]++
	}
	if want := map[string]int{"page": 1, "robots": 2, "host": 2}; !maps.Equal(purposes, want) {
		t.Errorf("%v, want %v", purposes, want)
	}
	if at, err := time.Parse(time.RFC3339, r.Evidence.FetchedAt); err != nil || at.Before(begin) {
		t.Errorf("fetched at %s", r.Evidence.FetchedAt)
	}
}
