package review_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

func TestAdd(t *testing.T) {
	d := newDesk(t)
	report := d.addFound(
		review.Found{URL: " https://a.ejemplo.gob.es/x/y/uno-dos-tres\t", Title: " Padrón ",
			Place: read.Place{File: "a.csv", Field: "url", Path: "2:1", Line: 2}},
		review.Found{URL: "https://a.ejemplo.gob.es/x/y/uno-dos-tres"},
		review.Found{URL: "https://a.ejemplo.gob.es/"},
		review.Found{URL: "ftp://a.ejemplo.gob.es/x"},
	)
	if want := (review.AddReport{Found: 4, Added: 3, Known: 1, Accepted: 1, Flagged: 1, Rejected: 1,
		OccurrenceCounts: review.OccurrenceCounts{Came: 4}}); report != want {
		t.Errorf("report %+v, want %+v", report, want)
	}
	it := d.item("1")
	if it.Original != "https://a.ejemplo.gob.es/x/y/uno-dos-tres" || it.Title != "Padrón" ||
		it.Source != (review.Source{File: "a.csv", Field: "url", Position: "2"}) {
		t.Errorf("item %+v", it)
	}
	if again := d.add("https://a.ejemplo.gob.es/", "ftp://a.ejemplo.gob.es/x"); again.Added != 0 || again.Known != 2 ||
		again.Flagged != 0 {
		t.Errorf("adding again %+v", again)
	}
	d.sound()
}

// An original is known by its trimmed form, in every place that takes one (spec 2, row 1; spec 9).
func TestAddTrims(t *testing.T) {
	const url = "https://a.ejemplo.gob.es/x/y/uno-dos-tres"
	spellings := []string{url, " " + url + "\n", "\u00a0" + url, "\ufeff" + url + "\u200b", `"` + url + `"`,
		"<" + url + ">", "«" + url + "»", "\u200e'" + url + "\u2028'\x7f"}
	d := newDesk(t)
	if report := d.add(spellings...); report.Added != 1 || report.Known != len(spellings)-1 {
		t.Errorf("report %+v", report)
	}
	for _, spelling := range spellings {
		if it := d.item(spelling); it.ID != 1 || it.Original != url {
			t.Errorf("%q finds %d %q", spelling, it.ID, it.Original)
		}
	}
	d.sound()
}

func many(n int) []string {
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://h%d.ejemplo.gob.es/tramite/%d?p%d=1", i%7, i, i%3)
	}
	return urls
}

func TestAddMany(t *testing.T) {
	d := newDesk(t)
	urls := many(1234)
	if report := d.add(append(urls, urls...)...); report.Added != 1234 || report.Known != 1234 {
		t.Errorf("report %+v", report)
	}
	for i, it := range d.items(review.Filter{}) {
		if it.ID != int64(i+1) || it.Original != urls[i] {
			t.Fatalf("item %d is %d %s", i, it.ID, it.Original)
		}
	}
	d.sound()
}

// URLs before an error of the input are added, and the error is returned.
func TestAddBrokenInput(t *testing.T) {
	d := newDesk(t)
	broken := errors.New("the disk is on fire")
	report, err := d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		if err := yield(review.Found{URL: "https://a.ejemplo.gob.es/"}); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) || report.Added != 1 || len(d.items(review.Filter{})) != 1 {
		t.Errorf("report %+v, %v", report, err)
	}
}

func TestAddCancelled(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	report, err := d.Add(ctx, review.Input{}, func(yield func(review.Found) error) error {
		for ; read < 40_000; read++ {
			if read == 17_000 { // two batches are read, and the first is written
				cancel()
			}
			if err := yield(review.Found{URL: fmt.Sprintf("https://a.ejemplo.gob.es/tramite/%d", read)}); err != nil {
				return err
			}
		}
		return nil
	})
	if n := len(d.items(review.Filter{})); !errors.Is(err, context.Canceled) || report.Added != n || n == 0 ||
		n > 17_000 || read > 26_000 {
		t.Errorf("report %+v, %d read, %d added, %v", report, read, n, err)
	}
}

// Cancelling works even if the input ends before the first batch is written.
func TestAddCancelledEarly(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	report, err := d.Add(ctx, review.Input{}, func(yield func(review.Found) error) error {
		cancel()
		return yield(review.Found{URL: "https://a.ejemplo.gob.es/"})
	})
	if n := len(d.items(review.Filter{})); !errors.Is(err, context.Canceled) || report.Added != 0 || n != 0 {
		t.Errorf("report %+v, %d added, %v", report, n, err)
	}
}

func no() *bool { return new(false) }

// Host evidence applies to stored URLs and to later ones.
func TestAddHostEvidence(t *testing.T) {
	d := newDesk(t)
	d.add("http://a.ejemplo.gob.es/x/y/uno-dos-tres", "http://b.ejemplo.gob.es/x/y/uno-dos-tres")
	d.addFound(review.Found{URL: "http://a.ejemplo.gob.es/x/y/cuatro-cinco-seis",
		Evidence: &canon.Evidence{HTTPS: no()}})
	d.add("http://a.ejemplo.gob.es/x/y/siete-ocho-nueve")
	for _, it := range d.items(review.Filter{}) {
		if only := strings.HasPrefix(it.Original, "http://a"); it.Computed.Flags.Has(canon.HTTPOnly) != only ||
			(it.Status == review.Pending) != only {
			t.Errorf("%s: %s", it.Original, state(&it))
		}
	}
	d.sound()
	if log := d.entries(); len(log) != 5 || log[3] != "evidence about hosts: 1 URLs computed anew" {
		t.Errorf("log %q", log)
	}
}

// Evidence for a host without "www." applies to it with "www." too.
func TestAddPreferredHost(t *testing.T) {
	d := newDesk(t)
	d.add("https://www.c.ejemplo.gob.es/x/y/uno-dos-tres")
	d.addFound(review.Found{URL: "https://otra.ejemplo.gob.es/", Evidence: &canon.Evidence{
		Hosts: canon.Hosts{"c.ejemplo.gob.es": {PreferredHost: "c.ejemplo.gob.es",
			Reached: canon.Reach{By: canon.ByFile}}}}})
	if it := d.item("1"); it.Computed.Canonical != "https://c.ejemplo.gob.es/x/y/uno-dos-tres" {
		t.Errorf("item %s", state(&it))
	}
	d.sound()
}

// batches is a store that notes the number of URLs of each Add.
type batches struct {
	review.Store
	sizes []int
}

func (b *batches) Add(ctx context.Context, in *review.Intake, items []review.NewItem) ([]review.AddOutcome, error) {
	b.sizes = append(b.sizes, len(items))
	return b.Store.Add(ctx, in, items)
}

// A batch of URLs with much evidence is small, so that its memory is limited.
func TestAddMuchEvidence(t *testing.T) {
	o := newOffice(t)
	s := &batches{Store: o.store()}
	d, err := review.Open(t.Context(), s, "ana", nil)
	o.must(err)
	hops := make([]canon.Hop, 5)
	for i := range hops {
		hops[i] = canon.Hop{Status: 301, URL: "https://a.ejemplo.gob.es/" + strings.Repeat("a", 50_000)}
	}
	var found []review.Found
	for _, url := range many(300) {
		found = append(found, review.Found{URL: url, Evidence: &canon.Evidence{Hops: hops}})
	}
	report, err := d.Add(t.Context(), review.Input{}, each(found))
	if err != nil || report.Added != len(found) || slices.Max(s.sizes) > 20 {
		t.Errorf("%+v, %v, in batches of %d", report, err, s.sizes)
	}
}
