package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/store/sqlite"
)

// many is the number of items that the large changes of these tests concern, in chunks of few.
const many, few = 40, 7

// manyItems adds the items of a large change.
func manyItems(t *testing.T, s *sqlite.Store) {
	t.Helper()
	_, err := s.Add(t.Context(), &review.Intake{}, samples(many))
	must(t, err)
}

// openMoving is open for a store whose newest rule moves all items to the host of its match.
func openMoving(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s := open(t, path)
	moving(s)
	return s
}

func moving(s *sqlite.Store) {
	s.UseRules(func(ctx context.Context) (review.Computing, error) {
		m, err := s.Meta(ctx)
		if err != nil {
			return review.Computing{}, err
		}
		rules, err := review.Overrides(ctx, s)
		return review.Computing{Gen: m.Gen, Compute: func(it review.Item, _ *canon.Evidence) review.Computed {
			if len(rules) == 0 {
				return it.Computed
			}
			return movedTo(rules[len(rules)-1].Override.Match.Host, it.ID)
		}}, err
	})
}

func movedTo(host string, id int64) review.Computed {
	url := fmt.Sprintf("https://%s/%d", host, id)
	key := sum([]byte(url))
	return review.Computed{Canonical: url, Key: review.Key(key[:16]), Verdict: canon.Flagged,
		Flags: canon.SetOf(canon.HTTPOnly), InHost: "boe.es", Host: host}
}

// moveAll is a change that moves all items to the host.
func moveAll(t *testing.T, s *sqlite.Store, host string) review.ChangeRules {
	t.Helper()
	m, err := s.Meta(t.Context())
	must(t, err)
	c := review.ChangeRules{Reviewer: "ana", Summary: host,
		Results: review.Results{Gen: m.Gen, LastID: m.LastID, Seq: m.LastSeq},
		Overrides: []review.OverrideChange{{After: &canon.Override{Match: canon.Match{Host: host},
			DropQueryParams: []string{"x"}}}}}
	for id := int64(1); id <= m.LastID; id++ {
		c.Recomputed = append(c.Recomputed, review.Recomputed{ID: id, Computed: movedTo(host, id)})
	}
	return c
}

// rejectAll is a change that rejects all items as they are now.
func rejectAll(t *testing.T, s *sqlite.Store, note string) review.Decide {
	t.Helper()
	c := review.Decide{Reviewer: "ana", Action: review.ActReject, Summary: "reject all"}
	must(t, s.Each(t.Context(), review.Filter{}, func(it review.Item) error {
		d := review.Decision{Kind: review.Reject, From: it.Computed.Canonical, Note: note}
		c.Decisions = append(c.Decisions, review.ItemDecision{ID: it.ID, Rev: it.Rev, Decision: d})
		return nil
	}))
	return c
}

// sound fails the test if a check finds a problem.
func sound(t *testing.T, s *sqlite.Store) {
	t.Helper()
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
}

// finished has all items follow.
func finished(t *testing.T, s *sqlite.Store) {
	t.Helper()
	must(t, s.Finish(t.Context()))
	if n, err := s.Unfinished(t.Context()); n != 0 || err != nil {
		t.Errorf("%d URLs are left, %v", n, err)
	}
	sound(t, s)
}

// left returns the number of pending items.
func left(t *testing.T, s *sqlite.Store) int {
	t.Helper()
	n, err := s.Unfinished(t.Context())
	must(t, err)
	return n
}

// inForce reports whether a change to the host is in force, and has its items follow. All ways of reading agree.
func inForce(t *testing.T, s *sqlite.Store, host string) bool {
	t.Helper()
	rules, err := review.Overrides(t.Context(), s)
	must(t, err)
	found := slices.ContainsFunc(rules, func(o review.StoredOverride) bool { return o.Override.Match.Host == host })
	sound(t, s)
	finished(t, s)
	want := 0
	if found {
		want = many
	}
	agree(t, s, review.Filter{AtHosts: []string{host}}, want)
	return found
}

