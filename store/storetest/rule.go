package storetest

import (
	"errors"
	"fmt"

	"visto/canon"
	"visto/review"
)

func drop(host, path string, params ...string) *canon.Override {
	return &canon.Override{Match: canon.Match{Host: host, PathPrefix: path}, DropQueryParams: params, Note: "<&>"}
}

// rules commits changes of overrides that were computed on the current store.
func (f *fixture) rules(changes ...review.OverrideChange) review.Receipt {
	f.Helper()
	return f.commit(f.ruleChange(changes...))
}

func (f *fixture) ruleChange(changes ...review.OverrideChange) review.ChangeRules {
	f.Helper()
	return review.ChangeRules{Overrides: changes, Results: f.results()}
}

func (f *fixture) stored(want ...*canon.Override) []review.StoredOverride {
	f.Helper()
	list, err := review.Overrides(f.ctx, f.Store)
	f.must(err)
	var got []*canon.Override
	for i := range list {
		got = append(got, &list[i].Override)
	}
	equal(f, "overrides", got, want)
	return list
}

func testOverrides(f *fixture) {
	a, b, other := drop("boe.es", "", "x"), drop("boe.es", "/sta", "y"), drop("boe.es", "", "z")
	r := f.rules(review.OverrideChange{After: a}, review.OverrideChange{After: b})
	equal(f, "generation", f.meta().Gen, 1)
	list := f.stored(a, b)
	equal(f, "author", []any{list[0].Reviewer, list[0].Batch, list[0].At.IsZero()}, []any{"ana", r.Batch, false})
	if list[0].ID == list[1].ID {
		f.Error("two overrides have one ID")
	}
	batch, err := f.Batch(f.ctx, r.Batch)
	f.must(err)
	equal(f, "rules of the batch", batch.Rules, []review.OverrideChange{{After: a}, {After: b}})

	r = f.rules(review.OverrideChange{Before: a, After: other})
	list = f.stored(other, b) // the changed one keeps its place
	equal(f, "the batch that changed it", list[0].Batch, r.Batch)
	equal(f, "generation", f.meta().Gen, 2)

	for _, stale := range []review.OverrideChange{
		{After: a}, // the place is taken
		{Before: a, After: drop("boe.es", "", "w")}, // Before is not in force
		{Before: a},
		{Before: drop("gencat.cat", "", "x")}, // no override has this match
		{Before: other, After: b},             // the new place is taken
	} {
		f.fails(f.ruleChange(review.OverrideChange{After: drop("new.es", "")}, stale), review.ErrStale)
	}
	f.fails(f.ruleChange(review.OverrideChange{}), nil)
	f.stored(other, b)
	f.rules(review.OverrideChange{Before: other})
	f.stored(b)
	f.rules(review.OverrideChange{Before: b}, review.OverrideChange{After: b}) // applied in order
	f.stored(b)
	moved := drop("boe.es", "/moved", "y")
	f.rules(review.OverrideChange{Before: b, After: moved})
	f.stored(moved)
	f.sound()
}

// Undoing an override restores the old rule and its results in one transaction.
func testUndoOverride(f *fixture) {
	id := f.add(flagged("https://boe.es/a?plaza=1", canon.UnknownParam))[0]
	before := f.item(id)
	rule := drop("boe.es", "", "plaza")
	c := f.ruleChange(review.OverrideChange{After: rule})
	c.Recomputed = []review.Recomputed{{ID: id, Computed: flagged("https://boe.es/a").Computed}}
	r := f.commit(c)
	equal(f, "updated", r.Updated, 1)
	equal(f, "status", f.item(id).Status, review.Accepted)
	dropped := f.all()

	f.commit(review.Revert{Batch: r.Batch, Overrides: []review.OverrideChange{{Before: rule}},
		Results: f.results(review.Recomputed{ID: id, Computed: before.Computed})})
	f.same("undone", []review.Item{before})
	f.stored()
	b, err := f.LastBatch(f.ctx, "ana", true)
	f.must(err)
	equal(f, "rules to redo", b.Rules, []review.OverrideChange{{After: rule}})

	f.commit(review.Revert{Batch: r.Batch, Redo: true, Overrides: []review.OverrideChange{{After: rule}},
		Results: f.results(review.Recomputed{ID: id, Computed: dropped[0].Computed})})
	f.same("redone", dropped)
	f.stored(rule)
	b, err = f.Batch(f.ctx, r.Batch)
	f.must(err)
	equal(f, "rules of the batch", b.Rules, []review.OverrideChange{{After: rule}})
	f.sound()
}

