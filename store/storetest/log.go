package storetest

import (
	"errors"
	"runtime"
	"slices"
	"strings"

	"visto/review"
)

// entries returns the log, oldest first.
func (f *fixture) entries() []review.Entry {
	f.Helper()
	var list []review.Entry
	f.must(f.EachEntry(f.ctx, func(e review.Entry) error {
		list = append(list, e)
		return nil
	}))
	return list
}

func testLog(f *fixture) {
	ids := f.addMany(2)
	equal(f, "entries for added items", len(f.entries()), 0)
	batch := f.decide("ana", review.Approve, ids[0])
	f.commit(review.Change{Reviewer: "berta", Action: review.ActNote, Summary: "s\x00\xff",
		Notes: []review.ItemNote{{ID: ids[1], Text: "n"}}})
	f.undo("ana", batch)
	list := f.entries()
	equal(f, "entries", len(list), 3)
	prev := [32]byte{}
	for i, e := range list {
		equal(f, "number", e.Seq, int64(i+1))
		equal(f, "chained to", e.Prev, prev)
		equal(f, "hash", e.Hash, e.Chain())
		prev = e.Hash
	}
	equal(f, "second", []any{list[1].Reviewer, list[1].Action, list[1].Summary},
		[]any{"berta", review.ActNote, "s\x00\xff"})
	equal(f, "batch of the undo", list[2].Batch, batch)
	body, err := list[0].Read()
	f.must(err)
	equal(f, "decisions logged", len(body.Decisions), 1)
	equal(f, "decision logged", body.Decisions[0].Item, ids[0])
	body, err = list[2].Read()
	f.must(err)
	equal(f, "undo logged", body.Undo, batch)

	newest := slices.Clone(list)
	slices.Reverse(newest)
	f.log(0, 10, newest)
	f.log(0, 2, newest[:2])
	f.log(3, 1, newest[1:2])
	f.log(1, 5, nil)
	for _, want := range list {
		e, err := f.Entry(f.ctx, want.Seq)
		f.must(err)
		equal(f, "entry", e, want)
	}
	_, err = f.Entry(f.ctx, 4)
	f.wantErr(err, review.ErrNotFound)
	stop := errors.New("enough")
	if err := f.EachEntry(f.ctx, func(review.Entry) error { return stop }); err != stop {
		f.Errorf("the caller's error came back as %v", err)
	}
}

func (f *fixture) log(before int64, n int, want []review.Entry) {
	f.Helper()
	got, err := f.Log(f.ctx, before, n)
	f.must(err)
	var infos []review.EntryInfo
	for _, e := range want {
		infos = append(infos, e.EntryInfo)
	}
	equal(f, "log", got, infos)
}

// Log does not read the bodies, so a page costs the same however large its entries are.
func testLargeLog(f *fixture) {
	const size = 8 << 20
	id := f.addMany(1)[0]
	note := review.ItemNote{ID: id, Text: strings.Repeat("x", size)}
	f.commit(review.Change{Action: review.ActNote, Notes: []review.ItemNote{note}})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list, err := f.Log(f.ctx, 0, 10)
	runtime.ReadMemStats(&after)
	f.must(err)
	equal(f, "entries", len(list), 1)
	if read := after.TotalAlloc - before.TotalAlloc; read > size/8 {
		f.Errorf("reading the log took %d bytes for an entry whose body has %d", read, size)
	}
}