// agree fails the test if a way of reading finds another number of items.
func agree(t *testing.T, s *sqlite.Store, f review.Filter, want int) {
	t.Helper()
	n, err := s.Count(t.Context(), f)
	must(t, err)
	page, err := s.Page(t.Context(), review.Query{Filter: f, Sort: review.ByURL}, nil, 2*many)
	must(t, err)
	facets, err := s.Facets(t.Context(), f)
	must(t, err)
	items := 0
	must(t, s.Each(t.Context(), f, func(it review.Item) error {
		items++
		past, err := s.History(t.Context(), it.ID)
		past = slices.DeleteFunc(past, func(p review.PastDecision) bool { return p.Undone })
		if it.Decision != nil && past[len(past)-1].Batch != it.Decision.Batch {
			t.Errorf("URL %d: the last decision in force is %+v, by the item %+v", it.ID, past, it.Decision)
		}
		return err
	}))
	if got := []int{n, len(page), facets.Total, items}; !slices.Equal(got, []int{want, want, want, want}) {
		t.Errorf("there are %v, want %d", got, want)
	}
}

// rejected fails the test unless so many items are rejected by ana once they follow.
func rejected(t *testing.T, s *sqlite.Store, want int) {
	t.Helper()
	finished(t, s)
	agree(t, s, review.Filter{Statuses: []review.Status{review.Rejected}, Reviewers: []string{"ana"}}, want)
}

// runUntil runs a change on a store whose program is killed after n chunks of few items. It returns the number of
// chunks, and whether the change was confirmed.
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

// everyChunk is the step from one chunk to the next after which a program is killed.
func everyChunk() int {
	if testing.Short() {
		return 15
	}
	return 2
}

// A command that ends with Settle leaves no item pending, unless it is interrupted.
func TestSettle(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "visto.db")
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
		must(t, err)
		moving(s)
		manyItems(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		stopping, chunks := sqlite.Stopping(s), 0
		sqlite.Chunks(s, few, func() {
			if chunks++; interrupted && chunks == 4 {
				cancel()
				<-stopping
			}
		})
		_, err = s.Commit(t.Context(), moveAll(t, s, "moved.es"))
		must(t, err)
		s.Settle(ctx)
		cancel()
		must(t, s.Close())
		next := openMoving(t, path)
		sqlite.LeavePending(next)
		if n := left(t, next); !interrupted && n > 0 || !inForce(t, next, "moved.es") {
			t.Errorf("interrupted %v, left %d", interrupted, n)
		}
	}
}

// A program that ends stops, and the next one goes on as soon as it is opened.
func TestClosedWhilePending(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{Create: true})
	must(t, err)
	moving(s)
	manyItems(t, s)
	change := moveAll(t, s, "moved.es")
	stopping, chunks := sqlite.Stopping(s), 0
	sqlite.Chunks(s, few, func() {
		if chunks++; chunks > 2 {
			<-stopping
		}
	})
	_, err = s.Commit(t.Context(), change)
	must(t, err)
	must(t, s.Close())
	if chunks > 4 {
		t.Errorf("closed after %d chunks", chunks)
	}
	next := openMoving(t, path)
	sqlite.WaitApplied(next)
	if n := left(t, next); n > 0 || !inForce(t, next, "moved.es") {
		t.Errorf("%d are left", n)
	}
}

