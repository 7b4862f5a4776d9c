package probe

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"visto/canon"
)

// inward are addresses of no public site, as a resolver would return them: the ranges of the IANA special-purpose
// registries, and single addresses from the SSRF literature.
var inward = []string{
	"0.0.0.0", "0.255.255.255", "10.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.100.100.200",
	"100.127.255.255", "127.0.0.0", "127.0.0.1", "127.0.1.3", "127.127.127.127", "127.255.255.255", "168.63.129.16",
	"169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.0.192",
	"192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.1",
	"203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",

	"::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::ffff:10.0.0.1",
	"::ffff:0:127.0.0.1", "::127.0.0.1", "::7f00:1", "::a9fe:a9fe", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe",
	"64:ff9b:1::127.0.0.1", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:5ef5:79fd:0:0:80ff:fffe", "2001:10::1",
	"2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:a9fe:a9fe::", "2002:a00:1::", "2002:c0a8:1::", "3fff::1",
	"4000::1", "5f00::1", "fc00::1", "fd00::1", "fd00:ec2::254", "fd20:ce::254", "fe80::1", "fe80::1%lo", "fe80::1%1",
	"fe80::5efe:10.0.0.1", "2a00:1450:4003::5efe:127.0.0.1", "2a00:1450:4003::200:5efe:10.0.0.1", "febf::1",
	"fec0::1", "ff02::1", "ff0e::1",
}

// outward are addresses of the public internet, close to private ranges.
var outward = []string{
	"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
	"168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.3.0",
	"192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "212.128.109.1", "223.255.255.255",
	"2001:200::1", "2001:470:1f1c::1", "2003::1", "2606:4700::1111", "2a00:1450:4003:80a::200e",
}

