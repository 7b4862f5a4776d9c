package probe_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"visto/canon"
	"visto/review/probe"
	"visto/review/probe/testnet"
)

// world is a test internet, with the configuration of a probe that reaches it.
type world struct {
	t      *testing.T
	net    *testnet.Net
	clock  *testnet.Clock
	policy *canon.Policy
	config probe.Config
}

func newWorld(t *testing.T, sites []testnet.Site) *world {
	t.Helper()
	w := newDirectWorld(t, sites, testnet.Options{})
	var err error
	if w.config.ConnectTo, err = probe.ParseConnectTo(w.net.ConnectTo()...); err != nil {
		t.Fatal(err)
	}
	w.config.Dial = w.dialLoopback
	return w
}

// dialLoopback keeps a broken probe away from real networks.
func (w *world) dialLoopback(ctx context.Context, network, address string) (net.Conn, error) {
	if to, err := netip.ParseAddrPort(address); err != nil || !to.Addr().IsLoopback() {
		w.t.Errorf("%s was to be dialled", address)
		return nil, syscall.ECONNREFUSED
	}
	var d net.Dialer
	return d.DialContext(ctx, network, address)
}

// newDirectWorld returns a world in which the probe finds the test internet by names and addresses alone.
func newDirectWorld(t *testing.T, sites []testnet.Site, opt testnet.Options) *world {
	t.Helper()
	w := &world{t: t, clock: testnet.NewClock(), policy: builtin(t, "clara")}
	if !opt.InMemory {
		opt.Now = w.clock.Now
	}
	var err error
	if w.net, err = testnet.Start(sites, opt); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.net.Close(); err != nil {
			t.Error(err)
		}
	})
	w.config = probe.Config{
		Policy: w.policy, Clock: w.clock, Resolver: w.net, RootCAs: w.net.Roots(), Timeout: 2 * time.Second,
		Concurrency: 16, Rand: rand.New(rand.NewPCG(1, 2)), Cache: probe.NewMemoryCache(), Documents: documents,
	}
	return w
}

func builtin(t testing.TB, name string) *canon.Policy {
	t.Helper()
	p, err := canon.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// probe probes the URLs and returns the report on each.
func (w *world) probe(urls ...string) map[string]probe.Report {
	w.t.Helper()
	p, err := probe.New(w.config)
	if err != nil {
		w.t.Fatal(err)
	}
	defer p.Close()
	var targets []probe.Target
	for i, u := range urls {
		targets = append(targets, probe.Target{ID: int64(i + 1), URL: u})
	}
	reports := map[string]probe.Report{}
	err = p.Run(w.t.Context(), targets, func(r probe.Report) error {
		if _, again := reports[r.Target.URL]; again {
			return fmt.Errorf("%s was reported twice", r.Target.URL)
		}
		reports[r.Target.URL] = r
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return reports
}

// canonical probes a URL and returns its canonical form under the policy.
func (w *world) canonical(url string) string {
	w.t.Helper()
	return canon.Canonicalize(url, w.policy, nil, w.probe(url)[url].Evidence).Canonical
}

// remembering is a cache with the evidence of an earlier run.
type remembering struct {
	probe.Cache
	reports map[string]probe.Report
}

func (c *remembering) Earlier(_ context.Context, t probe.Target) (*canon.Evidence, error) {
	return c.reports[t.URL].Evidence, nil
}

func (c *remembering) HasContent(_ context.Context, t probe.Target) (bool, error) {
	return c.reports[t.URL].Content != nil, nil
}

// TestEveryURLOfTheTestInternet probes the whole table. Each URL must give exactly the evidence, verdict, flags and
// canonical form of its row.
func TestEveryURLOfTheTestInternet(t *testing.T) {
	t.Parallel()
	sites := testnet.Sites()
	w := newWorld(t, sites)
	reports := w.probe(urls(sites)...)
	hosts := canon.Hosts{}
	for _, r := range reports {
		if r.Evidence != nil {
			maps.Copy(hosts, r.Evidence.Hosts)
		}
	}
	for _, s := range sites {
		t.Run(s.Host, func(t *testing.T) {
			for _, diff := range s.DiffFacts(hosts) {
				t.Error(diff)
			}
			for _, want := range s.URLs {
				r, ok := reports[want.URL]
				if !ok || r.Evidence == nil {
					t.Errorf("%s: nothing is known: %s", want.URL, r.Deferred)
					continue
				}
				ev := *r.Evidence
				ev.Hosts = hosts
				result := canon.Canonicalize(want.URL, w.policy, nil, &ev)
				for _, diff := range append(want.DiffEvidence(r.Evidence), want.DiffResult(result)...) {
					t.Errorf("%s: %s", want.URL, diff)
				}
			}
		})
	}
	checkRequests(t, w.net, sites)
}

// urls returns all URLs of a table.
func urls(sites []testnet.Site) (list []string) {
	for _, s := range sites {
		for _, want := range s.URLs {
			list = append(list, want.URL)
		}
	}
	return list
}

// checkRequests checks which requests each site received.
func checkRequests(t *testing.T, n *testnet.Net, sites []testnet.Site) {
	t.Helper()
	for _, host := range []string{"shop.example", "127.0.0.1", "localhost", "169.254.169.254"} {
		for _, r := range n.Log().Requests(host) {
			t.Errorf("never to be asked: %s", r)
		}
	}
	for _, url := range []string{
		"https://refresh.gob.es/tramites/pagina-nueva",
		"https://six-hops.gob.es/tramites/paso-numero-6",
		"https://robots-blocked.gob.es/tramites/ayuda-alquiler",
		"https://robots-503.gob.es/tramites/ayuda-alquiler",
		"https://web.archive.org/web/20240611093000id_/https://paywall.gob.es/tramites/ayuda-alquiler",
	} {
		if times := n.Log().Asked(url); times > 0 {
			t.Errorf("never to be asked: %s, %d times", url, times)
		}
	}
	for _, s := range sites {
		checkManners(t, n.Log(), s)
	}
}

// checkManners checks that robots.txt came first, that no two requests overlapped, and that no request identified us.
func checkManners(t *testing.T, log *testnet.Log, s testnet.Site) {
	t.Helper()
	broken := slices.ContainsFunc(s.URLs, func(w testnet.Want) bool {
		return w.Evidence.Error != "" || w.Evidence.NoContent
	})
	if log.Peak(s.Host) > 1 && !broken { // a server that does not answer does not notice that the client gave up
		t.Errorf("%s: %d requests at a time", s.Host, log.Peak(s.Host))
	}
	for i, r := range log.Requests(s.Host) {
		if i == 0 && r.Target != "/robots.txt" && !strings.HasSuffix(s.Host, "archive.org") {
			t.Errorf("%s: the first request is %s", s.Host, r)
		}
		for _, name := range []string{"Cookie", "Authorization", "Referer"} {
			isOwn := name == "Cookie" && s.Cookies && r.Target != "/robots.txt" && r.Header.Get(name) != "all=1"
			if r.Header.Get(name) != "" && !isOwn {
				t.Errorf("%s sends %s: %s", r, name, r.Header.Get(name))
			}
		}
	}
}
