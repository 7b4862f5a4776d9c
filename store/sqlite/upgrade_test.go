package sqlite_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"visto/canon"
	"visto/review"
	"visto/store/migrations"
	"visto/store/sqlite"
)

// released is where the databases of released schemas are, each as its version left it (N.db.gz) and what is in it
// (N.jsonl). They are never edited. A release with a new schema adds its own, made with the program of that release:
//
//	testdata/schema/fill ./visto N.db
//	go test ./store/sqlite -run TestLeave -leave N.db -staged override # or reject
//	gzip -9n N.db
//	go test ./store/sqlite -run TestUpgrade/N -content N
//
// The database of schema 1 is that of visto demo with some decisions, rules, undos and notes. Those of 3 to 7 are left in the
// middle of an override, the later ones in that of a decision, as a program leaves them that is killed. There was no program of
// schema 2: steps 2 and 3 were released together.
const released = "../../testdata/schema"

var (
	content = flag.Int("content", 0, "write down what is in the database of that released schema")
	leave   = flag.String("leave", "", "leave this database in the middle of a change")
	staged  = flag.String("staged", "override", "what change that is: override or reject")
)

// A database of every released schema is brought up to date with everything in it, what it was in the middle of is ended, and
// its schema is that of a new one, which is what check compares it with.
func TestUpgrade(t *testing.T) {
	for version := 1; version <= migrations.Latest; version++ {
		if version == 2 {
			continue // there was no program of it
		}
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := unpacked(t, version)
			if version < migrations.Latest {
				refusedUntouched(t, path)
			}
			s := open(t, path)
			got := contentOf(t, s)
			golden := filepath.Join(released, fmt.Sprintf("%d.jsonl", version))
			if *content == version {
				must(t, os.WriteFile(golden, []byte(strings.Join(got, "")), 0o644))
			}
			sameContent(t, golden, got)
			sound(t, s)
			must(t, s.Maintain(t.Context()))
			sameContent(t, golden, contentOf(t, s))
			sound(t, s)
			if views, err := s.Views(t.Context()); err != nil || version >= 7 && (len(views) != 1 || views[0].Name != "mañana") {
				t.Errorf("the saved views are %+v, %v", views, err)
			}
		})
	}
}

// refusedUntouched opens an older database with no right to write.
func refusedUntouched(t *testing.T, path string) {
	t.Helper()
	before, err := os.ReadFile(path)
	must(t, err)
	if s, err := sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true}); !errors.Is(err, sqlite.ErrOlder) {
		t.Errorf("read-only: %v %v", s, err)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	beside, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	if !bytes.Equal(before, after) || len(beside) != 1 {
		t.Errorf("it was changed, or something is beside it: %v", beside)
	}
}

// sound checks the database, and that its log done again in a new one leads to the same.
func sound(t *testing.T, s *sqlite.Store) {
	t.Helper()
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	desk, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	problems, err := desk.Replay(t.Context(), func(now func() time.Time) (review.Store, error) {
		fresh, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "visto.db"), sqlite.Options{Create: true, Now: now})
		if err == nil {
			t.Cleanup(func() { fresh.Close() })
		}
		return fresh, err
	})
	if err != nil || len(problems) > 0 {
		t.Errorf("replay: %v %v", problems, err)
	}
}

// Not a test: it leaves a database in the middle of a change that stands and is not folded.
func TestLeave(t *testing.T) {
	if *leave == "" {
		t.Skip("makes the database of a release, see -leave")
	}
	s, err := sqlite.Open(t.Context(), *leave, sqlite.Options{})
	must(t, err)
	sqlite.StageAll(s)
	desk, err := review.Open(t.Context(), s, "carla", nil)
	must(t, err)
	if *staged == "reject" {
		_, err = desk.DecideAll(t.Context(), review.Choice{Kind: review.Reject, Note: "all of them"}, review.Filter{Open: true})
		must(t, err)
	} else {
		change, err := desk.Amend(t.Context(), canon.Override{Match: canon.Match{Host: "example.org"}, DropQueryParams: []string{"a*"}})
		must(t, err)
		_, _, err = desk.SaveOverrides(t.Context(), []review.OverrideChange{change}, "drop a*")
		must(t, err)
	}
	must(t, s.Close())
}

// unpacked returns the path of a copy of a released database.
func unpacked(t *testing.T, version int) string {
	t.Helper()
	f, err := os.Open(filepath.Join(released, fmt.Sprintf("%d.db.gz", version)))
	must(t, err)
	defer f.Close()
	r, err := gzip.NewReader(f)
	must(t, err)
	data, err := io.ReadAll(r)
	must(t, err)
	path := filepath.Join(t.TempDir(), "visto.db")
	must(t, os.WriteFile(path, data, 0o600))
	return path
}

