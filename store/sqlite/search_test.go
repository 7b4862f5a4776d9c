package sqlite_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
)

// Two bytes are found anywhere in any text of an item: at its beginning, in the middle, at its end, whatever the
// bytes.
func TestSearchTwoBytes(t *testing.T) {
	oneGoroutine(t)
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		must(t, yield(review.Found{URL: "http://BOE.es/\"a\"/x?q=%E1\xe1\xff", Title: "Año ÑÑÑ\x00Ñ"}))
		return yield(review.Found{URL: "zz"})
	})
	must(t, err)
	_, err = d.Decide(t.Context(), review.Choice{Kind: review.Reject, Note: "no\x80vale: %_ ya"}, review.Target{ID: 1})
	must(t, err)
	_, err = d.Note(t.Context(), "ojo Ú", 2)
	must(t, err)
	must(t, d.Maintain(t.Context()))
	one, err := s.Item(t.Context(), 1)
	must(t, err)
	two, err := s.Item(t.Context(), 2)
	must(t, err)
	for id, texts := range map[int64][]string{1: {one.Original, one.Computed.Canonical, one.Title,
		one.Decision.Note}, 2: {two.Original, two.Computed.Canonical, "ojo Ú"}} {
		for _, text := range texts {
			for i := range len(text) - 1 {
				n, err := s.Count(t.Context(), review.Filter{IDs: []int64{id}, Search: text[i : i+2]})
				must(t, err)
				if n != 1 {
					t.Errorf("%q of %q is not found", text[i:i+2], text)
				}
			}
		}
	}
	n, err := s.Count(t.Context(), review.Filter{Search: "qz"})
	must(t, err)
	if n != 0 {
		t.Errorf("%d items have a text that none has", n)
	}
}

// A file with known URLs alone brings records, and their texts are indexed when it is added, too.
func TestSearchRecordsOfKnownURLs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	d, err := review.Open(t.Context(), open(t, path), "ana", nil)
	must(t, err)
	for _, r := range []*read.Record{nil, {Path: "/0", ID: "boe", Name: "Boletín"}} {
		_, err := d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
			return yield(review.Found{URL: "https://www.boe.es", Record: r, Place: read.Place{File: "a", Path: "/0"}})
		})
		must(t, err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	var left int
	must(t, db.QueryRow("SELECT count(*) FROM record WHERE id > (SELECT records FROM search_state)").Scan(&left))
	if left > 0 {
		t.Errorf("%d records are not indexed", left)
	}
}

// A row that cannot be read, because the program ends for instance, is an error like any other.
func TestSearchTextsOfUnreadableRow(t *testing.T) {
	for _, err := range sqlite.AddSearchTexts(func(...any) error { return context.Canceled }) {
		if err != context.Canceled {
			t.Errorf("got the error %v", err)
		}
	}
}
