package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"visto/canon"
)

// city is a server to which every host leads at port 80, with a log of the requests.
type city struct {
	handle http.HandlerFunc
	server *httptest.Server

	mu    sync.Mutex
	asked []string // method and URL, in their order
}

func newCity(t testing.TB, handle http.HandlerFunc) *city {
	c := &city{handle: handle}
	c.server = httptest.NewServer(c)
	t.Cleanup(c.server.Close)
	return c
}

func (c *city) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.asked = append(c.asked, r.Method+" "+r.Host+r.URL.String())
	c.mu.Unlock()
	c.handle(w, r)
}

// Asked returns the requests since the last call.
func (c *city) Asked() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { c.asked = nil }()
	return strings.Join(c.asked, ", ")
}

func (c *city) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if !strings.HasSuffix(address, ":80") {
		return nil, syscall.ECONNREFUSED
	}
	var d net.Dialer
	return d.DialContext(ctx, network, c.server.Listener.Addr().String())
}

// config returns the configuration of a prober that reaches the city and knows all about its hosts but robots.txt.
func (c *city) config(t testing.TB) Config {
	return Config{Policy: keepsHTTP(t), Clock: newFakeClock(), Resolver: anyName{}, Dial: c.Dial,
		Cache: always{NewMemoryCache()}}
}

// always is a cache with fresh facts about every host: it has no HTTPS and prefers itself.
type always struct{ Cache }

func (always) Host(_ context.Context, host string) (*HostFacts, error) {
	no := false
	return &HostFacts{Host: host, CheckedAt: begin.AddDate(100, 0, 0), HTTPS: &no, PreferredHost: host,
		Reached: canon.Reach{By: canon.ByRedirect}}, nil
}

func TestProductToken(t *testing.T) {
	for agent, want := range map[string]string{"visto/1.0 (compatible; +https://x)": "visto",
		"Mi-Robot_x": "Mi-Robot_x", "ContextIngestion/1.0": "ContextIngestion"} {
		if got := productToken(agent); got != want {
			t.Errorf("%q: %q, want %q", agent, got, want)
		}
	}
}

// TestRobotsStatus applies RFC 9309 section 2.3.1 to each kind of answer.
func TestRobotsStatus(t *testing.T) {
	const forbids = "User-agent: *\nDisallow: /\n"
	for _, test := range []struct {
		status  int
		body    string
		allowed bool
		asked   int // times
	}{
		{200, forbids, false, 1},
		{200, "", true, 1},
		{204, "", true, 1},
		{206, forbids, false, 1},
		{300, forbids, true, 1},
		{400, forbids, true, 1},
		{401, forbids, true, 1},
		{403, forbids, true, 1},
		{404, forbids, true, 1},
		{410, forbids, true, 1},
		{451, forbids, true, 1},
		{429, "", false, 4},
		{500, "", false, 4},
		{501, "", false, 1},
		{503, "", false, 4},
		{599, "", false, 4},
	} {
		c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				w.WriteHeader(test.status)
				if test.status != 204 {
					fmt.Fprint(w, test.body)
				}
			}
		})
		ev := probeOne(t, proberFor(t, c.config(t)), "http://a.gob.es/x").Evidence
		asked := c.Asked()
		if n := strings.Count(asked, "robots.txt"); n != test.asked || strings.Contains(asked, "/x") != test.allowed {
			t.Errorf("%d: asked for %s", test.status, asked)
		}
		if (ev.Robots == "allowed") != test.allowed || (ev.Method == "robots_blocked") == test.allowed {
			t.Errorf("%d: robots %q, method %q", test.status, ev.Robots, ev.Method)
		}
		blames := strings.Contains(strings.Join(ev.Caveats, ""), fmt.Sprint(test.status))
		if blames != (!test.allowed && test.status >= 429) {
			t.Errorf("%d: caveats %q", test.status, ev.Caveats)
		}
	}
}

// TestRobotsRedirects follows five redirects of robots.txt, across hosts, and takes the file for absent after that.
func TestRobotsRedirects(t *testing.T) {
	for _, test := range []struct {
		hops    int
		to      string
		allowed bool
	}{
		{5, "http://b.gob.es/%d", false}, {6, "http://b.gob.es/%d", true}, {1, "http://10.0.0.1/%d", true},
		{1, "ftp://b.gob.es/%d", true}, {1, "http://b.gob.es:22/%d", true},
	} {
		c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
			n := 0
			if fmt.Sscanf(r.URL.Path, "/%d", &n); r.URL.Path != "/robots.txt" && n == 0 {
				return
			}
			if n < test.hops {
				http.Redirect(w, r, fmt.Sprintf(test.to, n+1), http.StatusFound)
				return
			}
			fmt.Fprint(w, "User-agent: *\nDisallow: /")
		})
		ev := probeOne(t, proberFor(t, c.config(t)), "http://a.gob.es/x").Evidence
		if (ev.Robots == "allowed") != test.allowed {
			t.Errorf("%d redirects to %s: %s; asked for %s", test.hops, test.to, ev.Robots, c.Asked())
		}
	}
}

