package probe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"

	"visto/review/probe/testnet"
)

// Spec 15: no network at all (no route, the resolver not there) is told from a site that is gone.
func TestOffline(t *testing.T) {
	dial := func(ip string, err error) error {
		return fmt.Errorf("wrapped: %w", &net.OpError{Op: "dial", Net: "tcp",
			Addr: &net.TCPAddr{IP: net.ParseIP(ip), Port: 443}, Err: err})
	}
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"no route":          {dial("192.0.2.1", syscall.ENETUNREACH), true},
		"no route for IPv6": {dial("2001:db8::1", syscall.ENETUNREACH), false},
		"dead host":         {dial("192.0.2.1", syscall.EHOSTUNREACH), false},
		"refused":           {dial("192.0.2.1", syscall.ECONNREFUSED), false},
		"no resolver": {&net.DNSError{Err: "read udp 127.0.0.1:1->127.0.0.1:53: read: connection refused",
			IsTemporary: true}, true},
		"silent resolver": {&net.DNSError{Err: "i/o timeout", IsTimeout: true,
			IsTemporary: true}, true},
		"resolver's trouble with the name": {&net.DNSError{Err: "server misbehaving", IsTemporary: true}, false},
		"no such host":                     {&net.DNSError{Err: "no such host", IsNotFound: true}, false},
	} {
		if got := offline(test.err); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// dropPackets lets the network drop every packet but for those to a host that lives.
func (w *world) dropPackets(live string) {
	const nowhere = 9
	for i, rule := range w.cfg.ConnectTo {
		if rule.Host != live {
			w.cfg.ConnectTo[i].ToPort = nowhere
		}
	}
	w.cfg.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasSuffix(address, fmt.Sprint(":", nowhere)) {
			return nil, context.DeadlineExceeded
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

// Spec 15: every host failing is told from a site that is gone: the probe stops and says so, and nothing is flagged.
func TestSilentNetwork(t *testing.T) {
	const archive = "https://archive.gob.es/available"
	for name, test := range map[string]struct {
		hosts   string
		archive string
		live    string
		failed  string // hosts with a report of their failure
		err     error
	}{
		"three silent hosts":               {"a b c", "-", "", "", ErrOffline},
		"many silent hosts":                {"a b c d e f g h", archive, "", "", ErrOffline},
		"one dead among others":            {"a b c", "-", "c", "a b", nil},
		"one silent host, and the archive": {"a", archive, "", "", ErrOffline},
		"two silent hosts":                 {"a b", archive, "", "", ErrOffline},
		"one dead host":                    {"a", archive, "archive", "a", nil},
		"three dead hosts":                 {"a b c", archive, "archive", "a b c", nil},
		"one silent host, nobody else":     {"a", "-", "", "a", nil},
		"two silent hosts, nobody else":    {"a b", "-", "", "a b", nil},
		"one that is not asked besides":    {"a 10.0.0.1", archive, "", "10.0.0.1", ErrOffline},
	} {
		t.Run(name, func(t *testing.T) {
			sites := []testnet.Site{{Host: "archive.gob.es", Rest: testnet.Data("application/json", []byte("[]"))}}
			var targets []Target
			for i, host := range strings.Fields(test.hosts) {
				if !strings.Contains(host, ".") {
					host += ".gob.es"
					sites = append(sites, testnet.Site{Host: host, Rest: page})
				}
				targets = append(targets, Target{ID: int64(2 * i), URL: "https://" + host + "/x"},
					Target{ID: int64(2*i + 1), URL: "https://" + host + "/y"})
			}
			w := newWorld(t, sites...)
			w.cfg.Archive = test.archive
			w.dropPackets(test.live + ".gob.es")
			failed, putOff := map[string]int{}, map[string]int{}
			err := proberFor(t, w.cfg).Run(t.Context(), targets, func(r Report) error {
				host := strings.TrimSuffix(strings.Split(r.Target.URL, "/")[2], ".gob.es")
				switch {
				case r.Evidence == nil:
					putOff[host]++
				case r.Evidence.Error != "":
					failed[host]++
				}
				return nil
			})
			got := strings.Join(slices.Sorted(maps.Keys(failed)), " ")
			if !errors.Is(err, test.err) || got != test.failed {
				t.Errorf("failed %q, %v", got, err)
			}
			for host, n := range failed {
				if isAsked := !strings.Contains(host, "."); n+putOff[host] != 2 || isAsked && n != 1 {
					t.Errorf("%s: %d failed, %d put off", host, n, putOff[host])
				}
			}
		})
	}
}

// Spec 7, "No network": names that do not exist show a dead network only if archive.org does not exist either.
func TestUnknownNames(t *testing.T) {
	for name, test := range map[string]struct {
		urls   string // hosts under ".es"; each has a URL
		gone   bool   // archive.org too
		live   string // the hosts that exist
		failed int    // reports of failures
		err    error
	}{
		"a single URL":                            {"a", true, "", 0, ErrOffline},
		"a single URL of a dead host":             {"a", false, "", 1, nil},
		"two domains":                             {"a b", true, "", 0, ErrOffline},
		"two dead domains":                        {"a b", false, "", 2, nil},
		"many domains":                            {"a b c d e f", true, "", 0, ErrOffline},
		"two names of one domain":                 {"x.a y.a", true, "", 2, nil},
		"two names of one domain, and another":    {"x.a y.a b", true, "", 0, ErrOffline},
		"two URLs of one host":                    {"a a", true, "", 2, nil},
		"two domains, one of them with an answer": {"a b", true, "b", 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			sites := []testnet.Site{{Host: "archive.org", Rest: page, Unresolved: test.gone}}
			var targets []Target
			for i, host := range strings.Fields(test.urls) {
				if host == test.live {
					sites = append(sites, testnet.Site{Host: host + ".es", Rest: page})
				}
				targets = append(targets, Target{ID: int64(i), URL: fmt.Sprintf("https://%s.es/%d", host, i)})
			}
			w := newWorld(t, sites...)
			w.cfg.Archive, w.cfg.Policy = "-", everyHost(t)
			failed := 0
			err := proberFor(t, w.cfg).Run(t.Context(), targets, func(r Report) error {
				if r.Evidence.Error != "" {
					failed++
				}
				return nil
			})
			if !errors.Is(err, test.err) || failed != test.failed {
				t.Errorf("%d failed, %v", failed, err)
			}
			if len(w.net.Log().Requests("archive.org")) > 0 {
				t.Error("archive.org was asked")
			}
		})
	}
}
