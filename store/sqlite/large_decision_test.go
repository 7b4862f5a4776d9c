package sqlite_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"visto/review"
	"visto/store/sqlite"
)

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

// rejected counts the items that ana rejected. All ways of reading agree.
func rejected(t *testing.T, s *sqlite.Store) int {
	t.Helper()
	f := review.Filter{Statuses: []review.Status{review.Rejected}, Reviewers: []string{"ana"}}
	n, err := s.Count(t.Context(), f)
	must(t, err)
	page, err := s.Page(t.Context(), review.Query{Filter: f, Sort: review.ByURL}, nil, 2*many)
	must(t, err)
	for _, it := range page {
		if one, err := s.Item(t.Context(), it.ID); err != nil || it.Decision == nil ||
			it.Decision.Kind != review.Reject || *one.Decision != *it.Decision {
			t.Errorf("URL %d: on its page %+v, by itself %+v, %v", it.ID, it.Decision, one.Decision, err)
		}
	}
	facets, err := s.Facets(t.Context(), review.Filter{Statuses: []review.Status{review.Rejected}})
	must(t, err)
	items := 0
	must(t, s.Each(t.Context(), f, func(it review.Item) error {
		past, err := s.History(t.Context(), it.ID)
		must(t, err)
		past = slices.DeleteFunc(past, func(p review.PastDecision) bool { return p.Undone })
		if last := past[len(past)-1]; last.Batch != it.Decision.Batch || last.Kind != review.Reject ||
			it.Decision.At.IsZero() {
			t.Errorf("URL %d: the last decision in force is %+v, by the item %+v", it.ID, last, it.Decision)
		}
		items++
		return nil
	}))
	if got := []int{len(page), items, facets.Total}; !slices.Equal(got, []int{n, n, n}) {
		t.Errorf("%d are rejected, and by other ways of counting %v", n, got)
	}
	if problems, err := s.Check(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	return n
}

// A program is killed after each chunk of a decision on many items, or of its undo, in turn. The next program finds
// all of it or nothing.
func TestKilledWhileDeciding(t *testing.T) {
	for _, undo := range []bool{false, true} {
		for n := 1; !killWhileDeciding(t, undo, n); n += everyChunk() {
		}
	}
}

// everyChunk is the step from one chunk to the next after which a program is killed.
func everyChunk() int {
	if testing.Short() {
		return 15
	}
	return 2
}

// killWhileDeciding reports whether there were fewer than n chunks.
func killWhileDeciding(t *testing.T, undo bool, n int) (ended bool) {
	path := filepath.Join(t.TempDir(), "visto.db")
	dying := open(t, path)
	manyItems(t, dying)
	sqlite.Chunks(dying, few, func() {})
	var change review.Change = rejectAll(t, dying, "no")
	without, with := 0, many
	if undo {
		r, err := dying.Commit(t.Context(), change)
		must(t, err)
		sqlite.WaitApplied(dying)
		change, without, with = review.Revert{Reviewer: "ana", Batch: r.Batch}, many, 0
	}
	chunks, confirmed := commitUntil(t, dying, change, n)

	next := open(t, path)
	sqlite.Chunks(next, few, func() {})
	want := map[bool]int{false: without, true: with}[confirmed]
	if got := rejected(t, next); got != want {
		t.Errorf("undo %v, killed after %d chunks, confirmed %v: %d are rejected", undo, n, confirmed, got)
	}
	_, err := next.Commit(t.Context(), approval("berta", 3, 0))
	must(t, err)
	_, err = next.Commit(t.Context(), rejectAll(t, next, ""))
	must(t, err)
	must(t, next.Maintain(t.Context()))
	if got := rejected(t, next); got != many {
		t.Errorf("the next one rejects %d", got)
	}
	return chunks < n
}

// A decision that is in force but not applied reads as if it were applied. Decisions, notes and undos meanwhile
// agree.
func TestDecidedNotApplied(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "visto.db"))
	manyItems(t, s)
	_, err := s.Commit(t.Context(), approval("berta", 40, 0))
	must(t, err)
	must(t, s.Maintain(t.Context()))
	sqlite.StageAll(s)
	r, err := s.Commit(t.Context(), rejectAll(t, s, "fuera"))
	must(t, err)
	if got := rejected(t, s); got != many || r.Decided != many {
		t.Errorf("%d are rejected", got)
	}
	if n, err := s.Count(t.Context(), review.Filter{Search: "FUERA"}); n != many || err != nil {
		t.Errorf("%d are found by the note, %v", n, err)
	}
	b, err := s.Batch(t.Context(), r.Batch)
	if err != nil || len(b.Items) != many {
		t.Errorf("the batch is on %d items, %v", len(b.Items), err)
	}
	counts, err := s.DecisionCounts(t.Context())
	if err != nil || len(counts) != 2 || counts[0].N != many || counts[1].N != 1 {
		t.Errorf("decision counts %+v, %v", counts, err)
	}
	_, err = s.Commit(t.Context(), review.AddNotes{Reviewer: "berta", Notes: []review.ItemNote{{ID: 2, Text: "ojo"}}})
	must(t, err)
	if got := rejected(t, s); got != many {
		t.Errorf("after a note %d are rejected", got)
	}
	_, err = s.Commit(t.Context(), review.Revert{Reviewer: "ana", Batch: r.Batch})
	must(t, err)
	if got := rejected(t, s); got != 0 {
		t.Errorf("after the undo %d are rejected", got)
	}
	if it, err := s.Item(t.Context(), 40); err != nil || it.Status != review.Approved ||
		it.Decision.Reviewer != "berta" {
		t.Errorf("URL 40: %+v, %v", it, err)
	}
	must(t, s.Maintain(t.Context()))
	if n, err := s.Count(t.Context(), review.Filter{Search: "fuera"}); n != 0 || err != nil {
		t.Errorf("%d are found by the note that is undone, %v", n, err)
	}
}

