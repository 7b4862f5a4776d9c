package main

import (
	"net/url"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/purell"
	"github.com/goware/urlx"
	"github.com/nlnwa/whatwg-url/canonicalizer"
	whatwg "github.com/nlnwa/whatwg-url/url"

	"visto/canon"
)

// ways holds the function of each peer in the report, by name. The time for refused URLs counts too.
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

// BenchmarkPeers has one line for each set and peer. The peers of a set run one after another, so that they meet the
// same disturbances.
func BenchmarkPeers(b *testing.B) {
	policy := clara(b)
	for _, set := range sets(policy) {
		do := ways(policy)
		for _, peer := range peers {
			b.Run(set.name+"/"+peer.name, func(b *testing.B) {
				do := do[peer.name]
				b.ReportAllocs()
				begin, allocated := processorTime(b), allocationsSoFar()
				for i := 0; b.Loop(); i++ {
					do(set.urls[i%len(set.urls)])
				}
				b.ReportMetric(float64(processorTime(b)-begin)/float64(b.N), processor)
				b.ReportMetric(float64(allocationsSoFar()-allocated)/float64(b.N), allocations)
			})
		}
	}
}

// processorTime returns the processor time of this process so far. Unlike the clock, it leaves out other programs.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// allocationsSoFar returns the number of allocations of this process. The testing package cuts its mean to a whole
// number.
func allocationsSoFar() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.Mallocs
}

func clara(t testing.TB) *canon.Policy {
	t.Helper()
	policy, err := canon.Builtin(canon.DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}
