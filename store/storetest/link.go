package storetest

import (
	"reflect"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/health"
)

// testLinks keeps the history of a link, and the flags and status that follow from it and from the decisions.
func testLinks(f *fixture) {
	ids := f.addMany(2)
	it := f.item(ids[0])
	settings := health.Settings{Similarity: health.DefaultThreshold}
	if r, err := f.LinkRecord(f.ctx, it.ID); r != nil || err != nil {
		f.Errorf("before the first check: %+v %v", r, err)
	}
	var record health.Record
	at := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	check := func(status int, batch int64, want canon.CodeSet, state health.State) {
		f.Helper()
		at = at.Add(24 * time.Hour)
		record.Add(health.Observation{Check: health.Check{At: at, Status: status,
			Outcome: health.OutcomeOf(status)}}, batch, settings)
		f.must(f.Refresh(f.ctx, []review.ItemEvidence{{ID: it.ID, Evidence: &canon.Evidence{Status: status},
			Link: &record}}))
		f.isLink(it.ID, want, state)
		got, err := f.LinkRecord(f.ctx, it.ID)
		f.must(err)
		if !reflect.DeepEqual(got.Checks, record.Checks) {
			f.Errorf("%d checks are read back as %d", len(record.Checks), len(got.Checks))
		}
	}
	f.commit(review.AddEvidence{Results: f.results(),
		Evidence: []review.ItemEvidence{{ID: it.ID, Evidence: &canon.Evidence{Status: 200}}}})
	check(404, 0, 0, health.Active)
	check(404, 0, 0, health.Active)
	check(410, 0, broken, health.Inactive)
	first := f.decide("ana", review.Approve, it.ID)
	f.isLink(it.ID, 0, health.Inactive)
	f.undo("ana", first)
	f.isLink(it.ID, broken, health.Inactive)
	second := f.decide("ana", review.Approve, it.ID)
	check(200, second, broken, health.Inactive)
	f.decide("ana", review.Approve, it.ID)
	f.isLink(it.ID, 0, health.Active)
	n := 0
	f.must(f.EachLink(f.ctx, review.Filter{}, func(got review.Item, r *health.Record) error {
		if n++; got.ID != ids[n-1] || (r != nil) != (n == 1) || r != nil && len(r.Checks) != 4 {
			f.Errorf("URL %d with %+v", got.ID, r)
		}
		return nil
	}))
	if n != len(ids) {
		f.Errorf("%d links", n)
	}
}

// links are the histories of items that a test keeps, with a check a day.
type links struct {
	*fixture
	records map[int64]*health.Record
	at      time.Time
}

func (f *fixture) links() *links {
	return &links{f, map[int64]*health.Record{}, time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)}
}

// check stores the next check of items whose URLs were approved by the batch, 0 for none.
func (l *links) check(status int, batch int64, ids ...int64) {
	l.Helper()
	l.at = l.at.Add(24 * time.Hour)
	var list []review.ItemEvidence
	for _, id := range ids {
		if l.records[id] == nil {
			l.records[id] = &health.Record{}
		}
		l.records[id].Add(health.Observation{Check: health.Check{At: l.at, Status: status,
			Outcome: health.OutcomeOf(status)}}, batch, health.Settings{Similarity: health.DefaultThreshold})
		list = append(list, review.ItemEvidence{ID: id, Link: l.records[id]})
	}
	l.must(l.KeepChecks(l.ctx, list))
	l.sound()
}

var (
	sound  = canon.CodeSet(0)
	broken = canon.SetOf(canon.LinkBroken)
)

