package probe_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"visto/canon"
	"visto/review/probe"
	"visto/review/probe/testnet"
)

// leapClock is a clock that nobody waits for: who sleeps moves it on.
type leapClock struct {
	start time.Time
	mu    sync.Mutex
	now   time.Time
}

func newLeapClock() *leapClock {
	start := time.Date(2026, 2, 18, 9, 0, 0, 0, time.UTC)
	return &leapClock{start: start, now: start}
}

func (c *leapClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *leapClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(max(d, 0))
	return context.Cause(ctx)
}

// world is a test internet and a probe that is led to it.
type world struct {
	t      *testing.T
	net    *testnet.Net
	clock  *leapClock
	policy *canon.Policy
	config probe.Config
}

func newWorld(t *testing.T, sites []testnet.Site) *world {
	t.Helper()
	w := newDirectWorld(t, sites, testnet.Options{})
	for _, rule := range w.net.ConnectTo() {
		to, err := probe.ParseConnectTo(rule)
		if err != nil {
			t.Fatal(err)
		}
		w.config.ConnectTo = append(w.config.ConnectTo, to)
	}
	return w
}

// newDirectWorld returns a world in which the probe finds the test internet by its names and addresses alone.
func newDirectWorld(t *testing.T, sites []testnet.Site, opt testnet.Options) *world {
	t.Helper()
	w := &world{t: t, clock: newLeapClock(), policy: builtin(t, "clara")}
	opt.Now = w.clock.Now
	var err error
	if w.net, err = testnet.Start(sites, opt); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.net.Close(); err != nil {
			t.Error(err)
		}
	})
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(w.net.CA())
	w.config = probe.Config{
		Policy: w.policy, Clock: w.clock, Resolver: w.net, RootCAs: roots, Timeout: 2 * time.Second, Concurrency: 16,
		Rand: rand.New(rand.NewPCG(1, 2)), Cache: probe.NewMemoryCache(),
	}
	return w
}

