package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
)

func testDecisionCounts(f *fixture) {
	ids := f.addMany(6)
	f.decide("berta", review.Reject, ids[0], ids[1])
	undone := f.decide("ana", review.Approve, ids[2])
	f.decide("ana", review.Approve, ids[3])
	f.decide("ana", review.Approve, ids[4])
	f.decide("ana", review.Defer, ids[5])
	f.commit(review.Revert{Batch: undone})
	day := f.item(ids[0]).Decision.At.Format(time.DateOnly)
	got, err := f.DecisionCounts(f.ctx)
	f.must(err)
	equal(f, "decision counts", got, []review.DecisionCount{
		{Reviewer: "ana", Day: day, Kind: review.Approve, N: 2}, {Reviewer: "ana", Day: day, Kind: review.Defer, N: 1},
		{Reviewer: "berta", Day: day, Kind: review.Reject, N: 2}})
}

// Work counts batches, their decisions, and the items whose decision in force is theirs: not those undone, decided
// again or open again.
func testWork(f *fixture) {
	ids := f.addMany(9)
	f.work("nothing done", review.Work{})
	f.decide("berta", review.Reject, ids[0], ids[1], ids[2])
	undone := f.decide("ana", review.Approve, ids[3])
	f.decide("ana", review.Approve, ids[4])
	f.decide("ana", review.Defer, ids[0]) // replaces berta's
	f.decide("ana", review.Approve, ids[5], ids[6])
	f.decide("ana", review.Reopen, ids[6], ids[7])
	f.commit(review.AddNotes{Notes: []review.ItemNote{{ID: ids[8], Text: "x"}}})
	f.recompute(ids[8], flagged("https://boe.es/accepted").Computed) // by evidence
	policy, err := canon.Builtin("clara")
	f.must(err)
	f.commit(review.Recanon{Policy: policy, Results: f.results()})
	f.commit(review.Revert{Batch: undone})
	ana := review.Work{Reviewer: "ana", Batches: 5, Decisions: 6, Single: 2, Bulk: 1}
	berta := review.Work{Reviewer: "berta", Batches: 1, Decisions: 3, Bulk: 2}
	f.work("done", ana, berta)

	f.commit(review.Revert{Redo: true, Batch: undone})
	ana.Batches, ana.Decisions, ana.Single = 6, 7, 3
	f.work("redone", ana, berta)
}

// work checks the sums by reviewer, and that Work returns them by reviewer and minute. want is one zero Work if there
// is none.
func (f *fixture) work(when string, want ...review.Work) {
	f.Helper()
	list, err := f.Work(f.ctx)
	f.must(err)
	got := []review.Work{{}}
	for i, w := range list {
		if w.First.After(w.Last) || !w.First.Truncate(time.Minute).Equal(w.Last.Truncate(time.Minute)) {
			f.Errorf("%s: from %v to %v is not within a minute", when, w.First, w.Last)
		}
		sum := &got[len(got)-1]
		if i > 0 && w.Reviewer != sum.Reviewer {
			got = append(got, review.Work{})
			sum = &got[len(got)-1]
		} else if i > 0 && !list[i-1].Last.Before(w.First) {
			f.Errorf("%s: %v comes after %v", when, w.First, list[i-1].Last)
		}
		sum.Reviewer = w.Reviewer
		sum.Batches, sum.Decisions = sum.Batches+w.Batches, sum.Decisions+w.Decisions
		sum.Single, sum.Bulk = sum.Single+w.Single, sum.Bulk+w.Bulk
	}
	equal(f, "work "+when, got, want)
}

func (f *fixture) groups(filter review.Filter) (list []review.Group) {
	f.Helper()
	f.must(f.Groups(f.ctx, filter, func(g review.Group) error {
		if g.N <= 0 {
			f.Errorf("a group of none: %+v", g)
		}
		list = append(list, g)
		return nil
	}))
	hostByHost(f, list, func(g review.Group) string { return g.Host })
	return list
}

func (f *fixture) undecided(filter review.Filter) (list []review.Undecided) {
	f.Helper()
	f.must(f.Undecided(f.ctx, filter, func(u review.Undecided) error {
		list = append(list, u)
		return nil
	}))
	hostByHost(f, list, func(u review.Undecided) string { return u.Host })
	return list
}