// While the items of a large change follow, others decide on them, undo, note and add. The result is the same as if one
// had come before the other, and the counts are right after each set.
func TestDecisionsBetweenChunks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := openMoving(t, path), openMoving(t, path)
	manyItems(t, s)
	first, err := other.Commit(t.Context(), approval("berta", 40, 0))
	must(t, err)
	id, batches := int64(0), map[int64]int64{}
	sqlite.Chunks(s, few, func() {
		if id++; id >= 20 {
			return
		}
		// One item that follows by now, and one that does not yet.
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
		sound(t, other)
	})
	r, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	if r.Updated != many {
		t.Errorf("updated %d", r.Updated)
	}
	sqlite.WaitApplied(s)
	if id < many/few {
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

// Rules that change while items are pending do not wait for them, and each item follows the last of them. One whose
// results were computed for pending items is stale, and these items follow.
func TestRulesBetweenChunks(t *testing.T) {
	s := openMoving(t, filepath.Join(t.TempDir(), "visto.db"))
	manyItems(t, s)
	sqlite.LeavePending(s)
	_, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	sqlite.Chunks(s, few, func() {})
	small := moveAll(t, s, "small.es")
	small.Recomputed = small.Recomputed[:1]
	if _, err := s.Commit(t.Context(), small); !errors.Is(err, review.ErrStale) || left(t, s) != many-1 {
		t.Errorf("%d are left, %v", left(t, s), err)
	}
	if it, err := s.Item(t.Context(), 1); err != nil || it.Computed.Host != "moved.es" {
		t.Errorf("%+v, %v", it, err)
	}
	_, err = s.Commit(t.Context(), moveAll(t, s, "rival.es"))
	must(t, err)
	if left(t, s) != many {
		t.Errorf("%d are left", left(t, s))
	}
	if !inForce(t, s, "rival.es") {
		t.Error("the last change is not in force")
	}
}

// A rule comes into force while items follow a decision, and one that changes none of them while they follow a rule.
// All that do not follow yet follow the new rule too.
func TestRuleWhileFollowing(t *testing.T) {
	for _, decided := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "visto.db")
		s, other := openMoving(t, path), openMoving(t, path)
		sqlite.LeavePending(other)
		manyItems(t, s)
		var change review.Change = moveAll(t, s, "moved.es")
		rule := moveAll(t, s, "rival.es")
		if decided {
			change = rejectAll(t, s, "no")
		} else {
			rule.Recomputed, rule.Gen = nil, rule.Gen+1
		}
		chunks := 0
		sqlite.Chunks(s, few, func() {
			if chunks++; chunks == 4 {
				_, err := other.Commit(t.Context(), rule)
				must(t, err)
			}
		})
		_, err := s.Commit(t.Context(), change)
		must(t, err)
		sqlite.WaitApplied(s)
		finished(t, s)
		want := many
		if decided {
			rejected(t, s, many)
		} else {
			want = many - 2*few
			agree(t, s, review.Filter{AtHosts: []string{"moved.es"}}, 2*few)
		}
		agree(t, s, review.Filter{AtHosts: []string{"rival.es"}}, want)
	}
}

// Another field cites an item whose result was computed and is not written yet. It is computed again.
func TestPlacesWhileFollowing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	compute := func(it review.Item, _ *canon.Evidence) review.Computed {
		return movedTo("moved.es", int64(len(it.Fields.Names())))
	}
	useRules(s, compute)
	useRules(other, compute)
	chunks := 0
	sqlite.Chunks(s, few, func() {
		if chunks++; chunks != 4 {
			return
		}
		in := &review.Intake{Computing: review.Computing{Gen: 1, OnFields: true, Compute: compute}}
		n := sample(many - 1)
		n.Source.Field = "link"
		_, err := other.Add(t.Context(), in, []review.NewItem{n})
		must(t, err)
	})
	_, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	sqlite.WaitApplied(s)
	if it, err := s.Item(t.Context(), many); err != nil || it.Computed.Canonical != "https://moved.es/2" {
		t.Errorf("%+v, %v", it, err)
	}
	finished(t, s)
}

// Evidence for a pending item is stale, and for another one it is not.
func TestEvidenceWhilePending(t *testing.T) {
	s := openMoving(t, filepath.Join(t.TempDir(), "visto.db"))
	manyItems(t, s)
	sqlite.LeavePending(s)
	_, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
	must(t, err)
	sqlite.Chunks(s, few, func() {})
	_, err = s.Commit(t.Context(), approval("berta", 2, 0))
	must(t, err)
	evidence := func(id int64) error {
		m, err := s.Meta(t.Context())
		must(t, err)
		_, err = s.Commit(t.Context(), review.AddEvidence{Reviewer: "ana",
			Evidence: []review.ItemEvidence{{ID: id, Evidence: &canon.Evidence{Title: "T"}}},
			Results: review.Results{Gen: m.Gen, LastID: m.LastID, Seq: m.LastSeq,
				Late: func(review.Item, *canon.Evidence) *review.Recomputed { return nil }}})
		return err
	}
	must(t, evidence(2)) // its decision had it follow
	if err := evidence(3); !errors.Is(err, review.ErrStale) {
		t.Errorf("%v", err)
	}
	must(t, evidence(3))
	if left(t, s) != many-2 {
		t.Errorf("%d are left", left(t, s))
	}
}

