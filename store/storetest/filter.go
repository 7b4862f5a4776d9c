package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
)

// selects says what a filter means, but for notes, which an Item does not hold.
func selects(f review.Filter, it *review.Item) bool {
	c := &it.Computed
	checks := []bool{
		!f.Open || it.Open(),
		len(f.Statuses) == 0 || slices.Contains(f.Statuses, it.Status),
		f.Flags == 0 || c.Flags&f.Flags != 0,
		len(f.Hosts) == 0 || slices.ContainsFunc(f.Hosts, func(p string) bool { return onHost(p, c.Host) || onHost(p, c.InHost) }),
		len(f.Files) == 0 || slices.Contains(f.Files, it.Source.File),
		len(f.Fields) == 0 || slices.Contains(f.Fields, it.Source.Field),
		len(f.Languages) == 0 || slices.Contains(f.Languages, c.Language),
		len(f.Params) == 0 || overlap(f.Params, c.Unknown),
		len(f.Reviewers) == 0 || it.Decision != nil && slices.Contains(f.Reviewers, it.Decision.Reviewer),
		f.Since.IsZero() || it.Decision != nil && !it.Decision.At.Before(f.Since),
		!hasAny(f.Not, it),
		f.Path == "" || underPath(f.Path, c.Canonical),
		f.Search == "" || slices.ContainsFunc(texts(it), func(t string) bool { return strings.Contains(strings.ToLower(t), strings.ToLower(f.Search)) }),
		f.Regexp == "" || slices.ContainsFunc(texts(it), regexp.MustCompile("(?i)"+f.Regexp).MatchString),
		len(f.Reach) == 0 || slices.ContainsFunc(f.Reach, func(p string) bool {
			return slices.ContainsFunc(append(c.Via, c.Host, c.InHost), func(h string) bool { return onHost(p, h) })
		}),
		f.AtHost == "" || c.Host == f.AtHost,
		f.Keys == nil || slices.Contains(f.Keys, c.Key),
		f.IDs == nil || slices.Contains(f.IDs, it.ID),
		!slices.Contains(f.NotIDs, it.ID),
		f.UpTo == 0 || it.ID <= f.UpTo,
	}
	return !slices.Contains(checks, false)
}

// hasAny reports whether the item has one of the values.
func hasAny(v review.Values, it *review.Item) bool {
	c := &it.Computed
	return slices.Contains([]bool{
		slices.Contains(v.Statuses, it.Status),
		c.Flags&v.Flags != 0,
		slices.ContainsFunc(v.Hosts, func(p string) bool { return onHost(p, c.Host) || onHost(p, c.InHost) }),
		slices.Contains(v.Files, it.Source.File),
		slices.Contains(v.Fields, it.Source.Field),
		slices.Contains(v.Languages, c.Language),
		overlap(v.Params, c.Unknown),
		it.Decision != nil && slices.Contains(v.Reviewers, it.Decision.Reviewer),
	}, true)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func onHost(pattern, host string) bool {
	if suffix, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(host, suffix)
	}
	return host == pattern
}

func underPath(prefix, canonical string) bool {
	_, rest, _ := strings.Cut(canonical, "://")
	_, path, ok := strings.Cut(rest, "/")
	tail, under := strings.CutPrefix("/"+path, strings.TrimRight(prefix, "/"))
	return ok && under && (tail == "" || strings.ContainsAny(tail[:1], "/?#"))
}

func texts(it *review.Item) []string {
	texts := []string{it.Original, it.Computed.Canonical, it.Title}
	if it.Decision != nil {
		texts = append(texts, it.Decision.Canonical, it.Decision.Note)
	}
	return texts
}

