package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/store/postgres"
	"visto/store/postgrestest"
	"visto/store/rows"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

// copied is a store that can be copied.
type copied interface {
	review.Store
	rows.Source
	rows.Target
}

// newLite returns an empty store on SQLite.
func newLite(t *testing.T) copied {
	t.Helper()
	s, err := sqlitetest.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{Now: clock()})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func newPostgres(t *testing.T) copied {
	t.Helper()
	return postgrestest.Open(t, postgres.Options{Now: clock()})
}

// The server has statistics of a copy at once.
func TestCopyHasStatistics(t *testing.T) {
	from, to := newLite(t), newPostgres(t)
	fillEachTable(t, from)
	must(t, to.Fill(t.Context(), from))
	const query = "SELECT FROM pg_stats WHERE tablename = 'item' AND attname = 'page_key'"
	if n, err := postgres.Rows(t.Context(), to.(*postgres.Store), query); err != nil || n != 1 {
		t.Errorf("%d of the columns have statistics, %v", n, err)
	}
}

// A copy on the other kind of store, and one of that back, have all rows.
func TestCopy(t *testing.T) {
	first := newLite(t)
	fillEachTable(t, first)
	want := dump(t, first)
	for _, table := range rows.Tables {
		if len(want[table.Name]) == 0 {
			t.Errorf("the test has no %s", table.Name)
		}
	}
	from := first
	for _, to := range []copied{newPostgres(t), newLite(t), newLite(t), newPostgres(t), newPostgres(t)} {
		must(t, to.Fill(t.Context(), from))
		got := dump(t, to)
		for _, table := range rows.Tables {
			if !reflect.DeepEqual(got[table.Name], want[table.Name]) {
				t.Errorf("%s on %T from %T:\ngot  %q\nwant %q", table.Name, to, from, got[table.Name], want[table.Name])
			}
		}
		from = to
	}
}

// A search finds in a copy what it finds in the store that was copied.
func TestCopySearch(t *testing.T) {
	from, to := newLite(t), newPostgres(t)
	fillEachTable(t, from)
	must(t, to.Fill(t.Context(), from))
	for _, text := range []string{"h1.es/p", "?\x00\xff", "T1", "n\x00", "A NOTE\x00", "x.es/\xff", "NAME\x00", "id1",
		"tier"} {
		var counts [2]int
		for i, s := range []copied{to, from} {
			n, err := s.Count(t.Context(), review.Filter{Search: text, Presence: review.AnyPresence})
			must(t, err)
			counts[i] = n
		}
		if same(t, text, counts); counts[0] == 0 {
			t.Errorf("%q is nowhere", text)
		}
	}
}

// A store that was copied goes on: no number is given twice, and all is sound.
func TestCopyGoesOn(t *testing.T) {
	for _, to := range []copied{newPostgres(t), newLite(t)} {
		from := newLite(t)
		fillEachTable(t, from)
		must(t, to.Fill(t.Context(), from))
		for _, s := range []copied{to, from} {
			m, err := s.Meta(t.Context())
			must(t, err)
			list := withoutEvidence(citations(rand.New(rand.NewPCG(7, 0)), "later.yaml"))
			_, err = s.Add(t.Context(), &review.Intake{Reviewer: "ana", Computing: review.Computing{Gen: m.Gen}}, list)
			must(t, err)
			must(t, s.KeepMined(t.Context(), review.Mined{Seq: 2, Body: []byte("b")}))
		}
		compareAll(t, "URLs", [2]review.Store{to, from}, func(s review.Store, add func(string)) error {
			return s.Each(t.Context(), review.Filter{Presence: review.AnyPresence}, func(it review.Item) error {
				add(fmt.Sprint(it.ID, it.Original, it.Status, it.Computed))
				return nil
			})
		})
		for _, want := range []string{"log", "state"} {
			problems, err := to.Check(t.Context())
			must(t, err)
			for _, p := range problems {
				if p.What == want {
					t.Errorf("%T: %s: %s", to, p.What, p.Text)
				}
			}
		}
	}
}