// contentOf writes down all that the store gives, a JSON object a line.
func contentOf(t *testing.T, s *sqlite.Store) (lines []string) {
	t.Helper()
	ctx := t.Context()
	write := func(kind string, v any) {
		text, err := json.Marshal(map[string]any{kind: v})
		must(t, err)
		lines = append(lines, string(text)+"\n")
	}
	must(t, s.Each(ctx, review.Filter{}, func(it review.Item) error {
		notes, err := s.Notes(ctx, it.ID)
		must(t, err)
		history, err := s.History(ctx, it.ID)
		must(t, err)
		evidence, err := s.Evidence(ctx, it.ID)
		must(t, err)
		write("url", map[string]any{"item": it, "notes": notes, "history": history, "evidence": evidence})
		return nil
	}))
	must(t, s.EachEntry(ctx, func(e review.Entry) error {
		write("entry", map[string]any{"entry": e, "body": string(e.Body), "prev": fmt.Sprintf("%x", e.Prev), "hash": fmt.Sprintf("%x", e.Hash)})
		if b, err := s.Batch(ctx, e.Batch); e.Action != review.ActUndo && e.Action != review.ActRedo {
			must(t, err)
			write("batch", b)
		}
		return nil
	}))
	overrides, err := s.Overrides(ctx)
	must(t, err)
	write("overrides", overrides)
	hosts, err := s.Hosts(ctx)
	must(t, err)
	write("hosts", hosts)
	m, err := s.Meta(ctx)
	must(t, err)
	write("policy", []string{m.PolicyID, m.PolicyDigest, string(m.PolicyYAML)})
	totals, err := s.Totals(ctx)
	must(t, err)
	write("totals", totals)
	return lines
}

// sameContent compares what is there with what the release wrote down. What it did not know of is not looked at.
func sameContent(t *testing.T, golden string, got []string) {
	t.Helper()
	data, err := os.ReadFile(golden)
	must(t, err)
	want := bytes.SplitAfter(data, []byte("\n"))
	want = want[:len(want)-1]
	if len(want) != len(got) {
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
	for i := range want {
		var a, b any
		must(t, json.Unmarshal(want[i], &a))
		must(t, json.Unmarshal([]byte(got[i]), &b))
		if !within(a, b) {
			t.Errorf("%s line %d: it is\n%s, and was\n%s", golden, i+1, got[i], want[i])
		}
	}
}

// within reports whether b has all that a has, and the same.
func within(a, b any) bool {
	known, ok := a.(map[string]any)
	if !ok {
		return reflect.DeepEqual(a, b)
	}
	now, ok := b.(map[string]any)
	for name, value := range known {
		ok = ok && within(value, now[name])
	}
	return ok
}

// What a release without seals wrote is sealed as it is found when the database is tended, wherever that was interrupted, and from
// then on a byte of it that changes is found. What is damaged by then is not sealed.
func TestUpgradeSeals(t *testing.T) {
	s := open(t, unpacked(t, 1))
	must(t, sqlite.Exec(t, s, "UPDATE item SET original = original || 'x' WHERE id = 3"))
	ctx, cancel := context.WithCancel(t.Context())
	pieces := 0
	sqlite.Pieces(s, 5, func() {
		if pieces++; pieces == 10 {
			cancel()
		}
	})
	if err := s.Maintain(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	sqlite.Pieces(s, 500, nil)
	must(t, s.Maintain(t.Context()))
	must(t, sqlite.Exec(t, s, "UPDATE item SET position = 'x' WHERE id = 2; UPDATE evidence SET body = body || ' ' WHERE item_id = (SELECT min(item_id) FROM evidence WHERE item_id > 3)"))
	must(t, sqlite.Exec(t, s, "UPDATE item SET title = 'x', position = 'x' WHERE id = (SELECT max(id) FROM item)"))
	m, err := s.Meta(t.Context())
	must(t, err)
	problems, err := s.Check(t.Context())
	must(t, err)
	var got []string
	for _, p := range problems {
		if p.What == "given" {
			got = append(got, p.Text)
		}
	}
	want := []string{"the original of URL 3 is not what was added", fmt.Sprintf("the source of URL 2, %d is not what was added", m.LastID),
		fmt.Sprintf("the title of URL %d is not what was added", m.LastID), "the evidence of URL 13 is not what was added"}
	if !slices.Equal(got, want) {
		t.Errorf("check found %q, want %q", got, want)
	}
}

// An upgrade is announced before it begins, goes on where it was interrupted, and is not made where nothing may be written.
func TestUpgradeInterrupted(t *testing.T) {
	path := unpacked(t, 1)
	for _, opt := range []sqlite.Options{{ReadOnly: true}, {ReadOnly: true, Create: true}} {
		if s, err := sqlite.Open(t.Context(), path, opt); !errors.Is(err, sqlite.ErrOlder) {
			t.Errorf("read-only: %v %v", s, err)
		}
	}
	var announced []int
	upgrading := func(from, to int) { announced = append(announced, from, to) }
	for step := 1; step <= migrations.Latest; step++ {
		path := unpacked(t, 1)
		upgradeTo(t, path, int64(step))
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{Upgrading: upgrading})
		must(t, err)
		sameContent(t, filepath.Join(released, "1.jsonl"), contentOf(t, s))
		must(t, s.Close())
	}
	var want []int
	for from := 1; from < migrations.Latest; from++ {
		want = append(want, from, migrations.Latest)
	}
	if !slices.Equal(announced, want) {
		t.Errorf("announced %v, want %v", announced, want)
	}
}

// upgradeTo makes the steps up to that one, as a program does that is killed behind it.
func upgradeTo(t testing.TB, path string, step int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1) // as the store does: two might lock each other out
	steps, err := goose.NewProvider(goose.DialectSQLite3, db, migrations.FS, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	must(t, err)
	_, err = steps.UpTo(t.Context(), step)
	must(t, err)
}