// Every filter selects the same items for Count, Each, EachWithEvidence, EachAnswer, Page, Facets and Groups.
func testFilters(f *fixture) {
	all := f.mixed()
	for _, filter := range []review.Filter{
		{}, {Open: true}, {Statuses: []review.Status{review.Approved}}, {Statuses: []review.Status{review.Rejected, review.Accepted}},
		{Flags: canon.SetOf(canon.HomePage, canon.NoSpanish)}, {Flags: canon.SetOf(canon.ChangedSinceApproval)},
		{Not: review.Values{Flags: canon.SetOf(canon.UnknownParam)}},
		{Flags: canon.SetOf(canon.UnknownParam), Not: review.Values{Flags: canon.SetOf(canon.NoSpanish)}},
		{Not: review.Values{Statuses: []review.Status{review.Pending, review.Rejected}}},
		{Not: review.Values{Hosts: []string{"gencat.cat"}}}, {Not: review.Values{Hosts: []string{"*.example.es"}}}, {Not: review.Values{Hosts: []string{"*"}}},
		{Hosts: []string{"*.example.es"}, Not: review.Values{Hosts: []string{"a.example.es"}}},
		{Not: review.Values{Files: []string{"f1.yaml", "f2.yaml"}}}, {Not: review.Values{Fields: []string{"portal_url"}}},
		{Languages: []string{"es"}}, {Languages: []string{"ca", ""}}, {Not: review.Values{Languages: []string{"ca"}}},
		{Reviewers: []string{"ana"}}, {Reviewers: []string{"ana", "luis"}}, {Reviewers: []string{"nobody"}}, {Not: review.Values{Reviewers: []string{"ana"}}},
		{Params: []string{"plaza", "tab"}}, {Not: review.Values{Params: []string{"plaza"}}}, {Not: review.Values{Params: []string{"pla"}}},
		{Hosts: []string{"gencat.cat"}}, {Hosts: []string{"*.gencat.cat"}}, {Hosts: []string{"*"}}, {Hosts: []string{"*", "gencat.cat"}},
		{Hosts: []string{"*.es", "*.cat"}}, {Hosts: []string{"*.es"}, Open: true}, {Hosts: []string{"*.cat"}}, {Hosts: []string{"*t"}, Flags: canon.SetOf(canon.HomePage)},
		{Hosts: []string{"*.es", "*.cat"}, Not: review.Values{Hosts: []string{"www.gencat.cat"}}}, {Not: review.Values{Hosts: []string{"*b.gencat.cat"}}},
		{Hosts: []string{"*t", "a.example.es", "b.example.es"}, Not: review.Values{Hosts: []string{"*.example.es"}, Statuses: []review.Status{review.Approved}}},
		{Hosts: []string{"*.es", "*.cat"}, Not: review.Values{Hosts: []string{"*"}}}, {Hosts: []string{"*.es", "*.cat"}, AtHost: "gencat.cat"},
		{Hosts: []string{"a.example.es", "b.example.es"}}, {AtHost: "gencat.cat"}, {AtHost: "gencat.ca"},
		{Reach: []string{"via.example.es"}}, {Reach: []string{"*.example.es"}}, {Reach: []string{"gencat.cat", "a.es"}}, {Reach: []string{"*"}},
		{Files: []string{"f1.yaml", "f2.yaml"}}, {Fields: []string{"portal_url"}}, {Fields: []string{""}}, {Files: []string{"none"}},
		{Params: []string{"plaza"}}, {Params: []string{"Tab"}}, {Params: []string{"tab"}}, {Params: []string{"pla"}},
		{Path: "/sta"}, {Path: "/sta/"}, {Path: "/sta/p07"}, {Path: "/st"}, {Path: "/"}, {Path: "/otra"}, {Path: "/p07"},
		{Search: "P1"}, {Search: "otra"}, {Search: "EXAMPLE.es/STA/p0"}, {Search: "5%"}, {Search: "p_1"},
		{Regexp: "p1"}, {Regexp: "sta/p[01][0-9]$"}, {Regexp: "(gencat|b.example).*/p\\d5"}, {Regexp: "^HTTPS://(WWW|web)\\.gencat"}, {Regexp: "(?-i)GENCAT"},
		{Regexp: "example.*otra|nothing"}, {Regexp: "(sta)+/"}, {Regexp: "(sta){2}"}, {Regexp: "(xyz)?gencat"}, {Regexp: "x*"}, {Regexp: "plaza=(1|22|3[0-9])$"},
		{Regexp: "sta", Open: true, Search: "p1"}, {Regexp: "[^/]cat[.]"}, {Regexp: "^$"},
		{Keys: []review.Key{all[0].Computed.Key}}, {Keys: []review.Key{}}, {IDs: []int64{3, 1, 999}}, {IDs: []int64{}},
		{NotIDs: []int64{3, 1, 999}}, {NotIDs: []int64{}}, {UpTo: 20}, {Open: true, UpTo: 20, NotIDs: []int64{7, 8}}, {IDs: []int64{1, 2, 3}, NotIDs: []int64{2}},
		{Open: true, Hosts: []string{"*.example.es"}, Flags: canon.SetOf(canon.UnknownParam), Params: []string{"plaza"}, Files: []string{"f0.yaml", "f2.yaml"}},
	} {
		f.filter(filter, sorted(all, review.Query{Filter: filter}))
	}
	at := all[3].Decision.At // berta's came later than ana's
	for _, since := range []time.Time{at, at.Add(time.Millisecond), at.Add(time.Hour)} {
		filter := review.Filter{Since: since}
		f.filter(filter, sorted(all, review.Query{Filter: filter}))
	}
	// Notes are not part of an Item: said apart.
	f.filter(review.Filter{Search: "ojo: 100%_SEG"}, []int64{6})
	f.filter(review.Filter{Search: "100%seg"}, []int64{})
	f.filter(review.Filter{Regexp: "ojo: \\d+%_s"}, []int64{6})
	if _, err := f.Page(f.ctx, review.Query{Filter: review.Filter{Regexp: "("}}, nil, 10); err == nil {
		f.Error("a wrong pattern is no error")
	}
}

