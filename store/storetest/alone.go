package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"visto/review"
	"visto/review/read"
)

// citedTwice stores a URL that the records x and y of a file cite, and returns its ID and the numbers of the records.
func (f *fixture) citedTwice(url string) (id, x, y int64) {
	f.Helper()
	f.cite("r", f.inRecords(url, "x", "y")...)
	it := f.find(url)
	return it.ID, it.Occurrences[0].Citer, it.Occurrences[1].Citer
}

// inRecords returns the URL under a field of records.
func (f *fixture) inRecords(url string, ids ...string) (list []review.NewItem) {
	for i, id := range ids {
		list = append(list, at(url, "r", "url", "/"+id+"/url", i+1, &read.Record{Path: "/" + id, ID: id}))
	}
	return list
}

func (f *fixture) find(url string) review.Item {
	f.Helper()
	list, err := f.Find(f.ctx, url)
	f.must(err)
	if len(list) != 1 {
		f.Fatalf("%d items have the URL %s", len(list), url)
	}
	return list[0]
}

// alone decides on an item for one record, and returns the batch.
func (f *fixture) alone(reviewer string, kind review.Kind, id, record int64, canonical string) int64 {
	f.Helper()
	it := f.item(id)
	d := review.Decision{Kind: kind, Record: record, From: it.Computed.Canonical}
	if d.Canonical = canonical; kind == review.Approve {
		d.Canonical = d.From
	} else if !kind.Corrects() {
		d.Canonical = ""
	}
	return f.commit(review.Decide{Reviewer: reviewer, Action: review.ActApprove, Summary: "alone",
		Decisions: []review.ItemDecision{{ID: id, Rev: it.Rev, Decision: d}}}).Batch
}

// stands checks the status of an item, and for each of the records.
func (f *fixture) stands(when string, id int64, want review.Status, of map[int64]review.Status) {
	f.Helper()
	it := f.item(id)
	equal(f, when+": status", it.Status, want)
	for record, status := range of {
		own := it.For(record)
		equal(f, fmt.Sprintf("%s: status for record %d", when, record), own.Status, status)
	}
	equal(f, when+": as a row", bare(it), f.row(id))
	f.sound()
}

// row returns an item without its occurrences, as Each reads it.
func (f *fixture) row(id int64) (row review.Item) {
	f.Helper()
	f.must(f.Each(f.ctx, review.Filter{IDs: []int64{id}, Presence: review.AnyPresence}, func(it review.Item) error {
		row = it
		return nil
	}))
	return row
}

// An item waits until each record that cites it is settled by a decision of its own, or all are by one for all.
func testAlone(f *fixture) {
	id, x, y := f.citedTwice("https://boe.es/a")
	first := f.alone("ana", review.Approve, id, x, "")
	f.stands("one of two", id, review.Pending, map[int64]review.Status{x: review.Approved, y: review.Pending})
	equal(f, "for all", f.item(id).Decision, nil)
	equal(f, "open", f.count(review.Filter{Open: true}), 1)
	f.alone("berta", review.Reject, id, y, "")
	f.stands("both", id, review.Approved, map[int64]review.Status{x: review.Approved, y: review.Rejected})
	equal(f, "open", f.count(review.Filter{Open: true}), 0)
	it := f.item(id)
	equal(f, "standing", it.Standing().Batch, first)

	all := f.decide("ana", review.Defer, id)
	f.stands("for all", id, review.Deferred, map[int64]review.Status{x: review.Deferred, y: review.Deferred})
	equal(f, "replaced", f.item(id).ByRecord, nil)
	later := f.alone("ana", review.Reject, id, x, "")
	f.stands("one after all", id, review.Deferred, map[int64]review.Status{x: review.Rejected, y: review.Deferred})
	f.undo("ana", later)
	f.undo("ana", all)
	f.stands("undone", id, review.Approved, map[int64]review.Status{x: review.Approved, y: review.Rejected})
	f.undo("ana", first)
	f.stands("one undone", id, review.Pending, map[int64]review.Status{x: review.Pending, y: review.Rejected})
	f.redo("ana", first)
	f.alone("ana", review.Reopen, id, y, "")
	f.stands("reopened", id, review.Pending, map[int64]review.Status{x: review.Approved, y: review.Pending})
	past, err := f.History(f.ctx, id)
	f.must(err)
	var records []int64
	for _, p := range past {
		records = append(records, p.Record)
	}
	equal(f, "history", records, []int64{x, y, 0, x, y})
	f.fails(review.Decide{Action: review.ActReject, Decisions: []review.ItemDecision{{ID: id,
		Decision: review.Decision{Kind: review.Reject, Record: 999}}}}, review.ErrNotFound)
}

