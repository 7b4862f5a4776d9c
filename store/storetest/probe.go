package storetest

import (
	"errors"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// look writes evidence of one item, due again at a time.
func (f *fixture) look(id int64, ev *canon.Evidence, due time.Time) {
	f.Helper()
	f.commit(review.Change{Action: review.ActEvidence, Evidence: []review.ItemEvidence{{ID: id, Evidence: ev, Due: due}}})
}

// What has no evidence is due, and so is what has some that nobody knows the age of, or that is to be looked at again.
func testDue(f *fixture) {
	given := flagged("https://boe.es/given")
	given.Evidence = &canon.Evidence{Title: "T"}
	ids := f.add(given, flagged("https://boe.es/none"), flagged("https://boe.es/fresh"), flagged("https://boe.es/stale"))
	f.look(ids[2], &canon.Evidence{Status: 200}, noon.Add(time.Millisecond))
	f.look(ids[3], &canon.Evidence{Status: 200}, noon)
	f.filter(review.Filter{Due: noon}, []int64{ids[0], ids[1], ids[3]})
	f.filter(review.Filter{Due: noon.Add(time.Hour)}, ids)
	f.filter(review.Filter{Due: noon, IDs: ids[2:]}, ids[3:])
	f.look(ids[2], &canon.Evidence{Status: 200}, time.Time{})
	f.filter(review.Filter{Due: noon}, ids)
	f.look(ids[2], nil, time.Time{})
	f.filter(review.Filter{Due: noon}, ids)
}

// Evidence that says the same again is stored without a trace.
func testRefresh(f *fixture) {
	ids := f.add(flagged("https://boe.es/a", canon.HomePage), flagged("https://boe.es/b"))
	f.look(ids[0], &canon.Evidence{Status: 200, ETag: "1"}, noon)
	before, meta, log := f.item(ids[0]), f.meta(), f.entries()
	again := &canon.Evidence{Status: 200, ETag: "2"}
	f.must(f.Refresh(f.ctx, []review.ItemEvidence{{ID: ids[0], Evidence: again, Due: noon.Add(time.Hour)}}))
	f.evidence(ids[0], again)
	equal(f, "item", f.item(ids[0]), before)
	equal(f, "rules", f.meta(), meta)
	equal(f, "log", f.entries(), log)
	f.filter(review.Filter{Due: noon}, ids[1:])

	list := []review.ItemEvidence{{ID: ids[0], Evidence: &canon.Evidence{Status: 404}}, {ID: ids[1], Evidence: again}}
	f.wantErr(f.Refresh(f.ctx, list), review.ErrNotFound)
	f.evidence(ids[0], again)
	f.sound()
}

// Meta tells at which generation the rules, and what is known of hosts, last changed.
func testGenerations(f *fixture) {
	id := f.addMany(1)[0]
	gens := func(want ...int64) {
		f.Helper()
		m := f.meta()
		equal(f, "generations: all, rules, hosts", []int64{m.Gen, m.RulesGen, m.HostsGen}, want)
	}
	gens(0, 0, 0)
	f.look(id, &canon.Evidence{Status: 200}, noon)
	gens(1, 0, 0)
	f.rules(review.OverrideChange{After: drop("boe.es", "", "x")})
	gens(2, 2, 0)
	f.look(id, &canon.Evidence{HTTPS: yes(true)}, noon)
	gens(3, 2, 3)
	f.look(id, &canon.Evidence{HTTPS: yes(true)}, noon)
	gens(4, 2, 3)
	n := flagged("https://new.es/")
	n.Evidence = &canon.Evidence{PreferredHost: "www.new.es"}
	f.add(n)
	gens(5, 2, 5)
}

// Adding goes on while evidence of single URLs comes in, and starts over only where it was computed without what is known of
// a host.
func testAddWhileProbing(f *fixture) {
	id := f.addMany(1)[0]
	gen := f.meta().Gen
	f.look(id, &canon.Evidence{Status: 200}, noon)
	_, err := f.Add(f.ctx, gen, []review.NewItem{flagged("https://boe.es/b")})
	f.must(err)
	f.look(id, &canon.Evidence{HTTPS: yes(false)}, noon)
	_, err = f.Add(f.ctx, gen, []review.NewItem{flagged("https://boe.es/c")})
	f.wantErr(err, review.ErrStale)
	_, err = f.Add(f.ctx, f.meta().Gen+1, []review.NewItem{flagged("https://boe.es/c")})
	f.wantErr(err, review.ErrStale)
}

// Of what became known while a change was computed, each item concerned is computed once more while it is written, and no other.
func testLateEvidence(f *fixture) {
	via := flagged("https://far.es/d")
	via.Computed.Via = []string{"www.known.es"}
	ids := f.add(flagged("https://boe.es/a"), flagged("https://boe.es/b"), flagged("https://known.es/c"), via, flagged("https://boe.es/e"))
	c := f.ruleChange(review.OverrideChange{After: drop("boe.es", "", "x")})
	for _, id := range ids {
		c.Recomputed = append(c.Recomputed, review.Recomputed{ID: id, Computed: flagged("https://early.es/x").Computed})
	}
	f.look(ids[1], &canon.Evidence{Title: "T"}, noon)
	f.look(ids[4], &canon.Evidence{Hosts: canon.Hosts{"known.es": {HTTPS: yes(false)}}}, noon)
	seen := map[int64]canon.Evidence{}
	c.Late = func(it review.Item, ev *canon.Evidence) *review.Recomputed {
		seen[it.ID] = *ev
		if it.ID == ids[4] {
			return nil
		}
		return &review.Recomputed{ID: it.ID, Computed: flagged("https://late.es/x").Computed}
	}
	before := f.item(ids[4])
	r := f.commit(c)
	equal(f, "updated", r.Updated, 4)
	known := canon.Hosts{"known.es": {HTTPS: yes(false)}}
	equal(f, "asked again", seen, map[int64]canon.Evidence{ids[1]: {Title: "T", Hosts: known}, ids[2]: {Hosts: known}, ids[3]: {Hosts: known}, ids[4]: {Hosts: known}})
	equal(f, "not concerned", f.item(ids[0]).Computed.Canonical, "https://early.es/x")
	for _, id := range ids[1:4] {
		equal(f, "concerned", f.item(id).Computed.Canonical, "https://late.es/x")
	}
	equal(f, "concerned and the same", f.item(ids[4]), before)

	// Without Late, and where a rule changed, it is stale.
	late := c.Late
	c.Overrides, c.Late = []review.OverrideChange{{After: drop("new.es", "", "x")}}, nil
	m := f.meta()
	c.Gen = m.Gen
	f.look(ids[0], &canon.Evidence{Title: "T"}, noon)
	f.fails(c, review.ErrStale)
	c.Late, c.Gen = late, m.Gen-1
	f.fails(c, review.ErrStale)
	f.sound()
}

// Evidence that changes no result is nevertheless computed under rules that have to stand.
func testEvidenceUnderRules(f *fixture) {
	id := f.addMany(1)[0]
	m := f.meta()
	c := review.Change{Action: review.ActEvidence, Gen: m.Gen, LastID: m.LastID,
		Evidence: []review.ItemEvidence{{ID: id, Evidence: &canon.Evidence{Title: "T"}}},
		Late:     func(review.Item, *canon.Evidence) *review.Recomputed { return nil }}
	f.rules(review.OverrideChange{After: drop("boe.es", "", "x")})
	f.fails(c, review.ErrStale)
	c.Gen = f.meta().Gen
	f.commit(c)
}

// What became known of a host is owed to the URLs on it until a change says that they have it.
func testSpread(f *fixture) {
	ids := f.addMany(2)
	owed := func(want ...string) {
		f.Helper()
		hosts, err := f.PendingHosts(f.ctx)
		f.must(err)
		equal(f, "hosts to be spread", hosts, want)
	}
	owed()
	f.look(ids[0], &canon.Evidence{Hosts: canon.Hosts{"b.es": {HTTPS: yes(true)}, "a.es": {PreferredHost: "www.a.es"}}}, noon)
	n := flagged("https://c.es/")
	n.Evidence = &canon.Evidence{HTTPS: yes(false)}
	f.add(n)
	owed("a.es", "b.es", "c.es")
	gen := f.meta().Gen
	f.look(ids[1], &canon.Evidence{Hosts: canon.Hosts{"b.es": {HTTPS: yes(false)}}}, noon)
	f.must(f.MarkPropagated(f.ctx, []string{"a.es", "b.es", "none.es"}, gen))
	owed("b.es", "c.es") // b.es is known otherwise since
	f.look(ids[0], &canon.Evidence{Hosts: canon.Hosts{"a.es": {PreferredHost: "www.a.es"}}}, noon)
	owed("b.es", "c.es") // nothing new
	log := f.entries()
	f.must(f.MarkPropagated(f.ctx, []string{"a.es", "b.es", "c.es"}, f.meta().Gen))
	owed()
	equal(f, "log", f.entries(), log)
	f.sound()
}

// An item that cannot be asked about yet is not due until then, and new evidence ends that.
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
		func() { f.look(ids[0], &canon.Evidence{Status: 200}, noon) },
		func() {
			f.must(f.Refresh(f.ctx, []review.ItemEvidence{{ID: ids[0], Evidence: &canon.Evidence{Status: 200}, Due: noon}}))
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

// What a prober remembers comes back as it was kept, the newest of each.
func testProbeCache(f *fixture) {
	id := f.addMany(1)[0]
	ev, err := f.Earlier(f.ctx, probe.Target{ID: id})
	f.must(err)
	equal(f, "no evidence", ev, nil)
	f.look(id, &canon.Evidence{ETag: `"x"`, Hosts: canon.Hosts{"boe.es": {HTTPS: yes(true)}}}, noon)
	ev, err = f.Earlier(f.ctx, probe.Target{ID: id})
	f.must(err)
	equal(f, "evidence", own(ev), canon.Evidence{ETag: `"x"`})

	r, err := f.Robots(f.ctx, "https://boe.es")
	f.must(err)
	equal(f, "robots of nobody", r, nil)
	for _, want := range []probe.Robots{
		{Origin: "https://boe.es", FetchedAt: noon, Status: 200, Body: []byte("User-agent: *\x00\xff")},
		{Origin: "https://boe.es", FetchedAt: noon.Add(time.Hour)},
		{Origin: "https://boe.es:8443", FetchedAt: noon, Status: 404},
	} {
		f.must(f.KeepRobots(f.ctx, want))
		r, err := f.Robots(f.ctx, want.Origin)
		f.must(err)
		equal(f, "robots", []any{r.Origin, r.FetchedAt.UTC(), r.Status, string(r.Body)}, []any{want.Origin, want.FetchedAt, want.Status, string(want.Body)})
	}
	h, err := f.Host(f.ctx, "boe.es")
	f.must(err)
	equal(f, "facts of nobody", h, nil)
	for _, want := range []probe.HostFacts{
		{Host: "boe.es", CheckedAt: noon, HTTPS: yes(true), PreferredHost: "www.boe.es"},
		{Host: "boe.es", CheckedAt: noon.Add(time.Hour)},
		{Host: "boe.es:8443", CheckedAt: noon, HTTPS: yes(false)},
	} {
		f.must(f.KeepHost(f.ctx, want))
		h, err := f.Host(f.ctx, want.Host)
		f.must(err)
		equal(f, "facts", *h, want)
	}
	f.sound()
}

// One holder has the lease at a time: it prolongs it and ends it, and its time runs out.
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
}