// A rule that an undo restores keeps its author.
func testUndoAuthor(f *fixture) {
	old, changed := drop("boe.es", "", "x"), drop("boe.es", "", "x", "y")
	made := f.rules(review.OverrideChange{After: old})
	was := f.stored(old)[0]
	for _, next := range []*canon.Override{changed, nil} {
		c := f.ruleChange(review.OverrideChange{Before: old, After: next})
		c.Reviewer = "bea"
		r := f.commit(c)
		f.commit(review.Revert{Reviewer: "bea", Batch: r.Batch, Results: f.results(),
			Overrides: []review.OverrideChange{{Before: next, After: old}}})
		is := f.stored(old)[0]
		equal(f, "author", []any{is.Reviewer, is.At, is.Batch}, []any{"ana", was.At, made.Batch})
	}
	f.sound()
}

// A change that was computed on other rules, or on fewer items, is not written.
func testStale(f *fixture) {
	id := f.addMany(1)[0]
	old := f.ruleChange(review.OverrideChange{After: drop("boe.es", "", "x")})
	f.add(flagged("https://boe.es/new"))
	f.fails(old, review.ErrStale)
	old = f.ruleChange(review.OverrideChange{After: drop("boe.es", "", "x")})
	recomputed := review.AddEvidence{
		Results: f.results(review.Recomputed{ID: id, Computed: flagged("https://boe.es/z").Computed})}
	f.rules(review.OverrideChange{After: drop("gencat.cat", "", "x")})
	f.fails(old, review.ErrStale)
	f.fails(recomputed, review.ErrStale)
	policy, err := canon.Builtin("clara")
	f.must(err)
	f.fails(review.Recanon{Policy: policy, Results: old.Results}, review.ErrStale)
	m := f.meta()
	equal(f, "generation", m.Gen, old.Gen+1)
	// A decision does not depend on the rules.
	f.decide("ana", review.Approve, id)
}

// Commit computes the items that were added since the change with Late, with their evidence.
func testLate(f *fixture) {
	ids := f.addMany(2)
	c := f.ruleChange(review.OverrideChange{After: drop("boe.es", "", "x")})
	c.Recomputed = []review.Recomputed{{ID: ids[0], Computed: flagged("https://boe.es/z").Computed}}
	n := flagged("https://boe.es/late", canon.HomePage)
	n.Evidence = &canon.Evidence{Title: "T"}
	late := f.add(n, flagged("https://boe.es/same"))
	var seen []review.Item
	c.Late = func(it review.Item, ev *canon.Evidence) *review.Recomputed {
		if seen = append(seen, it); len(seen) == 2 {
			return nil
		}
		equal(f, "evidence of the late one", own(ev), *n.Evidence)
		return &review.Recomputed{ID: it.ID, Computed: flagged("https://boe.es/done").Computed}
	}
	want := []review.Item{bare(f.item(late[0])), bare(f.item(late[1]))}
	r := f.commit(c)
	equal(f, "late ones", seen, want)
	equal(f, "updated", r.Updated, 2)
	equal(f, "computed late", f.item(late[0]).Computed, flagged("https://boe.es/done").Computed)
	equal(f, "left as it is", bare(f.item(late[1])), want[1])

	// Commit does not call Late under other rules.
	c.Overrides = []review.OverrideChange{{After: drop("gencat.cat", "", "x")}}
	c.Late = func(review.Item, *canon.Evidence) *review.Recomputed {
		f.Error("Late was called under other rules")
		return nil
	}
	f.fails(c, review.ErrStale)
	f.sound()
}

func testPolicy(f *fixture) {
	for i, name := range []string{"clara", "clara", "clara"} {
		policy, err := canon.Builtin(name)
		f.must(err)
		f.commit(review.Recanon{Policy: policy, Results: f.results()})
		m := f.meta()
		equal(f, "policy", []string{m.PolicyID, m.PolicyDigest, string(m.PolicyYAML)},
			[]string{policy.ID(), policy.Digest(), string(policy.YAML())})
		equal(f, "generation", m.Gen, int64(i+1))
	}
	f.sound()
}

