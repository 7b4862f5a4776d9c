package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// many is how many items the large changes of these tests recompute, in pieces of a few.
const many, few = 40, 7

// manyItems adds the items of a large change.
func manyItems(t *testing.T, s *sqlite.Store) {
	t.Helper()
	_, err := s.Add(t.Context(), 0, samples(many))
	must(t, err)
}

// moveAll is a change that moves all items to the host, with a rule so that the log tells whether it stands.
func moveAll(t *testing.T, s *sqlite.Store, host string) review.Change {
	t.Helper()
	m, err := s.Meta(t.Context())
	must(t, err)
	c := review.Change{Reviewer: "ana", Action: review.ActOverride, Summary: host, Gen: m.Gen, LastID: m.LastID,
		Overrides: []review.OverrideChange{{After: &canon.Override{Match: canon.Match{Host: host}, DropQueryParams: []string{"x"}}}}}
	for id := int64(1); id <= m.LastID; id++ {
		url := fmt.Sprintf("https://%s/%d", host, id)
		key := sum([]byte(url))
		c.Recomputed = append(c.Recomputed, review.Recomputed{ID: id, Computed: review.Computed{Canonical: url, Key: review.Key(key[:16]),
			Verdict: canon.Flagged, Flags: canon.SetOf(canon.HTTPOnly), InHost: "boe.es", Host: host}})
	}
	return c
}

