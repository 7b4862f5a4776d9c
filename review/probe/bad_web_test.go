package probe_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"visto/canon"
	"visto/review/probe"
	"visto/review/probe/testnet"
)

// TestBadWeb probes the whole table of the bad web, in less than two minutes of virtual time. The evidence alone, as a
// store keeps it, gives the outcome of each row.
func TestBadWeb(t *testing.T) {
	t.Parallel()
	kinds := testnet.BadWeb()
	sites := []testnet.Site{{Host: "archive.org"}}
	var urls []string
	for _, k := range kinds {
		for _, c := range k.Cases {
			sites, urls = append(sites, c.Sites...), append(urls, c.URL)
		}
	}
	reader := newOutside(documents)
	defer close(reader.calls)
	var w *world
	var reports map[string]probe.Report
	var took time.Duration
	synctest.Test(t, func(t *testing.T) {
		w = newVirtualWorld(t, sites)
		w.config.Documents = reader
		reports = w.probe(urls...)
		took = time.Since(testnet.Begin)
	})
	t.Logf("%d URLs took %v of virtual time", len(urls), took)
	if took > 2*time.Minute {
		t.Error("that is too long")
	}
	for _, k := range kinds {
		t.Run(k.Does, func(t *testing.T) {
			for _, c := range k.Cases {
				diffs := diffReport(t, c, reports[c.URL], w.policy)
				for _, diff := range append(diffs, c.DiffRequests(w.net.Log())...) {
					t.Error(diff)
				}
			}
		})
	}
	for _, r := range w.net.Log().Requests("shop.example", "127.0.0.1", "localhost") {
		t.Errorf("never to be asked: %s", r)
	}
}

// diffReport returns the differences between a report and the expected outcome.
func diffReport(t *testing.T, c testnet.Case, r probe.Report, policy *canon.Policy) []string {
	t.Helper()
	switch isPutOff := r.Deferred != "" && r.Evidence == nil; {
	case isPutOff != c.Want.PutOff:
		return []string{fmt.Sprintf("%s: put off is %t: %q, %+v", c.URL, isPutOff, r.Deferred, r.Evidence)}
	case isPutOff:
		return nil
	}
	return c.Diff(canon.Canonicalize(c.URL, policy, nil, replayed(t, r.Evidence)))
}

// replayed returns the evidence as it is after a round trip through JSON.
func replayed(t *testing.T, ev *canon.Evidence) *canon.Evidence {
	t.Helper()
	data, err := json.Marshal(ev)
	if err != nil {
		t.Fatal(err)
	}
	back := new(canon.Evidence)
	if err := json.Unmarshal(data, back); err != nil {
		t.Fatal(err)
	}
	return back
}

// The bad web is broad enough: each kind in three clothes, 70 hosts, and 25 cases in which nothing is wrong.
func TestBadWebIsBroad(t *testing.T) {
	hosts, good := map[string]bool{}, 0
	for _, k := range testnet.BadWeb() {
		if len(k.Cases) < 3 {
			t.Errorf("%s: %d cases", k.Does, len(k.Cases))
		}
		for _, c := range k.Cases {
			for _, s := range c.Sites {
				hosts[s.Host] = true
			}
			if k.Good {
				good++
			}
		}
	}
	t.Logf("%d hosts, %d good cases", len(hosts), good)
	if len(hosts) < 70 || good < 25 {
		t.Errorf("%d hosts, %d good cases", len(hosts), good)
	}
}
