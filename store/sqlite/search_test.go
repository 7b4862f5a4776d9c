package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
)

// Two bytes are found anywhere in the fold of any text of an item: at its beginning, in the middle, at its end, whatever the
// bytes.
func TestSearchTwoBytes(t *testing.T) {
	oneGoroutine(t)
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		must(t, yield(review.Found{URL: "http://BOE.es/\"a\"/x?q=%E1\xe1\xff", Title: "Año жÑÑÑ\x00Ñ한"}))
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
			text = review.Fold(text)
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

// The index of an earlier schema has texts that are not folded. The URLs with such texts are found as before it is
// brought up to date, and no others are indexed anew.
func TestSearchFoldsOldIndex(t *testing.T) {
	oneGoroutine(t)
	path := filepath.Join(t.TempDir(), "visto.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for i, title := range []string{"La ATENCIÓN", "nada", "nada", "nada", "nada", "a\x00ñ"} {
			must(t, yield(review.Found{URL: fmt.Sprintf("https://boe.es/%d", i), Title: title}))
		}
		return yield(review.Found{URL: "https://boe.es/r", Place: read.Place{File: "a", Path: "/0"},
			Record: &read.Record{Path: "/0", ID: "x", Name: "Cáceres"}})
	})
	must(t, err)
	_, err = d.Decide(t.Context(), review.Choice{Kind: review.Reject, Note: "caída"}, review.Target{ID: 3})
	must(t, err)
	_, err = d.Note(t.Context(), "llámese", 4)
	must(t, err)
	must(t, d.Maintain(t.Context()))
	must(t, s.Close())
	script(t, path, "INSERT INTO search (search) VALUES ('delete-all'); "+
		"INSERT INTO search (rowid, text) SELECT id, lower(original || title) FROM item; "+
		"DROP TABLE pending; DROP TABLE work; ALTER TABLE item_count ADD COLUMN staged INTEGER NOT NULL DEFAULT 0; "+
		"CREATE TABLE stage (state, batch); INSERT INTO stage VALUES (0, 0); "+
		"CREATE TABLE staged (id, title TEXT, title_seal, canonical TEXT); CREATE VIEW staged_item AS SELECT 1; "+
		"CREATE TABLE staged_decision (item_id, kind, canonical TEXT, seen, note TEXT, confirms); "+
		"CREATE VIEW staged_decision_item AS SELECT 1; PRAGMA user_version = 23")
	s = open(t, path)
	const dirty = "SELECT group_concat(item_id) || ' ' || (SELECT count(*) FROM record_dirty) FROM search_dirty"
	if got := value(t, path, dirty); got != "1,3,4,6 1" {
		t.Errorf("to be indexed anew: %s", got)
	}
	for range 2 {
		for text, want := range map[string]int64{"atencion": 1, "caida": 3, "LLAMESE": 4, "\x00n": 6, "caceres": 7} {
			page, err := s.Page(t.Context(), review.Query{Filter: review.Filter{Search: text}}, nil, 9)
			must(t, err)
			if len(page) != 1 || page[0].ID != want {
				t.Errorf("%q finds %+v", text, page)
			}
		}
		must(t, s.Maintain(t.Context()))
	}
	if got := value(t, path, "SELECT count(*) FROM search WHERE search MATCH '\"cio\" AND \"ion\"'"); got != "1" {
		t.Errorf("%s items are indexed", got)
	}
}

// value returns the first column of the first row of a query on a database file.
func value(t *testing.T, path, query string) (text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	must(t, db.QueryRow(query).Scan(&text))
	return text
}
