package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"visto/canon"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 2, 18, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		status int
		text   string
		want   time.Duration // 0: none
	}{
		{429, "30", 30 * time.Second},
		{503, " 30 ", 30 * time.Second},
		{503, "Wed, 18 Feb 2026 09:01:00 GMT", time.Minute},
		{503, "Wednesday, 18-Feb-26 09:01:00 GMT", time.Minute},
		{503, "Wed Feb 18 09:01:00 2026", time.Minute},
		{503, "Fri, 31 Dec 9999 23:59:59 GMT", 30 * 24 * time.Hour},
		{429, "2147483647", 30 * 24 * time.Hour},
		{503, "Wed, 18 Feb 2026 08:59:00 GMT", 0},
		{503, "", 0},
		{503, "-30", 0},
		{503, "1.5", 0},
		{503, "99999999999999999999", 0},
		{503, "pronto", 0},
		{301, "30", 0},
		{200, "30", 0},
		{500, "30", 0},
	} {
		until, ok := retryAfter(&Response{Status: test.status, Header: http.Header{"Retry-After": {test.text}}}, now)
		if ok != (test.want > 0) || ok && until.Sub(now) != test.want {
			t.Errorf("%d %q: %s, %t", test.status, test.text, until, ok)
		}
	}
}

// TestRetries repeats a request after the right wait, for each status.
func TestRetries(t *testing.T) {
	all := []time.Duration{5 * time.Second, 15 * time.Second, 45 * time.Second}
	for _, test := range []struct {
		statuses []int // of the answers; the last one repeats
		waits    []time.Duration
		status   int // in the evidence
	}{
		{[]int{200}, nil, 200},
		{[]int{404}, nil, 404},
		{[]int{403}, nil, 403},
		{[]int{501}, nil, 501},
		{[]int{503, 200}, all[:1], 200},
		{[]int{500, 502, 200}, all[:2], 200},
		{[]int{504, 408, 429, 404}, all, 404},
		{[]int{503}, all, 503},
		{[]int{429}, all, 429},
		{[]int{500, 500, 500, 500, 200}, all, 500},
	} {
		n := 0
		c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/x" {
				w.WriteHeader(test.statuses[min(n, len(test.statuses)-1)])
				n++
			}
		})
		cfg := c.config(t)
		ev := probeOne(t, proberFor(t, cfg), "http://a.gob.es/x").Evidence
		slept := cfg.Clock.(*fakeClock).slept[1:] // the first is the delay after robots.txt
		if ev.Status != test.status || len(slept) != len(test.waits) {
			t.Errorf("%v: status %d after waits of %v", test.statuses, ev.Status, slept)
			continue
		}
		for i, want := range test.waits {
			if off := (slept[i] - want).Abs(); off > want/5 || off == 0 {
				t.Errorf("%v: wait %d is %s, want about %s", test.statuses, i, slept[i], want)
			}
		}
		if (ev.Blocked == "rate-limited") != (test.status == 429) {
			t.Errorf("%v: blocked %q", test.statuses, ev.Blocked)
		}
	}
}

