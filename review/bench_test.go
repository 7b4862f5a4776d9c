package review_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
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
