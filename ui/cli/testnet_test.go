package cli_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/probe/testnet"
	"visto/store/sqlite"
)

// internet starts a test internet for the length of a test.
func internet(t *testing.T, sites []testnet.Site, opt testnet.Options) *testnet.Net {
	t.Helper()
	n, err := testnet.Start(sites, opt)
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

// urlsOf returns all URLs of a table as JSONL: a line of text would be cut at the first space.
func urlsOf(sites []testnet.Site) string {
	var b strings.Builder
	to := json.NewEncoder(&b)
	for _, s := range sites {
		for _, want := range s.URLs {
			to.Encode(map[string]string{"url": want.URL}) // a Builder does not fail
		}
	}
	return b.String()
}

// TestProbeStoresTheTable adds the URLs of the test internet, probes them with a clock that does not wait, and compares
// the stored evidence, flags, verdict and canonical form of each with the table.
func TestProbeStoresTheTable(t *testing.T) {
	t.Parallel()
	clock, sites := testnet.NewClock(), testnet.Sites()
	n := internet(t, sites, testnet.Options{Now: clock.Now})
	p := newProgram(t)
	p.run(0, strings.NewReader(urlsOf(sites)), "add", "-")
	desk := openDesk(t, p)
	probeAll(t, desk, n, clock)
	hosts := canon.Hosts{}
	for _, s := range sites {
		for _, want := range s.URLs {
			items, err := desk.Find(t.Context(), want.URL)
			if err != nil || len(items) != 1 {
				t.Fatalf("%s: %d items, %v", want.URL, len(items), err)
			}
			det, err := desk.Detail(t.Context(), items[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			for host, facts := range det.Evidence.Hosts {
				hosts[host] = facts
			}
			for _, diff := range append(want.DiffEvidence(det.Evidence), want.DiffResult(det.Result)...) {
				t.Errorf("%s: %s", want.URL, diff)
			}
			c := items[0].Computed
			flags := want.Flags | want.LinkFlags
			if c.Canonical != want.Canonical || c.Verdict != want.Verdict() ||
				c.Flags != flags && want.Canonical != "" {
				t.Errorf("%s: stored as %s %q with %v, want %v", want.URL, c.Verdict, c.Canonical, c.Flags.Codes(),
					flags.Codes())
			}
		}
		for _, diff := range s.DiffFacts(hosts) {
			t.Errorf("%s: %s", s.Host, diff)
		}
	}
	p.ok("check")
}

func openDesk(t *testing.T, p *program) *review.Desk {
	t.Helper()
	policy, err := canon.Builtin("clara")
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), p.db, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	desk, err := review.Open(t.Context(), store, "ana", policy)
	if err != nil {
		t.Fatal(err)
	}
	return desk
}

func newDocuments() *extract.Client {
	return extract.NewClient(func() (*exec.Cmd, error) {
		self, err := os.Executable()
		return exec.Command(self, "read-document"), err
	}, 0)
}

// probeAll probes all URLs of a desk.
func probeAll(t *testing.T, desk *review.Desk, n *testnet.Net, clock *testnet.Clock) {
	t.Helper()
	policy, overrides, err := desk.Rules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cfg := probe.Config{
		Policy: policy, Overrides: overrides, Cache: desk.ProbeCache(), Clock: clock,
		Resolver: n, RootCAs: n.Roots(),
		Timeout: 2 * time.Second, Concurrency: 16, Rand: rand.New(rand.NewPCG(1, 2)),
		Documents: newDocuments(),
	}
	if cfg.ConnectTo, err = probe.ParseConnectTo(n.ConnectTo()...); err != nil {
		t.Fatal(err)
	}
	prober, err := probe.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer prober.Close()
	jobs, err := desk.ProbeJobs(t.Context(), review.Filter{}, review.ProbeJobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ignore := func(review.ProbeResult) error { return nil }
	err = review.NewProbing(desk, prober, clock.Now).Run(t.Context(), jobs, ignore)
	if err != nil {
		t.Fatal(err)
	}
}