// TestDeferred defers every URL of a host that asks for too long a pause, also after a restart. A later run probes
// them.
func TestDeferred(t *testing.T) {
	var busy atomic.Bool
	busy.Store(true)
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		if busy.Load() && r.URL.Path == "/x" {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	cfg := c.config(t)
	cfg.Cache = NewMemoryCache()
	clock := cfg.Clock.(*fakeClock)
	p := proberFor(t, cfg)
	until := time.Time{}
	for _, path := range []string{"/x", "/y", "/z"} {
		r := probeOne(t, p, "http://a.gob.es"+path)
		if r.Evidence.IsPutOff() != (path == "/x") || !strings.Contains(r.Deferred, "Retry-After") {
			t.Errorf("%s: %+v", path, r)
		}
		until = r.Until
	}
	if left := until.Sub(clock.Now()); left != time.Hour {
		t.Errorf("deferred for %s", left)
	}
	if asked := c.Asked(); asked != "GET a.gob.es/robots.txt, GET a.gob.es/x" {
		t.Errorf("asked for %s", asked)
	}
	if r := probeOne(t, proberFor(t, cfg), "http://a.gob.es/q"); r.Evidence != nil || !r.Until.Equal(until) {
		t.Errorf("after a restart: %+v", r)
	}
	if r := probeOne(t, p, "http://b.gob.es/y"); r.Evidence == nil {
		t.Error("another host is left alone as well")
	}
	busy.Store(false)
	clock.Sleep(t.Context(), time.Hour)
	if r := probeOne(t, p, "http://a.gob.es/x"); r.Evidence == nil || r.Evidence.Status != 200 {
		t.Errorf("an hour later: %+v", r)
	}
}

// TestLongestWait waits for a host as long as MaxWait allows, and defers its URLs instead of a longer wait.
func TestLongestWait(t *testing.T) {
	for seconds, status := range map[int]int{60: 200, 61: 429} {
		asked := 0
		c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/x" {
				return
			}
			if asked++; asked == 1 {
				w.Header().Set("Retry-After", fmt.Sprint(seconds))
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
		cfg := c.config(t)
		cfg.MaxWait = time.Minute
		r := probeOne(t, proberFor(t, cfg), "http://a.gob.es/x")
		if (r.Deferred != "") != (status == 429) || r.Evidence == nil || r.Evidence.Status != status {
			t.Errorf("%d s: deferred %q, %+v", seconds, r.Deferred, r.Evidence)
		}
	}
}

// TestRateLimited keeps the evidence of a URL whose server answers 429 to the end. If there was no answer before, the
// runs are counted, and the third one ends the waiting.
func TestRateLimited(t *testing.T) {
	for name, test := range map[string]struct {
		earlier *canon.Evidence
		runs    int // in the evidence; 0: there is none
	}{
		"never asked":       {nil, 1},
		"answered before":   {&canon.Evidence{Status: 200, Title: "Ayuda"}, 0},
		"failed before":     {&canon.Evidence{Error: "no such host"}, 0},
		"refused in a file": {&canon.Evidence{Status: 429, Blocked: "rate-limited"}, 2},
		"refused before":    {&canon.Evidence{Status: 429, Blocked: "rate-limited", PutOff: 1}, 2},
		"refused twice":     {&canon.Evidence{Status: 429, Blocked: "rate-limited", PutOff: 2}, 3},
		"refused for weeks": {&canon.Evidence{Status: 429, Blocked: "rate-limited", PutOff: 3}, 3},
		"forbidden to read": {&canon.Evidence{Robots: "blocked"}, 1},
	} {
		c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/x" {
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
		cfg := c.config(t)
		cfg.Cache = earlierCache{NewMemoryCache(), test.earlier}
		begun := cfg.Clock.Now()
		r := probeOne(t, proberFor(t, cfg), "http://a.gob.es/x")
		runs, waits := 0, test.runs < 3
		if r.Evidence != nil {
			runs = r.Evidence.PutOff
		}
		if (r.Deferred != "") != waits || runs != test.runs || waits && r.Until.Before(begun.Add(rateLimitedFor)) {
			t.Errorf("%s: %d runs, %+v", name, runs, r)
		}
	}
}

// earlierCache has the same evidence of every URL.
type earlierCache struct {
	Cache
	ev *canon.Evidence
}

func (c earlierCache) Earlier(context.Context, Target) (*canon.Evidence, error) { return c.ev, nil }

// TestPageDown takes only a page that breaks off for a failure: its host answers, so the others are asked as usual.
func TestPageDown(t *testing.T) {
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/x") {
			panic(http.ErrAbortHandler)
		}
	})
	p := proberFor(t, c.config(t))
	for _, path := range []string{"/x1", "/x2"} {
		r := probeOne(t, p, "http://sede.a.gob.es"+path)
		if n := strings.Count(c.Asked(), path); n != 4 || r.Evidence.Error != "sede.a.gob.es broke off the connection" {
			t.Errorf("%s was asked %d times: %+v", path, n, r.Evidence)
		}
	}
	if r := probeOne(t, p, "http://sede.a.gob.es/y"); r.Evidence.Status != 200 {
		t.Errorf("another page: %+v", r.Evidence)
	}
}

