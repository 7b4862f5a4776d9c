package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"visto/review"
	"visto/review/read"
	"visto/store/postgres"
	"visto/store/postgrestest"
)

// A search finds the URLs whose texts are not folded yet, after a copy and after the step of the schema, and is the same
// once they are. To fold them again changes nothing.
func TestFoldsStoredTexts(t *testing.T) {
	from, url := newLite(t), postgrestest.Database(t)
	s, err := postgres.Open(t.Context(), url, postgres.Options{Create: true})
	must(t, err)
	defer s.Close()
	d, err := review.Open(t.Context(), from, "ana", nil)
	must(t, err)
	titles := []string{"La ATENCIÓN", "Ñandú", "Cañería", "nada"}
	_, err = d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		for i, title := range titles {
			must(t, yield(review.Found{URL: "https://boe.es/" + strings.Repeat("x", i), Title: title,
				Place:  read.Place{File: "a", Path: "/" + title},
				Record: &read.Record{Path: "/" + title, ID: title + " id", Name: "Núm. " + title}}))
		}
		return yield(review.Found{URL: "https://boe.es", Title: "Título"})
	})
	must(t, err)
	must(t, s.Fill(t.Context(), from))
	finds := func(when string, folded bool) {
		t.Helper()
		for text, want := range map[string]int{"atencion": 1, "NANDU": 1, "CANERIA ID": 1, "num": len(titles),
			"titulo": 1, "nada": 1, "zz": 0} {
			f := review.Filter{Search: text, Presence: review.AnyPresence}
			n, err := s.Count(t.Context(), f)
			must(t, err)
			page, err := s.Page(t.Context(), review.Query{Filter: f}, nil, 10)
			must(t, err)
			if n != want || len(page) != want {
				t.Errorf("%s: %q finds %d and %d on a page, not %d", when, text, n, len(page), want)
			}
		}
		for _, table := range []string{"item_search", "record_search"} {
			list := postgres.Column(t, s, "SELECT convert_to(text, 'UTF8') FROM "+table)
			if all := strings.Join(list, ""); strings.Contains(all, "atencion") != folded {
				t.Errorf("%s: the texts of %s are %q", when, table, all)
			}
		}
	}
	finds("copied", false)
	must(t, postgres.Exec(t.Context(), s, "UPDATE search_unfolded SET records = 0"))
	n, err := s.Count(t.Context(), review.Filter{Search: "titulo", Presence: review.AnyPresence})
	must(t, err)
	if n != 1 {
		t.Errorf("by its title alone, %d are found", n)
	}
	must(t, postgres.Exec(t.Context(), s, "UPDATE search_unfolded SET records = 5"))
	foldLocked(t, s, url)
	finds("folded", true)
	if left := unfolded(t, s); left != "0 0" {
		t.Errorf("%s are left", left)
	}
	const all = "SELECT convert_to(string_agg(text, '' ORDER BY item_id), 'UTF8') FROM item_search"
	before := postgres.Column(t, s, all)
	must(t, postgres.Exec(t.Context(), s, "DROP TABLE search_unfolded; DELETE FROM schema_version WHERE version >= 3"))
	must(t, s.Close())
	s, err = postgres.Open(t.Context(), url, postgres.Options{})
	must(t, err)
	if left := unfolded(t, s); left != "5 5" {
		t.Errorf("the step of the schema leaves %s", left)
	}
	finds("after the step", true)
	must(t, s.Maintain(t.Context()))
	finds("folded twice", true)
	if after := postgres.Column(t, s, all); after[0] != before[0] || unfolded(t, s) != "0 0" {
		t.Errorf("folded twice, %q is %q", before, after)
	}
}

// foldLocked folds the texts while somebody else holds one of them for longer than folding waits.
func foldLocked(t *testing.T, s *postgres.Store, url string) {
	t.Helper()
	other, err := pgx.Connect(t.Context(), url)
	must(t, err)
	_, err = other.Exec(t.Context(), "BEGIN; SELECT text FROM item_search WHERE item_id = 1 FOR UPDATE")
	must(t, err)
	closed := make(chan error)
	time.AfterFunc(200*time.Millisecond, func() { closed <- other.Close(context.WithoutCancel(t.Context())) })
	must(t, s.Maintain(t.Context()))
	must(t, <-closed)
}

// unfolded returns the IDs up to which the texts of items and of records are not folded.
func unfolded(t *testing.T, s *postgres.Store) string {
	t.Helper()
	return postgres.Column(t, s, "SELECT convert_to(items || ' ' || records, 'UTF8') FROM search_unfolded")[0]
}