// A store with anything in it is no place for a copy. What is there stays.
func TestCopyIntoFull(t *testing.T) {
	from := newLite(t)
	fillEachTable(t, from)
	for _, to := range []copied{newPostgres(t), newLite(t)} {
		must(t, to.SaveView(t.Context(), review.StoredView{Name: "mine"}))
		want := dump(t, to)
		if err := to.Fill(t.Context(), from); !errors.Is(err, rows.ErrNotEmpty) {
			t.Errorf("on %T: %v", to, err)
		}
		if got := dump(t, to); !reflect.DeepEqual(got, want) {
			t.Errorf("%T changed to %q", to, got)
		}
	}
}

// breaking is a source that breaks off in the middle of the item rows.
type breaking struct{ rows.Source }

var errBroken = errors.New("broken off")

func (b breaking) Dump(ctx context.Context, fn func(rows.Reading) error) error {
	return b.Source.Dump(ctx, func(read rows.Reading) error {
		return fn(func(table *rows.Table, each func(row []any) error) error {
			n := 0
			return read(table, func(row []any) error {
				if n++; n > 20 && table.Name == "item" {
					return errBroken
				}
				return each(row)
			})
		})
	})
}

// A copy that breaks off leaves the store empty, and it can be made again.
func TestCopyBreaksOff(t *testing.T) {
	from := newLite(t)
	fillEachTable(t, from)
	for _, to := range []copied{newPostgres(t), newLite(t)} {
		want := dump(t, to)
		if err := to.Fill(t.Context(), breaking{from}); !errors.Is(err, errBroken) {
			t.Errorf("on %T: %v", to, err)
		}
		if got := dump(t, to); !reflect.DeepEqual(got, want) {
			t.Errorf("%T has now %q", to, got)
		}
		if err := to.Fill(t.Context(), from); err != nil {
			t.Errorf("again on %T: %v", to, err)
		}
	}
}

// dump returns the rows of each table, sorted.
func dump(t *testing.T, s copied) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := s.Dump(t.Context(), func(read rows.Reading) error {
		for i := range rows.Tables {
			table := &rows.Tables[i]
			err := read(table, func(row []any) error {
				all[table.Name] = append(all[table.Name], fmt.Sprintf("%#v", row))
				return nil
			})
			if err != nil {
				return err
			}
			slices.Sort(all[table.Name])
		}
		return nil
	})
	must(t, err)
	return all
}

// withoutEvidence returns the items without their evidence, with which an addition of several transactions is refused.
func withoutEvidence(list []review.NewItem) []review.NewItem {
	for i := range list {
		list[i].Evidence = nil
	}
	return list
}

// fillEachTable writes at least one row to each table.
func fillEachTable(t *testing.T, s copied) {
	t.Helper()
	ctx := t.Context()
	random := rand.New(rand.NewPCG(1, 2))
	in := &review.Intake{Reviewer: "ana\x00\xff"}
	_, err := s.Add(ctx, in, withoutEvidence(citations(random, "f.yaml")))
	must(t, err)
	isGone := func(field string) bool { return field == "ñ" }
	must(t, s.MarkGone(ctx, &review.Intake{Reviewer: "ana"}, "f.yaml", isGone))
	commit := func(c review.Change) {
		t.Helper()
		_, err = s.Commit(ctx, c)
		must(t, err)
	}
	results := func() review.Results {
		m, err := s.Meta(ctx)
		must(t, err)
		return review.Results{Gen: m.Gen, LastID: m.LastID}
	}
	policy, err := canon.ParsePolicy(canon.PolicyFile{Name: "own", Data: []byte("name: own\nversion: 1\n")})
	must(t, err)
	rule := &canon.Override{Match: canon.Match{Host: "h1.es"}, Note: "n\x00"}
	no := false
	link := &health.Record{}
	link.Add(health.Observation{Check: health.Check{At: clock()(), Status: 404, Outcome: health.OutcomeOf(404)}}, 0,
		health.Settings{Similarity: health.DefaultThreshold})
	commit(review.Recanon{Reviewer: "ana", Policy: policy, Results: results()})
	commit(review.Decide{Reviewer: "ana", Action: review.ActApprove, Decisions: []review.ItemDecision{
		{ID: 1, Decision: review.Decision{Kind: review.Approve, Canonical: "https://x.es/\xff", Note: "n\x00"}},
		{ID: 2, Decision: review.Decision{Kind: review.Reject}}}})
	commit(review.AddNotes{Reviewer: "ana", Notes: []review.ItemNote{{ID: 3, Text: "a note\x00\xff"}}})
	commit(review.ChangeRules{Reviewer: "ana", Overrides: []review.OverrideChange{{After: rule}}, Results: results()})
	commit(review.AddEvidence{Reviewer: "ana", Evidence: []review.ItemEvidence{{ID: 4, Link: link,
		Content:  &extract.Document{Title: "t"},
		Evidence: &canon.Evidence{Hosts: canon.Hosts{"h1.es": {HTTPS: &no}}}}}})
	must(t, s.KeepReport(ctx, "all\x00", clock()()))
	must(t, s.SaveView(ctx, review.StoredView{Name: "mine\xff", Body: []byte("{}"), Reviewer: "ana"}))
	_, err = s.Assign(ctx, review.AssignmentChange{By: "ana", Items: []review.Assigned{{ID: 2, Reviewer: "b\xff"}}})
	must(t, err)
	must(t, s.Postpone(ctx, review.Postponed{ID: 5, Until: clock()(), Why: "later"}))
	must(t, s.KeepRobots(ctx, probe.Robots{Origin: "https://h1.es", FetchedAt: clock()(), Body: []byte{0, 255}}))
	must(t, s.KeepHost(ctx, probe.HostFacts{Host: "h1.es", CheckedAt: clock()(), HTTPS: &no}))
	must(t, s.KeepMined(ctx, review.Mined{Seq: 1, Body: []byte{0}}))
	must(t, s.Dismiss(ctx, review.Dismissal{ID: "d\x00", Pages: 3, Reviewer: "ana"}))
	commit(review.Decide{Reviewer: "ana", Action: review.ActApprove, Decisions: []review.ItemDecision{
		{ID: 6, Decision: review.Decision{Kind: review.Defer}}}})
}

