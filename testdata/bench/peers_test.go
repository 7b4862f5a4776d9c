package main

import (
	"net/url"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/purell"
	"github.com/goware/urlx"
	"github.com/nlnwa/whatwg-url/canonicalizer"
	whatwg "github.com/nlnwa/whatwg-url/url"

	"visto/canon"
)

// ways are the functions behind the peers of the report, by name. What a peer refuses it refuses: the time that takes counts too.
func ways(policy *canon.Policy) map[string]func(raw string) {
	c := canon.New(policy, nil)
	return map[string]func(string){
		unit: func(raw string) {
			if u, err := url.Parse(raw); err == nil {
				_ = u.String()
			}
		},
		"canon":                     func(raw string) { c.Canonicalize(raw, nil) },
		"canon, with trace":         func(raw string) { c.Explain(raw, nil) },
		"purell, safe":              purelled(purell.FlagsSafe),
		"purell, usually safe":      purelled(purell.FlagsUsuallySafeGreedy | purell.FlagRemoveFragment),
		"purell, all":               purelled(purell.FlagsAllGreedy),
		"urlx":                      func(raw string) { _, _ = urlx.NormalizeString(raw) },
		"whatwg-url":                serialized(whatwg.NewParser()),
		"whatwg-url, Safe Browsing": serialized(canonicalizer.GoogleSafeBrowsing),
		"whatwg-url, semantic":      serialized(canonicalizer.Semantic),
	}
}

func purelled(flags purell.NormalizationFlags) func(string) {
	return func(raw string) { _, _ = purell.NormalizeURLString(raw, flags) }
}

func serialized(parser whatwg.Parser) func(string) {
	return func(raw string) {
		if u, err := parser.Parse(raw); err == nil {
			_ = u.Href(false)
		}
	}
}

// BenchmarkPeers has one line for each set and peer, those of a set one after another, so that what disturbs the machine
// meets all of them.
func BenchmarkPeers(b *testing.B) {
	policy := clara(b)
	for _, set := range sets(policy) {
		do := ways(policy)
		for _, peer := range peers {
			b.Run(set.name+"/"+peer.name, func(b *testing.B) {
				do := do[peer.name]
				b.ReportAllocs()
				begin := processorTime(b)
				for i := 0; b.Loop(); i++ {
					do(set.urls[i%len(set.urls)])
				}
				b.ReportMetric(float64(processorTime(b)-begin)/float64(b.N), processor)
				b.ReportMetric(allocationsEach(set.urls, do), allocations)
			})
		}
	}
}

// processorTime is what this process has used up to now. Unlike the time on the clock it does not count other programs.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// allocationsEach returns the mean over the list; what testing reports of its own accord is cut to a whole number.
func allocationsEach(urls []string, do func(string)) float64 {
	return testing.AllocsPerRun(1, func() {
		for _, url := range urls {
			do(url)
		}
	}) / float64(len(urls))
}

func clara(t testing.TB) *canon.Policy {
	t.Helper()
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}
