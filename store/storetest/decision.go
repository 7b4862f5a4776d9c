package storetest

import (
	"errors"
	"time"

	"visto/review"
)

func testDecide(f *fixture) {
	ids := f.addMany(5)
	seen := f.item(ids[0])
	before := f.meta()
	correct := review.Decision{Kind: review.Correct, Canonical: "https://x.es/y", From: seen.Computed.Canonical}
	correct.Note = "why"
	given := correct
	given.Reviewer, given.Batch = "somebody else", 77 // ignored
	r := f.commit(review.Decide{Action: review.ActCorrect, Summary: "better",
		Decisions: []review.ItemDecision{{ID: ids[0], Rev: seen.Rev, Decision: given}}})
	if r.Batch == 0 || r.Seq == 0 || r.Decided != 1 || r.Conflicts != nil {
		f.Errorf("receipt %+v", r)
	}
	it := f.item(ids[0])
	equal(f, "status", it.Status, review.Approved)
	equal(f, "to cite", it.Canonical(), "https://x.es/y")
	if it.Rev <= seen.Rev {
		f.Errorf("the revision went from %d to %d", seen.Rev, it.Rev)
	}
	d := *it.Decision
	if d.At.IsZero() || d.At.Location() != time.UTC || !d.At.Equal(d.At.Truncate(time.Millisecond)) {
		f.Errorf("decided at %v", d.At)
	}
	correct.At, correct.Reviewer, correct.Batch = d.At, "ana", r.Batch
	equal(f, "decision", d, correct)

	f.decide("ana", review.Approve, ids[1])
	f.decide("ana", review.Reject, ids[2])
	f.decide("ana", review.Defer, ids[3])
	f.decide("ana", review.Reopen, ids[0])
	statuses := []review.Status{review.Pending, review.Approved, review.Rejected, review.Deferred, review.Pending}
	for i, want := range statuses {
		equal(f, "status", f.item(ids[i]).Status, want)
	}
	equal(f, "generation after a correction and its end", f.meta().Gen, before.Gen+2)
	equal(f, "generation of the rules", f.meta().RulesGen, before.RulesGen)

	b, err := f.Batch(f.ctx, r.Batch)
	f.must(err)
	if !b.At.Equal(it.Decision.At) {
		f.Errorf("the batch is of %v, its decision of %v: the clock is read once", b.At, it.Decision.At)
	}
	b.At = time.Time{}
	equal(f, "batch", b, review.Batch{ID: r.Batch, Reviewer: "ana", Action: review.ActCorrect, Summary: "better",
		Items: []int64{ids[0]}})
	f.sound()
}

// A decision on an item that changed since the reviewer saw it is reported as a conflict; the others are written.
func testConflicts(f *fixture) {
	ids := f.addMany(3)
	mine := []review.ItemDecision{f.approve(ids[0]), f.approve(ids[1])}
	f.decide("berta", review.Reject, ids[0])
	r := f.commit(review.Decide{Action: review.ActApprove, Decisions: mine})
	equal(f, "decided", r.Decided, 1)
	equal(f, "conflicts", r.Conflicts, []review.Conflict{{Item: bare(f.item(ids[0]))}})
	equal(f, "who decided first", f.item(ids[0]).Decision.Reviewer, "berta")
	equal(f, "the other", f.item(ids[1]).Status, review.Approved)
	b, err := f.Batch(f.ctx, r.Batch)
	f.must(err)
	equal(f, "items of the batch", b.Items, []int64{ids[1]})

	// If all are in conflict nothing is written.
	log := f.entries()
	r = f.commit(review.Decide{Action: review.ActApprove, Decisions: mine[:1]})
	if r.Batch != 0 || r.Seq != 0 || r.Decided != 0 || len(r.Conflicts) != 1 {
		f.Errorf("receipt %+v", r)
	}
	equal(f, "entries", len(f.entries()), len(log))

	mine[0].Rev = 0 // any revision
	r = f.commit(review.Decide{Action: review.ActApprove, Decisions: mine[:1]})
	equal(f, "decided at any revision", r.Decided, 1)
	f.sound()
}

