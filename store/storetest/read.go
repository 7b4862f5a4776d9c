package storetest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

func yes(b bool) *bool { return &b }

func testEvidence(f *fixture) {
	n := flagged("https://boe.es/a")
	n.Evidence = &canon.Evidence{URL: "https://boe.es/a", Status: 200, Title: "T", Hops: []canon.Hop{{Status: 301, URL: "https://boe.es/b"}},
		LangVariants: map[string]string{"ca": "https://boe.es/ca"}, TotalPages: 3}
	ids := f.add(n, flagged("https://boe.es/b"))
	f.evidence(ids[0], n.Evidence)
	f.evidence(ids[1], nil)
	equal(f, "generation after adding", f.meta().Gen, 0)

	other := &canon.Evidence{Error: "timeout"}
	c := review.Change{Action: review.ActEvidence, Evidence: []review.ItemEvidence{{ID: ids[0], Evidence: other}, {ID: ids[1], Evidence: n.Evidence}}}
	f.commit(c)
	f.evidence(ids[0], other)
	f.evidence(ids[1], n.Evidence)
	equal(f, "generation", f.meta().Gen, 1)
	c.Evidence = []review.ItemEvidence{{ID: ids[0]}}
	f.commit(c)
	f.evidence(ids[0], nil)
	c.Evidence[0].ID = 999
	f.fails(c, review.ErrNotFound)
	_, err := f.Evidence(f.ctx, 999)
	f.wantErr(err, review.ErrNotFound)
}

// evidence checks what the store knows of an item, asked for alone and among all.
func (f *fixture) evidence(id int64, want *canon.Evidence) {
	f.Helper()
	got, err := f.Evidence(f.ctx, id)
	f.must(err)
	equal(f, "evidence", got, want)
	for _, read := range f.withEvidence() {
		f.must(read(f.ctx, review.Filter{IDs: []int64{id}}, func(_ review.Item, ev *canon.Evidence) error {
			equal(f, "own evidence with its item", own(ev), own(want))
			known, err := f.Hosts(f.ctx)
			f.must(err)
			if ev != nil && len(known)+len(ev.Hosts) > 0 {
				equal(f, "hosts with the item", ev.Hosts, known)
			}
			return nil
		}))
	}
}

// withEvidence are the two ways to read items with their evidence.
func (f *fixture) withEvidence() []func(context.Context, review.Filter, func(review.Item, *canon.Evidence) error) error {
	return []func(context.Context, review.Filter, func(review.Item, *canon.Evidence) error) error{f.EachWithEvidence, f.EachAnswered}
}

// own is evidence without what is known of hosts.
func own(ev *canon.Evidence) canon.Evidence {
	if ev == nil {
		return canon.Evidence{}
	}
	o := *ev
	o.Hosts = nil
	return o
}

// What is known of a host goes for every item on it, and for those that lead there; the newest word counts.
func testHostEvidence(f *fixture) {
	a := flagged("https://boe.es/a")
	a.Evidence = &canon.Evidence{HTTPS: yes(false), PreferredHost: "www.boe.es"}
	elsewhere := flagged("https://gencat.cat/")
	elsewhere.Evidence = &canon.Evidence{FinalURL: "https://boe.es/x"}
	ids := f.add(a, flagged("https://boe.es/b"), flagged("https://www.boe.es/c"), elsewhere, flagged("https://madrid.es/"))
	hosts := canon.Hosts{"boe.es": {HTTPS: yes(false), PreferredHost: "www.boe.es"}}
	f.evidence(ids[0], &canon.Evidence{HTTPS: yes(false), PreferredHost: "www.boe.es", Hosts: hosts})
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
	f.evidence(ids[2], &canon.Evidence{Hosts: hosts})
	f.evidence(ids[3], &canon.Evidence{FinalURL: "https://boe.es/x", Hosts: hosts})
	f.evidence(ids[4], nil)
	known, err := f.Hosts(f.ctx)
	f.must(err)
	equal(f, "all hosts", known, hosts)

	// News of a host concern all items: they start a new generation. What is known already does not.
	equal(f, "generation", f.meta().Gen, 1)
	again := flagged("https://boe.es/again")
	again.Evidence = &canon.Evidence{HTTPS: yes(false)}
	f.add(again)
	equal(f, "generation", f.meta().Gen, 1)
	again.Original, again.Evidence.Hosts = "x", canon.Hosts{"www.boe.es": {HTTPS: yes(true)}}
	f.add(again)
	equal(f, "generation", f.meta().Gen, 2)
	hosts["www.boe.es"] = canon.HostEvidence{HTTPS: yes(true)}

	f.commit(review.Change{Action: review.ActEvidence, Evidence: []review.ItemEvidence{{ID: ids[4],
		Evidence: &canon.Evidence{Hosts: canon.Hosts{"boe.es": {HTTPS: yes(true)}, "far.es": {PreferredHost: "www.far.es"}}}}}})
	hosts["boe.es"] = canon.HostEvidence{HTTPS: yes(true), PreferredHost: "www.boe.es"} // what is not said anew stays
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
	f.commit(review.Change{Action: review.ActEvidence, Evidence: []review.ItemEvidence{{ID: ids[4],
		Evidence: &canon.Evidence{Hosts: canon.Hosts{"boe.es": {PreferredHost: "sede.boe.es"}, "far.es": {}}}}}})
	hosts["boe.es"] = canon.HostEvidence{HTTPS: yes(true), PreferredHost: "sede.boe.es"}
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
	f.evidence(ids[4], &canon.Evidence{Hosts: canon.Hosts{"boe.es": hosts["boe.es"], "www.boe.es": hosts["www.boe.es"], "far.es": {PreferredHost: "www.far.es"}}})
}

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
	f.commit(review.Change{Reviewer: "berta", Action: review.ActNote, Summary: "s\x00\xff", Notes: []review.ItemNote{{ID: ids[1], Text: "n"}}})
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
	equal(f, "second", []any{list[1].Reviewer, list[1].Action, list[1].Summary}, []any{"berta", review.ActNote, "s\x00\xff"})
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

// A page of the log costs the same however much its entries did: their bodies are not read.
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

func (f *fixture) version() int64 {
	f.Helper()
	v, err := f.Version(f.ctx)
	f.must(err)
	return v
}

func testVersion(f *fixture) {
	v := f.version()
	equal(f, "version with nothing written", f.version(), v)
	ids := f.addMany(1)
	added := f.version()
	if added == v {
		f.Error("adding did not change the version")
	}
	f.count(review.Filter{})
	equal(f, "version after reading", f.version(), added)
	f.decide("ana", review.Approve, ids[0])
	if f.version() == added {
		f.Error("a decision did not change the version")
	}
}

// A cancelled context stops what is under way, with the context's own error, and nothing is written.
func testCancelled(f *fixture) {
	ids := f.addMany(300)
	ctx, cancel := context.WithCancel(f.ctx)
	seen := 0
	err := f.Each(ctx, review.Filter{}, func(review.Item) error {
		if seen++; seen == 10 {
			cancel()
		}
		return nil
	})
	f.wantErr(err, context.Canceled)
	_, err = f.Commit(ctx, review.Change{Reviewer: "ana", Action: review.ActApprove, Decisions: []review.ItemDecision{f.approve(ids[0])}})
	f.wantErr(err, context.Canceled)
	equal(f, "status", f.item(ids[0]).Status, review.Pending)
}
