package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"visto/store/sqlite"
)

func TestQuery(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "links #1?.db")
	script(t, path, `CREATE TABLE link (url, n); INSERT INTO link VALUES ('https://boe.es', 1), (NULL, 2.5),
		(x'68ff00', NULL)`)
	before := snapshot(t, dir)
	var got []string
	err := sqlite.Query(t.Context(), path, "-- all\n /* of\n them */ select url, n AS number FROM link "+
		"ORDER BY rowid", func(cols, vals []string, row int) error {
		got = append(got, fmt.Sprintf("%d %q %q", row, cols, vals))
		return nil
	})
	must(t, err)
	want := []string{`1 ["url" "number"] ["https://boe.es" "1"]`, `2 ["url" "number"] ["" "2.5"]`,
		`3 ["url" "number"] ["h\xff\x00" ""]`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if after := snapshot(t, dir); after != before {
		t.Errorf("the query changed the folder from\n%s\nto\n%s", before, after)
	}
}

func TestQueryRefuses(t *testing.T) {
	dir := t.TempDir()
	path, text := filepath.Join(dir, "links.db"), filepath.Join(dir, "links.txt")
	script(t, path, "CREATE TABLE link (url); INSERT INTO link VALUES ('https://boe.es')")
	write(t, []byte("https://boe.es\n"))(text)
	before := snapshot(t, dir)
	cases := []struct {
		path, query string
		want        error
		text        string
	}{
		{path, "DELETE FROM link", sqlite.ErrWrites, ""},
		{path, "INSERT INTO link VALUES ('x') RETURNING url", sqlite.ErrWrites, ""},
		{path, "DROP TABLE link", sqlite.ErrWrites, ""},
		{path, "SELECT url FROM link; DELETE FROM link", sqlite.ErrWrites, ""},
		{path, "WITH x AS (SELECT 1) DELETE FROM link", sqlite.ErrWrites, ""},
		{path, "SELECT 1; ATTACH '" + filepath.Join(dir, "made.db") + "' AS x", nil, "attached"},
		{path, "SELECT 1; VACUUM INTO '" + filepath.Join(dir, "made.db") + "'", nil, "cannot VACUUM"},
		{path, "ATTACH '" + filepath.Join(dir, "made.db") + "' AS x", sqlite.ErrWrites, ""},
		{path, "PRAGMA user_version = 5", sqlite.ErrWrites, ""},
		{path, "PRAGMA query_only = 0", sqlite.ErrWrites, ""},
		{path, "VACUUM INTO '" + filepath.Join(dir, "made.db") + "'", sqlite.ErrWrites, ""},
		{path, "BEGIN", sqlite.ErrWrites, ""},
		{path, "", sqlite.ErrWrites, ""},
		{path, "-- nothing", sqlite.ErrWrites, ""},
		{path, "SELECT page FROM link", nil, "no such column: page"},
		{path, "SELECT FROM link", nil, "syntax error"},
		{text, "SELECT 1", sqlite.ErrNotSQLite, ""},
		{dir, "SELECT 1", sqlite.ErrDirectory, ""},
		{filepath.Join(dir, "none.db"), "SELECT 1", sqlite.ErrMissing, ""},
	}
	for _, c := range cases {
		err := sqlite.Query(t.Context(), c.path, c.query, func([]string, []string, int) error { return nil })
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) ||
			!strings.Contains(err.Error(), c.path) {
			t.Errorf("%q: error %v, want %v %s", c.query, err, c.want, c.text)
		}
		if after := snapshot(t, dir); after != before {
			t.Fatalf("%q changed the folder from\n%s\nto\n%s", c.query, before, after)
		}
	}
}

func TestQueryStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "links.db")
	script(t, path, "CREATE TABLE link (url); INSERT INTO link VALUES (1), (2)")
	stop := errors.New("enough")
	rows := 0
	err := sqlite.Query(t.Context(), path, "SELECT url FROM link", func([]string, []string, int) error {
		rows++
		return stop
	})
	if err != stop || rows != 1 {
		t.Errorf("error %v after %d rows", err, rows)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = sqlite.Query(ctx, path, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
		func([]string, []string, int) error {
			cancel()
			return nil
		})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Query leaves nothing beside a foreign file in WAL mode that nobody has open.
func TestQueryLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "links.db")
	script(t, path, "PRAGMA journal_mode = WAL; CREATE TABLE link (url); INSERT INTO link VALUES ('https://boe.es')")
	before, rows := snapshot(t, dir), 0
	must(t, sqlite.Query(t.Context(), path, "SELECT url FROM link", func([]string, []string, int) error {
		rows++
		return nil
	}))
	if after := snapshot(t, dir); after != before || rows != 1 {
		t.Errorf("%d rows; the query changed the folder from\n%s\nto\n%s", rows, before, after)
	}
}