func (f *fixture) filter(filter review.Filter, want []int64) {
	f.Helper()
	name := fmt.Sprintf("%+v: ", filter)
	equal(f, name+"count", f.count(filter), len(want))
	each, with := []int64{}, []int64{}
	var list []review.Item
	f.must(f.Each(f.ctx, filter, func(it review.Item) error {
		each = append(each, it.ID)
		list = append(list, it)
		return nil
	}))
	equal(f, name+"each", each, want)
	f.must(f.EachWithEvidence(f.ctx, filter, func(it review.Item, _ *canon.Evidence) error {
		with = append(with, it.ID)
		return nil
	}))
	equal(f, name+"each with evidence", with, want)
	var answers []review.Item
	f.must(f.EachAnswered(f.ctx, filter, func(it review.Item, _ *canon.Evidence) error {
		answers = append(answers, it)
		return nil
	}))
	equal(f, name+"each answer", answers, answersOf(list))
	page, err := f.Page(f.ctx, review.Query{Filter: filter}, nil, 1000)
	f.must(err)
	equal(f, name+"page", idsOf(page), want)
	facets, err := f.Facets(f.ctx, filter)
	f.must(err)
	equal(f, name+"facets", facets, facetsOf(list))
	n := 0
	for _, g := range f.groups(filter) {
		n += g.N
	}
	equal(f, name+"groups", n, len(want))
	undecided := 0
	f.must(f.Each(f.ctx, filter, func(it review.Item) error {
		if it.Computed.Flags.Has(canon.UnknownParam) {
			undecided++
		}
		return nil
	}))
	equal(f, name+"undecided", len(f.undecided(filter)), undecided)
}

