package storetest

import (
	"visto/review"
)

func (f *fixture) undo(reviewer string, batch int64) review.Receipt {
	f.Helper()
	return f.commit(review.Revert{Reviewer: reviewer, Batch: batch})
}

func (f *fixture) redo(reviewer string, batch int64) review.Receipt {
	f.Helper()
	return f.commit(review.Revert{Reviewer: reviewer, Redo: true, Batch: batch})
}

func testUndo(f *fixture) {
	ids := f.addMany(3)
	fresh := f.all()
	batch := f.decide("ana", review.Approve, ids...)
	decided := f.all()
	r := f.undo("ana", batch)
	equal(f, "undone decisions", []int64{int64(r.Decided), r.Batch}, []int64{3, batch})
	f.same("undone", fresh)
	b, err := f.Batch(f.ctx, batch)
	f.must(err)
	equal(f, "undone", b.Undone, true)
	r = f.redo("ana", batch)
	equal(f, "redone decisions", r.Decided, 3)
	f.same("redone", decided)
	b, err = f.Batch(f.ctx, batch)
	f.must(err)
	equal(f, "undone", b.Undone, false)
	f.sound()
}

// same compares all items with earlier ones, except for their revisions, which must have risen.
func (f *fixture) same(when string, want []review.Item) {
	f.Helper()
	got := f.all()
	for i := range got {
		if got[i].Rev <= want[i].Rev {
			f.Errorf("%s: the revision of %d went from %d to %d", when, got[i].ID, want[i].Rev, got[i].Rev)
		}
		got[i].Rev = want[i].Rev
	}
	equal(f, when, got, want)
}

// The decision in force is the newest one of a batch that is not undone, in any order of undoing.
func testUndoUnder(f *fixture) {
	id := f.addMany(1)[0]
	first := f.decide("ana", review.Reject, id)
	second := f.decide("berta", review.Approve, id)
	f.undo("ana", first)
	equal(f, "the later one is in force", f.item(id).Decision.Batch, second)
	f.undo("berta", second)
	equal(f, "none is in force", f.item(id).Decision, nil)
	equal(f, "status", f.item(id).Status, review.Pending)
	f.redo("ana", first)
	equal(f, "the first is in force", f.item(id).Status, review.Rejected)
	f.redo("berta", second)
	equal(f, "the second is in force", f.item(id).Status, review.Approved)
	f.undo("berta", second)
	equal(f, "the first is in force again", f.item(id).Decision.Batch, first)
	f.sound()
}

func testLastBatch(f *fixture) {
	ids := f.addMany(5)
	one, two := f.decide("ana", review.Approve, ids[0]), f.decide("ana", review.Reject, ids[1])
	other := f.decide("berta", review.Approve, ids[2])
	f.commit(review.AddEvidence{Evidence: []review.ItemEvidence{{ID: ids[0]}}})
	f.last("ana", two, 0)
	f.last("berta", other, 0)
	f.last("carla", 0, 0)

	f.undo("ana", two)
	f.last("ana", one, two)
	f.undo("ana", one)
	f.last("ana", 0, one) // redo starts with the last undo
	f.redo("ana", one)
	f.last("ana", one, two)
	f.redo("ana", two)
	f.last("ana", two, 0)

	// A new batch of the same reviewer ends redo; one of another reviewer does not.
	f.undo("ana", two)
	f.decide("berta", review.Approve, ids[3])
	f.last("ana", one, two)
	three := f.decide("ana", review.Approve, ids[4])
	f.last("ana", three, 0)
	f.undo("ana", three)
	f.last("ana", one, three)

	// A reviewer can redo another's batch after undoing it.
	f.undo("berta", one)
	f.last("berta", 5, one)
}

// last checks the batches that undo and redo would take; 0: none.
func (f *fixture) last(reviewer string, undo, redo int64) {
	f.Helper()
	for undone, want := range map[bool]int64{false: undo, true: redo} {
		b, err := f.LastBatch(f.ctx, reviewer, undone)
		if want == 0 {
			f.wantErr(err, review.ErrNotFound)
			continue
		}
		f.must(err)
		equal(f, "last batch of "+reviewer, b.ID, want)
		equal(f, "undone", b.Undone, undone)
	}
}

func testRefusedUndo(f *fixture) {
	ids := f.addMany(2)
	batch := f.decide("ana", review.Approve, ids[0])
	evidence := f.commit(review.AddEvidence{Evidence: []review.ItemEvidence{{ID: ids[0]}}}).Batch
	f.fails(review.Revert{Redo: true, Batch: batch}, nil)
	f.fails(review.Revert{Batch: 99}, review.ErrNotFound)
	f.fails(review.Revert{Batch: evidence}, nil)
	f.undo("ana", batch)
	f.fails(review.Revert{Batch: batch}, nil)
}
