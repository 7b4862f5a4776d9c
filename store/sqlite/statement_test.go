package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// A query inside the rows of the same query has a statement of its own, and both end as they should.
func TestStatementsNest(t *testing.T) {
	s := openStatements(t)
	const query = "SELECT value FROM json_each(?)"
	var got []int64
	check(t, s.read.snapshot(t.Context(), "nesting", func(q queryer) error {
		for range 3 { // also with statements that are kept
			got = nil
			err := each(t.Context(), q, query, []any{"[1,2,3]"}, func(scan scanner) error {
				var v int64
				if err := scan(&v); err != nil {
					return err
				}
				inner, err := column[int64](t.Context(), q, query, fmt.Sprintf("[%d,%d]", 10*v, 10*v+1))
				got = append(append(got, v), inner...)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
	if want := "[1 10 11 2 20 21 3 30 31]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// More queries than a connection keeps, each several times, have their own results, also after one was cancelled in
// its rows.
func TestStatementsAreMany(t *testing.T) {
	s := openStatements(t)
	check(t, s.read.snapshot(t.Context(), "asking", func(q queryer) error {
		for round := range 3 {
			for i := range 2 * maxStatements {
				query := fmt.Sprintf("SELECT %d + ? UNION ALL SELECT 0", i)
				list, err := column[int64](t.Context(), q, query, round)
				if err != nil || len(list) != 2 || list[0] != int64(i+round) {
					return fmt.Errorf("%s with %d: %v, %v", query, round, list, err)
				}
			}
		}
		return nil
	}))
	ctx, cancel := context.WithCancel(t.Context())
	const long = "WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n LIMIT ?) SELECT v FROM n"
	err := each(ctx, s.read, long, []any{1_000_000}, func(scanner) error {
		cancel()
		return nil
	})
	if err == nil {
		t.Error("the rows of a cancelled query have no error")
	}
	if list, err := column[int64](t.Context(), s.read, long, 2); err != nil || len(list) != 2 {
		t.Errorf("after it: %v, %v", list, err)
	}
}

// A connection keeps the statements that were used last, and none is in use once its rows are closed.
func TestStatementsKept(t *testing.T) {
	conn, err := openStatements(t).read.Conn(t.Context())
	check(t, err)
	defer conn.Close()
	kept := func() (list []*statement) {
		check(t, conn.Raw(func(c any) error {
			list = slices.Clone(c.(*readConn).kept)
			return nil
		}))
		return list
	}
	long, err := conn.QueryContext(t.Context(), "SELECT 'in use'")
	check(t, err)
	defer long.Close()
	ask := func(n int) {
		var got int
		check(t, conn.QueryRowContext(t.Context(), fmt.Sprintf("SELECT %d", n)).Scan(&got))
	}
	ask(0)
	often := kept()[1]
	for n := range 2 * maxStatements {
		ask(n + 1)
		ask(0)
	}
	list := kept()
	if len(list) != maxStatements || !slices.Contains(list, often) {
		t.Errorf("%d statements are kept; the one asked often: %t", len(list), slices.Contains(list, often))
	}
	for _, st := range list {
		if st.inUse != (st.query == "SELECT 'in use'") {
			t.Errorf("%s: in use: %t", st.query, st.inUse)
		}
	}
	var text string
	if !list[0].inUse || !long.Next() || long.Scan(&text) != nil || text != "in use" {
		t.Errorf("the rows that were open: %q, %v", text, long.Err())
	}
}

func openStatements(t *testing.T) *Store {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), Options{Create: true})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	s.read.SetMaxOpenConns(2) // watch, and one that all queries share
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