// A record that goes away takes its decision along; one that comes opens the item again.
func testAloneAndAgain(f *fixture) {
	const url = "https://boe.es/a"
	id, x, y := f.citedTwice(url)
	f.alone("ana", review.Reject, id, x, "")
	f.cite("r", f.inRecords(url, "x")...)
	f.stands("y is gone", id, review.Rejected, map[int64]review.Status{x: review.Rejected})
	f.cite("r", f.inRecords(url, "x", "y")...)
	f.stands("y is back", id, review.Pending, map[int64]review.Status{x: review.Rejected, y: review.Pending})
	f.alone("ana", review.Approve, id, y, "")
	f.cite("r", f.inRecords(url, "x", "y", "z")...)
	f.stands("z came", id, review.Pending, map[int64]review.Status{x: review.Rejected, y: review.Approved})
	f.cite("r", f.inRecords(url, "y")...)
	f.stands("y alone", id, review.Approved, map[int64]review.Status{y: review.Approved})
	forgotten := f.commit(review.Forget{Summary: "forget r", File: "r"})
	equal(f, "gone", f.item(id).Presence, review.Gone)
	f.sound()
	f.undo("ana", forgotten.Batch)
	f.stands("not forgotten", id, review.Approved, map[int64]review.Status{y: review.Approved})
}

// Two reviewers who decide at once are told, whether for the same record, for another one, or for all.
func testAloneConflicts(f *fixture) {
	id, x, y := f.citedTwice("https://boe.es/a")
	for _, record := range []int64{x, y, 0} {
		seen := f.item(id)
		mine := review.ItemDecision{ID: id, Rev: seen.Rev}
		mine.Decision = review.Decision{Kind: review.Reject, Record: record}
		f.alone("berta", review.Defer, id, x, "")
		r := f.commit(review.Decide{Action: review.ActReject, Decisions: []review.ItemDecision{mine}})
		equal(f, "conflicts", r.Conflicts, []review.Conflict{{Item: f.row(id)}})
		seen = f.item(id)
		equal(f, "berta's stands", seen.For(x).Status, review.Deferred)
	}
}

// The approved URL of a record settles the item that has it as its original, also once the record cites that one.
func testAloneSettles(f *fixture) {
	const url = "https://boe.es/a"
	id, x, y := f.citedTwice(url)
	other := f.add(standsAs(better))[0]
	batch := f.alone("ana", review.Correct, id, x, better)
	f.settledAlone("corrected for one", other, id, batch)
	equal(f, "the result stays", f.item(id).Computed.Canonical, url)
	f.stands("corrected for one", id, review.Pending, map[int64]review.Status{x: review.Approved, y: review.Pending})
	found, err := f.Find(f.ctx, better)
	f.must(err)
	equal(f, "found", found[0].ID, other)
	later := f.alone("ana", review.Reject, id, x, "")
	f.waits("rejected for the record", other)
	f.undo("ana", later)
	f.settledAlone("the rejection undone", other, id, batch)
	typed := f.alone("ana", review.CorrectAsTyped, id, x, better)
	f.settledAlone("corrected as typed", other, id, typed)
	f.undo("ana", typed)
	f.cite("r", f.inRecords(url, "y")...)
	f.settledAlone("written back", other, id, batch)
	f.undo("ana", batch)
	f.waits("undone", other)
	f.redo("ana", batch)
	f.settledAlone("redone", other, id, batch)
	f.filter(review.Filter{Search: better[len("https://"):], Hosts: []string{"boe.es"}, IDs: []int64{id}}, []int64{id})
	f.decide("ana", review.Reject, id)
	f.waits("rejected for all", other)
	f.filter(review.Filter{Search: better[len("https://"):], IDs: []int64{id}}, []int64{})
	f.sound()
}

