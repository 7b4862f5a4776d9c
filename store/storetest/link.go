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
	it := f.item(f.addMany(1)[0])
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
	broken := canon.SetOf(canon.LinkBroken)
	f.commit(review.Change{Reviewer: "ana", Action: review.ActEvidence, Gen: f.meta().Gen, LastID: it.ID,
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
		if n++; got.ID != it.ID || len(r.Checks) != 4 {
			f.Errorf("URL %d has %d checks", got.ID, len(r.Checks))
		}
		return nil
	}))
	if n != 1 {
		f.Errorf("%d links were checked", n)
	}
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
	if (open == 1) != it.Open() || it.Status != review.Pending && it.Open() != (want != 0) {
		f.Errorf("%s with %v: open %v, and counted %d", it.Status, want.Codes(), it.Open(), open)
	}
}
