package storetest

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"visto/canon"
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
	f.sound()
	batch := f.decide("ana", review.Approve, ids[0])
	f.commit(review.AddNotes{Reviewer: "berta", Summary: "s\x00\xff",
		Notes: []review.ItemNote{{ID: ids[1], Text: "n"}}})
	f.undo("ana", batch)
	list := f.entries()
	equal(f, "entries", len(list), 4)
	prev := [32]byte{}
	for i, e := range list {
		equal(f, "number", e.Seq, int64(i+1))
		equal(f, "chained to", e.Prev, prev)
		equal(f, "hash", e.Hash, e.Chain())
		prev = e.Hash
	}
	equal(f, "second", []any{list[2].Reviewer, list[2].Action, list[2].Summary},
		[]any{"berta", review.ActNote, "s\x00\xff"})
	equal(f, "batch of the undo", list[3].Batch, batch)
	body, err := list[1].Read()
	f.must(err)
	equal(f, "decisions logged", len(body.Decisions), 1)
	equal(f, "decision logged", body.Decisions[0].Item, ids[0])
	body, err = list[3].Read()
	f.must(err)
	equal(f, "undo logged", body.Undo, batch)

	newest := slices.Clone(list)
	slices.Reverse(newest)
	f.log(0, 10, newest)
	f.log(0, 2, newest[:2])
	f.log(4, 1, newest[1:2])
	f.log(1, 5, nil)
	for _, want := range list {
		e, err := f.Entry(f.ctx, want.Seq)
		f.must(err)
		equal(f, "entry", e, want)
	}
	_, err = f.Entry(f.ctx, 5)
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

// Each transaction that adds items has an entry over their input. Those of one intake are shown as one entry, by
// their newest; no undo takes it, and none of them is a batch.
func testLogOfAdding(f *fixture) {
	one, other := &review.Intake{Reviewer: "ana"}, &review.Intake{Reviewer: "berta"}
	var digests [][32]byte
	for i := range 6 {
		item := flagged(fmt.Sprintf("https://boe.es/%d", i), canon.HomePage)
		item.Digest = [32]byte{byte(i + 1)}
		digests = append(digests, item.Digest)
		in := one
		if i == 3 {
			in = other
		}
		in.Gen = f.meta().Gen
		_, err := f.Add(f.ctx, in, []review.NewItem{item})
		f.must(err)
		_, err = f.Add(f.ctx, in, []review.NewItem{item}) // nothing is new: no entry
		f.must(err)
	}
	list := f.entries()
	equal(f, "entries", len(list), 6)
	var places review.PlaceSum
	places.AddRecord(1, "")
	for i, e := range list {
		places.AddOccurrence(int64(i+1), "=1", 0, 0)
		want := added(i, digests[i])
		want.Places = places.String()
		equal(f, "body", string(e.Body), string(want.Body()))
		equal(f, "batch", e.Batch, 0)
	}
	equal(f, "run", []any{list[5].Run, list[5].Reviewer, list[5].Summary}, []any{int64(1), "ana", "added 5 URLs"})
	equal(f, "other run", []any{list[3].Run, list[3].Summary}, []any{int64(4), "added 1 URL"})
	f.log(0, 10, []review.Entry{list[5], list[3]})
	f.log(5, 10, []review.Entry{list[3]})
	_, err := f.LastBatch(f.ctx, "ana", false)
	f.wantErr(err, review.ErrNotFound)
	f.sound()
}

// added is the log entry of the item with the index i: the first one brings its file.
func added(i int, digest [32]byte) review.IntakeEntry {
	id := int64(i + 1)
	e := review.IntakeEntry{Added: review.Cover(id, [][32]byte{digest}),
		Occurrences: review.Cover(id, [][32]byte{review.OccurrenceDigest(id, 1, "")})}
	if i == 0 {
		e.Records = review.Cover(1, [][32]byte{review.RecordDigest("in.txt", nil)})
	}
	return e
}

// Log does not read the bodies, so a page costs the same however large its entries are.
func testLargeLog(f *fixture) {
	const size = 8 << 20
	id := f.addMany(1)[0]
	note := review.ItemNote{ID: id, Text: strings.Repeat("x", size)}
	f.commit(review.AddNotes{Notes: []review.ItemNote{note}})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	list, err := f.Log(f.ctx, 0, 10)
	runtime.ReadMemStats(&after)
	f.must(err)
	equal(f, "entries", len(list), 2)
	if read := after.TotalAlloc - before.TotalAlloc; read > size/8 {
		f.Errorf("reading the log took %d bytes for an entry whose body has %d", read, size)
	}
}
