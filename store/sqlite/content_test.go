package sqlite_test

import (
	"compress/flate"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/probe/extract"
	"visto/store/sqlite"
)

// readPage stores the content that a probe read of the page of an item.
func readPage(t testing.TB, s *sqlite.Store, id int64, doc extract.Document) {
	t.Helper()
	_, err := s.Commit(t.Context(), review.AddEvidence{Reviewer: "ana",
		Evidence: []review.ItemEvidence{{ID: id, Evidence: &canon.Evidence{Status: 200}, Content: &doc}}})
	must(t, err)
}

// Spec 15: "one copy of equal ones". A content that no item has any more is gone with its last version.
func TestContentsStoredOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 3)
	s := open(t, path)
	for _, step := range []struct {
		id     int64
		text   string
		stored int
	}{{1, "a", 1}, {2, "a", 1}, {3, "b", 2}, {1, "b", 2}, {1, "c", 3}, {1, "d", 4}, {2, "b", 4}, {2, "c", 3},
		{3, "d", 3}, {2, "c", 3}, {3, "c", 3}, {1, "d", 3}, {2, "d", 2}} {
		readPage(t, s, step.id, extract.Document{Text: step.text})
		if n := number(t, path, "SELECT count(*) FROM content"); n != step.stored {
			t.Errorf("%d contents after %+v", n, step)
		}
	}
	if n := number(t, path, "SELECT count(*) FROM item_content"); n != 6 {
		t.Errorf("%d versions", n)
	}
}

// number is the result of a query for one number.
func number(t *testing.T, path, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	must(t, db.QueryRow(query).Scan(&n))
	return n
}

// A content that is damaged is an error. So is one that decompresses to far more than a page can have.
func TestContentsDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	filled(t, path, 1)
	s := open(t, path)
	readPage(t, s, 1, extract.Document{Text: "a"})
	list, err := s.Contents(t.Context(), 1)
	must(t, err)
	text, err := json.Marshal(list[0].Document)
	must(t, err)
	long := strings.Replace(string(text), `"a"`, `"`+strings.Repeat("a", 8<<20)+`"`, 1)
	for _, c := range []struct{ hashed, body string }{
		{string(text), deflated(t, strings.Replace(string(text), `"a"`, `"b"`, 1))}, {string(text), "no DEFLATE"},
		{string(text), deflated(t, string(text))[:5]}, {string(text), ""}, {long, deflated(t, long)},
	} {
		must(t, sqlite.Exec(t, s, fmt.Sprintf("UPDATE content SET hash = x'%x', body = x'%x'",
			sha256.Sum256([]byte(c.hashed)), c.body)))
		if _, err := s.Contents(t.Context(), 1); !errors.Is(err, review.ErrDamaged) {
			t.Errorf("%.20q of %d bytes: %v", c.body, len(c.body), err)
		}
	}
}

func deflated(t *testing.T, text string) string {
	t.Helper()
	var body strings.Builder
	w, err := flate.NewWriter(&body, flate.BestSpeed)
	must(t, err)
	_, err = w.Write([]byte(text))
	must(t, err)
	must(t, w.Close())
	return body.String()
}