// stands reports whether a change to the host stands. All that can be read agrees on that.
func stands(t *testing.T, s *sqlite.Store, host string) bool {
	t.Helper()
	rules, err := s.Overrides(t.Context())
	must(t, err)
	stands := false
	for _, o := range rules {
		stands = stands || o.Override.Match.Host == host
	}
	want := 0
	if stands {
		want = many
	}
	f := review.Filter{AtHost: host}
	n, err := s.Count(t.Context(), f)
	must(t, err)
	page, err := s.Page(t.Context(), review.Query{Filter: f, Sort: review.ByURL}, nil, 2*many)
	must(t, err)
	items := 0
	must(t, s.Each(t.Context(), f, func(review.Item) error { items++; return nil }))
	if got := []int{n, len(page), items}; !reflect.DeepEqual(got, []int{want, want, want}) {
		t.Errorf("the rule for %s: %v, and of its items there are %v", host, stands, got)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	return stands
}

// commitUntil commits a change on a store whose program is killed after n pieces of a few items. It returns how many there were, and
// whether the change was confirmed.
func commitUntil(t *testing.T, s *sqlite.Store, c review.Change, n int) (pieces int, confirmed bool) {
	t.Helper()
	sqlite.Pieces(s, few, func() {
		if pieces++; pieces >= n {
			runtime.Goexit()
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := s.Commit(t.Context(), c)
		confirmed = err == nil
	}()
	<-done
	sqlite.WaitFolded(s)
	return pieces, confirmed
}

// A program is killed after each of the pieces of a large change in turn: what the next one finds is the whole change or nothing
// of it, and nothing is in the way of what it does.
func TestKilledBetweenPieces(t *testing.T) {
	for n := 1; ; n++ {
		path := filepath.Join(t.TempDir(), "visto.db")
		dying := open(t, path)
		manyItems(t, dying)
		pieces, confirmed := commitUntil(t, dying, moveAll(t, dying, "moved.es"), n)

		next := open(t, path)
		sqlite.Pieces(next, few, func() {})
		stood := stands(t, next, "moved.es")
		if confirmed != stood {
			t.Errorf("killed after %d pieces: confirmed %v, and stands: %v", n, confirmed, stood)
		}
		r, err := next.Commit(t.Context(), approval("berta", 3, 0))
		must(t, err)
		if it, err := next.Item(t.Context(), 3); err != nil || it.Decision == nil || it.Decision.Batch != r.Batch {
			t.Errorf("killed after %d pieces: %+v, %v", n, it, err)
		}
		_, err = next.Commit(t.Context(), moveAll(t, next, "again.es"))
		must(t, err)
		must(t, next.Maintain(t.Context()))
		if !stands(t, next, "again.es") {
			t.Error("the next change does not stand")
		}
		if pieces < n { // it came to its end
			if n < many/few*2 {
				t.Errorf("only %d pieces", n)
			}
			return
		}
	}
}

// While a change is folded in, the tally of what items were and will be is apart: what adds up to 0 in between leaves no row.
func TestTallyWhileFolding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s := open(t, path)
	manyItems(t, s)
	sqlite.StageAll(s)
	_, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	other := open(t, path)
	for _, kind := range []review.Kind{review.Approve, review.Reopen} {
		it, err := other.Item(t.Context(), 1)
		must(t, err)
		c := approval("berta", 1, it.Rev)
		d := &c.Decisions[0].Decision
		if d.Kind, d.From = kind, "https://moved.es/1"; kind == review.Reopen {
			d.Canonical = ""
		}
		r, err := other.Commit(t.Context(), c)
		if err != nil || r.Decided != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if err := sqlite.Exec(t, other, "CREATE TEMP TABLE none (n INTEGER CHECK (n <> 0)); INSERT INTO none SELECT n FROM tally"); err != nil {
		t.Errorf("rows of the tally that count nothing: %v", err)
	}
	must(t, other.Maintain(t.Context()))
	if !stands(t, s, "moved.es") {
		t.Error("the change does not stand")
	}
}

// A program that ends stops folding, which the next one takes up again.
func TestClosedWhileFolding(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	manyItems(t, s)
	change := moveAll(t, s, "moved.es")
	stopping, pieces := sqlite.Stopping(s), 0
	sqlite.Pieces(s, few, func() {
		pieces++
		if pieces > many/few+2 { // the first piece that was folded
			<-stopping
		}
	})
	_, err = s.Commit(t.Context(), change)
	must(t, err)
	must(t, s.Close())
	if pieces < many/few+2 || pieces > many/few+4 {
		t.Errorf("closed after %d pieces", pieces)
	}

	next := open(t, path)
	if !stands(t, next, "moved.es") {
		t.Error("what stood does not stand")
	}
	pieces = 0
	sqlite.Pieces(next, few, func() { pieces++ })
	must(t, next.Maintain(t.Context()))
	if !stands(t, next, "moved.es") || pieces < many/few {
		t.Errorf("after %d pieces it does not stand", pieces)
	}
}

// While a large change is written and folded others decide on its items, undo, note and add: all of it is as if the one had
// come before the other.
func TestDecisionsBetweenPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	first, err := other.Commit(t.Context(), approval("berta", 40, 0))
	must(t, err)
	id, batches := int64(0), map[int64]int64{}
	sqlite.Pieces(s, few, func() {
		if id++; id >= 20 {
			return
		}
		// One that is staged by now, and one that is not yet.
		for _, item := range []int64{id, 41 - id} {
			r, err := other.Commit(t.Context(), approval("berta", item, 0))
			if err != nil {
				t.Errorf("URL %d: %v", item, err)
			}
			batches[item] = r.Batch
		}
		if id == 2 {
			undo := review.Change{Reviewer: "berta", Action: review.ActUndo, Undo: batches[1]}
			if _, err := other.Commit(t.Context(), undo); err != nil {
				t.Error(err)
			}
			delete(batches, 1)
		}
		if problems, err := other.Check(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("between pieces: %v %v", problems, err)
		}
	})
	r, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	if r.Updated != many {
		t.Errorf("updated %d", r.Updated)
	}
	sqlite.WaitFolded(s)
	if id < many/few*2 {
		t.Errorf("only %d pieces", id)
	}
	if !stands(t, other, "moved.es") {
		t.Error("the change does not stand")
	}
	for id := int64(1); id <= many; id++ {
		it, err := s.Item(t.Context(), id)
		must(t, err)
		if got := batchOf(it); got != batches[id] && got != first.Batch {
			t.Errorf("URL %d has the decision of batch %d, want %d", id, got, batches[id])
		}
	}
}

func batchOf(it review.Item) int64 {
	if it.Decision == nil {
		return 0
	}
	return it.Decision.Batch
}

// A change of the rules by somebody else while a large one is written: they come one after the other, and the second is stale.
func TestRulesBetweenPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	rival := moveAll(t, other, "rival.es")
	rival.Recomputed = rival.Recomputed[:1]
	result := make(chan error, 1)
	once := false
	sqlite.Pieces(s, few, func() {
		if !once {
			once = true
			go func() {
				_, err := other.Commit(t.Context(), rival)
				result <- err
			}()
		}
	})
	_, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	if err := <-result; !errors.Is(err, review.ErrStale) {
		t.Errorf("the rival: %v", err)
	}
	sqlite.WaitFolded(s)
	if !stands(t, other, "moved.es") || stands(t, other, "rival.es") {
		t.Error("not the first one stands")
	}
}

// What is added while a large change is written is computed too, however much it is.
func TestAddedBetweenPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	added := many
	sqlite.Pieces(s, few, func() {
		for range few + 1 {
			if added < 2*many {
				if _, err := other.Add(t.Context(), 0, []review.NewItem{sample(added)}); err != nil {
					t.Error(err)
				}
				added++
			}
		}
	})
	change := moveAll(t, s, "moved.es")
	computed := map[int64]int{}
	change.Late = func(it review.Item, _ *canon.Evidence) *review.Recomputed {
		computed[it.ID]++
		c := it.Computed
		c.Host = "moved.es"
		return &review.Recomputed{ID: it.ID, Computed: c}
	}
	_, err := s.Commit(t.Context(), change)
	must(t, err)
	sqlite.WaitFolded(s)
	n, err := other.Count(t.Context(), review.Filter{AtHost: "moved.es"})
	must(t, err)
	if n < added || len(computed) != added-many {
		t.Errorf("%d of %d items are moved, %d computed late", n, added, len(computed))
	}
	if problems, err := other.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}