// hostByHost fails the test if a host comes again after another one.
func hostByHost[T any](f *fixture, list []T, host func(T) string) {
	f.Helper()
	seen := map[string]bool{}
	for i, v := range list {
		if i > 0 && host(list[i-1]) != host(v) && seen[host(v)] {
			f.Errorf("%s comes again", host(v))
		}
		seen[host(v)] = true
	}
}

// facetsOf counts items as Facets does.
func facetsOf(list []review.Item) review.Facets {
	facets := review.Facets{Total: len(list), Flags: map[canon.Code]int{}, Statuses: map[review.Status]int{}}
	hosts, files, fields := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range list {
		it := &list[i]
		facets.Statuses[it.Status]++
		for _, c := range it.Computed.Flags.Codes() {
			facets.Flags[c]++
		}
		hosts[it.Computed.Host]++
		files[it.Source.File]++
		fields[it.Source.Field]++
	}
	facets.Hosts, facets.Files, facets.Fields = buckets(hosts), buckets(files), buckets(fields)
	return facets
}

// Facet counts by language, parameter and reviewer. An item counts under each of its unknown parameters.
func testFacet(f *fixture) {
	f.mixed()
	list := f.all()
	for _, filter := range []review.Filter{{}, {Open: true}, {Hosts: []string{"gencat.cat"}}, {Search: "p1"}} {
		languages, params, reviewers := map[string]int{}, map[string]int{}, map[string]int{}
		for i := range list {
			it := &list[i]
			if !selects(filter, it) {
				continue
			}
			languages[it.Computed.Language]++
			for _, name := range it.Computed.Unknown {
				params[name]++
			}
			if it.Decision != nil {
				reviewers[it.Decision.Reviewer]++
			}
		}
		for by, counts := range map[review.Dimension]map[string]int{review.ByLanguage: languages,
			review.ByParam: params, review.ByReviewer: reviewers} {
			got, err := f.Facet(f.ctx, filter, by)
			f.must(err)
			equal(f, fmt.Sprintf("facet %d of %+v", by, filter), got, buckets(counts))
		}
	}
}

// buckets returns the counts, largest first, then by value. The empty value has no bucket.
func buckets(counts map[string]int) []review.Bucket {
	var list []review.Bucket
	for value, n := range counts {
		if value != "" {
			list = append(list, review.Bucket{Value: value, N: n})
		}
	}
	slices.SortFunc(list, func(a, b review.Bucket) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return strings.Compare(a.Value, b.Value)
	})
	return list
}

// Groups counts items alike, from all files; Undecided returns those with parameters one by one.
func testGroups(f *fixture) {
	given := func(url, file, field string, flags []canon.Code, names ...string) review.NewItem {
		it := flagged(url, flags...)
		it.Computed.Unknown, it.Source = names, review.Source{File: file, Field: field}
		return it
	}
	unknown, both := []canon.Code{canon.UnknownParam}, []canon.Code{canon.UnknownParam, canon.HomePage}
	ids := f.add(given("https://boe.es/a", "f", "url", unknown, "x", "y"),
		given("https://gencat.cat/a", "f", "url", both, "x&%"), given("https://boe.es/b", "g", "url", unknown, "x"),
		given("https://boe.es/c", "g", "link", unknown, "x"),
		given("https://boe.es/d", "g", "url", []canon.Code{canon.HomePage}), flagged("https://boe.es/e"))
	host := func(a, b string) int { return strings.Compare(a, b) }
	in := func(file, field string) []review.FileField { return []review.FileField{{File: file, Field: field}} }
	groups := f.groups(review.Filter{Open: true})
	slices.SortFunc(groups, func(a, b review.Group) int {
		return cmp.Or(host(a.Host, b.Host), cmp.Compare(a.Flags, b.Flags),
			cmp.Compare(fmt.Sprint(a.Places), fmt.Sprint(b.Places)))
	})
	equal(f, "groups", groups, []review.Group{
		{Host: "boe.es", Flags: canon.SetOf(unknown...), Places: in("f", "url"), N: 1},
		{Host: "boe.es", Flags: canon.SetOf(unknown...), Places: in("g", "link"), N: 1},
		{Host: "boe.es", Flags: canon.SetOf(unknown...), Places: in("g", "url"), N: 1},
		{Host: "boe.es", Flags: canon.SetOf(canon.HomePage), Places: in("g", "url"), N: 1},
		{Host: "gencat.cat", Flags: canon.SetOf(both...), Places: in("f", "url"), N: 1},
	})
	undecided := f.undecided(review.Filter{Open: true})
	slices.SortFunc(undecided, func(a, b review.Undecided) int {
		return cmp.Or(host(a.Host, b.Host), host(a.Canonical, b.Canonical))
	})
	equal(f, "undecided", undecided, []review.Undecided{
		{Host: "boe.es", Canonical: "https://boe.es/a", Flags: canon.SetOf(unknown...), Params: []string{"x", "y"}},
		{Host: "boe.es", Canonical: "https://boe.es/b", Flags: canon.SetOf(unknown...), Params: []string{"x"}},
		{Host: "boe.es", Canonical: "https://boe.es/c", Flags: canon.SetOf(unknown...), Params: []string{"x"}},
		{Host: "gencat.cat", Canonical: "https://gencat.cat/a", Flags: canon.SetOf(both...), Params: []string{"x&%"}},
	})
	f.stops()

	f.recompute(ids[1], flagged("https://gencat.cat/a").Computed)
	moved := review.Filter{Open: true, AtHosts: []string{"gencat.cat"}}
	equal(f, "groups of a recomputed item", f.groups(moved), nil)
	equal(f, "undecided of a recomputed item", f.undecided(moved), nil)
}