// Items that are added while a large change is caught up with and follows are computed too, however many.
func TestAddedBetweenChunks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := openMoving(t, path), openMoving(t, path)
	manyItems(t, s)
	change := moveAll(t, s, "moved.es")
	_, err := other.Add(t.Context(), &review.Intake{}, samples(2 * many)[many:])
	must(t, err)
	computed := map[int64]int{}
	change.Late = func(it review.Item, _ *canon.Evidence) *review.Recomputed {
		computed[it.ID]++
		return &review.Recomputed{ID: it.ID, Computed: movedTo("moved.es", it.ID)}
	}
	sqlite.Chunks(s, few, func() {})
	r, err := s.Commit(t.Context(), change)
	must(t, err)
	sqlite.WaitApplied(s)
	n, err := other.Count(t.Context(), review.Filter{AtHosts: []string{"moved.es"}})
	if err != nil || n != 2*many || r.Updated != 2*many || len(computed) != many {
		t.Errorf("%d are moved, %d updated, %d computed late, %v", n, r.Updated, len(computed), err)
	}
	sound(t, other)
}

// A decision whose items are pending reads as what it is: the batch, the history, the counts and the search know it.
// Decisions, notes and undos meanwhile agree.
func TestDecidedWhilePending(t *testing.T) {
	s := openMoving(t, filepath.Join(t.TempDir(), "visto.db"))
	manyItems(t, s)
	_, err := s.Commit(t.Context(), approval("berta", 40, 0))
	must(t, err)
	must(t, s.Maintain(t.Context()))
	sqlite.LeavePending(s)
	r, err := s.Commit(t.Context(), rejectAll(t, s, "fuera"))
	must(t, err)
	if r.Decided != many || left(t, s) != many {
		t.Errorf("%d are decided, %d left", r.Decided, left(t, s))
	}
	sound(t, s)
	if n, err := s.Count(t.Context(), review.Filter{Search: "FUERA"}); n != many || err != nil {
		t.Errorf("%d are found by the note, %v", n, err)
	}
	b, err := s.Batch(t.Context(), r.Batch)
	if err != nil || len(b.Items) != many {
		t.Errorf("the batch is on %d items, %v", len(b.Items), err)
	}
	past, err := s.History(t.Context(), 40)
	if err != nil || len(past) != 2 || past[1].Batch != r.Batch || past[1].Note != "fuera" {
		t.Errorf("history %+v, %v", past, err)
	}
	counts, err := s.DecisionCounts(t.Context())
	if err != nil || len(counts) != 2 || counts[0].N != many || counts[1].N != 1 {
		t.Errorf("decision counts %+v, %v", counts, err)
	}
	work, err := s.Work(t.Context())
	if err != nil || work[0].Decisions != many {
		t.Errorf("work %+v, %v", work, err)
	}
	_, err = s.Commit(t.Context(), review.AddNotes{Reviewer: "berta", Notes: []review.ItemNote{{ID: 2, Text: "ojo"}}})
	must(t, err)
	if it, err := s.Item(t.Context(), 2); err != nil || it.Status != review.Rejected || left(t, s) != many-1 {
		t.Errorf("with a note %+v, %v", it, err)
	}
	_, err = s.Commit(t.Context(), review.Revert{Reviewer: "ana", Batch: r.Batch})
	must(t, err)
	if n, err := s.Count(t.Context(), review.Filter{Search: "fuera"}); n != 1 || err != nil {
		t.Errorf("%d are found by the note of an undone decision, %v", n, err) // the one that followed
	}
	rejected(t, s, 0)
	if it, err := s.Item(t.Context(), 40); err != nil || it.Status != review.Approved ||
		it.Decision.Reviewer != "berta" {
		t.Errorf("URL 40: %+v, %v", it, err)
	}
	must(t, s.Maintain(t.Context()))
	if n, err := s.Count(t.Context(), review.Filter{Search: "fuera"}); n != 0 || err != nil {
		t.Errorf("%d are found by the note that is undone, %v", n, err)
	}
	if past, err := s.History(t.Context(), 1); err != nil || len(past) != 1 || !past[0].Undone {
		t.Errorf("history %+v, %v", past, err)
	}
}

