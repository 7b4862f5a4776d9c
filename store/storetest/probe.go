package storetest

import (
	"errors"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
)

// A postponed item is not due before its time. New evidence ends the postponement.
func testPostpone(f *fixture) {
	ids := f.add(flagged("https://boe.es/a"), flagged("https://boe.es/b"))
	f.filter(review.Filter{Due: noon}, ids)
	for _, until := range []time.Time{noon.Add(time.Hour), noon.Add(time.Minute)} {
		p := review.Postponed{ID: ids[0], Until: until, Why: "Retry-After"}
		f.must(f.Postpone(f.ctx, p))
		got, err := f.Postponed(f.ctx, ids[0])
		f.must(err)
		equal(f, "postponed", got, &p)
	}
	f.filter(review.Filter{Due: noon}, ids[1:])
	f.filter(review.Filter{Due: noon.Add(time.Minute)}, ids)
	for _, evidence := range []func(){
		func() { f.learn(ids[0], &canon.Evidence{Status: 200}, noon) },
		func() {
			f.must(f.Refresh(f.ctx,
				[]review.ItemEvidence{{ID: ids[0], Evidence: &canon.Evidence{Status: 200}, Due: noon}}))
		},
	} {
		evidence()
		got, err := f.Postponed(f.ctx, ids[0])
		f.must(err)
		equal(f, "after evidence", got, nil)
		f.must(f.Postpone(f.ctx, review.Postponed{ID: ids[0], Until: noon.Add(time.Hour)}))
	}
	f.wantErr(f.Postpone(f.ctx, review.Postponed{ID: 999, Until: noon}), review.ErrNotFound)
	f.sound()
}

// The prober's cache returns the newest value of each kind, unchanged.
func testProbeCache(f *fixture) {
	id := f.addMany(1)[0]
	ev, err := f.Earlier(f.ctx, probe.Target{ID: id})
	f.must(err)
	equal(f, "no evidence", ev, nil)
	f.learn(id, &canon.Evidence{ETag: `"x"`, Hosts: canon.Hosts{"boe.es": {HTTPS: yes(true)}}}, noon)
	ev, err = f.Earlier(f.ctx, probe.Target{ID: id})
	f.must(err)
	equal(f, "evidence", own(ev), canon.Evidence{ETag: `"x"`})

	r, err := f.Robots(f.ctx, "https://boe.es")
	f.must(err)
	equal(f, "robots of an unknown origin", r, nil)
	for _, want := range []probe.Robots{
		{Origin: "https://boe.es", FetchedAt: noon, Status: 200, Body: []byte("User-agent: *\x00\xff")},
		{Origin: "https://boe.es", FetchedAt: noon.Add(time.Hour)},
		{Origin: "https://boe.es:8443", FetchedAt: noon, Status: 404},
	} {
		f.must(f.KeepRobots(f.ctx, want))
		r, err := f.Robots(f.ctx, want.Origin)
		f.must(err)
		equal(f, "robots", []any{r.Origin, r.FetchedAt.UTC(), r.Status, string(r.Body)},
			[]any{want.Origin, want.FetchedAt, want.Status, string(want.Body)})
	}
	h, err := f.Host(f.ctx, "boe.es")
	f.must(err)
	equal(f, "facts of an unknown host", h, nil)
	for _, want := range []probe.HostFacts{
		{Host: "boe.es", CheckedAt: noon, HTTPS: yes(true), PreferredHost: "www.boe.es"},
		{Host: "boe.es", CheckedAt: noon, PreferredHost: "www.boe.es", Reached: redirected("https://www.boe.es/")},
		{Host: "boe.es", CheckedAt: noon.Add(time.Hour)},
		{Host: "boe.es:8443", CheckedAt: noon, HTTPS: yes(false), NotBefore: noon.Add(time.Minute)},
	} {
		f.must(f.KeepHost(f.ctx, want))
		h, err := f.Host(f.ctx, want.Host)
		f.must(err)
		equal(f, "facts", *h, want)
	}
	f.sound()
}

// One holder has the lease at a time, until it ends the lease or its time runs out.
func testLease(f *fixture) {
	now := noon
	lease := func(pid int, until time.Duration) review.Lease {
		holder := review.Holder{Machine: "no machine of this name", PID: pid}
		return review.Lease{Reviewer: "ana", Holder: holder, Since: noon, Until: now.Add(until)}
	}
	take := func(l review.Lease) *review.LeaseError {
		f.Helper()
		var held *review.LeaseError
		if err := f.Lease(f.ctx, l, now); err != nil && !errors.As(err, &held) {
			f.Fatal(err)
		}
		return held
	}
	taken := func(l review.Lease) {
		f.Helper()
		if held := take(l); held != nil {
			f.Fatal(held)
		}
	}
	taken(lease(1, time.Minute))
	first := lease(1, 2*time.Minute)
	taken(first) // prolonged
	second := lease(2, time.Minute)
	equal(f, "held", take(second), &review.LeaseError{Held: first})
	f.must(f.EndLease(f.ctx, second)) // it is the first one's
	equal(f, "still held", take(second), &review.LeaseError{Held: first})
	f.must(f.EndLease(f.ctx, first))
	taken(second)
	again := first
	again.Since = noon.Add(time.Second)
	equal(f, "ended", take(again), &review.LeaseError{Held: second})
	now = now.Add(time.Minute)
	taken(lease(3, time.Minute)) // the second has run out

	watch := lease(4, time.Minute) // beside the probe
	watch.Watch = true
	taken(watch)
	other := lease(5, time.Minute)
	other.Watch = true
	equal(f, "watched", take(other), &review.LeaseError{Held: watch})
	f.must(f.EndLease(f.ctx, watch))
	taken(other)
}
