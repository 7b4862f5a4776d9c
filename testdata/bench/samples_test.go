package main

import (
	"os"
	"strings"
	"testing"

	"visto/canon"
)

const twoRounds = `goos: linux
BenchmarkPeers/gov/net/url 	  164878	 100 ns/op	 2.500 allocs/URL	 199 B/op	 2 allocs/op
BenchmarkPeers/gov/canon,_with_trace-2  	 58754	 50.5 ns/op	 1.000 allocs/URL	 33 B/op	 1 allocs/op
PASS
`

func TestSamples(t *testing.T) {
	s := samples{}
	for _, output := range []string{twoRounds, strings.ReplaceAll(twoRounds, " 100 ns", " 202 ns")} {
		if err := s.add(output); err != nil {
			t.Fatal(err)
		}
	}
	ratio, err := s.ratio("Peers/gov/canon, with trace", "Peers/gov/net/url", clock)
	if want := (spread{0.25, 0.3775, 0.505}); err != nil || ratio != want {
		t.Errorf("%v, %v; want %v", ratio, err, want)
	}
	if allocs, err := s.get("Peers/gov/net/url", allocations); err != nil || len(allocs) != 2 || allocs[0] != 2.5 {
		t.Errorf("%v, %v", allocs, err)
	}
	if _, err := s.ratio("Peers/gov/urlx", "Peers/gov/net/url", clock); err == nil {
		t.Error("a ratio to a benchmark without measurements")
	}
	if err := (samples{}).add("PASS\n"); err == nil {
		t.Error("no measurement is no error")
	}
}

// TestSetsAreAlwaysAlike checks sizes and properties of the lists.
func TestSetsAreAlwaysAlike(t *testing.T) {
	list := sets(clara(t))
	for i, again := range sets(clara(t)) {
		if strings.Join(list[i].urls, "\n") != strings.Join(again.urls, "\n") {
			t.Errorf("the set %s is another each time", again.name)
		}
	}
	for name, want := range map[string][2]int{"short": {36, 46}, "gov": {88, 104}, "hosts": {70, 90},
		"odd": {90, 120}, "canonical": {41, 96}, "hostile": {100, 600}} {
		if n := named(list, name).meanLength(); n < want[0] || n > want[1] {
			t.Errorf("the URLs of the set %s have %d bytes on average, not %d to %d", name, n, want[0], want[1])
		}
	}
}

// TestOddURLs checks that the list of odd URLs has the promised size, schemes, parameters and values.
func TestOddURLs(t *testing.T) {
	urls := oddURLs()
	plain, queries, escaped, nested, hosts := 0, 0, 0, 0, map[string]bool{}
	for _, raw := range urls {
		scheme, rest, _ := strings.Cut(raw, "://")
		host, _, _ := strings.Cut(rest, "/")
		_, query, has := strings.Cut(rest, "?")
		if n := strings.Count(query, "&") + 1; has && (n < 3 || n > 8) {
			t.Errorf("%s has %d parameters", raw, n)
		}
		hosts[host] = true
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		count(&plain, scheme == "http")
		count(&queries, has)
		count(&escaped, strings.Contains(query, "%"))
		count(&nested, strings.Contains(query, "=https"))
	}
	share := func(n, of int) int { return (100*n + of/2) / of }
	percent := func(n int) int { return share(n, len(urls)) }
	if len(urls) != oddSize || len(hosts) != oddHosts || percent(plain) < 59 || percent(plain) > 61 {
		t.Errorf("%d URLs on %d hosts, %d %% http", len(urls), len(hosts), percent(plain))
	}
	if p := percent(queries); p < 20 || p > 24 {
		t.Errorf("%d %% have a query", p)
	}
	if share(nested, queries) < 8 || share(escaped, queries) < 30 {
		t.Errorf("of the queries %d %% have a URL as a value, %d %% an escape", share(nested, queries),
			share(escaped, queries))
	}
}

// TestHostsAreNew checks that every second URL of the list of many hosts has a host that none before has, as the policy
// names hosts. A few hosts are refused, or are another spelling of one before.
func TestHostsAreNew(t *testing.T) {
	policy := clara(t)
	c, seen := canon.New(policy, nil), map[string]bool{"": true}
	urls, fresh, allowed := manyHosts(), 0, 0
	for _, raw := range urls {
		host := c.Canonicalize(raw, nil).InHost
		if !seen[host] {
			fresh++
		}
		if seen[host] = true; policy.Allows(host) {
			allowed++
		}
	}
	for _, share := range []struct {
		name           string
		n, least, most int // the bounds in percent
	}{{"have a new host", fresh, 48, 50}, {"are on the allowlist", allowed, 15, 25}} {
		if percent := 100 * share.n / len(urls); percent < share.least || percent > share.most {
			t.Errorf("%d of %d URLs %s: %d %%", share.n, len(urls), share.name, percent)
		}
	}
}

// TestPeersAreWhole keeps the table of peers and their functions in step.
func TestPeersAreWhole(t *testing.T) {
	do := ways(clara(t))
	for _, p := range peers {
		if do[p.name] == nil {
			t.Errorf("%s: nothing to measure", p.name)
		}
	}
	if len(do) != len(peers) {
		t.Errorf("%d functions for %d peers", len(do), len(peers))
	}
}

// TestReportIsThisCodes checks that the report has a table for each set and a row for each peer.
func TestReportIsThisCodes(t *testing.T) {
	text, err := os.ReadFile("REPORT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets(clara(t)) {
		_, table, ok := strings.Cut(string(text), "## "+set.title+"\n")
		if !ok {
			t.Fatalf("REPORT.md has nothing of the set %s", set.name)
		}
		table, _, _ = strings.Cut(table, "\n## ")
		for _, p := range peers {
			if !strings.Contains(table, "\n| "+p.name+" | ") {
				t.Errorf("REPORT.md does not have %s on the set %s", p.name, set.name)
			}
		}
	}
}