// While many items are decided, others decide on some of them, note and undo. Exactly the items that they wrote to
// first are in conflict. The undo of the batch leaves the decisions of others in force, and so does its redo.
func TestDroppedWhileDeciding(t *testing.T) {
	oneGoroutine(t)
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
	manyItems(t, s)
	first, err := other.Commit(t.Context(), approval("berta", 40, 0))
	must(t, err)
	change := rejectAll(t, s, "fuera")

	taken, chunks := map[int64]bool{}, 0
	takes := func(c review.Change, items ...int64) int64 {
		r, err := other.Commit(t.Context(), c)
		if err != nil || len(r.Conflicts) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
		for _, id := range items {
			taken[id] = true
		}
		return r.Batch
	}
	var undone int64
	sqlite.Chunks(s, few, func() {
		chunks++
		if problems, err := other.Check(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("after %d chunks: %v %v", chunks, problems, err)
		}
		switch chunks {
		case 3: // chunks 2 and 3 have staged 14
			takes(approval("berta", 1, 0), 1)
			takes(approval("berta", 39, 0), 39) // not staged yet
			takes(review.AddNotes{Reviewer: "berta", Notes: []review.ItemNote{{ID: 2, Text: "ojo"}}}, 2)
			undone = takes(approval("berta", 5, 0), 5)
		case 4:
			takes(review.Revert{Reviewer: "berta", Batch: undone})
			takes(review.Revert{Reviewer: "berta", Batch: first.Batch}, 40)
		}
	})
	r, err := s.Commit(t.Context(), change)
	must(t, err)
	var conflicts []int64
	for _, c := range r.Conflicts {
		conflicts = append(conflicts, c.Item.ID)
	}
	slices.Sort(conflicts)
	if !slices.Equal(conflicts, []int64{1, 2, 5, 39, 40}) || r.Decided != many-5 {
		t.Errorf("%d decided, in conflict %v", r.Decided, conflicts)
	}
	if got := rejected(t, other); got != many-5 {
		t.Errorf("%d are rejected", got)
	}

	reverts := func(c review.Revert, want int) {
		t.Helper()
		got, err := s.Commit(t.Context(), c)
		if err != nil || got.Batch != r.Batch || got.Decided != many-5 {
			t.Errorf("%+v, %v", got, err)
		}
		if n := rejected(t, other); n != want {
			t.Errorf("%s: %d are rejected, want %d", c.Action(), n, want)
		}
	}
	sqlite.WaitApplied(s) // its chunks would count too
	chunks = 0
	sqlite.Chunks(s, few, func() {
		if chunks++; chunks == 3 { // a decision on an item of the undo stays in force
			takes(approval("berta", 3, 0))
			undone = takes(approval("berta", 4, 0))
			takes(review.Revert{Reviewer: "berta", Batch: undone})
		}
	})
	reverts(review.Revert{Reviewer: "ana", Batch: r.Batch}, 0)
	sqlite.WaitApplied(s)
	if got := rejected(t, s); got != 0 {
		t.Errorf("applied: %d are rejected", got)
	}
	if it, err := s.Item(t.Context(), 3); err != nil || it.Status != review.Approved {
		t.Errorf("URL 3: %+v, %v", it, err)
	}
	reverts(review.Revert{Reviewer: "ana", Redo: true, Batch: r.Batch}, many-6) // berta's on URL 3 is newer
	sqlite.WaitApplied(s)
	if got := rejected(t, s); got != many-6 {
		t.Errorf("applied: %d are rejected", got)
	}
	entries := 0
	must(t, s.EachEntry(t.Context(), func(e review.Entry) error {
		if e.Reviewer == "ana" {
			entries++
		}
		return nil
	}))
	if entries != 3 {
		t.Errorf("%d entries of the log", entries)
	}
}

// If others were first on all items there is nothing to write. Two decisions on one item, or one on a missing item,
// are refused whole.
func TestDecideManyForNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	s, other := open(t, path), open(t, path)
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
	if got := rejected(t, s); got != many {
		t.Errorf("%d are rejected", got)
	}
	if r, err := s.Commit(t.Context(), rejectAll(t, s, "")); err != nil || r.Decided != many {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}
