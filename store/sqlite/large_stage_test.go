package sqlite_test

import (
	"context"
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

// many is the number of items that the large changes of these tests recompute, in chunks of few.
const many, few = 40, 7

// manyItems adds the items of a large change.
func manyItems(t *testing.T, s *sqlite.Store) {
	t.Helper()
	_, err := s.Add(t.Context(), &review.Intake{}, samples(many))
	must(t, err)
}

// moveAll is a change that moves all items to the host, with a rule so that the log tells whether it is in force.
func moveAll(t *testing.T, s *sqlite.Store, host string) review.ChangeRules {
	t.Helper()
	m, err := s.Meta(t.Context())
	must(t, err)
	c := review.ChangeRules{Reviewer: "ana", Summary: host, Results: review.Results{Gen: m.Gen, LastID: m.LastID},
		Overrides: []review.OverrideChange{{After: &canon.Override{Match: canon.Match{Host: host},
			DropQueryParams: []string{"x"}}}}}
	for id := int64(1); id <= m.LastID; id++ {
		url := fmt.Sprintf("https://%s/%d", host, id)
		key := sum([]byte(url))
		c.Recomputed = append(c.Recomputed, review.Recomputed{ID: id, Computed: review.Computed{Canonical: url,
			Key:     review.Key(key[:16]),
			Verdict: canon.Flagged, Flags: canon.SetOf(canon.HTTPOnly), InHost: "boe.es", Host: host}})
	}
	return c
}

// inForce reports whether a change to the host is in force. All ways of reading agree.
func inForce(t *testing.T, s *sqlite.Store, host string) bool {
	t.Helper()
	rules, err := review.Overrides(t.Context(), s)
	must(t, err)
	found := false
	for _, o := range rules {
		found = found || o.Override.Match.Host == host
	}
	want := 0
	if found {
		want = many
	}
	f := review.Filter{AtHosts: []string{host}}
	n, err := s.Count(t.Context(), f)
	must(t, err)
	page, err := s.Page(t.Context(), review.Query{Filter: f, Sort: review.ByURL}, nil, 2*many)
	must(t, err)
	items := 0
	must(t, s.Each(t.Context(), f, func(review.Item) error { items++; return nil }))
	if got := []int{n, len(page), items}; !reflect.DeepEqual(got, []int{want, want, want}) {
		t.Errorf("the rule for %s: %v, and of its items there are %v", host, found, got)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	return found
}

// commitUntil commits a change on a store whose program is killed after n chunks of few items. It returns the number
// of chunks, and whether the change was confirmed.
func commitUntil(t *testing.T, s *sqlite.Store, c review.Change, n int) (chunks int, confirmed bool) {
	t.Helper()
	return runUntil(s, n, func() error {
		_, err := s.Commit(t.Context(), c)
		return err
	})
}

// runUntil is commitUntil for any change.
func runUntil(s *sqlite.Store, n int, change func() error) (chunks int, confirmed bool) {
	sqlite.Chunks(s, few, func() {
		if chunks++; chunks >= n {
			runtime.Goexit()
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		confirmed = change() == nil
	}()
	<-done
	sqlite.WaitApplied(s)
	return chunks, confirmed
}

// A program is killed after each chunk of a large change in turn. The next program finds all of the change or
// nothing, and can do its own work.
func TestKilledBetweenChunks(t *testing.T) {
	for n := 1; ; n += everyChunk() {
		path := filepath.Join(t.TempDir(), "visto.db")
		dying := open(t, path)
		manyItems(t, dying)
		chunks, confirmed := commitUntil(t, dying, moveAll(t, dying, "moved.es"), n)

		next := open(t, path)
		sqlite.Chunks(next, few, func() {})
		found := inForce(t, next, "moved.es")
		if confirmed != found {
			t.Errorf("killed after %d chunks: confirmed %v, and in force: %v", n, confirmed, found)
		}
		r, err := next.Commit(t.Context(), approval("berta", 3, 0))
		must(t, err)
		if it, err := next.Item(t.Context(), 3); err != nil || it.Decision == nil || it.Decision.Batch != r.Batch {
			t.Errorf("killed after %d chunks: %+v, %v", n, it, err)
		}
		_, err = next.Commit(t.Context(), moveAll(t, next, "again.es"))
		must(t, err)
		must(t, next.Maintain(t.Context()))
		if !inForce(t, next, "again.es") {
			t.Error("the next change is not in force")
		}
		if chunks < n { // the change ended first
			if n < many/few*2 {
				t.Errorf("only %d chunks", n)
			}
			return
		}
	}
}

// While a change is applied its old and new counts are apart: a sum of 0 in between leaves no row.
func TestCountsWhileApplying(t *testing.T) {
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
	if err := sqlite.Exec(t, other, "CREATE TEMP TABLE none (n INTEGER CHECK (n <> 0)); INSERT INTO none SELECT n "+
		"FROM item_count"); err != nil {
		t.Errorf("rows of the counts that count nothing: %v", err)
	}
	must(t, other.Maintain(t.Context()))
	if !inForce(t, s, "moved.es") {
		t.Error("the change is not in force")
	}
}

// The totals are the same before, while and after a large change is applied (spec 11: replaying the log gives the
// stored state). A count that the change brings to 0 is none.
func TestTotalsWhileApplying(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	manyItems(t, s)
	sqlite.StageAll(s)
	change := moveAll(t, s, "moved.es")
	for i := range change.Recomputed {
		change.Recomputed[i].Computed.Verdict, change.Recomputed[i].Computed.Flags = canon.Accepted, 0
	}
	_, err := s.Commit(t.Context(), change)
	must(t, err)
	while, err := s.Totals(t.Context())
	must(t, err)
	must(t, s.Maintain(t.Context()))
	after, err := s.Totals(t.Context())
	must(t, err)
	if !reflect.DeepEqual(while, after) || len(after.Verdicts) != 1 {
		t.Errorf("%+v, and once it is applied %+v", while, after)
	}
}

// A command that ends with Settle leaves nothing to apply behind, unless it is interrupted.
func TestSettle(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "visto.db")
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
		must(t, err)
		manyItems(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		stopping, chunks := sqlite.Stopping(s), 0
		sqlite.Chunks(s, few, func() {
			if chunks++; interrupted && chunks == many/few+3 { // the first applied chunk
				cancel()
				<-stopping
			}
		})
		_, err = s.Commit(t.Context(), moveAll(t, s, "moved.es"))
		must(t, err)
		s.Settle(ctx)
		cancel()
		must(t, s.Close())
		next := open(t, path)
		if idle := sqlite.Idle(t, next); idle == interrupted || !inForce(t, next, "moved.es") {
			t.Errorf("interrupted %v, idle %v", interrupted, idle)
		}
	}
}

// A program that ends stops applying, and the next one goes on.
func TestClosedWhileApplying(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	manyItems(t, s)
	change := moveAll(t, s, "moved.es")
	stopping, chunks := sqlite.Stopping(s), 0
	sqlite.Chunks(s, few, func() {
		chunks++
		if chunks > many/few+2 { // the first applied chunk
			<-stopping
		}
	})
	_, err = s.Commit(t.Context(), change)
	must(t, err)
	must(t, s.Close())
	if chunks < many/few+2 || chunks > many/few+4 {
		t.Errorf("closed after %d chunks", chunks)
	}

	next := open(t, path)
	if !inForce(t, next, "moved.es") {
		t.Error("the change is lost")
	}
	chunks = 0
	sqlite.Chunks(next, few, func() { chunks++ })
	must(t, next.Maintain(t.Context()))
	if !inForce(t, next, "moved.es") || chunks < many/few {
		t.Errorf("after %d chunks it is not in force", chunks)
	}
}

// While a large change is staged and applied, others decide on its items, undo, note and add. The result is the same
// as if one had come before the other.
func TestDecisionsBetweenChunks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	first, err := other.Commit(t.Context(), approval("berta", 40, 0))
	must(t, err)
	id, batches := int64(0), map[int64]int64{}
	sqlite.Chunks(s, few, func() {
		if id++; id >= 20 {
			return
		}
		// One item that is staged by now, and one that is not yet.
		for _, item := range []int64{id, 41 - id} {
			r, err := other.Commit(t.Context(), approval("berta", item, 0))
			if err != nil {
				t.Errorf("URL %d: %v", item, err)
			}
			batches[item] = r.Batch
		}
		if id == 2 {
			undo := review.Revert{Reviewer: "berta", Batch: batches[1]}
			if _, err := other.Commit(t.Context(), undo); err != nil {
				t.Error(err)
			}
			delete(batches, 1)
		}
		if problems, err := other.Check(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("between chunks: %v %v", problems, err)
		}
	})
	r, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	if r.Updated != many {
		t.Errorf("updated %d", r.Updated)
	}
	sqlite.WaitApplied(s)
	if id < many/few*2 {
		t.Errorf("only %d chunks", id)
	}
	if !inForce(t, other, "moved.es") {
		t.Error("the change is not in force")
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

// Somebody else changes the rules while a large change is staged. The changes come one after the other, and the
// second is stale.
func TestRulesBetweenChunks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	rival := moveAll(t, other, "rival.es")
	rival.Recomputed = rival.Recomputed[:1]
	result := make(chan error, 1)
	once := false
	sqlite.Chunks(s, few, func() {
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
	sqlite.WaitApplied(s)
	if !inForce(t, other, "moved.es") || inForce(t, other, "rival.es") {
		t.Error("the wrong change is in force")
	}
}

// Items that are added while a large change is staged are computed too, however many.
func TestAddedBetweenChunks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	added := many
	sqlite.Chunks(s, few, func() {
		for range few + 1 {
			if added < 2*many {
				if _, err := other.Add(t.Context(), &review.Intake{}, []review.NewItem{sample(added)}); err != nil {
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
	sqlite.WaitApplied(s)
	n, err := other.Count(t.Context(), review.Filter{AtHosts: []string{"moved.es"}})
	must(t, err)
	if n < added || len(computed) != added-many {
		t.Errorf("%d of %d items are moved, %d computed late", n, added, len(computed))
	}
	if problems, err := other.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}
