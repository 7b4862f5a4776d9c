package probe_test

import (
	"context"
	"net"
	"net/netip"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"visto/canon/suite"
	"visto/review/probe/browser"
	"visto/review/probe/testnet"
)

// plainBrowser draws pages as if they came over http, for a page that came over https may ask nobody over http. It
// keeps the drawings.
type plainBrowser struct {
	*browser.Browser
	drawn map[string]string // HTML by URL
}

func (b plainBrowser) Draw(ctx context.Context, p browser.Page) (browser.Drawing, error) {
	p.URL = strings.Replace(p.URL, "https:", "http:", 1)
	d, err := b.Browser.Draw(ctx, p)
	b.drawn[p.URL] = string(d.HTML)
	if err != nil {
		b.drawn[p.URL] = err.Error()
	}
	return d, err
}

// realBrowser returns a browser, or skips the test where there is none.
func realBrowser(t *testing.T) *browser.Browser {
	t.Helper()
	path, err := browser.Find("")
	if err != nil {
		t.Fatal(err)
	}
	if path == "" {
		t.Skip("there is no Chromium to draw pages with")
	}
	return browser.New(path)
}

// inwardOrigins are the places to which the doors lead: a private address and two names that resolve to a public one at
// first, and if all tests run further spellings of private addresses.
var inwardOrigins = []string{
	"http://127.0.0.1", "http://rebinds.gob.es", "https://rebinds-secure.gob.es", "http://169.254.169.254",
	"http://10.0.0.7", "http://localhost", "http://[::1]", "http://0x7f.1",
}

// TestBrowserIsContained opens pages that try to lead a browser to addresses that are not public, through every door it
// has, where all these addresses lead to the test internet. The browser may connect to public addresses only, and
// send no datagram.
func TestBrowserIsContained(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no other process")
	}
	t.Parallel()
	b := plainBrowser{realBrowser(t), map[string]string{}}
	if !isolate(t, "151.101.0.1/16", "10.0.0.1/8", "169.254.0.1/16", "fd00::1/64") {
		return
	}
	addNetwork(t)
	origins := inwardOrigins[:suite.Rounds(3, len(inwardOrigins))]
	doors := testnet.Doors("doors.gob.es", origins...)
	w := newDirectWorld(t, []testnet.Site{
		doors, rebinding("rebinds.gob.es", "151.101.200.1", "127.0.0.1"),
		rebinding("rebinds-secure.gob.es", "151.101.200.2", "127.0.0.1"),
	}, testnet.Options{Plain: ":80", Secure: ":443"})
	w.config.Browser = b
	datagrams := countDatagrams(t, ":3478", ":443", ":53", ":5353", ":80")
	w.probe(urls([]testnet.Site{doors})...)
	for url, html := range b.drawn {
		if !strings.Contains(html, "Tried: fetch ") {
			t.Errorf("%s tried nothing: %.500s", url, html)
		}
	}
	if len(b.drawn) != len(origins) {
		t.Errorf("%d pages were drawn, want %d", len(b.drawn), len(origins))
	}
	public := netip.MustParsePrefix("151.101.0.0/16")
	for _, a := range w.net.Log().Connections() {
		if ip := a.(*net.TCPAddr).AddrPort().Addr().Unmap(); !public.Contains(ip) {
			t.Errorf("%s was dialled", a)
		}
	}
	if n := datagrams.Load(); n > 0 {
		t.Errorf("%d datagrams were sent", n)
	}
	w.checkDoors(urls([]testnet.Site{doors})[:1])
}

// addNetwork adds a network besides loopback, for WebRTC looks for none without it.
func addNetwork(t *testing.T) {
	t.Helper()
	for _, command := range []string{
		"link add visto0 type veth peer name visto1", "addr add 151.102.0.1/16 dev visto0", "link set visto0 up",
		"link set visto1 up",
	} {
		if out, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
			t.Fatalf("ip %s: %v\n%s", command, err, out)
		}
	}
}

// checkDoors shows that the doors lead to the addresses if the guard does not stand before them.
func (w *world) checkDoors(pages []string) {
	w.t.Helper()
	w.config.AllowPrivate = true
	w.net.Log().Clear()
	w.probe(pages...)
	var reached []string
	for _, r := range w.net.Log().Requests("127.0.0.1") {
		reached = append(reached, r.Target)
	}
	w.t.Logf("without the guard the doors led to %v", reached)
	for _, door := range []string{"/fetch", "/post", "/xhr", "/beacon", "/events", "/websocket", "/redirect", "/script",
		"/style", "/module", "/imported", "/prefetch", "/preload"} {
		if !slices.Contains(reached, door) {
			w.t.Errorf("the test proves nothing: without the guard %s is closed too", door)
		}
	}
}

// countDatagrams counts the datagrams that come to ports of any address.
func countDatagrams(t *testing.T, ports ...string) *atomic.Int64 {
	t.Helper()
	var n atomic.Int64
	for _, port := range ports {
		l, err := net.ListenPacket("udp", port)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for b := make([]byte, 2000); ; n.Add(1) {
				if _, _, err := l.ReadFrom(b); err != nil {
					return
				}
			}
		}()
	}
	return &n
}