// TestRobotsKept requests robots.txt once in 24 hours for each origin, and after an hour if the answer was "not now".
func TestRobotsKept(t *testing.T) {
	var status atomic.Int32
	status.Store(http.StatusOK)
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(int(status.Load()))
		}
	})
	cfg := c.config(t)
	clock := cfg.Clock.(*fakeClock)
	asks := func(want int, why string) {
		t.Helper()
		p := proberFor(t, cfg)
		probeOne(t, p, "http://a.gob.es/x")
		probeOne(t, p, "http://a.gob.es/y")
		if got := strings.Count(c.Asked(), "robots.txt"); got != want {
			t.Errorf("%s: asked %d times, want %d", why, got, want)
		}
	}
	asks(1, "for the first time")
	clock.Sleep(t.Context(), 23*time.Hour)
	asks(0, "a day later, nearly")
	status.Store(http.StatusServiceUnavailable)
	clock.Sleep(t.Context(), time.Hour)
	asks(4, "after a day")
	clock.Sleep(t.Context(), 55*time.Minute)
	asks(0, "within an hour of a failure")
	status.Store(http.StatusOK)
	clock.Sleep(t.Context(), 5*time.Minute)
	asks(1, "after an hour of a failure")
}

// TestRobotsRules checks cases of RFC 9309, among them those of its section 5, for the agent "visto".
func TestRobotsRules(t *testing.T) {
	for _, test := range []struct {
		body, path string
		allowed    bool
	}{
		{"User-agent: visto\nDisallow: /a", "/a", false},
		{"user-agent: VISTO\ndisallow: /a", "/a/b", false},
		{"User-agent: visto/2.0\nDisallow: /a", "/a", false},
		{"User-agent: vistoso\nDisallow: /a", "/a", true},
		{"User-agent: *\nDisallow: /a\n\nUser-agent: visto\nDisallow: /b", "/a", true},
		{"User-agent: *\nDisallow: /a\n\nUser-agent: visto\nDisallow: /b", "/b", false},
		{"User-agent: visto\nDisallow: /a\nUser-agent: visto\nDisallow: /b", "/a", false},
		{"User-agent: otro\nUser-agent: visto\nDisallow: /a", "/a", false},
		{"User-agent: *\nDisallow: /\nAllow: /a", "/a/b", true},
		{"User-agent: *\nAllow: /p\nDisallow: /p", "/p", true},
		{"User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", false},
		{"User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf?x=1", true},
		{"User-agent: *\nDisallow: /a*c", "/abbbc", false},
		{"User-agent: *\nDisallow:", "/a", true},
		{"User-agent: *\nDisallow: /tr%C3%A1mite", "/tr\u00e1mite", false},
		{"User-agent: *\nDisallow: /tr\u00e1mite", "/tr%C3%A1mite", false},
		{"Disallow: /", "/a", true},
		{"\xef\xbb\xbfUser-agent: *\r\nDisallow: /a # dicho\r\n", "/a", false},
		{"User-agent: *\rDisallow: /a", "/a", false},
		{"User-agent: *\nDisallow: /", "/robots.txt", true},
		{"<html><body>Disallow: /</body></html>", "/a", true},
		{"User-agent: *\nDisallow: /a?x=1", "/a?x=1&y=2", false},
	} {
		r := rules{Robots{Status: 200, Body: []byte(test.body)}, "visto", &robotsMemo{}}
		u := must(url.Parse("https://a.gob.es" + test.path))
		if got := r.allow(u); got != test.allowed {
			t.Errorf("%q: %s allowed %t", test.body, test.path, got)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	for body, want := range map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 7":                                        7 * time.Second,
		"User-agent: *\nDisallow: /x\ncrawl-delay: 0.5":                        500 * time.Millisecond,
		"User-agent: visto\nCrawl-delay: 3\nUser-agent: *\nCrawl-delay: 9":     3 * time.Second,
		"User-agent: *\nCrawl-delay: 9\n\nUser-agent: visto\nDisallow: /x":     0,
		"User-agent: otro\nCrawl-delay: 9":                                     0,
		"User-agent: otro\nUser-agent: visto\nCrawl-delay: 9":                  9 * time.Second,
		"User-agent: otro\nCrawl-delay: 9\nUser-agent: visto\nDisallow: /x":    0,
		"User-agent: visto\nCrawl-delay: 2\nUser-agent: visto\nCrawl-delay: 4": 4 * time.Second,
		"User-agent: *\nCrawl-delay: -1":                                       0,
		"User-agent: *\nCrawl-delay: NaN":                                      0,
		"User-agent: *\nCrawl-delay: pronto":                                   0,
		"User-agent: *\nCrawl-delay: Inf":                                      1e6 * time.Second,
		"User-agent: *\nCrawl-delay: 1e300":                                    1e6 * time.Second,
	} {
		if got := (rules{Robots{Status: 200, Body: []byte(body)}, "visto", &robotsMemo{}}).delay(); got != want {
			t.Errorf("%q: %s, want %s", body, got, want)
		}
		if got := (rules{Robots{Status: 404, Body: []byte(body)}, "visto", &robotsMemo{}}).delay(); got != 0 {
			t.Errorf("%q of a page that is not there: %s", body, got)
		}
	}
}

// TestRobotsElsewhere redirects from one origin's robots.txt to another's, which is stored. It is not requested
// again, holds for both origins, and keeps its age.
func TestRobotsElsewhere(t *testing.T) {
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/robots.txt":
		case r.Host == "a.gob.es":
			http.Redirect(w, r, "http://b.gob.es/robots.txt", http.StatusFound)
		default:
			fmt.Fprint(w, "User-agent: *\nDisallow: /secreto\n")
		}
	})
	cfg := c.config(t)
	p := proberFor(t, cfg)
	probeOne(t, p, "http://b.gob.es/x")
	c.Asked()
	if ev := probeOne(t, p, "http://a.gob.es/secreto").Evidence; ev.Robots != "blocked" {
		t.Errorf("robots: %q", ev.Robots)
	}
	if asked := c.Asked(); asked != "GET a.gob.es/robots.txt" {
		t.Errorf("asked %s", asked)
	}
	a, err := cfg.Cache.Robots(t.Context(), "http://a.gob.es")
	b, err2 := cfg.Cache.Robots(t.Context(), "http://b.gob.es")
	if err != nil || err2 != nil || a == nil || b == nil || !a.FetchedAt.Equal(b.FetchedAt) ||
		a.Origin != "http://a.gob.es" {
		t.Errorf("kept: %+v, %+v", a, b)
	}
}

