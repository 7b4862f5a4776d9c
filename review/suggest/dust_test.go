package suggest_test

import (
	"crypto/x509"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract/extracttest"
	"visto/review/probe/testnet"
	"visto/review/suggest"
)

func TestMain(m *testing.M) { extracttest.Main(m) }

// dustDesk is a desk with the URLs of the dust sites, of which a prober asks more and more.
type dustDesk struct {
	*desk
	clock  *testnet.Clock
	config probe.Config
	jobs   []review.ProbeJob // not yet asked
	all    int
	links  []testnet.DustLink // whose URL the policy leaves as it is
	judge  *judge
}

// newDustDesk starts the dust sites. The seed is that of the order in which their URLs are asked.
func newDustDesk(t *testing.T, seed uint64) *dustDesk {
	d := &dustDesk{desk: newDesk(t), clock: testnet.NewClock()}
	var sites []testnet.Site
	var found []review.Found
	pages := map[string]string{}
	d.judge = newJudge(t, func(url string) string { return pages[url] })
	for _, site := range testnet.Dust() {
		sites = append(sites, site.Site)
		for _, l := range site.Links {
			found = append(found, review.Found{URL: l.URL})
			if d.judge.bare.Canonicalize(l.URL, nil).Canonical != l.URL {
				continue
			}
			d.links = append(d.links, l)
			if pages[l.URL] = l.Page; l.Page == "" {
				pages[l.URL] = "an error at " + l.URL
			}
		}
	}
	d.add(found...)
	net, err := testnet.Start(sites, testnet.Options{Now: d.clock.Now})
	d.must(err)
	t.Cleanup(func() { d.must(net.Close()) })
	d.config = probe.Config{
		Policy: d.Policy(), Clock: d.clock, Resolver: net, RootCAs: x509.NewCertPool(), Timeout: 5 * time.Second,
		Concurrency: 16, Rand: rand.New(rand.NewPCG(1, 2)), Cache: d.ProbeCache(), Archive: "-",
	}
	d.config.RootCAs.AppendCertsFromPEM(net.CA())
	for _, rule := range net.ConnectTo() {
		to, err := probe.ParseConnectTo(rule)
		d.must(err)
		d.config.ConnectTo = append(d.config.ConnectTo, to...)
	}
	d.jobs, err = d.ProbeJobs(t.Context(), review.Filter{}, review.ProbeJobOptions{})
	d.must(err)
	d.all = len(d.jobs)
	r := rand.New(rand.NewPCG(seed, 17))
	r.Shuffle(len(d.jobs), func(i, j int) { d.jobs[i], d.jobs[j] = d.jobs[j], d.jobs[i] })
	return d
}

// probeUpTo asks URLs until so many of a hundred have been asked.
func (d *dustDesk) probeUpTo(percent int) {
	d.Helper()
	d.config.Documents = extracttest.NewClient()
	prober, err := probe.New(d.config)
	d.must(err)
	defer prober.Close()
	n := len(d.jobs) - (d.all - (d.all*percent+50)/100)
	ignore := func(review.ProbeResult) error { return nil }
	d.must(review.NewProbing(d.Desk, prober, d.clock.Now).Run(d.Context(), d.jobs[:n], ignore))
	d.jobs = d.jobs[n:]
}

// dustScore is the outcome of mining the dust sites.
type dustScore struct {
	probed           int
	planted, found   map[string]int // rules by kind: those that make one URL of nine in ten duplicates
	rules            int            // recommended
	flawed           []verdict
	right, predicted int // URLs that a recommended rule changes
	merging
	valid []bool // of the recommended rules, those with the most pages first
}

// plantedRule is a planted rule: of a kind on a host, or of the hosts of one software.
type plantedRule struct{ kind, place string }

func (d *dustDesk) score() dustScore {
	d.Helper()
	var urls []string
	for _, l := range d.links {
		urls = append(urls, l.URL)
	}
	list := d.judge.recommended(d.suggestions(review.Filter{}))
	s := dustScore{probed: d.all - len(d.jobs), planted: map[string]int{}, found: map[string]int{}, rules: len(list)}
	slices.SortStableFunc(list, func(a, b suggest.Suggestion) int { return b.For - a.For })
	for i := range list {
		v := d.judge.judge(d.TB, list[i], urls)
		s.right, s.predicted = s.right+v.right, s.predicted+v.right+len(v.wrong)
		if s.valid = append(s.valid, v.isValid()); len(v.wrong) > 0 {
			s.flawed = append(s.flawed, v)
		}
	}
	rules := d.judge.with(d.TB, list...)
	s.merging = d.judge.merge(rules, urls)
	total, covered := map[plantedRule]int{}, map[plantedRule]int{}
	for _, l := range d.links {
		if l.Rule == "" {
			continue
		}
		r := plantedRule{l.Rule, parseLink(l.URL).place()}
		if total[r]++; rules(l.URL) == rules(l.Page) {
			covered[r]++
		}
	}
	for r := range total {
		s.planted[r.kind]++
		if covered[r]*10 >= total[r]*9 {
			s.found[r.kind]++
		} else {
			d.Logf("not found: %v: %d of %d", r, covered[r], total[r])
		}
	}
	return s
}

// place returns the host, or the name of the software that several hosts run.
func (l link) place() string {
	if len(l.segments) > 0 && l.segments[0] == "sta" {
		return "sta"
	}
	return l.host
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// TestDust asks 30 % of the URLs of the dust sites. Every planted rule has to be recommended, and nothing else.
func TestDust(t *testing.T) {
	if testing.Short() {
		t.Skip("the prober's own tests look for its races")
	}
	d := newDustDesk(t, 1)
	d.probeUpTo(30)
	s := d.score()
	if total(s.found) < total(s.planted) {
		t.Errorf("found %v of %v", s.found, s.planted)
	}
	for _, v := range s.flawed {
		t.Errorf("%s %d:%d is wrong about %q", v.Template, v.For, v.Against, v.wrong[:min(3, len(v.wrong))])
	}
	kinds := []string{}
	for kind := range s.planted {
		kinds = append(kinds, kind)
	}
	if slices.Sort(kinds); len(kinds) != 11 {
		t.Errorf("planted are rules of %q", kinds)
	}
	checkRow(t, dustRow(1, 30, s))
}
