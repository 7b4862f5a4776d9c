package browser

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"visto/canon/suite"
)

// site is a server that all names lead to.
type site struct {
	*httptest.Server
	asked, open, most, dialled atomic.Int64
	mu                         sync.Mutex
	cookies                    []string
}

// newSite returns a server that answers every request after a pause, with a script that does nothing.
func newSite(t *testing.T, answer string, pause time.Duration) *site {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		for now := s.open.Add(1); ; {
			if most := s.most.Load(); now <= most || s.most.CompareAndSwap(most, now) {
				break
			}
		}
		defer s.open.Add(-1)
		s.mu.Lock()
		s.cookies = append(s.cookies, r.Header.Get("Cookie"))
		s.mu.Unlock()
		time.Sleep(pause)
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	s.dialled.Add(1)
	var d net.Dialer
	return d.DialContext(ctx, network, s.Listener.Addr().String())
}

// page returns a page at http://app.example/ whose requests go to the site.
func (s *site) page(body string) Page {
	return Page{URL: "http://app.example/tramites/cita", Header: html(), Body: []byte(body), Limit: 1 << 20,
		UserAgent: "visto/1.0", AcceptLanguage: "es-ES", Dial: s.dial}
}

// TestRequestsHaveLimits: spec section 15, "scripts and requests of the page at most 60, 6 at once".
func TestRequestsHaveLimits(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	s := newSite(t, "x", 20*time.Millisecond)
	d, err := b.Draw(t.Context(), s.page(`<script>
		Promise.allSettled(Array.from({length: 500}, (_, i) =>
			fetch('http://h' + i % 3 + '.example/' + i, {mode: 'no-cors'})))
			.then(l => document.write(l.filter(x => x.value).length + ' answered. ' + '`+long+`'))</script>`))
	if err != nil || !strings.Contains(string(d.HTML), "60 answered. ") {
		t.Errorf("%v:\n%s", err, d.HTML)
	}
	if asked, most := s.asked.Load(), s.most.Load(); asked != maxRequests || most > maxAtOnce {
		t.Errorf("%d requests, up to %d at once", asked, most)
	}
}

// TestRequestsAreAdmitted makes no request that the caller refuses.
func TestRequestsAreAdmitted(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	s := newSite(t, "x", 0)
	page := s.page(`<script>
		Promise.allSettled(Array.from({length: 20}, (_, i) => fetch('http://h.example/' + i, {mode: 'no-cors'})))
			.then(l => document.write(l.filter(x => x.value).length + ' answered. ' + '` + long + `'))</script>`)
	var asked atomic.Int64
	page.Admit = func() bool { return asked.Add(1) <= 5 }
	d, err := b.Draw(t.Context(), page)
	if err != nil || !strings.Contains(string(d.HTML), "5 answered. ") || s.asked.Load() != 5 {
		t.Errorf("%d requests; %v:\n%s", s.asked.Load(), err, d.HTML)
	}
}

// TestSockets bounds the connections of a page that no request accounts for.
func TestSockets(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	s := newSite(t, "x", 0)
	_, err := b.Draw(t.Context(), s.page(`<script>
		for (let i = 0; i < 200; i++) new WebSocket('ws://h' + i + '.example/');
		setTimeout(() => document.write('`+long+`'), 1500)</script>`))
	if n := s.dialled.Load(); err != nil || n < 10 || n > maxConnections {
		t.Errorf("%d connections, %v", n, err)
	}
}

// TestBytesHaveLimits cuts off a page that receives or sends too much.
func TestBytesHaveLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no other process")
	}
	t.Parallel()
	b := realBrowser(t)
	const mega = 1 << 20
	s := newSite(t, strings.Repeat("x", 4*mega), 0)
	d, err := b.Draw(t.Context(), s.page(`<script>(async () => {
		let n = 0;
		try { for (let i = 0; i < 20; i++) n += (await (await fetch('/' + i)).text()).length } catch (e) {}
		document.write('received ' + n + '. `+long+`');
	})()</script>`))
	if err != nil || !strings.Contains(string(d.HTML), fmt.Sprintf("received %d. ", 3*4*mega)) {
		t.Errorf("receiving: %v, %.200s", err, d.HTML)
	}
	s = newSite(t, "x", 0)
	d, err = b.Draw(t.Context(), s.page(`<script>fetch('/', {method: 'POST', body: 'x'.repeat(8 << 20)}).then(
		r => document.write('sent with ' + r.status + '`+long+`'), () => document.write('failed`+long+`'))</script>`))
	if err != nil || strings.Contains(string(d.HTML), "sent with 200") {
		t.Errorf("sending: %v, %.200s", err, d.HTML)
	}
}