// A check leaves the decisions that an item stands by: one on another item, one for a record, or a correction; and its
// evidence, and the log.
func testLinksStand(f *fixture) {
	ids := f.addMany(2)
	id := f.add(standsAs(better))[0]
	twice, x, y := f.citedTwice("https://boe.es/twice")
	all := f.all()
	correction := f.commit(f.corrects(all, review.Correct, better, ids[0])).Batch
	alone := f.alone("ana", review.Approve, twice, x, "")
	l, entries := f.links(), len(f.entries())
	l.check(410, correction, ids[0], id)
	l.check(410, 0, ids[1])
	l.check(410, alone, twice)
	equal(f, "log entries", len(f.entries()), entries)
	if ev, err := f.Evidence(f.ctx, id); ev != nil || err != nil {
		f.Errorf("evidence %+v, %v", ev, err)
	}
	f.isLink(ids[0], broken, health.Inactive)
	equal(f, "corrected", f.item(ids[0]).Computed.Canonical, better)
	it := f.item(id)
	equal(f, "settled by", it.Decision.CanonicalOf.ID, ids[0])
	f.isLink(id, broken, health.Inactive)
	f.isLink(ids[1], broken, health.Inactive)
	f.stands("checked", twice, review.Pending, map[int64]review.Status{x: review.Approved, y: review.Pending})
	f.isLink(twice, broken, health.Inactive)

	f.alone("ana", review.Approve, twice, y, "")
	one := f.item(twice)
	equal(f, "for the record approved before", one.For(x).Computed.Flags&health.Flags, broken)
	equal(f, "for the record approved after", one.For(y).Computed.Flags&health.Flags, sound)
	equal(f, "open", one.Open(), true)
	last := f.alone("ana", review.Approve, twice, x, "")
	f.isLink(twice, sound, health.Inactive)
	l.check(200, last, twice)
	f.isLink(twice, broken, health.Inactive)
	f.alone("ana", review.Approve, twice, y, "")
	f.isLink(twice, broken, health.Inactive)
	f.alone("ana", review.Approve, twice, x, "")
	f.isLink(twice, sound, health.Active)

	same := f.corrects(all, review.Correct, better, ids[0])
	same.Decisions[0].Decision.From = better
	again := f.commit(same).Batch
	f.isLink(ids[0], sound, health.Inactive)
	f.isLink(id, sound, health.Inactive)
	change := f.ruleChange(review.OverrideChange{After: drop("boe.es", "", "x")})
	result := f.item(id).Computed
	result.Language = "ca"
	change.Recomputed = []review.Recomputed{{ID: id, Computed: result}}
	f.commit(change)
	f.isLink(id, sound, health.Inactive)
	f.commit(review.Revert{Batch: again, Computing: f.computing(computed(all))})
	f.isLink(ids[0], broken, health.Inactive)
	f.isLink(id, broken, health.Inactive)
	f.wantErr(f.KeepChecks(f.ctx, []review.ItemEvidence{{ID: 999, Link: l.records[id]}}), review.ErrNotFound)
	f.sound()
}

// A record that cites the page no longer holds nothing up: its approval may be as old as it is.
func testLinkOfAGoneRecord(f *fixture) {
	const url = "https://boe.es/twice"
	id, x, y := f.citedTwice(url)
	f.alone("ana", review.Approve, id, x, "")
	last := f.alone("ana", review.Approve, id, y, "")
	l := f.links()
	l.check(410, last, id)
	l.check(200, last, id)
	f.alone("ana", review.Approve, id, y, "")
	f.isLink(id, broken, health.Inactive)
	f.cite("r", f.inRecords(url, "y")...)
	f.isLink(id, sound, health.Active)
	f.sound()
}

// Many decisions at once accept the pages, and their undo and redo take that back and bring it back. Checks come in
// between.
func testLinksOfMany(f *fixture) {
	ids := f.addMany(60)
	l := f.links()
	first := f.decide("ana", review.Approve, ids...)
	l.check(410, first, ids...)
	open := func(want int) {
		f.Helper()
		equal(f, "open", f.count(review.Filter{Open: true}), want)
		equal(f, "broken", f.count(review.Filter{Flags: broken}), want)
		totals, err := f.Totals(f.ctx)
		f.must(err)
		equal(f, "totals", []int{totals.Open, totals.Reviewed}, []int{want, 60 - want})
		f.sound()
	}
	open(60)
	second := f.decide("ana", review.Approve, ids[:50]...)
	open(10)
	f.undo("ana", second)
	open(60)
	f.redo("ana", second)
	open(10)
	l.check(404, second, ids[:20]...)
	open(10)
	l.check(200, second, ids[:20]...)
	open(30)
	f.undo("ana", second)
	open(60)
	f.decide("berta", review.Approve, ids...)
	open(0)
	for _, id := range ids[:20] {
		f.isLink(id, sound, health.Active)
	}
}

