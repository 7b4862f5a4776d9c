package probe_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"visto/review/probe/testnet"
)

// siteNamed returns one site of the table.
func siteNamed(t *testing.T, host string) testnet.Site {
	t.Helper()
	for _, s := range testnet.Sites() {
		if s.Host == host {
			return s
		}
	}
	t.Fatalf("there is no site %s", host)
	return testnet.Site{}
}

// TestPace probes one host at a time, so that no other host moves the clock. It compares the requests to the host,
// each with the seconds since the request before. A retry comes within a fifth of 5, 15 and 45 seconds.
func TestPace(t *testing.T) {
	// for the preferred host of the domain
	home := []string{"1 GET http /robots.txt", "1 HEAD http /", "1 HEAD https /"}
	for host, want := range map[string][]string{
		"to-www.gob.es": {"0 GET https /robots.txt", "1 GET https page"},
		"busy.gob.es": append([]string{"0 GET https /robots.txt", "1 GET https page", "9 GET https page"},
			home...),
		"flaky.gob.es": append([]string{"0 GET https /robots.txt", "1 GET https page", "5± GET https page"},
			home...),
		"flaky-thrice.gob.es": append([]string{"0 GET https /robots.txt", "1 GET https page", "5± GET https page",
			"15± GET https page", "45± GET https page"}, home...),
		"down.gob.es": {"0 GET https /robots.txt", "1 GET https page", "5± GET https page",
			"15± GET https page", "45± GET https page"},
		"reset.gob.es": {"0 GET https /robots.txt", "1 GET https page", "5± GET https page",
			"15± GET https page", "45± GET https page"},
		// The delay that robots.txt asks for counts from the request for robots.txt.
		"crawl-delay.gob.es": {"0 GET https /robots.txt", "7 GET https page", "7 GET http /robots.txt",
			"7 HEAD http /", "7 HEAD https /",
			"7 GET https page"},
		"robots-blocked.gob.es": {"0 GET https /robots.txt"},
	} {
		t.Run(host, func(t *testing.T) {
			s := siteNamed(t, host)
			w := newWorld(t, []testnet.Site{s})
			w.config.Archive = "-"
			w.probe(urls([]testnet.Site{s})...)
			var got []string
			last := testnet.Begin
			for _, r := range w.net.Log().Requests(host) {
				target := r.Target
				if strings.HasPrefix(target, "/tramites/") || strings.HasPrefix(target, "/anuncios/") {
					target = "page"
				}
				got = append(got, fmt.Sprintf("%s %s %s %s", about(r.At.Sub(last)), r.Method, r.Scheme, target))
				last = r.At
			}
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// about prints a wait in seconds. The wait before a retry loses its jitter.
func about(d time.Duration) string {
	for _, seconds := range []int{5, 15, 45} {
		near := time.Duration(seconds) * time.Second
		if d != near && d >= near*8/10 && d <= near*12/10 {
			return fmt.Sprintf("%d±", seconds)
		}
	}
	return fmt.Sprint(d.Seconds())
}

// TestHeaders checks the headers of a request (seed 003, request configuration; Spanish first under the policy
// clara).
func TestHeaders(t *testing.T) {
	s := siteNamed(t, "plain.gob.es")
	w := newWorld(t, []testnet.Site{s})
	w.config.Contact = "https://clara.example/robot"
	w.probe(s.URLs[0].URL)
	for _, r := range w.net.Log().Requests() {
		for name, want := range map[string]string{
			"User-Agent":      "visto/1.0 (compatible; +https://clara.example/robot)",
			"Accept":          "text/html,application/xhtml+xml,*/*;q=0.8",
			"Accept-Language": "es-ES,es;q=0.9,en;q=0.5",
			"Accept-Encoding": "gzip, deflate",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %s: %s, want %s", r, name, got, want)
			}
		}
		if len(r.Header) != 4 {
			t.Errorf("%s: more is sent: %v", r, r.Header)
		}
	}
}

// TestSeedExampleOfFetchGuidelines is the canonical URL example of seed 003: https because the domain is known to
// support it.
func TestSeedExampleOfFetchGuidelines(t *testing.T) {
	const input, output = "HTTP://Example.COM:80/docs/../api/v2/?ref=twitter&utm_source=blog&format=json",
		"https://example.com/api/v2?format=json"
	for _, test := range []struct {
		site testnet.Site
		want string
	}{
		{testnet.Site{Host: "example.com", Rest: testnet.Page{Lang: "en", Title: "API"}}, output},
		{testnet.Site{Host: "example.com", Rest: testnet.Page{Lang: "en", Title: "API"}, Insecure: testnet.SamePages},
			output},
		{testnet.Site{Host: "example.com", Rest: testnet.Page{Lang: "en", Title: "API"}, Insecure: testnet.SamePages,
			Security: testnet.ClosedSecure},
			strings.Replace(output, "https", "http", 1)},
	} {
		w := newWorld(t, []testnet.Site{test.site})
		w.policy = builtin(t, "fetch-guidelines")
		w.config.Policy = w.policy
		if got := w.canonical(input); got != test.want {
			t.Errorf("port 443 is %d, port 80 %d: %s, want %s", test.site.Security, test.site.Insecure, got, test.want)
		}
		if language := w.net.Log().Requests()[0].Header.Get("Accept-Language"); language != "en-US,en;q=0.9" {
			t.Errorf("Accept-Language: %s", language)
		}
	}
}

// TestConditional probes a page again with its earlier evidence. The server confirms the content, and the evidence
// keeps it.
func TestConditional(t *testing.T) {
	s := siteNamed(t, "validated.gob.es")
	w := newWorld(t, []testnet.Site{s})
	first := w.probe(urls([]testnet.Site{s})...)
	w.net.Log().Clear()
	w.config.Cache = &remembering{Cache: w.config.Cache, reports: first}
	again := w.probe(urls([]testnet.Site{s})...)
	for _, want := range s.URLs {
		r := again[want.URL]
		for _, diff := range want.DiffEvidence(r.Evidence) {
			t.Errorf("%s: %s", want.URL, diff)
		}
		if !r.Unchanged || r.Evidence.FetchedAt <= first[want.URL].Evidence.FetchedAt {
			t.Errorf("%s: unchanged: %t; fetched at %s, before that at %s", want.URL, r.Unchanged,
				r.Evidence.FetchedAt, first[want.URL].Evidence.FetchedAt)
		}
	}
	for _, r := range w.net.Log().Requests() {
		if r.Method != "GET" || strings.HasPrefix(r.Target, "/robots") {
			t.Errorf("asked again, though it is known: %s", r)
		}
		if r.Header.Get("If-None-Match")+r.Header.Get("If-Modified-Since") == "" {
			t.Errorf("%s is not conditional", r)
		}
	}
}