// ownColumns are the tables and columns that are not copied, as each makes up for the ways of its database.
var ownColumns = map[string]bool{
	"PostgreSQL batch_rule.host": true, "PostgreSQL schema_version": true, "PostgreSQL lease": true,
	"PostgreSQL item_search": true, "PostgreSQL record_search": true, "PostgreSQL search_unfolded": true,

	"SQLite sqlite_sequence": true, "SQLite lease": true,
	"SQLite index_to_build": true, "SQLite meta.uncovered": true, "SQLite meta.unsettled": true,
	"SQLite pending": true, "SQLite work": true,
	"SQLite search": true, "SQLite search_state": true, "SQLite search_dirty": true, "SQLite record_dirty": true,
	"SQLite search_data": true, "SQLite search_idx": true, "SQLite search_docsize": true, "SQLite search_config": true,
	"SQLite search_content": true,
}

// Each column of both schemas is copied, or known to be of one alone.
func TestCopyHasEachColumn(t *testing.T) {
	copies := map[string]bool{}
	for _, table := range rows.Tables {
		for _, name := range table.Names() {
			copies[table.Name+"."+name] = true
		}
	}
	schemas := map[string][]string{
		"PostgreSQL": postgres.Column(t, newPostgres(t).(*postgres.Store), `SELECT
			(table_name || '.' || column_name)::bytea FROM information_schema.columns
			WHERE table_schema = 'public' AND is_generated = 'NEVER'`),
		"SQLite": liteColumns(t),
	}
	for kind, columns := range schemas {
		for _, column := range columns {
			table, _, _ := strings.Cut(column, ".")
			own := ownColumns[kind+" "+column] || ownColumns[kind+" "+table]
			if copies[column] == own {
				t.Errorf("%s has %s, copied: %t, its own: %t", kind, column, copies[column], own)
			}
		}
		for column := range copies {
			if !slices.Contains(columns, column) {
				t.Errorf("%s has no %s", kind, column)
			}
		}
	}
}

// liteColumns returns the columns of SQLite's schema, each behind its table.
func liteColumns(t *testing.T) (list []string) {
	t.Helper()
	db, err := sql.Open("sqlite", newLite(t).(*sqlite.Store).Path())
	must(t, err)
	defer db.Close()
	names, err := db.Query(`SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
		WHERE t.type = 'table'`)
	must(t, err)
	defer names.Close()
	for names.Next() {
		var name string
		must(t, names.Scan(&name))
		list = append(list, name)
	}
	must(t, names.Err())
	return list
}
