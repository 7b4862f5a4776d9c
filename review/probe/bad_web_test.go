package probe_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"visto/canon"
	"visto/review/probe"
	"visto/review/probe/browser"
	"visto/review/probe/testnet"
)

// TestBadWeb probes the whole table of the bad web, in less than two minutes of virtual time. The evidence alone, as a
// store keeps it, gives the outcome of each row.
func TestBadWeb(t *testing.T) {
	t.Parallel()
	kinds := testnet.BadWeb()
	var sites []testnet.Site
	var urls []string
	earlier := &remembering{probe.NewMemoryCache(), map[string]probe.Report{}}
	for _, k := range kinds {
		for _, c := range k.Cases {
			sites, urls = append(sites, c.Sites...), append(urls, c.URL)
			switch n := c.Want.Refused; {
			case c.Want.PutOff:
				earlier.reports[c.URL] = probe.Report{Evidence: &canon.Evidence{Status: 200, Robots: "allowed"}}
			case n > 0:
				earlier.reports[c.URL] = probe.Report{Evidence: &canon.Evidence{Status: 429, PutOff: n}}
			}
		}
	}
	reader := newOutside(documents)
	defer close(reader.calls)
	var w *world
	var reports map[string]probe.Report
	var took time.Duration
	synctest.Test(t, func(t *testing.T) {
		w = newVirtualWorld(t, sites)
		w.config.Documents, w.config.Cache, w.config.Browser = reader, earlier, writingBrowser{}
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

// writingBrowser runs scripts of one statement: document.write("...").
type writingBrowser struct{}

func (writingBrowser) Draw(_ context.Context, p browser.Page) (browser.Drawing, error) {
	_, call, isCall := strings.Cut(string(p.Body), "document.write(")
	if !isCall {
		return browser.Drawing{HTML: p.Body}, nil
	}
	text, err := strconv.QuotedPrefix(call)
	if err == nil {
		text, err = strconv.Unquote(text)
	}
	return browser.Drawing{HTML: []byte(text)}, err
}

func (writingBrowser) Close() {}

// diffReport returns the differences between a report and the expected outcome.
func diffReport(t *testing.T, c testnet.Case, r probe.Report, policy *canon.Policy) []string {
	t.Helper()
	switch isPutOff := r.Deferred != "" && r.Evidence == nil; {
	case isPutOff != c.Want.PutOff:
		return []string{fmt.Sprintf("%s: put off is %t: %q, %+v", c.URL, isPutOff, r.Deferred, r.Evidence)}
	case isPutOff:
		return nil
	}
	got := canon.Canonicalize(c.URL, policy, nil, replayed(t, r.Evidence))
	diffs := c.Diff(got)
	if waits := r.Deferred != ""; waits != c.Want.Waits || got.PutOff != waits {
		diffs = append(diffs, fmt.Sprintf("%s: waits is %t: %q, %+v", c.URL, waits, r.Deferred, r.Evidence))
	}
	return diffs
}

// TestOutage probes URLs whose names are unknown. Without a network nothing is recorded, with or without the archive.
func TestOutage(t *testing.T) {
	for _, o := range testnet.Outages() {
		for _, archive := range []string{probe.DefaultArchive, "-"} {
			t.Run(o.Does+", archive "+archive, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { testOutage(t, o, archive) })
			})
		}
	}
}

func testOutage(t *testing.T, o testnet.Outage, archive string) {
	w := newVirtualWorld(t, o.Sites)
	w.config.Documents, w.config.Archive = nil, archive
	p, err := probe.New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var targets []probe.Target
	for _, url := range o.URLs {
		targets = append(targets, probe.Target{URL: url})
	}
	recorded := 0
	err = p.Run(t.Context(), targets, func(r probe.Report) error {
		recorded++
		result := canon.Canonicalize(r.Target.URL, w.policy, nil, r.Evidence)
		if o.Offline || !result.Codes().Has(canon.Unreachable) {
			t.Errorf("%s is recorded, with the flags %v", r.Target.URL, result.Flags)
		}
		return nil
	})
	if offline := errors.Is(err, probe.ErrOffline); offline != o.Offline || err != nil && !offline {
		t.Errorf("the error is %v", err)
	}
	if !o.Offline && recorded != len(o.URLs) {
		t.Errorf("%d of %d URLs are recorded", recorded, len(o.URLs))
	}
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
