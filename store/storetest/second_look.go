package storetest

import (
	"fmt"

	"visto/canon"
	"visto/review"
)

// offList adds a flagged item with that original.
func (f *fixture) offList(url string) int64 {
	f.Helper()
	n := flagged(url, canon.OffAllowlist)
	n.Original = url
	return f.add(n)[0]
}

// look writes an approval that takes two persons and confirms a batch, 0 for none, and returns its batch.
func (f *fixture) look(reviewer string, confirms int64, ids ...int64) int64 {
	f.Helper()
	c := review.Decide{Reviewer: reviewer, Action: review.ActApprove, Summary: "look"}
	for _, id := range ids {
		d := f.approve(id)
		d.Decision.SecondLook, d.Decision.Confirms = true, confirms
		c.Decisions = append(c.Decisions, d)
	}
	return f.commit(c).Batch
}

// waitsAfter checks that an item waits for a second person after a batch.
func (f *fixture) waitsAfter(when string, id, batch int64) {
	f.Helper()
	f.stands(when, id, review.Pending, nil)
	it := f.item(id)
	first := it.FirstLook()
	if first == nil || first.Batch != batch || !it.Open() {
		f.Errorf("%s: %+v waits for a person after batch %d", when, first, batch)
	}
}

// The first approval of two leaves an item open, and the second one counts as long as the first is not undone.
func testSecondLook(f *fixture) {
	id := f.offList("https://boe.es/a")
	ana := f.look("ana", 0, id)
	f.waitsAfter("one", id, ana)
	ben := f.look("ben", ana, id)
	f.stands("two", id, review.Approved, nil)
	it := f.item(id)
	equal(f, "confirms", []any{it.Decision.SecondLook, it.Decision.Confirms}, []any{true, ana})
	f.undo("ana", ana)
	f.waitsAfter("the first undone", id, ben)
	f.redo("ana", ana)
	f.stands("the first redone", id, review.Approved, nil)
	f.undo("ben", ben)
	f.waitsAfter("the second undone", id, ana)
	f.redo("ben", ben)
	f.stands("the second redone", id, review.Approved, nil)
	f.undo("ana", ana)
	again := f.look("ana", ben, id)
	f.stands("the other way round", id, review.Approved, nil)
	past, err := f.History(f.ctx, id)
	f.must(err)
	var confirms []int64
	for _, p := range past {
		confirms = append(confirms, p.Confirms)
	}
	equal(f, "history", confirms, []int64{0, 0, ben})
	f.decide("cleo", review.Reject, id)
	f.stands("rejected", id, review.Rejected, nil)
	f.undo("ana", again)
	f.stands("rejected still", id, review.Rejected, nil)
}

// A filter for a reviewer leaves out the open items that wait for another person after that one's approval. It keeps
// those whose approval is by another person, undone, outdated or replaced.
func testWaitingForOthers(f *fixture) {
	ids := f.add(flagged("https://sepe.es", canon.OffAllowlist, canon.HomePage)) // the only one with its counts
	for _, path := range []string{"b", "c", "d", "e", "f"} {
		ids = append(ids, f.offList("https://boe.es/"+path))
	}
	a, b, c, d, e := ids[0], ids[1], ids[2], ids[3], ids[4]
	f.look("ana", 0, a)
	bens := f.look("ben", 0, b)
	f.look("ana", bens, b)
	f.undo("ben", bens)
	f.undo("ana", f.look("ana", 0, c))
	f.look("ana", 0, d)
	moved := f.item(d).Computed
	moved.Canonical = "https://boe.es/moved"
	f.commit(review.ChangeRules{Summary: "move", Results: f.results(review.Recomputed{ID: d, Computed: moved})})
	f.look("ana", 0, e)
	f.decide("ana", review.Defer, e)
	f.decide("ana", review.Reopen, e)
	for reviewer, want := range map[string][]int64{"ana": {c, d, e, ids[5]}, "ben": {a, b, c, d, e, ids[5]}} {
		f.filter(review.Filter{Open: true, For: reviewer}, want)
		f.filter(review.Filter{Open: true, For: reviewer, Hosts: []string{"*.es"}}, want)
		f.filter(review.Filter{Open: true, For: reviewer, UpTo: ids[5]}, want)
		f.filter(review.Filter{Open: true, For: reviewer, Not: review.Values{Hosts: []string{"gob.es"}}}, want)
		f.filter(review.Filter{For: reviewer}, ids)
	}
}

// An approval may confirm one that confirms another: it counts as long as the batch that it names is not undone.
func testSecondLookRepeated(f *fixture) {
	id := f.offList("https://boe.es/a")
	ana := f.look("ana", 0, id)
	ben := f.look("ben", ana, id)
	again := f.look("ben", ana, id)
	cleo := f.look("cleo", again, id)
	f.stands("three", id, review.Approved, nil)
	f.undo("ana", ana)
	f.stands("the first undone", id, review.Approved, nil)
	f.undo("ben", again)
	f.waitsAfter("the one that the last names undone", id, cleo)
	f.undo("cleo", cleo)
	f.waitsAfter("the last undone", id, ben)
	f.redo("ana", ana)
	f.stands("the first redone", id, review.Approved, nil)
	f.redo("cleo", cleo)
	f.waitsAfter("the last redone", id, cleo)
	f.redo("ben", again)
	f.stands("all", id, review.Approved, nil)
	equal(f, "confirms", f.item(id).Decision.Confirms, again)
}