// stops checks that a callback's error ends the reading at once and comes back.
func (f *fixture) stops() {
	f.Helper()
	enough, calls := errors.New("enough"), 0
	stop := func() error { calls++; return enough }
	err := f.Groups(f.ctx, review.Filter{}, func(review.Group) error { return stop() })
	equal(f, "error of Groups", err, enough)
	err = f.Undecided(f.ctx, review.Filter{}, func(review.Undecided) error { return stop() })
	equal(f, "error of Undecided", err, enough)
	equal(f, "calls", calls, 2)
}

// Reviewed counts the items that were open once and are not now, whether by a decision or by a rule.
func testTotals(f *fixture) {
	ids := f.add(flagged("https://boe.es/a", canon.HomePage), flagged("https://boe.es/b", canon.HomePage),
		flagged("https://boe.es/c"),
		review.NewItem{Original: "x", Computed: review.Computed{Verdict: canon.Rejected, Reason: canon.InvalidURL}})
	verdicts := map[canon.Verdict]int{canon.Accepted: 1, canon.Flagged: 2, canon.Rejected: 1}
	f.totals("added", review.Totals{Items: 4, Open: 2, Verdicts: verdicts})
	batch := f.decide("ana", review.Defer, ids[0])
	f.totals("deferred", review.Totals{Items: 4, Open: 1, Reviewed: 1, Deferred: 1, Verdicts: verdicts})

	f.recompute(ids[1], flagged("https://boe.es/b").Computed)
	verdicts = map[canon.Verdict]int{canon.Accepted: 2, canon.Flagged: 1, canon.Rejected: 1}
	f.totals("closed by a rule", review.Totals{Items: 4, Reviewed: 2, ByRules: 1, Deferred: 1, Verdicts: verdicts})
	f.commit(review.Revert{Batch: batch})
	f.totals("undone", review.Totals{Items: 4, Open: 1, Reviewed: 1, ByRules: 1, Verdicts: verdicts})

	f.decide("ana", review.Approve, ids[2])
	f.totals("an accepted one approved was never open",
		review.Totals{Items: 4, Open: 1, Reviewed: 1, ByRules: 1, Verdicts: verdicts})
	f.recompute(ids[2], flagged("https://boe.es/other").Computed)
	f.totals("changed since its approval",
		review.Totals{Items: 4, Open: 2, Reviewed: 1, ByRules: 1, Verdicts: verdicts})
	f.sound()
}

func (f *fixture) totals(when string, want review.Totals) {
	f.Helper()
	got, err := f.Totals(f.ctx)
	f.must(err)
	equal(f, when, got, want)
}

// recompute gives an item another result of the machine.
func (f *fixture) recompute(id int64, c review.Computed) {
	f.Helper()
	f.commit(review.AddEvidence{Results: f.results(review.Recomputed{ID: id, Computed: c})})
}
