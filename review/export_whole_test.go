package review_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// URLs added from a CSV export give the same export again, apart from line ends in cells. No cell starts a formula.
func TestExportCSVThroughAdd(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"=", "+", "-", "@", "'", `"`, ",", ";", "\n", "\t", "%", "%41", "%E1", "\xe1", "é", "\uff1d",
		"\uff20", "\ufeff", "\u202e", "\x00", "\x1b", " ", "a", "B", "1", "/", "?", "&", "#"}
	text := func() string {
		var b strings.Builder
		for range random.IntN(6) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	d := newDesk(t)
	var found []review.Found
	for i := range 300 {
		found = append(found, review.Found{URL: fmt.Sprintf("https://sede%d.gob.es/%s?a=%s", i,
			strings.ReplaceAll(text(), "\n", ""), strings.ReplaceAll(text(), "\n", "")),
			Title: text(), Place: read.Place{File: text(), Field: text(), Path: text()}})
	}
	d.addFound(found...)
	first := rfc4180(d.export(review.CSV, review.Filter{}))
	for i, row := range first {
		for j, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20", []rune(cell)[0]) {
				t.Errorf("row %d, column %s: a formula: %q", i, first[0][j], cell)
			}
		}
	}
	back := newDesk(t)
	back.addFound(readAgain(t, "x.csv", d.export(review.CSV, review.Filter{}), "original")...)
	columns := []string{"original", "canonical", "canonical_hash", "verdict", "reason", "flags", "link_type",
		"language", "fragment_note", "title", "policy"}
	same(t, columns, first, rfc4180(back.export(review.CSV, review.Filter{})))
}

// readAgain reads an exported file like visto add.
func readAgain(t *testing.T, name, file string, fields ...string) (list []review.Found) {
	t.Helper()
	_, err := read.URLs(t.Context(), name, strings.NewReader(file), read.Options{Fields: fields},
		func(f read.Found) error {
			list = append(list, review.FromInput(f))
			return nil
		}, func(s read.Skip) { t.Errorf("skipped: %+v", s) })
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// same compares columns of two tables.
func same(t *testing.T, columns []string, a, b [][]string) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%d rows, and again %d", len(a), len(b))
	}
	for j, name := range a[0] {
		for i := range a {
			if strings.Contains(" "+strings.Join(columns, " ")+" ", " "+name+" ") && a[i][j] != b[i][j] {
				t.Errorf("row %d, %s: %q, and again %q", i, name, a[i][j], b[i][j])
			}
		}
	}
}

// endless is a store of n items that takes no memory. It measures the memory of an export and supports nothing else.
type endless struct {
	review.Store
	n    int
	peak uint64
}

func (s *endless) EachCited(
	_ context.Context, _ review.Filter, fn func(review.Item, *canon.Evidence) error,
) error {
	for i := range s.n {
		if i%(s.n/10) == s.n/10-1 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			s.peak = max(s.peak, m.HeapAlloc)
		}
		it := review.Item{ID: int64(i + 1),
			Original: fmt.Sprintf("https://sede.gob.es/tramite/%d/una-pagina-con-nombre", i), Status: review.Accepted,
			Presence: review.Cited}
		if err := fn(it, nil); err != nil {
			return err
		}
	}
	return nil
}

// An export of 25 times as many URLs needs no more memory: to hold them takes 20 MB at least.
func TestExportHoldsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory")
	}
	for _, format := range []review.Format{review.JSONL, review.CSV} {
		few, many := heapOf(t, format, 4_000), heapOf(t, format, 100_000)
		if many > few+12<<20 {
			t.Errorf("%s: %d MB in use, and with 25 times as many URLs %d MB", format, few>>20, many>>20)
		}
	}
}

func heapOf(t *testing.T, format review.Format, n int) uint64 {
	t.Helper()
	d := newDesk(t)
	s := &endless{Store: d.store(), n: n}
	desk, err := review.Open(t.Context(), s, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := counter(0)
	got, err := desk.Export(t.Context(), &lines, whole(format, review.Filter{}))
	if err != nil || got != n || int(lines) < n {
		t.Fatalf("%d URLs and %d lines, %v", got, lines, err)
	}
	return s.peak
}

// counter counts lines.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(strings.Count(string(p), "\n"))
	return len(p), nil
}