// answersOf leaves of the items what EachAnswer reads.
func answersOf(list []review.Item) (answers []review.Item) {
	for _, it := range list {
		a := review.Item{ID: it.ID, Original: it.Original, Computed: it.Computed}
		if d := it.Decision; d != nil {
			a.Decision = &review.Decision{Batch: d.Batch, Kind: d.Kind, Canonical: d.Canonical, From: d.From}
		}
		answers = append(answers, a)
	}
	return answers
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

// hostByHost wants no host to come again after another one.
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

// Each shows one state of the store, whatever is written while it goes on, and fn may read more.
func testEach(f *fixture) {
	ids := f.addMany(300)
	seen := 0
	f.must(f.Each(f.ctx, review.Filter{Open: true}, func(it review.Item) error {
		if seen++; seen == 1 {
			f.decide("ana", review.Approve, ids[200:]...)
		}
		if it.Status != review.Pending {
			f.Fatalf("item %d is %s in the middle of the reading", it.ID, it.Status)
		}
		if seen == 2 {
			equal(f, "status outside", f.item(ids[250]).Status, review.Approved)
		}
		return nil
	}))
	equal(f, "seen", seen, 300)

	stop := errors.New("enough")
	err := f.Each(f.ctx, review.Filter{}, func(review.Item) error { return stop })
	if err != stop {
		f.Errorf("the caller's error came back as %v", err)
	}
	for _, read := range f.withEvidence() {
		if err := read(f.ctx, review.Filter{}, func(review.Item, *canon.Evidence) error { return stop }); err != stop {
			f.Errorf("the caller's error came back as %v", err)
		}
	}
}

// facetsOf counts items by each dimension.
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

// Facet counts what Facets leaves out; an item counts under each of its unknown parameters.
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
		for by, counts := range map[review.Dimension]map[string]int{review.ByLanguage: languages, review.ByParam: params, review.ByReviewer: reviewers} {
			got, err := f.Facet(f.ctx, filter, by)
			f.must(err)
			equal(f, fmt.Sprintf("facet %d of %+v", by, filter), got, buckets(counts))
		}
	}
}

// buckets are largest first, then by value; the empty value is none.
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

// Groups adds up what is alike, whatever file it is from; Undecided tells what has parameters, one by one.
func testGroups(f *fixture) {
	given := func(url, file, field string, flags []canon.Code, names ...string) review.NewItem {
		it := flagged(url, flags...)
		it.Computed.Unknown, it.Source = names, review.Source{File: file, Field: field}
		return it
	}
	unknown, both := []canon.Code{canon.UnknownParam}, []canon.Code{canon.UnknownParam, canon.HomePage}
	ids := f.add(given("https://boe.es/a", "f", "url", unknown, "x", "y"), given("https://gencat.cat/a", "f", "url", both, "x&%"), given("https://boe.es/b", "g", "url", unknown, "x"),
		given("https://boe.es/c", "g", "link", unknown, "x"), given("https://boe.es/d", "g", "url", []canon.Code{canon.HomePage}), flagged("https://boe.es/e"))
	host := func(a, b string) int { return strings.Compare(a, b) }
	groups := f.groups(review.Filter{Open: true})
	slices.SortFunc(groups, func(a, b review.Group) int {
		return cmp.Or(host(a.Host, b.Host), cmp.Compare(a.Flags, b.Flags), strings.Compare(a.Field, b.Field))
	})
	equal(f, "groups", groups, []review.Group{
		{Host: "boe.es", Flags: canon.SetOf(unknown...), Field: "link", N: 1}, {Host: "boe.es", Flags: canon.SetOf(unknown...), Field: "url", N: 2},
		{Host: "boe.es", Flags: canon.SetOf(canon.HomePage), Field: "url", N: 1}, {Host: "gencat.cat", Flags: canon.SetOf(both...), Field: "url", N: 1},
	})
	undecided := f.undecided(review.Filter{Open: true})
	slices.SortFunc(undecided, func(a, b review.Undecided) int { return cmp.Or(host(a.Host, b.Host), host(a.Canonical, b.Canonical)) })
	equal(f, "undecided", undecided, []review.Undecided{
		{Host: "boe.es", Canonical: "https://boe.es/a", Flags: canon.SetOf(unknown...), Params: []string{"x", "y"}},
		{Host: "boe.es", Canonical: "https://boe.es/b", Flags: canon.SetOf(unknown...), Params: []string{"x"}},
		{Host: "boe.es", Canonical: "https://boe.es/c", Flags: canon.SetOf(unknown...), Params: []string{"x"}},
		{Host: "gencat.cat", Canonical: "https://gencat.cat/a", Flags: canon.SetOf(both...), Params: []string{"x&%"}},
	})
	f.stops()

	f.recompute(ids[1], flagged("https://gencat.cat/a").Computed)
	equal(f, "groups of what is settled", f.groups(review.Filter{Open: true, AtHost: "gencat.cat"}), nil)
	equal(f, "undecided of what is settled", f.undecided(review.Filter{Open: true, AtHost: "gencat.cat"}), nil)
}

