package probe

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// stale is a connection that the other end closed unnoticed after the first request.
type stale struct {
	net.Conn
	writes int
}

func (c *stale) Write(p []byte) (int, error) {
	if c.writes++; c.writes > 1 {
		return 0, syscall.EPIPE
	}
	return c.Conn.Write(p)
}

// TestStaleConnection repeats a request at once if the kept connection was closed at the other end, and in no other
// case.
func TestStaleConnection(t *testing.T) {
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<title>Ayuda</title>") })
	cfg := c.config(t)
	dials := 0
	cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		dials++
		conn, err := c.Dial(ctx, network, address)
		return &stale{Conn: conn}, err
	}
	r := probeOne(t, proberFor(t, cfg), "http://a.gob.es/x")
	if r.Evidence.Title != "Ayuda" || dials != 2 || len(r.Exchanges) != 2 {
		t.Errorf("%d connections, %d requests, %+v", dials, len(r.Exchanges), r.Evidence)
	}
	if slept := cfg.Clock.(*fakeClock).slept; len(slept) != 1 {
		t.Errorf("waits of %v", slept)
	}
}

// TestStatusOfNoAnswer: spec 3, unreachable. A server may send the status 000, and 101 to a request for a page.
func TestStatusOfNoAnswer(t *testing.T) {
	for _, line := range []string{"000 X", "101 X\r\nConnection: upgrade\r\nUpgrade: x", "099 X"} {
		c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/x" {
				http.NotFound(w, r)
				return
			}
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprintf(conn, "HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n", line)
			conn.Close()
		})
		r := probeOne(t, proberFor(t, c.config(t)), "https://a.gob.es/x")
		want := "a.gob.es answered " + line[:3] + ", which is no answer to a request for a page"
		if ev := r.Evidence; ev.Error != want || ev.Status != 0 {
			t.Errorf("%.3s: %+v", line, ev)
		}
	}
}

// TestStatusOverTLS: a host whose answer has no status has HTTPS, and another request gets the same answer.
func TestStatusOverTLS(t *testing.T) {
	if f := failed("a.gob.es", statusError(101), 0); f.withoutHTTPS() || f.passing() {
		t.Errorf("%+v", f)
	}
}

// TestPrivateVersions: spec 2, row 1, private-address. Nothing at a private address is a version of a page.
func TestPrivateVersions(t *testing.T) {
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for tag, url := range map[string]string{"ca": "http://10.0.0.1/x", "gl": "//localhost/",
			"eu": "http://2130706433/", "fr": "http://[::ffff:169.254.169.254]/", "en": "/en"} {
			fmt.Fprintf(w, "<link rel=alternate hreflang=%s href=%q>", tag, url)
		}
	})
	r := probeOne(t, proberFor(t, c.config(t)), "http://a.gob.es/x")
	if got := r.Evidence.LangVariants; len(got) != 1 || got["en"] != "http://a.gob.es/en" {
		t.Errorf("%v", got)
	}
}

// TestSentHeaders sends only the headers of seed 003: no cookies, no credentials, no Referer.
func TestSentHeaders(t *testing.T) {
	var got http.Header
	c := newCity(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "sesion", Value: "1"})
		if r.URL.Path == "/x" {
			http.Redirect(w, r, "http://ana:secreto@b.gob.es/y", http.StatusFound)
			return
		}
		got = r.Header
	})
	cfg := c.config(t)
	cfg.Contact = "https://visto.example/contacto"
	probeOne(t, proberFor(t, cfg), "http://ana:secreto@a.gob.es/x")
	want := map[string]string{
		"User-Agent": "visto/1.0 (compatible; +https://visto.example/contacto)", "Accept": accept,
		"Accept-Language": "en-US,en;q=0.9", "Accept-Encoding": "gzip, deflate",
	}
	for name := range got {
		if strings.Join(got[name], "|") != want[name] {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
}

// TestAcceptLanguage prefers the language of the policy.
func TestAcceptLanguage(t *testing.T) {
	if got := proberFor(t, Config{}).cfg.AcceptLanguage; got != "es-ES,es;q=0.9,en;q=0.5" {
		t.Errorf("clara: %q", got)
	}
	if got := proberFor(t, Config{Policy: keepsHTTP(t)}).cfg.AcceptLanguage; got != "en-US,en;q=0.9" {
		t.Errorf("rfc3986: %q", got)
	}
	if got := proberFor(t, Config{AcceptLanguage: "gl"}).cfg.AcceptLanguage; got != "gl" {
		t.Errorf("as configured: %q", got)
	}
}

func TestBadConfig(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("a prober without a policy")
	}
	if _, err := New(Config{Policy: keepsHTTP(t), Contact: "https://x\r\nCookie: a=b"}); err == nil {
		t.Error("a header in the contact URL")
	}
	if _, err := New(Config{Policy: keepsHTTP(t), AcceptLanguage: "es\nCookie: a=b"}); err == nil {
		t.Error("a header in the language")
	}
	if _, err := New(Config{Policy: keepsHTTP(t), Concurrency: -1}); err == nil {
		t.Error("fewer requests than none")
	}
}

// TestUnsent recognizes a request that nobody can have read, by either error of the transport, and no other.
func TestUnsent(t *testing.T) {
	for want, errs := range map[bool][]error{
		true: {
			&net.OpError{Op: "write", Err: syscall.ECONNRESET}, syscall.EPIPE, fmt.Errorf("sending: %w", syscall.EPIPE),
			&net.OpError{Op: "read", Err: net.ErrClosed},
		},
		false: {io.EOF, io.ErrUnexpectedEOF, &net.OpError{Op: "read", Err: syscall.ECONNRESET},
			&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, context.DeadlineExceeded},
	} {
		for _, err := range errs {
			if isUnsent(err) != want {
				t.Errorf("%v: unsent %t", err, !want)
			}
		}
	}
}
