package suggest_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/suggest"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// BenchmarkMine mines storetest.Rows URLs with evidence on a tenth, and reports the largest memory of the process
// (VmHWM), where the system tells it.
func BenchmarkMine(b *testing.B) {
	d := benchDesk(b)
	found, starred := 0, 0
	for b.Loop() {
		list, err := suggest.Mine(b.Context(), d, review.Filter{})
		must(b, err)
		if found, starred = len(list), 0; found == 0 {
			b.Fatal("no suggestion")
		}
		for i := range list {
			if list[i].Recommended {
				starred++
			}
		}
	}
	b.ReportMetric(float64(found), "suggestions")
	b.ReportMetric(float64(starred), "recommended")
	reportMemory(b)
}

// benchDesk opens the database of storetest.Rows URLs with evidence on a tenth.
func benchDesk(b *testing.B) *review.Desk {
	path := storetest.GeneratedAs(b, "visto-bench-evidence-", func(path string, n int) { fill(b, path, n) })
	s, err := sqlite.Open(b.Context(), path, sqlite.Options{})
	must(b, err)
	b.Cleanup(func() { must(b, s.Close()) })
	d, err := review.Open(b.Context(), s, "ana", nil)
	must(b, err)
	return d
}

// reportMemory reports the largest memory of the process (VmHWM), where the system tells it.
func reportMemory(b *testing.B) {
	if text, err := os.ReadFile("/proc/self/status"); err == nil {
		var kilobytes float64
		_, rest, _ := strings.Cut(string(text), "VmHWM:")
		fmt.Sscan(rest, &kilobytes)
		b.ReportMetric(kilobytes/1024, "MiB")
	}
}

// BenchmarkUpdate brings the stored suggestions up to date: from nothing, and after new evidence of one URL.
func BenchmarkUpdate(b *testing.B) {
	d := benchDesk(b)
	update := func() {
		changed, err := suggest.Update(b.Context(), d)
		must(b, err)
		if !changed {
			b.Fatal("nothing to do")
		}
	}
	b.Run("nothing", func(b *testing.B) {
		for b.Loop() {
			m, err := d.Mining(b.Context())
			must(b, err)
			must(b, d.SaveMined(b.Context(), review.MinedChange{Token: m.Token}))
			update()
		}
		reportMemory(b)
	})
	b.Run("one", func(b *testing.B) {
		if stale, err := suggest.IsStale(b.Context(), d); err != nil || stale {
			update()
		}
		page, err := d.Page(b.Context(), review.Query{}, nil, 1000)
		must(b, err)
		n := 0
		for b.Loop() {
			it := page[n%len(page)]
			n++
			ev := &canon.Evidence{Status: 200, RelCanonical: it.Computed.Canonical,
				SHA256: fmt.Sprint(time.Now().UnixNano())}
			run := func(_ context.Context, list []probe.Target, sink func(probe.Report) error) error {
				return sink(probe.Report{Target: list[0], Evidence: ev})
			}
			job := review.ProbeJob{Target: probe.Target{ID: it.ID, URL: it.Original}, URL: it.Original,
				IDs: []int64{it.ID}}
			p := review.NewProbing(d, proberFunc(run), time.Now)
			must(b, p.Run(b.Context(), []review.ProbeJob{job}, func(review.ProbeResult) error { return nil }))
			update()
		}
		reportMemory(b)
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			list, err := suggest.Stored(b.Context(), d)
			must(b, err)
			b.ReportMetric(float64(len(list)), "suggestions")
		}
	})
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// fill makes the database. Of each ten URLs about one has evidence: a redirect to the URL without its query, a
// canonical link to it or to itself, or one of a few texts.
func fill(b *testing.B, path string, n int) {
	s, err := sqlite.Open(b.Context(), path, sqlite.Options{Create: true})
	must(b, err)
	d, err := review.Open(b.Context(), s, "ana", nil)
	must(b, err)
	i := 0
	_, err = d.Add(b.Context(), review.Input{}, func(yield func(review.Found) error) error {
		return storetest.Corpus(1, n)(func(f review.Found) error {
			if i++; uint32(i)*2654435769>>16%10 == 0 {
				f.Evidence = answer(f.URL, i)
			}
			return yield(f)
		})
	})
	must(b, err)
	must(b, s.Close())
}

func answer(url string, i int) *canon.Evidence {
	ev := &canon.Evidence{Status: 200, Title: fmt.Sprint("Trámite ", i), SHA256: fmt.Sprintf("%064x", i)}
	bare, query, _ := strings.Cut(url, "?")
	switch {
	case query == "":
		ev.RelCanonical = url
	case i%4 == 0:
		ev.Hops, ev.FinalURL = []canon.Hop{{Status: 301, URL: bare}}, bare
	case i%4 == 1:
		ev.RelCanonical = bare
	case i%4 == 2:
		ev.RelCanonical = url
	default:
		ev.SHA256 = fmt.Sprintf("%064x", len(url)%50)
	}
	return ev
}