func testRefused(f *fixture) {
	ids := f.addMany(2)
	good, gone, kind := f.approve(ids[0]), f.approve(ids[1]), f.approve(ids[1])
	gone.ID, gone.Rev, kind.Decision.Kind = 999, 0, 0
	f.fails(review.Decide{Action: review.ActApprove, Decisions: []review.ItemDecision{good, gone}}, review.ErrNotFound)
	f.fails(review.Decide{Action: review.ActApprove, Decisions: []review.ItemDecision{good, kind}}, nil)
	f.fails(review.Decide{Action: review.ActApprove, Decisions: []review.ItemDecision{good, good}}, nil)
	notes := []review.ItemNote{{ID: ids[0], Text: "x"}, {ID: 999, Text: "x"}}
	f.fails(review.AddNotes{Notes: notes}, review.ErrNotFound)
	r := f.commit(review.Decide{Action: review.ActApprove})
	equal(f, "receipt of an empty change", r, review.Receipt{})
}

// fails checks that the store refuses a change and writes nothing of it. The error must be want, unless that is nil.
func (f *fixture) fails(c review.Change, want error) {
	f.Helper()
	items, log, meta := f.all(), f.entries(), f.meta()
	r, err := f.Commit(f.ctx, byAna(c))
	if err == nil {
		f.Fatalf("%+v was written", c)
	}
	if want != nil && !errors.Is(err, want) {
		f.Fatalf("error %v, want %v", err, want)
	}
	equal(f, "receipt", r, review.Receipt{})
	equal(f, "items after "+err.Error(), f.all(), items)
	equal(f, "log after "+err.Error(), f.entries(), log)
	equal(f, "rules after "+err.Error(), f.meta(), meta)
	f.sound()
}

func testNotes(f *fixture) {
	ids := f.addMany(2)
	r := f.commit(review.AddNotes{Notes: []review.ItemNote{{ID: ids[0], Text: "one"}, {ID: ids[0], Text: "two"},
		{ID: ids[1], Text: "three"}}})
	f.commit(review.AddNotes{Reviewer: "berta", Notes: []review.ItemNote{{ID: ids[0], Text: "four"}}})
	it := f.item(ids[0])
	equal(f, "notes", it.Notes, 3)
	equal(f, "status", it.Status, review.Pending)
	if it.Rev == 1 {
		f.Error("a note did not raise the revision")
	}
	f.notes(ids[0], "ana: one", "ana: two", "berta: four")
	equal(f, "found", f.count(review.Filter{Search: "TWO"}), 1)
	b, err := f.Batch(f.ctx, r.Batch)
	f.must(err)
	equal(f, "items of the batch", b.Items, ids)

	f.commit(review.Revert{Batch: r.Batch})
	f.notes(ids[0], "berta: four")
	equal(f, "notes after undo", f.item(ids[0]).Notes+f.item(ids[1]).Notes, 1)
	equal(f, "found after undo", f.count(review.Filter{Search: "TWO"}), 0)
	f.commit(review.Revert{Redo: true, Batch: r.Batch})
	f.notes(ids[0], "ana: one", "ana: two", "berta: four")
	equal(f, "notes after redo", f.item(ids[0]).Notes, 3)
	f.sound()
}

func (f *fixture) notes(id int64, want ...string) {
	f.Helper()
	list, err := f.Notes(f.ctx, id)
	f.must(err)
	var got []string
	for _, n := range list {
		got = append(got, n.Reviewer+": "+n.Text)
	}
	equal(f, "notes", got, want)
}

func testHistory(f *fixture) {
	id := f.addMany(1)[0]
	first := f.decide("ana", review.Reject, id)
	f.decide("berta", review.Approve, id)
	f.commit(review.Revert{Batch: first})
	list, err := f.History(f.ctx, id)
	f.must(err)
	equal(f, "length", len(list), 2)
	equal(f, "first", []any{list[0].Kind, list[0].Reviewer, list[0].Batch, list[0].Undone},
		[]any{review.Reject, "ana", first, true})
	equal(f, "second", []any{list[1].Kind, list[1].Reviewer, list[1].Undone}, []any{review.Approve, "berta", false})
	equal(f, "decision in force", list[1].Decision, *f.item(id).Decision)
}