// TestTimeHasLimits gives up pages that never end, the first three kinds in every run, and draws the next ones.
func TestTimeHasLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no other process")
	}
	t.Parallel()
	b := realBrowser(t)
	b.limits.settle, b.limits.page = time.Second, 5*time.Second
	pages := []struct{ name, body string }{
		{"a loop", "<script>for (;;);</script>"},
		{"reloads", "<script>setInterval(() => location.reload(), 10)</script>"},
		{"an endless document", "<script>setInterval(() => document.write('x'.repeat(1 << 20)), 1)</script>"},
		{"a loop later", "<script>setTimeout(() => { for (;;); }, 300)</script>"},
		{"noise", "<script>for (;;) console.log('x'.repeat(1 << 20))</script>"},
		{"memory", "<script>const a = []; for (;;) a.push(new Uint8Array(1 << 24).fill(7))</script>"},
		{"a heap", "<script>const a = []; for (;;) a.push({}, [a.length])</script>"},
	}
	for _, p := range pages[:suite.Rounds(3, len(pages))] {
		begun := time.Now()
		d, err := draw(t, b, p.body)
		t.Logf("%s: %v, %v, %d bytes", p.name, time.Since(begun), err, len(d.HTML))
		if err == nil && (strings.Contains(p.name, "loop") || len(d.HTML) > 1<<20) {
			t.Errorf("%s: drawn, %d bytes", p.name, len(d.HTML))
		}
		if d, err := draw(t, b, "<script>document.write('"+long+"')</script>"); err != nil || len(d.HTML) == 0 {
			t.Errorf("after %s: %v", p.name, err)
		}
	}
}

// TestDrawCancelled ends the drawing with its context.
func TestDrawCancelled(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := newSite(t, "x", 0)
	p := s.page("<script src=/x.js></script>")
	p.Dial = func(context.Context, string, string) (net.Conn, error) {
		cancel(why)
		return nil, why
	}
	if _, err := b.Draw(ctx, p); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := b.Draw(ctx, p); !errors.Is(err, why) {
		t.Errorf("cancelled before: %v", err)
	}
}

// TestSentTo records where scripts want to go, and stays.
func TestSentTo(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	s := newSite(t, "another page", 0)
	scripts := []string{
		"location.href = '/inicio#x'",
		`document.head.innerHTML = '<meta http-equiv=refresh content="0; url=/inicio#x">'`,
		"const a = document.createElement('a'); a.href = '/inicio#x'; document.body.append(a); a.click()",
		"location.replace('http://app.example/inicio#x')",
	}
	for _, script := range scripts[:suite.Rounds(2, len(scripts))] {
		d, err := b.Draw(t.Context(), s.page("<body><script>"+script+"</script>"))
		if err != nil || d.SentTo != "http://app.example/inicio#x" || strings.Contains(string(d.HTML), "another page") {
			t.Errorf("%s: sent to %q, %v:\n%s", script, d.SentTo, err, d.HTML)
		}
	}
	if n := s.asked.Load(); n > 0 {
		t.Errorf("%d requests", n)
	}
}

// TestPagesAreStrangers: no cookie or storage of one page is there for the next, and no cookie of the answer.
func TestPagesAreStrangers(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	s := newSite(t, "x", 0)
	p := s.page(`<script>fetch('/').then(() => {
		document.write('before: ' + localStorage.seen + '. ` + long + `');
		localStorage.seen = document.cookie = 'seen=1';
	})</script>`)
	p.Header.Set("Set-Cookie", "session=1")
	for range 2 {
		d, err := b.Draw(t.Context(), p)
		if err != nil || !strings.Contains(string(d.HTML), "before: undefined. ") {
			t.Errorf("%v:\n%s", err, d.HTML)
		}
	}
	if got := strings.Join(s.cookies, ""); got != "" || s.asked.Load() != 2 {
		t.Errorf("cookies %q in %d requests", got, s.asked.Load())
	}
}

// TestLimitOfTheDrawing cuts a long document between two characters.
func TestLimitOfTheDrawing(t *testing.T) {
	t.Parallel()
	b := realBrowser(t)
	s := newSite(t, "x", 0)
	p := s.page("<script>document.write('ñ'.repeat(1000))</script>")
	p.Limit = 400
	d, err := b.Draw(t.Context(), p)
	if err != nil || !d.Truncated || len(d.HTML) < 398 || len(d.HTML) > 400 ||
		strings.Contains(string(d.HTML), "\uFFFD") {
		t.Errorf("%d bytes, cut %t, %v: %s", len(d.HTML), d.Truncated, err, d.HTML)
	}
}