func testRecomputed(f *fixture) {
	ids := f.addMany(3)
	f.decide("ana", review.Approve, ids[0])
	f.decide("ana", review.Reject, ids[1])
	c := review.AddEvidence{Results: f.results()}
	for _, id := range ids {
		c.Recomputed = append(c.Recomputed, review.Recomputed{ID: id, Title: fmt.Sprintf("title %d", id),
			Computed: review.Computed{Canonical: "https://new.es/x", Key: keyOf("https://new.es/x"),
				Verdict: canon.Flagged,
				Flags:   canon.SetOf(canon.HTTPOnly), Unknown: []string{"q"}, InHost: "in.es", Host: "new.es",
				LinkType: canon.Section, Language: "ca"}})
	}
	before := f.all()
	r := f.commit(c)
	equal(f, "updated", r.Updated, 3)
	for i, it := range f.all() {
		want := before[i]
		want.Rev, want.Computed, want.Title = it.Rev, c.Recomputed[i].Computed, c.Recomputed[i].Title
		if i == 0 {
			want.Computed.Flags = want.Computed.Flags.With(canon.ChangedSinceApproval)
		}
		equal(f, "recomputed", it, want)
		if it.Rev <= before[i].Rev {
			f.Errorf("the revision of %d went from %d to %d", it.ID, before[i].Rev, it.Rev)
		}
	}
	equal(f, "open", f.count(review.Filter{Open: true}), 2)

	c.Recomputed = []review.Recomputed{{ID: ids[0], Computed: before[0].Computed}}
	f.commit(c)
	it := f.item(ids[0])
	equal(f, "as approved again", []any{it.Computed, it.Title}, []any{before[0].Computed, "title 1"})
	c.Recomputed[0].ID = 999
	f.fails(c, review.ErrNotFound)
	f.sound()
}

// A change that fails in its last part writes nothing of its first.
func testAllOrNothing(f *fixture) {
	ids := f.addMany(3)
	results := f.results(review.Recomputed{ID: ids[1], Computed: flagged("https://new.es/").Computed},
		review.Recomputed{ID: 999, Computed: flagged("https://new.es/").Computed})
	rule := drop("boe.es", "", "x")
	f.fails(review.ChangeRules{Overrides: []review.OverrideChange{{After: rule}}, Results: results}, review.ErrNotFound)
	f.stored()
	f.fails(review.AddEvidence{Evidence: []review.ItemEvidence{{ID: ids[1], Evidence: &canon.Evidence{Title: "t"}}},
		Results: results}, review.ErrNotFound)
	notes := []review.ItemNote{{ID: ids[0], Text: "x"}, {ID: 999, Text: "y"}}
	f.fails(review.AddNotes{Notes: notes}, review.ErrNotFound)
	ev, err := f.Evidence(f.ctx, ids[1])
	f.must(err)
	equal(f, "evidence", ev, nil)

	m := f.meta()
	bad := flagged("https://boe.es/new")
	bad.Evidence = &canon.Evidence{Title: "t"}
	_, err = f.Add(f.ctx, &review.Intake{Computing: review.Computing{Gen: m.Gen + 1}}, []review.NewItem{bad})
	f.wantErr(err, review.ErrStale)
	equal(f, "rules", f.meta(), m)
}

func testRuleHistory(f *fixture) {
	a, b, other := drop("boe.es", "", "x"), drop("*.gencat.cat", "", "y"), drop("boe.es", "", "z")
	first := f.rules(review.OverrideChange{After: a}, review.OverrideChange{After: b})
	second := f.rules(review.OverrideChange{Before: a, After: other})
	f.commit(review.Revert{Batch: second.Batch, Overrides: []review.OverrideChange{{Before: other, After: a}},
		Results: f.results()})
	f.rules(review.OverrideChange{Before: a})
	history := func(n int, hosts ...string) (list []string) {
		past, err := f.RuleHistory(f.ctx, hosts, n)
		f.must(err)
		for _, p := range past {
			list = append(list,
				fmt.Sprintf("%v %v %s %v %v", p.Before != nil, p.After != nil, p.Reviewer, p.Undone,
					p.Batch == first.Batch))
		}
		return list
	}
	equal(f, "history", history(10, "boe.es", "sepe.es"),
		[]string{"false true ana false true", "true true ana true false", "true false ana false false"})
	equal(f, "the last one", history(1, "boe.es"), []string{"true false ana false false"})
	equal(f, "of a pattern", history(10, "*.gencat.cat"), []string{"false true ana false true"})
	equal(f, "of none", history(10), nil)
}

