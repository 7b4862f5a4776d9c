package review_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/read"
	"visto/store/sqlite"
	"visto/store/storetest"
)

// bigHost returns a desk with n URLs of one host. Pairs of them merge when a parameter is dropped.
func bigHost(b *testing.B, n int) *review.Desk {
	b.Helper()
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "visto.db"), sqlite.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	d, err := review.Open(b.Context(), s, "ana", nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := d.Add(b.Context(), review.Input{}, manyFound(n)); err != nil {
		b.Fatal(err)
	}
	return d
}

func manyFound(n int) func(func(review.Found) error) error {
	return func(yield func(review.Found) error) error {
		for i := range n {
			const format = "https://sede.ejemplo.gob.es/tramites/%d/solicitud-de-alta-en-el-padron?plaza=%d"
			place := read.Place{File: "urls.txt", Line: i + 1}
			f := review.Found{URL: fmt.Sprintf(format, 1000+i/2, i%2), Place: place}
			if err := yield(f); err != nil {
				return err
			}
		}
		return nil
	}
}

// BenchmarkEffect computes the effect of an override that changes all 100,000 URLs of a host.
func BenchmarkEffect(b *testing.B) {
	d := bigHost(b, 100_000)
	match := canon.Match{Host: "sede.ejemplo.gob.es"}
	for name, rule := range map[string]canon.Override{
		"drop": {Match: match, DropQueryParams: []string{"plaza"}},
		"keep": {Match: match, KeepQueryParams: []string{"plaza"}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e, err := d.Effect(b.Context(), []review.OverrideChange{{After: &rule}}, nil)
				if err != nil || e.Settled != 100_000 {
					b.Fatalf("settled %d, %v", e.Settled, err)
				}
			}
		})
	}
}

// BenchmarkAdd adds 10,000 URLs to a new database.
func BenchmarkAdd(b *testing.B) {
	for b.Loop() {
		bigHost(b, 10_000)
	}
}

// BenchmarkLinks sums up 200,000 URLs of 4,000 hosts with 30 checks each, and finds those that are due.
func BenchmarkLinks(b *testing.B) {
	const n, checks = 200_000, 30
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "visto.db"), sqlite.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	d, err := review.Open(b.Context(), s, "ana", nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := d.Add(b.Context(), review.Input{}, storetest.Corpus(1, n)); err != nil {
		b.Fatal(err)
	}
	now := time.Date(2026, 3, 31, 3, 0, 0, 0, time.UTC)
	var list []review.ItemEvidence
	for id := range int64(n) {
		list = append(list, review.ItemEvidence{ID: id + 1, Link: checkedDaily(id, now, checks)})
		if len(list) == 1000 {
			if err := s.KeepChecks(b.Context(), list); err != nil {
				b.Fatal(err)
			}
			list = list[:0]
		}
	}
	b.Run("health", func(b *testing.B) {
		for b.Loop() {
			sum, err := d.Health(b.Context(), review.Filter{}, now)
			if err != nil || sum.URLs != n || sum.Failing == 0 {
				b.Fatalf("%d URLs, %d failing: %v", sum.URLs, sum.Failing, err)
			}
		}
	})
	b.Run("due", func(b *testing.B) {
		for b.Loop() {
			jobs, next, err := d.DueLinks(b.Context(), review.Filter{}, now, review.DueOptions{})
			if err != nil || len(jobs) > n/5 || next.IsZero() {
				b.Fatalf("%d jobs, next %s: %v", len(jobs), next, err)
			}
		}
	})
}

// checkedDaily returns a link with a check on each of the last n days. Every tenth link fails at each seventh.
func checkedDaily(id int64, now time.Time, n int) *health.Record {
	var r health.Record
	for i := range n {
		c := health.Check{At: now.AddDate(0, 0, i-n), Status: 200, Took: time.Duration(100+id%900) * time.Millisecond,
			Text: uint64(id), Certificate: now.AddDate(0, 3, 0)}
		if id%10 == 0 && (i+int(id/10))%7 == 0 {
			c.Status, c.Outcome = 503, health.Failed
		}
		r.Add(health.Observation{Check: c, Page: &health.Page{Title: "Ayudas"}}, 0, health.Settings{})
	}
	return &r
}
