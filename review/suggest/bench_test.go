package suggest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// BenchmarkList mines storetest.Rows URLs with evidence on a tenth and stores the result. It reports the size of that,
// and the largest memory of the process (VmHWM), where the system tells it.
func BenchmarkList(b *testing.B) {
	d := benchDesk(b)
	found, starred := 0, 0
	for b.Loop() {
		list, err := suggest.List(b.Context(), d, nil)
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
	mined, err := d.Mined(b.Context())
	must(b, err)
	b.ReportMetric(float64(len(mined.Body)), "bytes")
	reportMemory(b)
}

// BenchmarkLast reads the stored result of storetest.Rows URLs.
func BenchmarkLast(b *testing.B) {
	d := benchDesk(b)
	_, err := suggest.Renew(b.Context(), d)
	must(b, err)
	for b.Loop() {
		_, err := suggest.Last(b.Context(), d)
		must(b, err)
	}
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