// The first approval of two settles no other item, and neither does it for one record alone.
func testSecondLookSettles(f *fixture) {
	const url = "https://boe.es/b"
	a, b := f.offList("https://boe.es/a"), f.offList(url)
	first := []review.Item{f.item(a)}
	correct := func(reviewer string, confirms, record int64) int64 {
		d := review.Decision{Kind: review.CorrectAsTyped, Canonical: url, From: "https://boe.es/a", SecondLook: true,
			Confirms: confirms, Record: record}
		c := f.corrects(first, review.CorrectAsTyped, url)
		c.Reviewer, c.Decisions = reviewer, []review.ItemDecision{{ID: a, Decision: d}}
		return f.commit(c).Batch
	}
	ana := correct("ana", 0, 0)
	f.waitsAfter("one", a, ana)
	f.stands("the other with one", b, review.Pending, nil)
	correct("ben", ana, 0)
	f.stands("two", a, review.Approved, nil)
	f.stands("the other with two", b, review.Approved, nil)
	d := f.item(b).Decision
	equal(f, "the other's look", []any{d.SecondLook, d.Confirms, d.CanonicalOf.ID}, []any{true, ana, a})
	f.undo("ana", ana)
	f.stands("the other with the first undone", b, review.Pending, nil)

	id, x, y := f.citedTwice("https://boe.es/c")
	f.alone("ana", review.Reject, id, y, "")
	a = id
	alone := correct("ana", 0, x)
	f.stands("one for a record", id, review.Pending, map[int64]review.Status{x: review.Pending, y: review.Rejected})
	f.stands("the other with one for a record", b, review.Pending, nil)
	correct("ben", alone, x)
	f.stands("two for a record", id, review.Approved, map[int64]review.Status{x: review.Approved, y: review.Rejected})
	f.stands("the other with two for a record", b, review.Approved, nil)
	f.undo("ana", alone)
	f.stands("the first for a record undone", id, review.Pending, map[int64]review.Status{x: review.Pending})
	f.stands("the other again", b, review.Pending, nil)
}

// A waiting approval leaves an item that the rules accept as it is, and is brought up to date with its result.
func testSecondLookUnderRules(f *fixture) {
	id := f.offList("https://boe.es/a")
	ana := f.look("ana", 0, id)
	it := f.item(id)
	accepted := it.Computed
	accepted.Verdict, accepted.Flags = 0, 0
	recompute := func(c review.Computed) {
		f.commit(review.ChangeRules{Summary: "rules", Results: f.results(review.Recomputed{ID: id, Computed: c})})
	}
	recompute(accepted)
	f.stands("accepted", id, review.Accepted, nil)
	recompute(it.Computed)
	f.waitsAfter("flagged again", id, ana)
	f.look("ben", ana, id)
	recompute(accepted)
	f.stands("approved", id, review.Approved, nil)
}

// Proposals have no effect, and cannot be undone while the batch that confirms them is in force.
func testProposals(f *fixture) {
	rule := canon.Override{Match: canon.Match{Host: "a.es"}, Accept: []string{"home-page"}}
	changes := []review.OverrideChange{{After: &rule}}
	proposals := func(want ...int64) {
		f.Helper()
		list, err := f.Proposals(f.ctx)
		f.must(err)
		var ids []int64
		for _, b := range list {
			ids = append(ids, b.ID)
			equal(f, "proposed", b.Rules, changes)
		}
		equal(f, "proposals", ids, want)
		f.sound()
	}
	proposed := f.commit(review.ProposeRules{Summary: "propose", Overrides: changes}).Batch
	proposals(proposed)
	rules, err := review.Overrides(f.ctx, f.Store)
	f.must(err)
	past, err := f.RuleHistory(f.ctx, []string{"a.es"}, 9)
	f.must(err)
	equal(f, "rules in force, and once", len(rules)+len(past), 0)

	write := func() review.Change {
		return review.ChangeRules{Reviewer: "ben", Summary: "write", Overrides: changes, Confirms: proposed,
			Results: f.results()}
	}
	f.undo("ana", proposed)
	proposals()
	f.fails(write(), review.ErrStale)
	f.redo("ana", proposed)
	written := f.commit(write()).Batch
	proposals()
	b, err := f.Batch(f.ctx, written)
	f.must(err)
	equal(f, "confirms", b.Confirms, proposed)
	if _, err := f.Commit(f.ctx, review.Revert{Reviewer: "ana", Batch: proposed}); err == nil {
		f.Error("a confirmed proposal was undone")
	}
	f.commit(review.Revert{Reviewer: "ben", Batch: written, Overrides: []review.OverrideChange{{Before: &rule}},
		Results: f.results()})
	proposals(proposed)
	f.undo("ana", proposed)
	f.fails(review.Revert{Redo: true, Batch: written, Overrides: changes, Results: f.results()}, review.ErrStale)
	proposals()
}

// Judgements are those for all records that stand, of items with several of them.
func testRejudged(f *fixture) {
	ids := f.addMany(4)
	f.decide("ana", review.Approve, ids...)
	f.decide("ben", review.Reject, ids[0], ids[1])
	undone := f.decide("ben", review.Reject, ids[2])
	f.decide("ben", review.Defer, ids[1])
	f.undo("ben", undone)
	var got []string
	f.must(f.EachRejudged(f.ctx, func(j review.Judgement) error {
		got = append(got, fmt.Sprint(j.Item-ids[0], " ", j.Reviewer, " ", j.Kind))
		equal(f, "URL", j.Canonical != "", j.Kind == review.Approve)
		return nil
	}))
	both := []string{"0 ana approve", "0 ben reject", "1 ana approve", "1 ben reject", "2 ana approve"}
	equal(f, "judgements", got, both)
}