// TestDown asks each URL of a host that never answers, but only the first again and again. For a while, or until it
// answers, or a person asks.
func TestDown(t *testing.T) {
	var alive atomic.Bool
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		if !alive.Load() {
			panic(http.ErrAbortHandler)
		}
	})
	cfg := c.config(t)
	clock := cfg.Clock.(*fakeClock)
	p := proberFor(t, cfg)
	ask := func(path string, wantAsked int, wantStatus int) {
		t.Helper()
		r := probeOne(t, p, "http://sede.a.gob.es"+path)
		if n := strings.Count(c.Asked(), "sede.a.gob.es"); n != wantAsked || r.Evidence.Status != wantStatus {
			t.Errorf("%s: %d requests, %+v", path, n, r.Evidence)
		}
	}
	ask("/x1", 4, 0)
	ask("/x2", 1, 0)
	clock.Sleep(t.Context(), downFor)
	ask("/x3", 4, 0)
	alive.Store(true)
	r, err := p.Probe(t.Context(), Target{URL: "http://sede.a.gob.es/x4", Fresh: true})
	if err != nil || r.Evidence.Status != 200 {
		t.Errorf("a person asks: %+v, %v", r.Evidence, err)
	}
	c.Asked()
	alive.Store(false)
	ask("/x5", 4, 0)
	ask("/x6", 4, 0)
}

// TestSilentHost puts off the other URLs of a host of which nothing is heard.
func TestSilentHost(t *testing.T) {
	c := newCity(t, func(http.ResponseWriter, *http.Request) {})
	cfg := c.config(t)
	dials := 0
	cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
		dials++
		return nil, context.DeadlineExceeded
	}
	p := proberFor(t, cfg)
	if r := probeOne(t, p, "http://sede.a.gob.es/x1"); r.Evidence == nil || r.Evidence.Error == "" {
		t.Errorf("the first: %+v", r)
	}
	before := dials
	if r := probeOne(t, p, "http://sede.a.gob.es/x2"); r.Evidence != nil || r.Deferred == "" || dials != before {
		t.Errorf("the second: %+v after %d dials", r, dials-before)
	}
}

// TestHeadOrGet uses HEAD for files, and GET for texts or after a refused HEAD.
func TestHeadOrGet(t *testing.T) {
	for _, test := range []struct {
		path, contentType string
		refuses           int
		asked, method     string
	}{
		{"/a", "text/html", 0, "GET", "get"},
		{"/a.pdf", "application/pdf", 0, "GET", "get"},
		{"/a.zip", "application/zip", 0, "HEAD", "head"},
		{"/A.DOCX", "application/msword", 0, "HEAD", "head"},
		{"/a.zip", "text/html; charset=utf-8", 0, "HEAD, GET", "get"},
		{"/a.zip", "", 0, "HEAD, GET", "get"},
		{"/a.zip", "application/zip", 405, "HEAD, GET", "get"},
		{"/a.zip", "application/zip", 404, "HEAD, GET", "get"},
		{"/a.zip", "application/zip", 500, "HEAD, GET", "get"},
	} {
		c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead && test.refuses > 0 && r.URL.Path != "/robots.txt" {
				w.WriteHeader(test.refuses)
				return
			}
			w.Header()["Content-Type"] = []string{test.contentType}
			w.Header().Set("Content-Length", "12")
			fmt.Fprint(w, "<p>texto</p>")
		})
		ev := probeOne(t, proberFor(t, c.config(t)), "http://a.gob.es"+test.path).Evidence
		var methods []string
		for _, asked := range strings.Split(c.Asked(), ", ")[1:] {
			methods = append(methods, strings.Fields(asked)[0])
		}
		if got := strings.Join(methods, ", "); got != test.asked || ev.Method != test.method || ev.Size != 12 {
			t.Errorf("%s %s refusing %d: %s, method %s, size %d", test.path, test.contentType, test.refuses, got,
				ev.Method, ev.Size)
		}
	}
}
