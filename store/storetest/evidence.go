package storetest

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"visto/canon"
	"visto/review"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// learn gives one item evidence that is due again at a time.
func (f *fixture) learn(id int64, ev *canon.Evidence, due time.Time) {
	f.Helper()
	list := []review.ItemEvidence{{ID: id, Evidence: ev, Due: due}}
	f.commit(review.AddEvidence{Evidence: list})
}

// Items are due without evidence, with evidence of unknown age, and once the due time of their evidence has come.
func testDue(f *fixture) {
	given := flagged("https://boe.es/given")
	given.Evidence = &canon.Evidence{Title: "T"}
	ids := f.add(given, flagged("https://boe.es/none"), flagged("https://boe.es/fresh"),
		flagged("https://boe.es/stale"))
	f.learn(ids[2], &canon.Evidence{Status: 200}, noon.Add(time.Millisecond))
	f.learn(ids[3], &canon.Evidence{Status: 200}, noon)
	f.filter(review.Filter{Due: noon}, []int64{ids[0], ids[1], ids[3]})
	f.filter(review.Filter{Due: noon.Add(time.Hour)}, ids)
	f.filter(review.Filter{Due: noon, IDs: ids[2:]}, ids[3:])
	f.learn(ids[2], &canon.Evidence{Status: 200}, time.Time{})
	f.filter(review.Filter{Due: noon}, ids)
	refused := &canon.Evidence{Status: 429, PutOff: 2}
	f.learn(ids[2], refused, noon)
	f.evidence(ids[2], refused)
	f.filter(review.Filter{Due: noon}, ids)
	f.learn(ids[2], nil, time.Time{})
	f.filter(review.Filter{Due: noon}, ids)
}