// stops wants the reader's own error back, at once.
func (f *fixture) stops() {
	f.Helper()
	enough, calls := errors.New("enough"), 0
	stop := func() error { calls++; return enough }
	equal(f, "groups that are stopped", f.Groups(f.ctx, review.Filter{}, func(review.Group) error { return stop() }), enough)
	equal(f, "parameters that are stopped", f.Undecided(f.ctx, review.Filter{}, func(review.Undecided) error { return stop() }), enough)
	equal(f, "calls", calls, 2)
}

// Reviewed counts what was open once and is not now, whatever settled it; what is open again does not count.
func testTotals(f *fixture) {
	ids := f.add(flagged("https://boe.es/a", canon.HomePage), flagged("https://boe.es/b", canon.HomePage), flagged("https://boe.es/c"),
		review.NewItem{Original: "x", Computed: review.Computed{Verdict: canon.Rejected, Reason: canon.InvalidURL}})
	verdicts := map[canon.Verdict]int{canon.Accepted: 1, canon.Flagged: 2, canon.Rejected: 1}
	f.totals("added", review.Totals{Items: 4, Open: 2, Verdicts: verdicts})
	batch := f.decide("ana", review.Defer, ids[0])
	f.totals("deferred", review.Totals{Items: 4, Open: 1, Reviewed: 1, Verdicts: verdicts})

	settled := flagged("https://boe.es/b").Computed
	f.recompute(ids[1], settled)
	verdicts = map[canon.Verdict]int{canon.Accepted: 2, canon.Flagged: 1, canon.Rejected: 1}
	f.totals("settled by a rule", review.Totals{Items: 4, Reviewed: 2, ByRules: 1, Verdicts: verdicts})
	f.commit(review.Change{Action: review.ActUndo, Undo: batch})
	f.totals("undone", review.Totals{Items: 4, Open: 1, Reviewed: 1, ByRules: 1, Verdicts: verdicts})

	f.decide("ana", review.Approve, ids[2])
	f.totals("an accepted one approved was never open", review.Totals{Items: 4, Open: 1, Reviewed: 1, ByRules: 1, Verdicts: verdicts})
	f.recompute(ids[2], flagged("https://boe.es/other").Computed)
	f.totals("changed since its approval", review.Totals{Items: 4, Open: 2, Reviewed: 1, ByRules: 1, Verdicts: verdicts})
	f.sound()
}

func (f *fixture) totals(when string, want review.Totals) {
	f.Helper()
	got, err := f.Totals(f.ctx)
	f.must(err)
	equal(f, when, got, want)
}

// recompute gives an item another answer of the machine.
func (f *fixture) recompute(id int64, c review.Computed) {
	f.Helper()
	m := f.meta()
	f.commit(review.Change{Action: review.ActEvidence, Gen: m.Gen, LastID: m.LastID, Recomputed: []review.Recomputed{{ID: id, Computed: c}}})
}