// TestRobotsLong reads 500 KiB, to the last whole line.
func TestRobotsLong(t *testing.T) {
	line := "Disallow: /a\n"
	lines := robotsLimit/len(line) + 1 // the last one is cut in two
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\n"+strings.Repeat(line, lines)+"Disallow: /b\n")
		}
	})
	cfg := c.config(t)
	p := proberFor(t, cfg)
	if ev := probeOne(t, p, "http://a.gob.es/b").Evidence; ev.Robots != "allowed" {
		t.Error("a rule beyond 500 KiB counts")
	}
	kept, err := cfg.Cache.Robots(t.Context(), "http://a.gob.es")
	if err != nil || len(kept.Body) > robotsLimit || len(kept.Body) < robotsLimit-len(line) ||
		!strings.HasSuffix(string(kept.Body), line) {
		t.Errorf("%d bytes kept, %v", len(kept.Body), err)
	}
}

// A robots.txt is parsed once for all URLs of its site, and its rules mean the same as before. Only the last ones are
// kept.
func TestRobotsParsedOnce(t *testing.T) {
	body := []byte("User-agent: other\nDisallow: /\n\n" +
		"User-agent: visto\nCrawl-delay: 3\nDisallow: /no\nAllow: /no/but\n")
	memo := &robotsMemo{}
	first := memo.get(body)
	for path, want := range map[string]bool{"/": true, "/no": false, "/no/x?y=1": false, "/no/but/z": true} {
		r := rules{Robots{Status: 200, Body: slices.Clone(body)}, "visto", memo}
		if r.allow(&url.URL{Scheme: "https", Host: "a.es", Path: path}) != want || r.delay() != 3*time.Second {
			t.Errorf("%s: %v, %v", path, !want, r.delay())
		}
	}
	if memo.get(body) != first || len(memo.kept) != 1 {
		t.Errorf("parsed again: %d", len(memo.kept))
	}
	for i := range 3 * maxRobots {
		memo.get(fmt.Appendf(nil, "User-agent: *\nDisallow: /%d\n", i))
	}
	if len(memo.kept) != maxRobots {
		t.Errorf("%d are kept", len(memo.kept))
	}
}
