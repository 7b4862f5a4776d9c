package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
)

// standsAs returns a flagged item whose original is the URL.
func standsAs(url string) review.NewItem {
	n := flagged(url, canon.HomePage)
	n.Original = url
	return n
}

// settled fails the test unless the item has the decision on the other one.
func (f *fixture) settled(when string, id, by int64) {
	f.Helper()
	it, other := f.item(id), f.item(by)
	if it.Decision == nil || it.Decision.CanonicalOf == nil {
		f.Fatalf("%s: the decision on URL %d is %+v", when, id, it.Decision)
	}
	want := *other.Decision
	want.Kind, want.CanonicalOf = review.Approve, it.Decision.CanonicalOf
	equal(f, when+": decision", *it.Decision, want)
	equal(f, when+": of", *want.CanonicalOf, review.Reference{ID: by, Original: other.Original})
	equal(f, when+": status", it.Status, review.Approved)
	equal(f, when+": to cite", it.Canonical(), it.Original)
	equal(f, when+": open", it.Open(), false)
	f.sound()
}

// waits fails the test unless the item waits for a person.
func (f *fixture) waits(when string, id int64) {
	f.Helper()
	if it := f.item(id); it.Decision != nil || it.Status != review.Pending || !it.Open() {
		f.Fatalf("%s: URL %d is %s, with %+v", when, id, it.Status, it.Decision)
	}
	f.sound()
}

// An item whose original is the approved canonical URL of another item is settled by that approval, unless it has a
// decision of its own.
func testSettled(f *fixture) {
	ids := f.addMany(3)
	id := f.add(standsAs(better))[0]
	all := f.all()
	f.commit(f.corrects(all, review.Reject, "", ids[2]))
	first := f.commit(f.corrects(all, review.CorrectAsTyped, better, ids[0])).Batch
	f.settled("corrected", id, ids[0])
	equal(f, "open", f.count(review.Filter{Open: true}), 1)
	equal(f, "decided by ana", f.count(review.Filter{Reviewers: []string{"ana"}}), 3)
	b, err := f.Batch(f.ctx, first)
	f.must(err)
	equal(f, "items of the batch", b.Items, ids[:1])
	past, err := f.History(f.ctx, id)
	f.must(err)
	equal(f, "own decisions", len(past), 0)

	work, err := f.Work(f.ctx)
	f.must(err)
	closed := 0
	for _, w := range work {
		closed += w.Single + w.Bulk
	}
	equal(f, "settled by decisions on them", closed, 2)

	second := f.commit(f.corrects(all, review.Correct, better, ids[1])).Batch
	f.settled("the newest counts", id, ids[1])
	own := f.decide("berta", review.Reject, id)
	equal(f, "its own decision", f.item(id).Status, review.Rejected)
	f.commit(review.Revert{Batch: second, Computing: f.computing(computed(all))})
	equal(f, "its own decision stays", f.item(id).Decision.Batch, own)
	f.commit(review.Revert{Batch: own, Computing: f.computing(computed(all))})
	f.settled("its own decision undone", id, ids[0])
	f.commit(review.Revert{Redo: true, Batch: second, Computing: f.computing(computed(all))})
	f.settled("redone", id, ids[1])
	f.commit(f.corrects(all, review.Correct, worse, ids[0], ids[1]))
	f.waits("corrected again", id)
	late := f.add(standsAs(worse))[0]
	f.settled("added later", late, ids[1])
	f.decide("ana", review.Approve, late)
	equal(f, "approved itself", f.item(late).Decision.CanonicalOf == nil, true)
	f.sound()
}

// New rules change the result of a settled item, not its status.
func testSettledUnderRules(f *fixture) {
	ids := f.addMany(1)
	id := f.add(standsAs(better))[0]
	all := f.all()
	f.commit(f.corrects(all, review.CorrectAsTyped, better, ids[0]))
	c := f.ruleChange(review.OverrideChange{After: drop("boe.es", "", "plaza")})
	c.Recomputed = []review.Recomputed{{ID: id, Computed: flagged(worse, canon.SectionPage).Computed}}
	f.commit(c)
	f.settled("recomputed", id, ids[0])
	equal(f, "flags", f.item(id).Computed.Flags, canon.SetOf(canon.SectionPage))
	equal(f, "canonical", f.item(id).Computed.Canonical, worse)
}