func builtin(t *testing.T, name string) *canon.Policy {
	t.Helper()
	p, err := canon.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// probe asks about the URLs, and returns the evidence for each.
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

// canonical probes a URL, and returns what the policy makes of it then.
func (w *world) canonical(url string) string {
	w.t.Helper()
	return canon.Canonicalize(url, w.policy, nil, w.probe(url)[url].Evidence).Canonical
}

// remembering is a cache that has the evidence of an earlier run.
type remembering struct {
	probe.Cache
	reports map[string]probe.Report
}

func (c *remembering) Earlier(_ context.Context, t probe.Target) (*canon.Evidence, error) {
	return c.reports[t.URL].Evidence, nil
}

// TestEveryURLOfTheTestInternet probes the whole table: for each URL there is exactly the evidence, and from it exactly the
// verdict, the flags and the canonical form, that the specification and the seeds ask for.
func TestEveryURLOfTheTestInternet(t *testing.T) {
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
			checkFacts(t, s, hosts)
			for _, want := range s.URLs {
				r, ok := reports[want.URL]
				if !ok || r.Evidence == nil {
					t.Errorf("%s: nothing is known: %s", want.URL, r.Deferred)
					continue
				}
				checkEvidence(t, want, r.Evidence)
				ev := *r.Evidence
				ev.Hosts = hosts
				checkResult(t, want, canon.Canonicalize(want.URL, w.policy, nil, &ev))
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

// checkFacts compares what was learned of the host.
func checkFacts(t *testing.T, s testnet.Site, hosts canon.Hosts) {
	t.Helper()
	if len(s.URLs) == 0 {
		return
	}
	https := map[testnet.HTTPS]string{testnet.Supported: "true", testnet.Missing: "false", testnet.Broken: "not known", testnet.Unknown: "not known"}[s.Facts.HTTPS]
	learned := "not known"
	if facts := hosts[s.Host]; facts.HTTPS != nil {
		learned = fmt.Sprint(*facts.HTTPS)
	}
	if learned != https {
		t.Errorf("HTTPS is %s, want %s", learned, https)
	}
	bare := strings.TrimPrefix(s.Host, "www.")
	prefers := cmp.Or(hosts[s.Host].PreferredHost, hosts[bare].PreferredHost)
	if want := strings.TrimPrefix(s.Facts.Prefers, testnet.Nobody); s.Facts.Prefers != "" && prefers != want {
		t.Errorf("it prefers %q, want %q", prefers, want)
	}
}

// besides are the fields of evidence that do not depend on the site, or are checked as what is known of hosts.
var besides = []string{"url", "asked", "fetched_at", "ttl_hours", "retry_after", "caveats", "size", "hosts", "https", "preferred_host"}

func checkEvidence(t *testing.T, want testnet.Want, got *canon.Evidence) {
	t.Helper()
	if got.URL != want.URL || got.FetchedAt == "" {
		t.Errorf("%s: evidence for %q of %q", want.URL, got.URL, got.FetchedAt)
	}
	wanted := canon.Evidence(want.Evidence)
	if got.Error != "" && wanted.Error != "" && strings.Contains(strings.ToLower(got.Error), strings.ToLower(wanted.Error)) {
		wanted.Error = got.Error
	}
	if wanted.FinalURL == "" && len(wanted.Hops) > 0 && (wanted.Method == "get" || wanted.Method == "head") {
		wanted.FinalURL, _, _ = strings.Cut(wanted.Hops[len(wanted.Hops)-1].URL, "#")
	}
	g, w := fields(t, got), fields(t, &wanted)
	for _, name := range slices.Sorted(maps.Keys(both(g, w))) {
		if !slices.Contains(besides, name) && !bytes.Equal(g[name], w[name]) {
			t.Errorf("%s: %s is %s, want %s", want.URL, name, cmp.Or(string(g[name]), "nothing"), cmp.Or(string(w[name]), "nothing"))
		}
	}
}

func fields(t *testing.T, ev *canon.Evidence) (m map[string]json.RawMessage) {
	t.Helper()
	data, err := json.Marshal(ev)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func both[V any](a, b map[string]V) map[string]V {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func checkResult(t *testing.T, want testnet.Want, got canon.Result) {
	t.Helper()
	if got.Canonical != want.Canonical || got.Verdict != want.Verdict() || got.Reason != want.Reason {
		t.Errorf("%s: %s %s %q, want %s %s %q", want.URL, got.Verdict, got.Reason, got.Canonical, want.Verdict(), want.Reason, want.Canonical)
	}
	if got.Codes() != want.Flags {
		t.Errorf("%s: flags %v, want %v", want.URL, names(got.Codes()), names(want.Flags))
	}
	if want.Canonical == "" {
		return
	}
	if language := cmp.Or(want.Language, want.Evidence.Language[:min(2, len(want.Evidence.Language))]); got.Language != spelled[language] {
		t.Errorf("%s: language %q, want %q", want.URL, got.Language, spelled[language])
	}
	if !maps.Equal(got.LangVariants, want.Variants) {
		t.Errorf("%s: versions %v, want %v", want.URL, got.LangVariants, want.Variants)
	}
	if got.SpanishCandidate != want.Spanish {
		t.Errorf("%s: Spanish candidate %q, want %q", want.URL, got.SpanishCandidate, want.Spanish)
	}
	var page canon.Pagination
	if got.Pagination != nil {
		page = *got.Pagination
	}
	if page.Page != want.Page || want.Page > 0 && page.TotalPages != want.Evidence.TotalPages {
		t.Errorf("%s: page %d of %d, want %d of %d", want.URL, page.Page, page.TotalPages, want.Page, want.Evidence.TotalPages)
	}
}

// spelled is how results call the languages of pages.
var spelled = map[string]string{"": "", "es": "es", "ca": "ca", "va": "ca", "eu": "eu", "gl": "gl"}

func names(s canon.CodeSet) (list []string) {
	for _, c := range s.Codes() {
		list = append(list, c.String())
	}
	return list
}

// checkRequests checks what was asked of whom: manners, and what may never be asked.
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

// checkManners checks that robots.txt came first, that no two requests were under way at a time, and that nothing was sent that says
// who we are.
func checkManners(t *testing.T, log *testnet.Log, s testnet.Site) {
	t.Helper()
	broken := slices.ContainsFunc(s.URLs, func(w testnet.Want) bool { return w.Evidence.Error != "" })
	if log.Peak(s.Host) > 1 && !broken { // a server that does not answer does not see either that nobody waits for it any more
		t.Errorf("%s: %d requests at a time", s.Host, log.Peak(s.Host))
	}
	for i, r := range log.Requests(s.Host) {
		if i == 0 && r.Target != "/robots.txt" && !strings.HasSuffix(s.Host, "archive.org") {
			t.Errorf("%s: the first request is %s", s.Host, r)
		}
		for _, name := range []string{"Cookie", "Authorization", "Referer"} {
			if r.Header.Get(name) != "" {
				t.Errorf("%s sends %s: %s", r, name, r.Header.Get(name))
			}
		}
	}
}