// Overrides that differ in their field alone stand side by side, and are changed, removed and told of one by one.
func testFieldRules(f *fixture) {
	rule := func(field, host string) *canon.Override {
		return &canon.Override{Match: canon.Match{Host: host, Field: field}, Accept: []string{"home-page"}}
	}
	host, url, link := drop("boe.es", "", "x"), rule("url", "boe.es"), rule("link", "")
	for _, o := range []*canon.Override{host, url, link} {
		f.rules(review.OverrideChange{After: o})
	}
	f.stored(host, url, link)
	f.fails(f.ruleChange(review.OverrideChange{After: rule("link", "")}), review.ErrStale)
	noted := *url
	noted.Note = "why"
	f.rules(review.OverrideChange{Before: url, After: &noted})
	f.rules(review.OverrideChange{Before: link})
	f.stored(host, &noted)
	past, err := f.RuleHistory(f.ctx, []string{""}, 10) // of those on any host
	f.must(err)
	equal(f, "history", len(past), 2)
	f.sound()
}

// The result of an item follows the fields of its occurrences: the store asks for it again when they come, go and come
// back, and at no other time.
func testFieldsFollowed(f *fixture) {
	const a, b = "https://boe.es/a", "https://boe.es/b"
	asked := ""
	in := &review.Intake{Reviewer: "ana"}
	in.OnFields = true
	in.Compute = func(it review.Item, _ *canon.Evidence) review.Computed {
		asked += fmt.Sprintf("%d%v", it.ID, it.Fields.Names())
		return flagged(it.Original + "?" + it.Fields.Names()[0]).Computed
	}
	cite := func(when, want, file string, list ...review.NewItem) {
		f.Helper()
		in.Gen, in.Occurrences, asked = f.meta().Gen, review.IDSet{}, ""
		_, err := f.Add(f.ctx, in, list)
		f.must(err)
		f.must(f.MarkGone(f.ctx, in, file, func(string) bool { return true }))
		equal(f, when, asked, want)
		f.sound()
	}
	one, two := at(a, "r", "url", "1:1", 1, nil), at(b, "r", "url", "2:1", 2, nil)
	cite("new", "", "r", one, two)
	cite("in the same field of another file", "", "s", at(a, "s", "url", "1:1", 1, nil))
	gen := f.meta().Gen
	cite("in another field", "1[link url]", "t", at(a, "t", "link", "1:1", 1, nil))
	equal(f, "others compute again", f.meta().Gen > gen, true)
	equal(f, "result", f.item(1).Computed.Canonical, one.Original+"?link")
	equal(f, "fields", f.item(1).Fields, review.NewFieldSet("url", "link"))
	cite("moved", "", "t", at(a, "t", "link", "9:1", 9, nil))
	cite("gone from the field", "1[url]", "t")
	cite("back", "1[link url]", "t", at(a, "t", "link", "9:1", 9, nil))
	f.rules(review.OverrideChange{After: drop("boe.es", "", "x")})
	in.Occurrences = review.IDSet{}
	if err := f.MarkGone(f.ctx, in, "t", func(string) bool { return true }); !errors.Is(err, review.ErrStale) {
		f.Errorf("under newer rules: %v", err)
	}

	forget := review.Forget{Reviewer: "ana", Summary: "forget t", File: "t", Computing: in.Computing}
	forget.Gen = f.meta().Gen - 1
	seq := f.meta().LastSeq
	_, err := f.Commit(f.ctx, forget)
	f.wantErr(err, review.ErrStale)
	equal(f, "entries of a refused change", f.meta().LastSeq-seq, 0)
	forget.Gen, asked = f.meta().Gen, ""
	r := f.commit(forget)
	equal(f, "forgotten", asked, "1[url]")
	forget.Gen = f.meta().Gen
	f.commit(review.Revert{Batch: r.Batch, Computing: forget.Computing})
	equal(f, "taken back", asked, "1[url]1[link url]")
	f.sound()
}
