package testnet_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"visto/canon"
	"visto/review/probe/testnet"
)

// start starts a test internet for the length of a test.
func start(t *testing.T, sites []testnet.Site) *testnet.Net {
	t.Helper()
	n, err := testnet.Start(sites, testnet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// client returns an HTTP client that reaches the test internet and follows no redirect.
func client(t *testing.T, n *testnet.Net) *http.Client {
	t.Helper()
	to := map[string]string{}
	for _, rule := range n.ConnectTo() {
		part := strings.SplitN(rule, ":", 3)
		to[part[0]+":"+part[1]] = part[2]
	}
	transport := &http.Transport{
		DisableCompression: true,
		TLSClientConfig:    &tls.Config{RootCAs: n.Roots()},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			var d net.Dialer
			if to[address] == "" {
				return nil, errors.New("no rule for " + address)
			}
			return d.DialContext(ctx, network, to[address])
		},
		MaxResponseHeaderBytes: 64 << 10,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// get requests a URL, which must answer.
func get(t *testing.T, c *http.Client, url string) (*http.Response, []byte) {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return resp, body
}

// TestTable checks the table against itself: a URL is on a host of the table, stands in it once, and has a reason if
// it is rejected.
func TestTable(t *testing.T) {
	sites := testnet.Sites()
	hosts, urls := map[string]bool{}, map[string]bool{}
	for _, s := range sites {
		if hosts[s.Host] || s.About == "" {
			t.Errorf("%s: twice, or nothing is said about it", s.Host)
		}
		hosts[s.Host] = true
		for _, w := range s.URLs {
			if urls[w.URL] {
				t.Errorf("%s stands in the table twice", w.URL)
			}
			urls[w.URL] = true
			if !strings.Contains(strings.ToLower(w.URL), s.Host) {
				t.Errorf("%s is not on %s", w.URL, s.Host)
			}
			if (w.Canonical == "") != (w.Reason != canon.NotRejected) {
				t.Errorf("%s: canonical %q, reason %q", w.URL, w.Canonical, w.Reason)
			}
		}
	}
	if len(hosts) < 40 {
		t.Errorf("%d hosts, want 40 or more", len(hosts))
	}
	t.Logf("%d hosts, %d URLs", len(hosts), len(urls))
}

func TestSecurity(t *testing.T) {
	n := start(t, testnet.Sites())
	c := client(t, n)
	for host, is := range map[string]func(error) bool{
		"expired.gob.es":       invalid(x509.Expired),
		"not-yet-valid.gob.es": invalid(x509.Expired),
		"other-name.gob.es":    as[x509.HostnameError],
		"self-signed.gob.es":   as[x509.UnknownAuthorityError],
		"text-at-443.gob.es": func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "HTTP response to HTTPS client")
		},
		"silent-at-443.gob.es": func(err error) bool { return errors.Is(err, io.EOF) },
		"http-only.gob.es":     func(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) },
		"plain.gob.es":         func(err error) bool { return err == nil },
	} {
		resp, err := c.Get("https://" + host + "/")
		if !is(err) {
			t.Errorf("%s: %v", host, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
	if n.Log().Handshakes("expired.gob.es") != 1 || len(n.Log().Requests("expired.gob.es")) != 0 {
		t.Error("a handshake that fails is no request")
	}
}

func invalid(reason x509.InvalidReason) func(error) bool {
	return func(err error) bool {
		var e x509.CertificateInvalidError
		return errors.As(err, &e) && e.Reason == reason
	}
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func TestAnswers(t *testing.T) {
	n := start(t, testnet.Sites())
	c := client(t, n)
	for url, want := range map[string]struct {
		status   int
		location string
	}{
		"http://boe.es/buscar?p=1":                          {301, "https://boe.es/buscar?p=1"},
		"https://boe.es/buscar?p=1":                         {301, "https://www.boe.es/buscar?p=1"},
		"https://kinds.gob.es/tramites/puntos-303":          {303, "../tramites/./nuevo/ayuda-alquiler"},
		"https://kinds.gob.es/tramites/sin-esquema-307":     {307, "//kinds.gob.es/tramites/nuevo/ayuda-alquiler"},
		"https://odd-redirects.gob.es/tramites/en-latin1":   {302, "/tr\xe1mites/prestaci\xf3n-\xfanica"},
		"https://odd-redirects.gob.es/tramites/sin-destino": {302, ""},
		"https://sessions.gob.es/tramites/vida-laboral?id=1": {302,
			"/tramites/vida-laboral;jsessionid=0A1B2C.node3?id=1"},
		"https://self-redirect.gob.es/x?y":                       {302, "/x?y"},
		"https://six-hops.gob.es/tramites/paso-numero-5":         {302, "/tramites/paso-numero-6"},
		"https://six-hops.gob.es/tramites/paso-numero-6":         {200, ""},
		"http://http-only.gob.es/anuncios/ayudas-alquiler":       {200, ""},
		"https://downgrades.gob.es/x":                            {301, "http://downgrades.gob.es/x"},
		"https://slash-needed.gob.es/ayudas/alquiler-joven":      {404, ""},
		"https://slash-needed.gob.es/ayudas/alquiler-joven/":     {200, ""},
		"https://lists.gob.es/ayudas/convocatorias-abiertas?p=2": {200, ""},
		"https://plain.gob.es/robots.txt":                        {404, ""},
		"https://plain.gob.es/":                                  {200, ""},
		"https://ports.gob.es:8443/tramites/ayuda-alquiler":      {200, ""},
		"https://busy.gob.es/tramites/ayuda-alquiler":            {429, ""},
	} {
		resp, _ := get(t, c, url)
		if resp.StatusCode != want.status || resp.Header.Get("Location") != want.location {
			t.Errorf("%s: %d %q, want %d %q", url, resp.StatusCode, resp.Header.Get("Location"), want.status,
				want.location)
		}
	}
	if resp, _ := get(t, c, "https://busy.gob.es/tramites/ayuda-alquiler"); resp.StatusCode != 200 {
		t.Errorf("busy for the second time: %d", resp.StatusCode)
	}
	_, bomb := get(t, c, "https://bomb.gob.es/tramites/ayuda-alquiler")
	if n := unpacked(t, bomb); len(bomb) > 2<<20 || n < 64<<20 {
		t.Errorf("the bomb has %d bytes over the wire, and %d or more unpacked", len(bomb), n)
	}
	if _, body := get(t, c, "https://large.gob.es/tramites/ayuda-alquiler"); len(body) != 5<<20 {
		t.Errorf("the large page has %d bytes", len(body))
	}
	_, body := get(t, c, "https://archive.org/wayback/available?url=gone.gob.es%2Ftramites%2Fayuda-alquiler")
	if !strings.Contains(string(body), "20240611") {
		t.Errorf("the archive says %s", body)
	}
}

// unpacked returns the unpacked length of gzip data, which may break off.
func unpacked(t *testing.T, data []byte) int64 {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.CopyN(io.Discard, z, 64<<20)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	return n
}

func TestConditional(t *testing.T) {
	n := start(t, testnet.Sites())
	c := client(t, n)
	for url, header := range map[string][2]string{
		"https://validated.gob.es/tramites/ayuda-alquiler": {"If-None-Match", `"v1-5f1c"`},
		"https://validated.gob.es/tramites/solo-por-fecha": {"If-Modified-Since", "Tue, 13 Jan 2026 09:20:00 GMT"},
	} {
		req, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(header[0], header[1])
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %d", url, resp.StatusCode)
		}
	}
}

// TestHostile requests from the endless servers. A client with limits must finish with each, and Close with the rest.
func TestHostile(t *testing.T) {
	n := start(t, testnet.Sites())
	c := client(t, n)
	for _, host := range []string{"slow-loris", "slow-body", "mute", "endless-headers", "huge-header", "reset",
		"empty", "no-http"} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		req, err := http.NewRequestWithContext(ctx, "GET", "https://"+host+".gob.es/tramites/ayuda-alquiler", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.Do(req)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		cancel()
		if err == nil {
			t.Errorf("%s answers as if nothing were wrong", host)
		}
	}
	if _, err := c.Get("https://reset.gob.es/tramites/ayuda-alquiler"); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("reset: %v", err)
	}
	if _, err := c.Get("https://empty.gob.es/tramites/ayuda-alquiler"); !errors.Is(err, io.EOF) {
		t.Errorf("empty: %v", err)
	}
	resp, err := c.Get("https://endless.gob.es/tramites/ayuda-alquiler") // still open when the test internet closes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
}

func TestLog(t *testing.T) {
	n := start(t, testnet.Sites())
	c := client(t, n)
	get(t, c, "https://plain.gob.es/a;b?c=%20d")
	get(t, c, "https://plain.gob.es/a")
	get(t, c, "http://plain.gob.es/a")
	requests := n.Log().Requests("plain.gob.es")
	var got []string
	for _, r := range requests {
		got = append(got, r.String())
	}
	want := "GET https://plain.gob.es/a;b?c=%20d GET https://plain.gob.es/a GET http://plain.gob.es/a"
	if strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if requests[0].Conn != requests[1].Conn || requests[1].Conn == requests[2].Conn {
		t.Errorf("connections %d, %d, %d: the first two are one", requests[0].Conn, requests[1].Conn, requests[2].Conn)
	}
	if n.Log().Asked("https://plain.gob.es/a") != 1 || n.Log().Peak("plain.gob.es") != 1 ||
		len(n.Log().Connections()) != 2 {
		t.Errorf("asked %d times, at most %d at a time, over %d connections",
			n.Log().Asked("https://plain.gob.es/a"), n.Log().Peak("plain.gob.es"), len(n.Log().Connections()))
	}
	if n.Log().Clear(); len(n.Log().Requests()) != 0 || len(n.Log().Connections()) != 0 {
		t.Error("the log is not clear")
	}
}

func TestResolver(t *testing.T) {
	sites := append(testnet.Sites(), testnet.Site{Host: "rebinds.gob.es",
		Addresses: [][]netip.Addr{{netip.MustParseAddr("151.101.9.9")}, {netip.MustParseAddr("127.0.0.1")}}})
	n := start(t, sites)
	seen := map[string]string{}
	for _, host := range n.Hosts() {
		a, err := n.LookupNetIP(t.Context(), "ip", host)
		if host == "no-such-host.gob.es" || host == "only-www.gob.es" {
			var missing *net.DNSError
			if !errors.As(err, &missing) || !missing.IsNotFound {
				t.Errorf("%s: %v", host, err)
			}
			continue
		}
		if err != nil || len(a) == 0 {
			t.Fatalf("%s: %v %v", host, a, err)
		}
		if other := seen[a[0].String()]; other != "" {
			t.Errorf("%s and %s are both at %s", host, other, a[0])
		}
		seen[a[0].String()] = host
	}
	for range 2 {
		if a, err := n.LookupNetIP(t.Context(), "ip", "rebinds.gob.es"); err != nil || a[0].String() != "127.0.0.1" {
			t.Errorf("the second answer and later ones: %v %v", a, err)
		}
	}
	if n.Looked("rebinds.gob.es") != 3 {
		t.Errorf("looked up %d times", n.Looked("rebinds.gob.es"))
	}
}