// Refresh stores evidence of the same content without a log entry or a generation.
func testRefresh(f *fixture) {
	ids := f.add(flagged("https://boe.es/a", canon.HomePage), flagged("https://boe.es/b"))
	f.learn(ids[0], &canon.Evidence{Status: 200, ETag: "1"}, noon)
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

// Meta has the generations of the last change of the rules and of the host evidence.
func testGenerations(f *fixture) {
	id := f.addMany(1)[0]
	gens := func(want ...int64) {
		f.Helper()
		m := f.meta()
		equal(f, "generations: all, rules, hosts", []int64{m.Gen, m.RulesGen, m.HostsGen}, want)
	}
	gens(0, 0, 0)
	f.learn(id, &canon.Evidence{Status: 200}, noon)
	gens(1, 0, 0)
	f.rules(review.OverrideChange{After: drop("boe.es", "", "x")})
	gens(2, 2, 0)
	f.learn(id, &canon.Evidence{HTTPS: yes(true)}, noon)
	gens(3, 2, 3)
	f.learn(id, &canon.Evidence{HTTPS: yes(true)}, noon)
	gens(4, 2, 3)
	n := flagged("https://new.es/")
	n.Evidence = &canon.Evidence{PreferredHost: "www.new.es"}
	f.add(n)
	gens(5, 2, 5)
}

// New evidence of a single URL does not make Add fail; new evidence of a host does.
func testAddWhileProbing(f *fixture) {
	id := f.addMany(1)[0]
	gen := f.meta().Gen
	f.learn(id, &canon.Evidence{Status: 200}, noon)
	_, err := f.Add(f.ctx, &review.Intake{Computing: review.Computing{Gen: gen}},
		[]review.NewItem{flagged("https://boe.es/b")})
	f.must(err)
	f.learn(id, &canon.Evidence{HTTPS: yes(false)}, noon)
	_, err = f.Add(f.ctx, &review.Intake{Computing: review.Computing{Gen: gen}},
		[]review.NewItem{flagged("https://boe.es/c")})
	f.wantErr(err, review.ErrStale)
	_, err = f.Add(f.ctx, &review.Intake{Computing: review.Computing{Gen: f.meta().Gen + 1}},
		[]review.NewItem{flagged("https://boe.es/c")})
	f.wantErr(err, review.ErrStale)
}

// Evidence that a run itself adds makes only those items of the run stale whose results it may change. Evidence and
// rules of others make all of them stale.
func testAddAmongOwnEvidence(f *fixture) {
	id := f.addMany(1)[0]
	about := func(host string) *canon.Evidence {
		return &canon.Evidence{Hosts: canon.Hosts{host: {HTTPS: yes(false)}}}
	}
	in := review.Intake{Computing: review.Computing{Gen: f.meta().Gen}}
	before := in.Gen
	add := func(url string, ev *canon.Evidence, stale bool) {
		f.Helper()
		n := flagged(url)
		n.Evidence = ev
		_, err := f.Add(f.ctx, &in, []review.NewItem{n})
		if stale != errors.Is(err, review.ErrStale) || !stale && err != nil {
			f.Errorf("%s, computed under generation %d of %d: %v", url, in.Gen, f.meta().Gen, err)
		}
	}
	add("https://a.es/1", about("a.es"), false)
	add("https://b.es/1", about("b.es"), false)
	add("https://c.es/1", nil, false)
	add("https://a.es/2", nil, true)
	add("https://a.es/2", about("c.es"), true)
	add("https://www.a.es/2", nil, true)
	add("https://a.es/2", about("a.es"), false)
	in.Gen = f.meta().Gen
	add("https://a.es/3", nil, false)
	in.Gen = before
	add("https://d.es/1", nil, false) // as above, of the time before
	f.learn(id, about("d.es"), noon)
	add("https://c.es/2", nil, true)
	in.Gen = f.meta().Gen
	add("https://e.es/1", about("e.es"), false)
	in.Gen = before
	add("https://c.es/2", nil, true)
	in.Gen = f.meta().Gen
	f.rules(review.OverrideChange{After: drop("boe.es", "", "x")})
	add("https://c.es/2", nil, true)
}

// Hosts returns only the evidence after a generation.
func testHostsAfter(f *fixture) {
	id := f.addMany(1)[0]
	first := canon.Hosts{"a.es": {HTTPS: yes(true)}}
	f.learn(id, &canon.Evidence{Hosts: first}, noon)
	gen := f.meta().Gen
	second := canon.Hosts{"b.es": {PreferredHost: "www.b.es"}}
	f.learn(id, &canon.Evidence{Hosts: second}, noon)
	both := maps.Clone(first)
	maps.Copy(both, second)
	for after, want := range map[int64]canon.Hosts{0: both, gen: second, gen + 1: {}} {
		hosts, err := f.Hosts(f.ctx, after)
		f.must(err)
		equal(f, "host evidence", hosts, want)
	}
}

// The newest evidence of a host counts, whether Add or Commit writes it.
func testNewestHostEvidence(f *fixture) {
	id := f.addMany(1)[0]
	for i, works := range []bool{true, false, true, false} {
		ev := &canon.Evidence{Hosts: canon.Hosts{"a.es": {HTTPS: yes(works)}}}
		if works {
			n := flagged(fmt.Sprintf("https://a.es/%d", i))
			n.Evidence = ev
			f.add(n)
		} else {
			f.learn(id, ev, noon)
		}
		hosts, err := f.Hosts(f.ctx, 0)
		f.must(err)
		equal(f, "host evidence", hosts, ev.Hosts)
	}
}

// Commit calls Late for the items that evidence since the change concerns, and for no others.
func testLateEvidence(f *fixture) {
	via := flagged("https://far.es/d")
	via.Computed.Via = []string{"www.known.es"}
	ids := f.add(flagged("https://boe.es/a"), flagged("https://boe.es/b"), flagged("https://known.es/c"), via,
		flagged("https://boe.es/e"))
	c := f.ruleChange(review.OverrideChange{After: drop("boe.es", "", "x")})
	for _, id := range ids {
		c.Recomputed = append(c.Recomputed, review.Recomputed{ID: id, Computed: flagged("https://early.es/x").Computed})
	}
	f.learn(ids[1], &canon.Evidence{Title: "T"}, noon)
	f.learn(ids[4], &canon.Evidence{Hosts: canon.Hosts{"known.es": {HTTPS: yes(false)}}}, noon)
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
	equal(f, "items given to Late", seen, map[int64]canon.Evidence{ids[1]: {Title: "T", Hosts: known},
		ids[2]: {Hosts: known}, ids[3]: {Hosts: known}, ids[4]: {Hosts: known}})
	equal(f, "not concerned", f.item(ids[0]).Computed.Canonical, "https://early.es/x")
	for _, id := range ids[1:4] {
		equal(f, "concerned", f.item(id).Computed.Canonical, "https://late.es/x")
	}
	equal(f, "concerned and the same", f.item(ids[4]), before)

	// Without Late, or if a rule changed, the change is stale.
	late := c.Late
	c.Overrides, c.Late = []review.OverrideChange{{After: drop("new.es", "", "x")}}, nil
	m := f.meta()
	c.Gen = m.Gen
	f.learn(ids[0], &canon.Evidence{Title: "T"}, noon)
	f.fails(c, review.ErrStale)
	c.Late, c.Gen = late, m.Gen-1
	f.fails(c, review.ErrStale)
	f.sound()
}

// Evidence with Late fails under other rules, even if it changes no result.
func testEvidenceUnderRules(f *fixture) {
	id := f.addMany(1)[0]
	c := review.AddEvidence{Evidence: []review.ItemEvidence{{ID: id, Evidence: &canon.Evidence{Title: "T"}}},
		Results: f.results()}
	c.Late = func(review.Item, *canon.Evidence) *review.Recomputed { return nil }
	f.rules(review.OverrideChange{After: drop("boe.es", "", "x")})
	f.fails(c, review.ErrStale)
	c.Gen = f.meta().Gen
	f.commit(c)
}

// A host with new evidence is pending until MarkPropagated names a generation that contains it.
func testPendingHosts(f *fixture) {
	ids := f.addMany(2)
	pending := func(want ...string) {
		f.Helper()
		hosts, err := f.PendingHosts(f.ctx)
		f.must(err)
		equal(f, "pending hosts", hosts, want)
	}
	pending()
	both := canon.Hosts{"b.es": {HTTPS: yes(true)}, "a.es": {PreferredHost: "www.a.es"}}
	f.learn(ids[0], &canon.Evidence{Hosts: both}, noon)
	n := flagged("https://c.es/")
	n.Evidence = &canon.Evidence{HTTPS: yes(false)}
	f.add(n)
	pending("a.es", "b.es", "c.es")
	gen := f.meta().Gen
	f.learn(ids[1], &canon.Evidence{Hosts: canon.Hosts{"b.es": {HTTPS: yes(false)}}}, noon)
	f.must(f.MarkPropagated(f.ctx, []string{"a.es", "b.es", "none.es"}, gen))
	pending("b.es", "c.es") // b.es has newer evidence
	f.learn(ids[0], &canon.Evidence{Hosts: canon.Hosts{"a.es": {PreferredHost: "www.a.es"}}}, noon)
	pending("b.es", "c.es") // nothing new
	log := f.entries()
	f.must(f.MarkPropagated(f.ctx, []string{"a.es", "b.es", "c.es"}, f.meta().Gen))
	pending()
	equal(f, "log", f.entries(), log)
	f.sound()
}

func yes(b bool) *bool { return &b }

func testEvidence(f *fixture) {
	n := flagged("https://boe.es/a")
	n.Evidence = &canon.Evidence{URL: "https://boe.es/a", Status: 200, Title: "T",
		Hops:         []canon.Hop{{Status: 301, URL: "https://boe.es/b"}},
		LangVariants: map[string]string{"ca": "https://boe.es/ca"}, TotalPages: 3}
	ids := f.add(n, flagged("https://boe.es/b"))
	f.evidence(ids[0], n.Evidence)
	f.evidence(ids[1], nil)
	equal(f, "generation after adding", f.meta().Gen, 0)

	other := &canon.Evidence{Error: "timeout"}
	c := review.AddEvidence{
		Evidence: []review.ItemEvidence{{ID: ids[0], Evidence: other}, {ID: ids[1], Evidence: n.Evidence}}}
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

// evidence checks the evidence of an item, read alone and with all items.
func (f *fixture) evidence(id int64, want *canon.Evidence) {
	f.Helper()
	got, err := f.Evidence(f.ctx, id)
	f.must(err)
	equal(f, "evidence", got, want)
	for _, read := range f.withEvidence() {
		f.must(read(f.ctx, review.Filter{IDs: []int64{id}}, func(_ review.Item, ev *canon.Evidence) error {
			equal(f, "own evidence with its item", own(ev), own(want))
			known, err := f.Hosts(f.ctx, 0)
			f.must(err)
			if ev != nil && len(known)+len(ev.Hosts) > 0 {
				equal(f, "hosts with the item", ev.Hosts, known)
			}
			return nil
		}))
	}
}

// own returns evidence without Hosts.
func own(ev *canon.Evidence) canon.Evidence {
	if ev == nil {
		return canon.Evidence{}
	}
	o := *ev
	o.Hosts = nil
	return o
}

// Evidence of a host concerns every item on it, and those that lead there. The newest value counts.
func testHostEvidence(f *fixture) {
	a := flagged("https://boe.es/a")
	a.Evidence = &canon.Evidence{HTTPS: yes(false), PreferredHost: "www.boe.es"}
	elsewhere := flagged("https://gencat.cat/")
	elsewhere.Evidence = &canon.Evidence{FinalURL: "https://boe.es/x"}
	ids := f.add(a, flagged("https://boe.es/b"), flagged("https://www.boe.es/c"), elsewhere,
		flagged("https://madrid.es/"))
	hosts := canon.Hosts{"boe.es": {HTTPS: yes(false), PreferredHost: "www.boe.es"}}
	f.evidence(ids[0], &canon.Evidence{HTTPS: yes(false), PreferredHost: "www.boe.es", Hosts: hosts})
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
	f.evidence(ids[2], &canon.Evidence{Hosts: hosts})
	f.evidence(ids[3], &canon.Evidence{FinalURL: "https://boe.es/x", Hosts: hosts})
	f.evidence(ids[4], nil)
	via := flagged("https://via.es/")
	via.Computed.Via = []string{"a.es", "boe.es"}
	f.evidence(f.add(via)[0], &canon.Evidence{Hosts: hosts})
	known, err := f.Hosts(f.ctx, 0)
	f.must(err)
	equal(f, "all hosts", known, hosts)

	// New host evidence starts a generation; host evidence that is stored already does not.
	equal(f, "generation", f.meta().Gen, 1)
	again := flagged("https://boe.es/again")
	again.Evidence = &canon.Evidence{HTTPS: yes(false)}
	f.add(again)
	equal(f, "generation", f.meta().Gen, 1)
	again.Original, again.Evidence.Hosts = "x", canon.Hosts{"www.boe.es": {HTTPS: yes(true)}}
	f.add(again)
	equal(f, "generation", f.meta().Gen, 2)
	hosts["www.boe.es"] = canon.HostEvidence{HTTPS: yes(true)}

	// A value that newer evidence does not have stays.
	newer := canon.Hosts{"boe.es": {HTTPS: yes(true)}, "far.es": {PreferredHost: "www.far.es"}}
	f.learn(ids[4], &canon.Evidence{Hosts: newer}, time.Time{})
	hosts["boe.es"] = canon.HostEvidence{HTTPS: yes(true), PreferredHost: "www.boe.es"}
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
	newest := canon.Hosts{"boe.es": {PreferredHost: "sede.boe.es"}, "far.es": {}}
	f.learn(ids[4], &canon.Evidence{Hosts: newest}, time.Time{})
	hosts["boe.es"] = canon.HostEvidence{HTTPS: yes(true), PreferredHost: "sede.boe.es"}
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
	own := &canon.Evidence{Hosts: newest}
	own.SetHosts(canon.Hosts{"boe.es": hosts["boe.es"], "www.boe.es": hosts["www.boe.es"],
		"far.es": {PreferredHost: "www.far.es"}})
	f.evidence(ids[4], own)

	// How a preferred host was reached is news by itself.
	gen := f.meta().Gen
	reached := canon.Hosts{"boe.es": {PreferredHost: "sede.boe.es", Reached: redirected("https://sede.boe.es/")}}
	f.learn(ids[4], &canon.Evidence{Hosts: reached}, time.Time{})
	hosts["boe.es"] = hosts["boe.es"].Update(reached["boe.es"])
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
	known, err = f.Hosts(f.ctx, gen)
	f.must(err)
	equal(f, "hosts with news", known, canon.Hosts{"boe.es": hosts["boe.es"]})
	f.learn(ids[4], &canon.Evidence{Hosts: newest}, time.Time{})
	f.evidence(ids[1], &canon.Evidence{Hosts: hosts})
}

// redirected is the record of a preferred host that a redirect led to.
func redirected(url string) canon.Reach {
	return canon.Reach{By: canon.ByRedirect, URL: url, Status: 200}
}