// settledAlone is settled for an approval for one record.
func (f *fixture) settledAlone(when string, id, by, batch int64) {
	f.Helper()
	it := f.item(id)
	if d := it.Decision; d == nil || d.CanonicalOf == nil || d.CanonicalOf.ID != by || d.Batch != batch {
		f.Fatalf("%s: the decision on URL %d is %+v", when, id, it.Decision)
	}
	equal(f, when+": decision", []any{it.Decision.Kind, it.Decision.Record}, []any{review.Approve, int64(0)})
	equal(f, when+": status", it.Status, review.Approved)
	f.sound()
}

// Whatever is decided for one and for all, undone and redone, on whichever records, the statuses follow from the
// decisions in force.
func testAloneAtRandom(f *fixture) {
	rnd := rand.New(rand.NewPCG(3, 4))
	const n = 3
	urls, names := []string{}, []string{"a", "b", "c", "d"}
	for i := range n {
		urls = append(urls, fmt.Sprintf("https://boe.es/%d", i))
	}
	undone := map[int64]bool{}
	for step := range steps(60) {
		switch it := f.anyOf(rnd.IntN(n) + 1); {
		case step == 0 || rnd.IntN(5) == 0:
			var list []review.NewItem
			for _, url := range urls {
				list = append(list, f.inRecords(url, names[:2+rnd.IntN(3)]...)...)
			}
			f.cite("r", list...)
		case rnd.IntN(4) == 0 && len(undone) > 0:
			for batch := range undone {
				if undone[batch] {
					f.redo("ana", batch)
				} else {
					f.undo("ana", batch)
				}
				undone[batch] = !undone[batch]
				break
			}
		case rnd.IntN(3) == 0:
			kinds := []review.Kind{review.Approve, review.Reject, review.Defer, review.Reopen}
			undone[f.decide("ana", kinds[rnd.IntN(4)], it.ID)] = false
		default:
			citers := it.Citers(nil)
			kinds := []review.Kind{review.Approve, review.Correct, review.Reject, review.Defer, review.Reopen}
			undone[f.alone("ana", kinds[rnd.IntN(5)], it.ID, citers[rnd.IntN(len(citers))].Number,
				urls[rnd.IntN(n)]+[]string{"", "?utm_source=x"}[rnd.IntN(2)])] = false
		}
		f.followAlone(step)
	}
	f.sound()
}

func (f *fixture) anyOf(id int) review.Item {
	f.Helper()
	it, err := f.Item(f.ctx, int64(id))
	if err != nil {
		return review.Item{}
	}
	return it
}

// followAlone compares the decisions for records with the history.
func (f *fixture) followAlone(step int) {
	f.Helper()
	for _, row := range f.all() {
		it := f.item(row.ID)
		past, err := f.History(f.ctx, it.ID)
		f.must(err)
		own := map[int64]int64{} // batches
		for _, p := range past {
			switch {
			case p.Undone:
			case p.Record == 0:
				clear(own)
			default:
				own[p.Record] = p.Batch
			}
		}
		var want, got []int64
		decided := false
		for _, by := range it.Citers(nil) {
			want, decided = append(want, by.Number, own[by.Number]), decided || own[by.Number] > 0
		}
		for _, r := range it.ByRecord {
			batch := int64(0)
			if r.Decision != nil {
				batch = r.Decision.Batch
			}
			got = append(got, r.Record, batch)
		}
		if !decided {
			want = nil
		}
		if !slices.Equal(got, want) {
			f.Fatalf("step %d: URL %d has the decisions %v, want %v", step, it.ID, got, want)
		}
		status, flags := review.ResolveStatus(it.Computed, it.Link, it.Decision, it.ByRecord...)
		equal(f, "status", it.Status, status)
		equal(f, "flags", it.Computed.Flags, flags)
	}
}
