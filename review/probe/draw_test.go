package probe_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review/probe"
	"visto/review/probe/browser"
	"visto/review/probe/testnet"
)

// fakeBrowser is a browser with a fixed drawing.
type fakeBrowser struct {
	html, sentTo string
	err          error
	pages        []browser.Page
	closed       int
	during       func(context.Context, browser.Page)
}

func (f *fakeBrowser) Draw(ctx context.Context, p browser.Page) (browser.Drawing, error) {
	f.pages = append(f.pages, p)
	if f.during != nil {
		f.during(ctx, p)
	}
	return browser.Drawing{HTML: []byte(f.html), SentTo: f.sentTo}, f.err
}

func (f *fakeBrowser) Close() { f.closed++ }

const appURL = "https://app.gob.es/tramites/cita-previa"

// drawnPage is a page as scripts may draw it.
const drawnPage = `<html lang="es-ES"><head><title>Cita previa</title><script src="/app.js"></script></head><body>` +
	`<h1>` + testnet.DrawnTitle + `</h1><p>` + testnet.DrawnText + `</p></body></html>`

// TestDraw covers the outcomes for a page without text: spec section 15, "a page without text where scripts are is
// fetched again with a headless browser; without one the page is flagged no-content, not accepted".
func TestDraw(t *testing.T) {
	empty := "In a browser the page shows no text either."
	const drawnLogin = `<html><title>Acceso</title><script></script><h1>Identificación</h1><input type=password>`
	tests := []struct {
		name    string
		browser *fakeBrowser // nil: none
		flags   string
		method  string
		caveat  string // part of the last one
		goesOn  string
	}{
		{"drawn", &fakeBrowser{html: drawnPage}, "", "headless", "", ""},
		{"no browser", nil, "no-content", "get", "scripts draw it", ""},
		{"failed", &fakeBrowser{err: errors.New("it took\ntoo long")}, "no-content", "get",
			"No browser could draw the page: it took too long.", ""},
		{"empty", &fakeBrowser{html: "<script></script><p>Cargando…"}, "no-content", "get", empty, ""},
		{"sent on", &fakeBrowser{html: "<script></script>", sentTo: "/portal/inicio"}, "no-content", "get",
			"https://app.gob.es/portal/inicio at once", "https://app.gob.es/portal/inicio"},
		{"sent to a file", &fakeBrowser{html: "<script></script>", sentTo: "file:///etc/passwd"}, "no-content", "get",
			empty, ""},
		{"a login", &fakeBrowser{html: drawnLogin}, "unreachable", "blocked", "", ""},
	}
	for _, tt := range tests {
		w := newWorld(t, testnet.Sites())
		if tt.browser != nil {
			w.config.Browser = tt.browser
		}
		ev := w.probe(appURL)[appURL].Evidence
		r := canon.Canonicalize(appURL, w.policy, nil, ev)
		var flags []string
		for _, c := range r.Codes().Codes() {
			flags = append(flags, c.String())
		}
		caveat := ""
		if len(ev.Caveats) > 0 {
			caveat = ev.Caveats[len(ev.Caveats)-1]
		}
		if strings.Join(flags, " ") != tt.flags || ev.Method != tt.method || ev.MetaRefresh != tt.goesOn ||
			!strings.Contains(caveat, tt.caveat) || tt.caveat == "" && caveat != "" {
			t.Errorf("%s: flags %v, method %q, goes on to %q, caveat %q", tt.name, flags, ev.Method, ev.MetaRefresh,
				caveat)
		}
		if ev.SHA256 == "" || ev.SHA256 != plainEvidence(t).SHA256 {
			t.Errorf("%s: the hash is not that of the server's bytes", tt.name)
		}
	}
}

// plainEvidence is the evidence of the application without a browser.
func plainEvidence(t *testing.T) canon.Evidence {
	t.Helper()
	return canon.Evidence(siteNamed(t, "app.gob.es").URLs[0].Evidence)
}

// TestDrawOnlyWhatIsEmpty hands to the browser no page that has text, and no page twice.
func TestDrawOnlyWhatIsEmpty(t *testing.T) {
	w := newWorld(t, testnet.Sites())
	b := &fakeBrowser{html: drawnPage}
	w.config.Browser = b
	w.probe(appURL, "https://plain.gob.es/tramites/otra-ayuda", "https://pdf.gob.es/impresos/guia-prestacion.pdf",
		"https://json.gob.es/api/ayudas/alquiler", "https://not-found.gob.es/tramites/ayuda-alquiler")
	if len(b.pages) != 1 || b.pages[0].URL != appURL || b.closed != 1 {
		t.Fatalf("drawn: %+v; closed %d times", b.pages, b.closed)
	}
	p := b.pages[0]
	if !strings.Contains(string(p.Body), `<div id="root">`) || p.Header.Get("Content-Type") == "" || p.Limit == 0 ||
		!strings.HasPrefix(p.UserAgent, "visto/") || !strings.HasPrefix(p.AcceptLanguage, "es-ES") {
		t.Errorf("the browser got %+v", p)
	}
	if times := w.net.Log().Asked(appURL); times != 1 {
		t.Errorf("the page was asked for %d times", times)
	}
}

