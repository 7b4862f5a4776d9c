package storetest

import (
	"visto/canon"
	"visto/review"
)

// better is the URL of the corrections, and worse another one.
const (
	better = "https://boe.es/better"
	worse  = "https://boe.es/worse"
)

// computed is a review.Computing.Compute: the result of the decision's URL if it is a correction, else that of first.
func computed(first []review.Item) func(review.Item, *canon.Evidence) review.Computed {
	return func(it review.Item, _ *canon.Evidence) review.Computed {
		if d := it.Decision; d != nil && d.Kind.Corrects() {
			return flagged(d.Canonical, canon.SectionPage).Computed
		}
		for _, f := range first {
			if f.ID == it.ID {
				return f.Computed
			}
		}
		return it.Computed
	}
}

// corrects returns a change that decides on the items.
func (f *fixture) corrects(first []review.Item, kind review.Kind, url string, ids ...int64) review.Decide {
	c := review.Decide{Action: review.Action("correct"), Computing: f.computing(computed(first))}
	for _, id := range ids {
		d := review.Decision{Kind: kind, Canonical: url}
		c.Decisions = append(c.Decisions, review.ItemDecision{ID: id, Decision: d})
	}
	return c
}

// The log has the decisions of a change in its order, those that replace a correction too: a replay goes by it.
func testCorrectionsInLog(f *fixture) {
	ids := f.addMany(3)
	fresh := f.all()
	f.commit(f.corrects(fresh, review.Correct, better, ids[1]))
	f.commit(f.corrects(fresh, review.Reject, "", ids[2], ids[1], ids[0]))
	list := f.entries()
	body, err := list[len(list)-1].Read()
	f.must(err)
	var got []int64
	for _, d := range body.Decisions {
		got = append(got, d.Item)
	}
	equal(f, "items in the log", got, []int64{ids[2], ids[1], ids[0]})
}

// The result of a corrected item is that of the corrected URL, until the correction is replaced or taken back.
func testCorrections(f *fixture) {
	ids := f.addMany(3)
	fresh := f.all()
	section, home := review.Filter{Flags: canon.SetOf(canon.SectionPage)}, review.Filter{
		Flags: canon.SetOf(canon.HomePage)}
	counts := func(when string, sections int) {
		f.Helper()
		equal(f, when+": corrected", f.count(section), sections)
		equal(f, when+": others", f.count(home), 3-sections)
		equal(f, when+": on the corrected host", f.count(review.Filter{Hosts: []string{"boe.es"}}), sections)
		f.sound()
	}
	back := func(batch int64, redo bool) {
		f.Helper()
		f.commit(review.Revert{Batch: batch, Redo: redo, Computing: f.computing(computed(fresh))})
	}
	first := f.commit(f.corrects(fresh, review.Correct, better, ids[0], ids[1])).Batch
	equal(f, "result", f.item(ids[0]).Computed, flagged(better, canon.SectionPage).Computed)
	f.found(better, ids[0], ids[1])
	counts("corrected", 2)
	second := f.commit(f.corrects(fresh, review.CorrectAsTyped, worse, ids[1], ids[2])).Batch
	equal(f, "decision", f.item(ids[1]).Decision.Kind, review.CorrectAsTyped)
	f.found(worse, ids[1], ids[2])
	counts("corrected again", 3)
	rejected := f.commit(f.corrects(fresh, review.Reject, "", ids[0])).Batch
	equal(f, "rejected result", f.item(ids[0]).Computed, fresh[0].Computed)
	counts("rejected", 2)
	back(rejected, false)
	counts("taken back", 3)
	back(second, false)
	f.found(better, ids[0], ids[1])
	f.found(worse)
	counts("both taken back", 2)
	back(first, false)
	f.same("all taken back", fresh)
	counts("all taken back", 0)
	back(second, true)
	f.found(worse, ids[1], ids[2])
	counts("brought back", 2)

	c := review.Decide{Decisions: f.corrects(fresh, review.Correct, better, ids[0]).Decisions, Reviewer: "ana"}
	if _, err := f.Commit(f.ctx, c); err == nil {
		f.Error("a correction without its result was taken")
	}
}

// The result of an item is computed with the decisions for records that hold after the change. An undo brings them
// back.
func testCorrectionsWithRecords(f *fixture) {
	id, x, y := f.citedTwice("https://boe.es/twice")
	f.alone("ana", review.Approve, id, x, "")
	var decided []int64
	compute := func(it review.Item, _ *canon.Evidence) review.Computed {
		decided = nil
		for _, r := range it.ByRecord {
			if r.Decision != nil {
				decided = append(decided, r.Record)
			}
		}
		return it.Computed
	}
	c := f.corrects(nil, review.Correct, better, id)
	c.Compute = compute
	correction := f.commit(c).Batch
	equal(f, "for all records", decided, nil)
	f.commit(review.Revert{Batch: correction, Computing: f.computing(compute)})
	equal(f, "taken back", decided, []int64{x})
	f.stands("taken back", id, review.Pending, map[int64]review.Status{x: review.Approved, y: review.Pending})
}

// A correction is computed under the rules in force, and a change of the rules sees the corrections made meanwhile.
func testCorrectionsUnderRules(f *fixture) {
	ids := f.addMany(3)
	fresh := f.all()
	rules := review.ChangeRules{Results: f.results(),
		Overrides: []review.OverrideChange{{After: &canon.Override{Match: canon.Match{Host: "boe.es"}}}}}
	var late []int64
	rules.Late = func(it review.Item, _ *canon.Evidence) *review.Recomputed {
		late = append(late, it.ID)
		return &review.Recomputed{ID: it.ID, Computed: flagged(worse, canon.NoSpanish).Computed}
	}
	early := f.corrects(fresh, review.Correct, better, ids[2])
	f.commit(f.corrects(fresh, review.Correct, better, ids[0]))
	f.commit(f.corrects(fresh, review.CorrectAsTyped, better, ids[1]))
	f.commit(review.AddNotes{Notes: []review.ItemNote{{ID: ids[2], Text: "no correction"}}})
	f.commit(rules)
	equal(f, "computed late", late, ids[:2])
	it := f.item(ids[0])
	equal(f, "result under the new rules", it.Computed.Canonical, worse)
	equal(f, "open again", it.Open(), true)
	f.fails(early, review.ErrStale)
	equal(f, "not written", f.item(ids[2]).Decision, nil)
	f.sound()
}
