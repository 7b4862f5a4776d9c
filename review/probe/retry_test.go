package probe

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
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
		if r.Evidence != nil || !strings.Contains(r.Deferred, "Retry-After") {
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
	for seconds, status := range map[int]int{60: 200, 61: 0} {
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
		if (r.Deferred != "") != (status == 0) || r.Evidence != nil && r.Evidence.Status != status {
			t.Errorf("%d s: deferred %q, %+v", seconds, r.Deferred, r.Evidence)
		}
	}
}

// TestDown probes no other URL of a host that is down, for a while, unless a person asks.
func TestDown(t *testing.T) {
	var alive atomic.Bool
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		if !alive.Load() && strings.HasPrefix(r.URL.Path, "/x") {
			panic(http.ErrAbortHandler)
		}
	})
	cfg := c.config(t)
	clock := cfg.Clock.(*fakeClock)
	p := proberFor(t, cfg)
	first := probeOne(t, p, "http://sede.a.gob.es/x1")
	if n := strings.Count(c.Asked(), "/x1"); n != 4 ||
		first.Evidence.Error != "sede.a.gob.es broke off the connection" {
		t.Errorf("asked %d times: %q", n, first.Evidence.Error)
	}
	second := probeOne(t, p, "http://sede.a.gob.es/x2")
	if asked := c.Asked(); asked != "" || second.Evidence.Error != first.Evidence.Error {
		t.Errorf("asked for %s: %q", asked, second.Evidence.Error)
	}
	alive.Store(true)
	r, err := p.Probe(t.Context(), Target{URL: "http://sede.a.gob.es/x3", Fresh: true})
	if err != nil || r.Evidence.Status != 200 {
		t.Errorf("a person asks: %+v, %v", r.Evidence, err)
	}
	if r := probeOne(t, p, "http://sede.a.gob.es/x4"); r.Evidence.Status != 200 {
		t.Errorf("it has answered, and is still taken for dead: %+v", r.Evidence)
	}
	alive.Store(false)
	probeOne(t, p, "http://sede.a.gob.es/x5")
	alive.Store(true)
	clock.Sleep(t.Context(), downFor)
	if r := probeOne(t, p, "http://sede.a.gob.es/x6"); r.Evidence.Status != 200 {
		t.Errorf("after a while: %+v", r.Evidence)
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