func TestGuard(t *testing.T) {
	g := newGuard()
	for _, text := range inward {
		for _, a := range []netip.Addr{netip.MustParseAddr(text), netip.MustParseAddr(text).Unmap()} {
			if err := g.check(a); !errors.Is(err, errNotPublic) {
				t.Errorf("%s (%s): %v", text, a, err)
			}
			address := netip.AddrPortFrom(a, 80).String()
			if err := g.control("tcp4", address, nil); !errors.Is(err, errNotPublic) {
				t.Errorf("control %s: %v", address, err)
			}
		}
	}
	for _, text := range outward {
		if err := g.check(netip.MustParseAddr(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if err := g.control("tcp", netip.AddrPortFrom(netip.MustParseAddr(text), 443).String(), nil); err == nil {
			t.Error("a network that is neither tcp4 nor tcp6 passes")
		}
	}
	if err := g.control("tcp4", "localhost:80", nil); err == nil {
		t.Error("a name is no address")
	}
	var none *guard
	if none.check(netip.MustParseAddr("127.0.0.1")) != nil || none.control("tcp4", "127.0.0.1:80", nil) != nil {
		t.Error("without a guard everything passes")
	}
}

// notations are spellings of hosts that lead to this machine or its surroundings, from the SSRF literature
// (PayloadsAllTheThings, "Server Side Request Forgery"; Orange Tsai, "A New Era of SSRF"; the web-platform-tests).
var notations = []string{
	"127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.127.127.127", "127.000.000.001", "127.000000000000.1", "0",
	"0.0.0.0", "00", "0x0", "0x", "2130706433", "017700000001", "0x7f000001", "0X7F000001", "0x7f.1",
	"0x7f.0x00.0x00.0x01", "0x0000007f.0x00000000.0x00000000.0x00000001", "0177.1", "0177.0.0.1", "0177.0.0.01",
	"0177.0000.0000.0001", "00000177.00000000.00000000.00000001", "0x7F.0.0.0x1", "127.0x1", "127.0.0x0.1",
	"3232235521", "3232235777", "10.1", "0xa.1", "012.1", "192.168.1", "0xc0a80014", "172.16.1", "169.254.169.254",
	"2852039166", "0xA9FEA9FE", "0xA9.0xFE.0xA9.0xFE", "0251.0376.0251.0376", "0251.00376.000251.0000376",
	"0251.254.169.254", "169.254.43518", "169.16689662", "192.0.0.192", "100.100.100.200", "127。0。0。1", "127．0．0．1",
	"127｡0｡0｡1", "127%E3%80%820%E3%80%820%E3%80%821", "①②⑦.⓪.⓪.①", "①②⑦。⓪。⓪。①", "１２７.０.０.１", "1２7.0.0.1",
	"⑯⑨。②⑤④。⑯⑨｡②⑤④", "１６９．２５４．１６９．２５４", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "%30", "0%78%37f.1", "localhost",
	"LOCALHOST", "localhost.", "LocalHost.", "foo.localhost", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "ｌｏｃａｌｈｏｓｔ", "l%6fcalhost",
	"loc\u00adalhost", "[::]", "[::1]", "[0000::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]",
	"[::0001]", "[::FFFF:127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]",
	"[0:0:0:0:0:ffff:a9fe:a9fe]", "[::ffff:a9fe:a9fe]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]",
	"[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::a9fe:a9fe]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
	"[2001:0:0:0:0:0:80ff:fffe]", "[fd00:ec2::254]", "[fe80::1]", "[fe80::1%25lo]", "[fe80::1%lo]", "[fec0::1]",
	"[ff02::1]", "[fc00::1]", "[100::1]", "user@127.0.0.1", "good.gob.es@127.0.0.1", "good.gob.es%40@127.0.0.1",
	"good.gob.es:80@127.0.0.1", "1.1.1.1&@127.0.0.1", "@0", "127.0.0.1\\@good.gob.es", "127.0.0.1\\.good.gob.es",
	"127.0.0.1#@good.gob.es", "127.0.0.1#\\@good.gob.es", "127.0.0.1?@good.gob.es", "127.0.0.1\t", "127.0.\n0.1",
}

// trap counts the connections that a prober opens and lets none succeed.
type trap struct {
	mu    sync.Mutex
	dials []string
}

func (s *trap) Dial(_ context.Context, _, address string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dials = append(s.dials, address)
	return nil, errors.New("the trap lets nobody through")
}

func (s *trap) mustBeEmpty(t *testing.T, what string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.dials) > 0 {
		t.Errorf("%s: dialled %s", what, s.dials)
	}
	s.dials = nil
}

// fixedNames is a resolver. It gives each answer of a name once, and the last one for ever.
type fixedNames struct {
	mu    sync.Mutex
	names map[string][][]string
}

func (n *fixedNames) LookupNetIP(_ context.Context, _, host string) (list []netip.Addr, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	answers := n.names[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		n.names[host] = answers[1:]
	}
	for _, a := range answers[0] {
		list = append(list, netip.MustParseAddr(a))
	}
	return list, nil
}

// TestPrivateByName probes every notation. No address may be dialled.
func TestPrivateByName(t *testing.T) {
	s := &trap{}
	p := proberFor(t, Config{Dial: s.Dial})
	for _, host := range notations {
		for _, scheme := range []string{"http://", "https://", "//", ""} {
			report := probeOne(t, p, scheme+host+"/")
			s.mustBeEmpty(t, scheme+host)
			if report.Evidence == nil || report.Evidence.Error == "" || len(report.Exchanges) > 0 {
				t.Errorf("%s%s: %+v, %d requests", scheme, host, report.Evidence, len(report.Exchanges))
			}
		}
	}
}

// TestPrivateTargets probes a URL whose server names each notation in one of four ways. Only that server may be dialled.
func TestPrivateTargets(t *testing.T) {
	for name, way := range map[string]struct {
		path      string // of the answer that names it
		send      func(w http.ResponseWriter, location string)
		isRefused func(*canon.Evidence) bool
	}{
		"hop": {"/a", func(w http.ResponseWriter, location string) {
			w.Header()["Location"] = []string{location}
			w.WriteHeader(http.StatusTemporaryRedirect)
		}, func(ev *canon.Evidence) bool { return len(ev.Hops) == 1 }},
		"refresh": {"/a", func(w http.ResponseWriter, location string) {
			w.Header()["Refresh"] = []string{"0; url=" + location}
		}, func(ev *canon.Evidence) bool { // browsers ignore one whose target is no URL
			return len(ev.Hops) == 1 || ev.MetaRefresh == ""
		}},
		"hreflang": {"/a", func(w http.ResponseWriter, location string) {
			fmt.Fprintf(w, "<html lang=ca><link rel=alternate hreflang=es href=\"%s\"><p>Text", html.EscapeString(location))
		}, func(ev *canon.Evidence) bool { return ev.Language == "ca" && len(ev.Hops) == 0 }},
		"preferred host": {"/", func(w http.ResponseWriter, location string) {
			w.Header()["Location"] = []string{location}
			w.WriteHeader(http.StatusMovedPermanently)
		}, func(ev *canon.Evidence) bool { return ev.PreferredHost == "" && len(ev.Hops) == 0 }},
	} {
		t.Run(name, func(t *testing.T) { testPrivateTargets(t, way.path, way.send, way.isRefused) })
	}
}

func testPrivateTargets(
	t *testing.T, path string, send func(w http.ResponseWriter, location string), isRefused func(*canon.Evidence) bool,
) {
	var location string
	var sent atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch w.Header().Set("Content-Type", "text/html"); r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case path:
			sent.Store(true)
			send(w, location)
		default:
			fmt.Fprint(w, "<title>Ayuda 55</title><p>Text")
		}
	}))
	defer server.Close()
	s := &trap{}
	names := &fixedNames{names: map[string][][]string{"public.gob.es": {{"151.101.1.1"}}}}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		switch address {
		case "151.101.1.1:80":
			var d net.Dialer
			return d.DialContext(ctx, network, server.Listener.Addr().String())
		case "151.101.1.1:443":
			return nil, syscall.ECONNREFUSED
		}
		return s.Dial(ctx, network, address)
	}
	policy := proberFor(t, Config{}).cfg.Policy
	for _, host := range notations {
		for _, form := range []string{"http://%s/", "//%s/", "https://%s", "http:\\\\%s\\x", "HtTp://%s:80/x"} {
			if strings.ContainsAny(host, "\t\n") || strings.Contains(form, ":80") &&
				strings.ContainsAny(host, "@#?\\") {
				continue // no header holds it, or the port would not follow the host
			}
			location = fmt.Sprintf(form, host)
			sent.Store(false)
			p := proberFor(t, Config{Policy: policy, Resolver: names, Dial: dial}) // it asks for the preferred host once
			ev := probeOne(t, p, "http://public.gob.es/a").Evidence
			s.mustBeEmpty(t, location)
			if !sent.Load() || ev == nil || !isRefused(ev) || ev.FinalURL != "" {
				t.Fatalf("%s: %+v", location, ev)
			}
			result := canon.Canonicalize("http://public.gob.es/a", p.cfg.Policy, nil, ev)
			if result.Verdict != canon.Rejected && result.Host != "public.gob.es" ||
				len(ev.Hops) > 0 && result.Verdict == canon.Accepted {
				t.Errorf("%s: accepted as %s", location, result.Canonical)
			}
		}
	}
}