// Whoever decides on a pending item with the revision from before is in conflict, and sees the item as it is by then.
func TestConflictWhilePending(t *testing.T) {
	for _, large := range []bool{false, true} {
		s := openMoving(t, filepath.Join(t.TempDir(), "visto.db"))
		manyItems(t, s)
		stale := rejectAll(t, s, "")
		sqlite.LeavePending(s)
		_, err := s.Commit(t.Context(), moveAll(t, s, "moved.es"))
		must(t, err)
		if !large {
			sqlite.Chunks(s, many, func() {})
		}
		r, err := s.Commit(t.Context(), stale)
		must(t, err)
		if r.Seq != 0 || r.Batch != 0 || len(r.Conflicts) != many || r.Conflicts[0].Item.Computed.Host != "moved.es" {
			t.Errorf("large %v: %d in conflict, %+v", large, len(r.Conflicts), r)
		}
	}
}

// While many items are decided, others decide on some of them. What comes before the decision is in conflict with it,
// what comes after it replaces it. The undo of the batch leaves the decisions of others in force, and so does its redo.
func TestDecidedBetweenChunks(t *testing.T) {
	oneGoroutine(t)
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := openMoving(t, path), openMoving(t, path)
	manyItems(t, s)
	first, err := other.Commit(t.Context(), approval("berta", 40, 0))
	must(t, err)
	change := rejectAll(t, s, "fuera")
	takes := func(c review.Change) int64 {
		r, err := other.Commit(t.Context(), c)
		if err != nil || len(r.Conflicts) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
		return r.Batch
	}
	takes(approval("berta", 1, 0))
	chunks := 0
	sqlite.Chunks(s, few, func() {
		switch chunks++; chunks {
		case 1: // its items are checked, and it is not in force
			takes(review.AddNotes{Reviewer: "berta", Notes: []review.ItemNote{{ID: 2, Text: "ojo"}}})
			takes(review.Revert{Reviewer: "berta", Batch: first.Batch})
		case 3: // it is in force, and the first items follow it
			takes(approval("berta", 39, 0)) // pending
			takes(approval("berta", 3, 0))  // not any more
		}
		sound(t, other)
	})
	r, err := s.Commit(t.Context(), change)
	must(t, err)
	sqlite.WaitApplied(s)
	var conflicts []int64
	for _, c := range r.Conflicts {
		conflicts = append(conflicts, c.Item.ID)
	}
	if !slices.Equal(conflicts, []int64{1, 2, 40}) || r.Decided != many-3 {
		t.Errorf("%d decided, in conflict %v", r.Decided, conflicts)
	}
	rejected(t, other, many-5)
	for _, step := range []struct{ undo, redo bool }{{undo: true}, {redo: true}} {
		got, err := s.Commit(t.Context(), review.Revert{Reviewer: "ana", Batch: r.Batch, Redo: step.redo})
		if err != nil || got.Batch != r.Batch || got.Decided != many-3 {
			t.Errorf("%+v, %v", got, err)
		}
		sqlite.WaitApplied(s)
		rejected(t, other, map[bool]int{false: 0, true: many - 5}[step.redo])
		for _, id := range []int64{1, 3, 39} {
			if it, err := s.Item(t.Context(), id); err != nil || it.Status != review.Approved {
				t.Errorf("URL %d: %+v, %v", id, it, err)
			}
		}
	}
}

// If others were first on all items there is nothing to write. Two decisions on one item, or one on a missing item,
// are refused whole.
func TestDecideManyForNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := openMoving(t, path), openMoving(t, path)
	manyItems(t, s)
	sqlite.Chunks(s, few, func() {})
	stale := rejectAll(t, s, "")
	_, err := other.Commit(t.Context(), rejectAll(t, other, ""))
	must(t, err)
	if r, err := s.Commit(t.Context(), stale); err != nil || r.Seq != 0 || r.Batch != 0 || len(r.Conflicts) != many {
		t.Errorf("%d in conflict, entry %d, %v", len(r.Conflicts), r.Seq, err)
	}
	twice := rejectAll(t, s, "")
	twice.Decisions[9] = twice.Decisions[3]
	if _, err := s.Commit(t.Context(), twice); err == nil || err.Error() != "writing a batch (reject): URL 4 is "+
		"decided twice in one batch" {
		t.Errorf("twice: %v", err)
	}
	none := rejectAll(t, s, "")
	none.Decisions[30].ID = 999
	if _, err := s.Commit(t.Context(), none); !errors.Is(err, review.ErrNotFound) {
		t.Errorf("of no URL: %v", err)
	}
	rejected(t, s, many)
	if r, err := s.Commit(t.Context(), rejectAll(t, s, "")); err != nil || r.Decided != many {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}