// steps is n if all tests run, or half of them, or fewer in the short run, which looks for races: a single goroutine
// goes them all.
func steps(n int) int {
	if testing.Short() {
		return n / 10
	}
	return suite.Rounds(n/2, n)
}

// Whatever is decided, undone and redone, on one item or on many, the items that are settled follow from the decisions
// in force.
func testSettledAtRandom(f *fixture) {
	const n = 6
	rnd := rand.New(rand.NewPCG(1, 2))
	url := func(i int) string { return fmt.Sprintf("https://boe.es/%d", i) }
	var all []review.Item
	for i := range n + 3 {
		f.add(standsAs(url(i)))
	}
	batches := map[int64]bool{} // whether it is undone
	for step := range steps(150) {
		all = f.all()
		fresh := append([]review.Item(nil), all...)
		for i := range fresh {
			fresh[i].Computed = standsAs(fresh[i].Original).Computed
		}
		var decisions []review.ItemDecision
		kinds := []review.Kind{review.Correct, review.Correct, review.CorrectAsTyped, review.Reject, review.Reopen}
		kind := kinds[rnd.IntN(len(kinds))]
		for _, it := range all[:n] { // nobody decides on the others
			if rnd.IntN(3) > 0 {
				continue
			}
			d := review.Decision{Kind: kind, From: it.Computed.Canonical}
			if kind.Corrects() {
				d.Canonical = url(rnd.IntN(n + 5))
			}
			decisions = append(decisions, review.ItemDecision{ID: it.ID, Decision: d})
		}
		computing, undone := f.computing(computed(fresh)), false
		var change review.Change = review.Decide{Action: review.ActCorrect, Decisions: decisions, Computing: computing}
		for batch, wasUndone := range batches {
			if rnd.IntN(3) == 0 {
				change, undone = review.Revert{Batch: batch, Redo: wasUndone, Computing: computing}, !wasUndone
				break
			}
		}
		if r := f.commit(change); r.Batch > 0 {
			batches[r.Batch] = undone
		}
		f.follow(step)
		if step == 70 || step == 140 {
			f.add(standsAs(url(len(all))))
		}
	}
	f.sound()
}

// follow compares the decision on each item with the history of all.
func (f *fixture) follow(step int) {
	f.Helper()
	own, newest := map[int64]*review.Decision{}, map[string]*review.Decision{}
	by := map[string]int64{}
	for _, it := range f.all() {
		past, err := f.History(f.ctx, it.ID)
		f.must(err)
		for _, p := range past {
			if !p.Undone {
				own[it.ID] = &p.Decision
			}
		}
		d := own[it.ID]
		if d == nil || !d.Kind.Approves() {
			continue
		}
		if last := newest[d.Canonical]; last == nil || d.Batch >= last.Batch {
			newest[d.Canonical], by[d.Canonical] = d, it.ID
		}
	}
	for _, it := range f.all() {
		got, want := it.Decision, own[it.ID]
		if want == nil && newest[it.Original] != nil {
			d := *newest[it.Original]
			d.Kind, d.CanonicalOf = review.Approve, &review.Reference{ID: by[it.Original],
				Original: f.item(by[it.Original]).Original}
			want = &d
		}
		equal(f, fmt.Sprintf("step %d: URL %d", step, it.ID), fmt.Sprintf("%+v", shown(got)),
			fmt.Sprintf("%+v", shown(want)))
		status, flags := review.ResolveStatus(it.Computed, it.Link, got)
		equal(f, "status", it.Status, status)
		equal(f, "flags", it.Computed.Flags, flags)
	}
}

// shown returns a decision without pointers.
func shown(d *review.Decision) any {
	if d == nil {
		return nil
	}
	of, rest := review.Reference{}, *d
	if d.CanonicalOf != nil {
		of, rest.CanonicalOf = *d.CanonicalOf, nil
	}
	return struct {
		review.Decision
		Of review.Reference
	}{rest, of}
}