// TestPrivateByDNS resolves names to every private address, alone and behind a public one.
func TestPrivateByDNS(t *testing.T) {
	for _, address := range inward {
		for _, answer := range [][]string{{address}, {"151.101.1.1", address}, {address, "151.101.1.1"}} {
			s := &trap{}
			p := proberFor(t, Config{Dial: s.Dial,
				Resolver: &fixedNames{names: map[string][][]string{"inside.gob.es": {answer}}}})
			ev := probeOne(t, p, "https://inside.gob.es/a").Evidence
			s.mustBeEmpty(t, fmt.Sprint(answer))
			if !strings.Contains(ev.Error, "not a public address") {
				t.Errorf("%s: error %q", answer, ev.Error)
			}
		}
	}
}

// TestRebinding resolves a name to a public address first and to a private one afterwards. The second connection must
// fail, through a socket with its own check and through another dialler.
func TestRebinding(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Connection", "close")
		http.NotFound(w, r)
	}))
	defer server.Close()
	names := &fixedNames{names: map[string][][]string{"rebinding.gob.es": {{"151.101.1.1"}, {"127.0.0.1"}}}}
	s := &trap{}
	plain, err := canon.Builtin("rfc3986") // keeps http
	if err != nil {
		t.Fatal(err)
	}
	p := proberFor(t, Config{Policy: plain, Resolver: names,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == "151.101.1.1:80" {
				var d net.Dialer
				return d.DialContext(ctx, network, server.Listener.Addr().String())
			}
			return s.Dial(ctx, network, address)
		}})
	ev := probeOne(t, p, "http://rebinding.gob.es/a").Evidence
	s.mustBeEmpty(t, "the second address")
	if asked != 1 || !strings.Contains(ev.Error, "127.0.0.1 is not a public address") {
		t.Errorf("asked %d times, error %q", asked, ev.Error)
	}
}

// TestGuardAtTheSocket skips the check before the connection, as a lying resolver would. The check at the socket must
// refuse.
func TestGuardAtTheSocket(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	d := &dialer{guard: newGuard(), timeout: DefaultTimeout}
	to := listener.Addr().(*net.TCPAddr).AddrPort()
	if conn, err := d.one(t.Context(), to, d.guard, 1); !errors.Is(err, errNotPublic) {
		t.Errorf("connected to %s: %v, %v", to, conn, err)
	}
	conn, err := d.one(t.Context(), to, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestAllowPrivate(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<title>Intranet</title>")
	}))
	defer server.Close()
	port := server.Listener.Addr().(*net.TCPAddr).AddrPort().Port()
	names := &fixedNames{names: map[string][][]string{"intranet.gob.es": {{"127.0.0.1"}}}}
	url := fmt.Sprintf("http://intranet.gob.es:%d/a", port)
	for _, test := range []struct {
		allowed bool
		ports   []uint16
		title   string
		err     string
	}{
		{true, []uint16{port}, "Intranet", ""},
		{true, nil, "", "port"},
		{false, []uint16{port}, "", "not a public address"},
	} {
		p := proberFor(t, Config{AllowPrivate: test.allowed, ExtraPorts: test.ports, Resolver: names, Archive: "-"})
		ev := probeOne(t, p, url).Evidence
		if ev.Title != test.title || !strings.Contains(ev.Error, test.err) {
			t.Errorf("%+v: title %q, error %q", test, ev.Title, ev.Error)
		}
	}
	p := proberFor(t, Config{AllowPrivate: true, ExtraPorts: []uint16{port}})
	if ev := probeOne(t, p, server.URL+"/a").Evidence; ev.Title != "Intranet" {
		t.Errorf("%s: %+v", server.URL, ev)
	}
}