// Of the contents of a page that was checked, the one that a person accepted last stays beside the newest one: drift is
// measured against the text that a person last accepted, which is one of the two kept.
func testContentAccepted(f *fixture) {
	id := f.addMany(1)[0]
	var record health.Record
	at := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	read := func(text string, batch int64, want ...string) {
		f.Helper()
		at = at.Add(24 * time.Hour)
		record.Add(health.Observation{Check: health.Check{At: at, Status: 200}}, batch, health.Settings{})
		e := page(id, text)
		e.Link = &record
		f.read(e)
		f.contents(id, want...)
	}
	read("a", 0, "a")
	read("b", 0, "b", "a")
	read("c", 0, "c", "a") // nobody accepted: it is compared with the first
	first := f.decide("ana", review.Approve, id)
	read("d", first, "d", "c")
	read("e", first, "e", "c")
	second := f.decide("ana", review.Approve, id)
	read("e", second, "e", "c")
	read("f", second, "f", "e")
	f.undo("ana", second)
	read("g", first, "g", "e") // that of the first approval is gone
	third := f.decide("ana", review.Approve, id)
	read("g", third, "g", "e")
	f.undo("ana", third)
	read("i", first, "i", "e") // and not the page that the third approval accepted
	e := page(id, "h")
	e.Evidence, e.Link = nil, nil
	f.must(f.KeepChecks(f.ctx, []review.ItemEvidence{e}))
	f.contents(id, "h", "e")
	f.sound()
}

// testLinkBasis refuses a history that was made from another one than the stored one, or from an item before a write.
func testLinkBasis(f *fixture) {
	id := f.addMany(1)[0]
	var record health.Record
	keep := func(basis review.LinkBasis, want error) {
		f.Helper()
		e := []review.ItemEvidence{{ID: id, Evidence: &canon.Evidence{Status: 404}, Link: &record, Basis: &basis}}
		f.wantErr(f.KeepChecks(f.ctx, e), want)
		f.wantErr(f.Refresh(f.ctx, e), want)
	}
	f.commit(review.AddEvidence{Results: f.results(),
		Evidence: []review.ItemEvidence{{ID: id, Evidence: &canon.Evidence{Status: 404}}}})
	record.Add(health.Observation{Check: health.Check{At: time.Unix(1, 0)}}, 0, health.Settings{})
	keep(review.LinkBasis{Rev: f.item(id).Rev, Last: *record.Last()}, review.ErrStale)
	e := review.ItemEvidence{ID: id, Link: &record, Basis: &review.LinkBasis{Rev: f.item(id).Rev}}
	f.must(f.KeepChecks(f.ctx, []review.ItemEvidence{e}))
	keep(*e.Basis, review.ErrStale)
	now := review.LinkBasis{Rev: e.Basis.Rev, Last: *record.Last()}
	keep(now, nil)
	f.decide("ana", review.Approve, id)
	keep(now, review.ErrStale)
	now.Rev = f.item(id).Rev
	keep(now, nil)
	f.sound()
}

// testReports keeps the time of the last report on a filter.
func testReports(f *fixture) {
	at := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	last := func(filter string, want time.Time) {
		f.Helper()
		got, err := f.LastReport(f.ctx, filter)
		f.must(err)
		equal(f, "last report on "+filter, got, want)
	}
	last("accepted", time.Time{})
	f.must(f.KeepReport(f.ctx, "accepted", at))
	last("accepted", at)
	last("all", time.Time{})
	f.must(f.KeepReport(f.ctx, "accepted", at.Add(time.Hour)))
	last("accepted", at.Add(time.Hour))
}

// isLink compares the flags of the link of an item, its state, and whether the item waits for a person.
func (f *fixture) isLink(id int64, want canon.CodeSet, state health.State) {
	f.Helper()
	it, err := f.Item(f.ctx, id)
	f.must(err)
	if got := it.Computed.Flags & health.Flags; got != want || it.LinkState() != state {
		f.Errorf("flags %v, state %s; want %v, %s", got.Codes(), it.LinkState(), want.Codes(), state)
	}
	open, err := f.Count(f.ctx, review.Filter{Open: true, IDs: []int64{id}})
	f.must(err)
	for _, s := range review.LinkStates {
		n := f.count(review.Filter{LinkStates: []health.State{s}, IDs: []int64{id}})
		equal(f, "in state "+s.String(), n == 1, s == state)
	}
	if (open == 1) != it.Open() || it.Status != review.Pending && it.Open() != (want != 0) {
		f.Errorf("%s with %v: open %v, and counted %d", it.Status, want.Codes(), it.Open(), open)
	}
}