// TestDrawAgain probes a page without text again once there is a browser: the server must not confirm the page away.
func TestDrawAgain(t *testing.T) {
	const url = "https://app-etag.gob.es/tramites/cita-previa"
	site := testnet.Site{Host: "app-etag.gob.es", Pages: map[string]http.Handler{
		"/tramites/cita-previa": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			testnet.Undrawn("<script></script>").ServeHTTP(w, r)
		}),
	}}
	w := newWorld(t, []testnet.Site{site})
	first := w.probe(url)
	w.config.Cache = &remembering{w.config.Cache, first}
	if again := w.probe(url)[url]; !again.Unchanged || !again.Evidence.NoContent {
		t.Errorf("without a browser: %+v", again.Evidence)
	}
	w.config.Browser = &fakeBrowser{html: drawnPage}
	if again := w.probe(url)[url].Evidence; again.NoContent || again.Method != "headless" {
		t.Errorf("with a browser: %+v", again)
	}
}

// TestDrawDials connects for the browser by the rules of the prober: the guard, the ports and the user's routes hold.
func TestDrawDials(t *testing.T) {
	w := newWorld(t, testnet.Sites())
	dialled := map[string]string{}
	w.config.Browser = &fakeBrowser{html: drawnPage, during: func(ctx context.Context, p browser.Page) {
		for _, address := range []string{
			"plain.gob.es:80", "plain.gob.es:22", "127.0.0.1:80", "[::1]:443", "169.254.169.254:80",
			"loopback-name.gob.es:80", "no-such-host.gob.es:443",
		} {
			conn, err := p.Dial(ctx, "tcp", address)
			if err == nil {
				_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: plain.gob.es\r\n\r\n")
				conn.Close()
			}
			dialled[address] = ""
			if err != nil {
				dialled[address] = err.Error()
			}
		}
	}}
	w.probe(appURL)
	for address, why := range map[string]string{
		"plain.gob.es:80": "", "plain.gob.es:22": "port 22", "127.0.0.1:80": "not a public address",
		"[::1]:443": "not a public address", "169.254.169.254:80": "not a public address",
		"loopback-name.gob.es:80": "not a public address", "no-such-host.gob.es:443": "no such host",
	} {
		if got, ok := dialled[address]; !ok || (why == "") != (got == "") || !strings.Contains(got, why) {
			t.Errorf("%s: %q, want %q", address, got, why)
		}
	}
}

// TestDrawSpends takes the requests of scripts from the budget of a question: spec section 15, "never more than 30
// requests a site for one question".
func TestDrawSpends(t *testing.T) {
	w := newWorld(t, testnet.Sites())
	admitted := 0
	w.config.Browser = &fakeBrowser{html: drawnPage, during: func(_ context.Context, p browser.Page) {
		for admitted < 100 && p.Admit() {
			admitted++
		}
	}}
	p, err := probe.New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	budget := probe.NewBudget(7)
	r, err := p.Probe(t.Context(), probe.Target{URL: appURL, Budget: budget})
	if err != nil || r.Evidence == nil || admitted == 0 || admitted > 5 || budget.Left() != 0 {
		t.Errorf("%d requests of scripts, %d left: %+v, %v", admitted, budget.Left(), r, err)
	}
	admitted = 0
	if _, err = p.Probe(t.Context(), probe.Target{URL: appURL, Fresh: true}); err != nil || admitted != 100 {
		t.Errorf("without a budget: %d requests of scripts, %v", admitted, err)
	}
}

// TestDrawCancelled leaves no report if the context ends while a page is drawn.
func TestDrawCancelled(t *testing.T) {
	w := newWorld(t, testnet.Sites())
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	w.config.Browser = &fakeBrowser{html: drawnPage, during: func(context.Context, browser.Page) { cancel(why) }}
	p, err := probe.New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if r, err := p.Probe(ctx, probe.Target{URL: appURL}); !errors.Is(err, why) || r.Evidence != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestDrawPauses lets the host rest after the requests of scripts as after one of the prober.
func TestDrawPauses(t *testing.T) {
	w := newWorld(t, testnet.Sites())
	var drawn time.Time
	w.config.Browser = &fakeBrowser{html: drawnPage, during: func(ctx context.Context, _ browser.Page) {
		w.clock.Sleep(ctx, 10*probe.DefaultDelay)
		drawn = w.clock.Now()
	}}
	p, err := probe.New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const next = "https://app.gob.es/tramites/otra-cita"
	for _, url := range []string{appURL, next} {
		if _, err := p.Probe(t.Context(), probe.Target{URL: url}); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range w.net.Log().Requests("app.gob.es") {
		if !r.At.Before(drawn) && r.At.Sub(drawn) < probe.DefaultDelay || r.URL() == next && drawn.IsZero() {
			t.Errorf("%s came %v after the drawing", r, r.At.Sub(drawn))
		}
	}
}
