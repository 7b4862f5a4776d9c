package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
		c.Flags&f.Without == 0,
		len(f.Hosts) == 0 || slices.ContainsFunc(f.Hosts, func(p string) bool { return onHost(p, c.Host) || onHost(p, c.InHost) }),
		len(f.Files) == 0 || slices.Contains(f.Files, it.Source.File),
		len(f.Fields) == 0 || slices.Contains(f.Fields, it.Source.Field),
		f.Param == "" || slices.Contains(c.Unknown, f.Param),
		f.Path == "" || underPath(f.Path, c.Canonical),
		f.Search == "" || inTexts(f.Search, it),
		len(f.Reach) == 0 || slices.ContainsFunc(f.Reach, func(p string) bool {
			return slices.ContainsFunc(append(c.Via, c.Host, c.InHost), func(h string) bool { return onHost(p, h) })
		}),
		f.AtHost == "" || c.Host == f.AtHost,
		f.Keys == nil || slices.Contains(f.Keys, c.Key),
		f.IDs == nil || slices.Contains(f.IDs, it.ID),
	}
	return !slices.Contains(checks, false)
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

func inTexts(text string, it *review.Item) bool {
	texts := []string{it.Original, it.Computed.Canonical, it.Title}
	if it.Decision != nil {
		texts = append(texts, it.Decision.Canonical, it.Decision.Note)
	}
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(strings.ToLower(t), strings.ToLower(text)) })
}

// Every filter selects the same items for Count, Each, EachWithEvidence, Page, Facets and Groups.
func testFilters(f *fixture) {
	all := f.mixed()
	for _, filter := range []review.Filter{
		{}, {Open: true}, {Statuses: []review.Status{review.Approved}}, {Statuses: []review.Status{review.Rejected, review.Accepted}},
		{Flags: canon.SetOf(canon.HomePage, canon.NoSpanish)}, {Flags: canon.SetOf(canon.ChangedSinceApproval)},
		{Without: canon.SetOf(canon.UnknownParam)}, {Flags: canon.SetOf(canon.UnknownParam), Without: canon.SetOf(canon.NoSpanish)},
		{Hosts: []string{"gencat.cat"}}, {Hosts: []string{"*.gencat.cat"}}, {Hosts: []string{"*"}}, {Hosts: []string{"*", "gencat.cat"}},
		{Hosts: []string{"a.example.es", "b.example.es"}}, {AtHost: "gencat.cat"}, {AtHost: "gencat.ca"},
		{Reach: []string{"via.example.es"}}, {Reach: []string{"*.example.es"}}, {Reach: []string{"gencat.cat", "a.es"}}, {Reach: []string{"*"}},
		{Files: []string{"f1.yaml", "f2.yaml"}}, {Fields: []string{"portal_url"}}, {Fields: []string{""}}, {Files: []string{"none"}},
		{Param: "plaza"}, {Param: "Tab"}, {Param: "tab"}, {Param: "pla"},
		{Path: "/sta"}, {Path: "/sta/"}, {Path: "/sta/p07"}, {Path: "/st"}, {Path: "/"}, {Path: "/otra"}, {Path: "/p07"},
		{Search: "P1"}, {Search: "otra"}, {Search: "EXAMPLE.es/STA/p0"}, {Search: "5%"}, {Search: "p_1"},
		{Keys: []review.Key{all[0].Computed.Key}}, {Keys: []review.Key{}}, {IDs: []int64{3, 1, 999}}, {IDs: []int64{}},
		{Open: true, Hosts: []string{"*.example.es"}, Flags: canon.SetOf(canon.UnknownParam), Param: "plaza", Files: []string{"f0.yaml", "f2.yaml"}},
	} {
		f.filter(filter, sorted(all, review.Query{Filter: filter}))
	}
	// Notes are not part of an Item: said apart.
	f.filter(review.Filter{Search: "ojo: 100%_SEG"}, []int64{6})
	f.filter(review.Filter{Search: "100%seg"}, []int64{})
}

func (f *fixture) filter(filter review.Filter, want []int64) {
	f.Helper()
	name := fmt.Sprintf("%+v: ", filter)
	equal(f, name+"count", f.count(filter), len(want))
	each, with := []int64{}, []int64{}
	f.must(f.Each(f.ctx, filter, func(it review.Item) error {
		each = append(each, it.ID)
		return nil
	}))
	equal(f, name+"each", each, want)
	f.must(f.EachWithEvidence(f.ctx, filter, func(it review.Item, _ *canon.Evidence) error {
		with = append(with, it.ID)
		return nil
	}))
	equal(f, name+"each with evidence", with, want)
	page, err := f.Page(f.ctx, review.Query{Filter: filter}, nil, 1000)
	f.must(err)
	equal(f, name+"page", idsOf(page), want)
	facets, err := f.Facets(f.ctx, filter)
	f.must(err)
	equal(f, name+"facets", facets.Total, len(want))
	groups, err := f.Groups(f.ctx, filter)
	f.must(err)
	n := 0
	for _, g := range groups {
		n += g.N
	}
	equal(f, name+"groups", n, len(want))
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
	err = f.EachWithEvidence(f.ctx, review.Filter{}, func(review.Item, *canon.Evidence) error { return stop })
	if err != stop {
		f.Errorf("the caller's error came back as %v", err)
	}
}

func testFacets(f *fixture) {
	f.mixed()
	list := f.all()
	for _, filter := range []review.Filter{{}, {Open: true}, {Search: "p1"}} {
		want := review.Facets{Flags: map[canon.Code]int{}, Statuses: map[review.Status]int{}}
		hosts, files, fields := map[string]int{}, map[string]int{}, map[string]int{}
		for i := range list {
			it := &list[i]
			if !selects(filter, it) {
				continue
			}
			want.Total++
			want.Statuses[it.Status]++
			for _, c := range it.Computed.Flags.Codes() {
				want.Flags[c]++
			}
			hosts[it.Computed.Host]++
			files[it.Source.File]++
			fields[it.Source.Field]++
		}
		want.Hosts, want.Files, want.Fields = buckets(hosts), buckets(files), buckets(fields)
		got, err := f.Facets(f.ctx, filter)
		f.must(err)
		equal(f, fmt.Sprintf("facets of %+v", filter), got, want)
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

func testGroups(f *fixture) {
	a := flagged("https://boe.es/a", canon.UnknownParam)
	a.Computed.Unknown = []string{"x", "y"}
	a.Source = review.Source{File: "f", Field: "url"}
	b := flagged("https://boe.es/b", canon.UnknownParam)
	b.Computed.Unknown, b.Source = a.Computed.Unknown, a.Source
	c := flagged("https://boe.es/c", canon.UnknownParam)
	c.Computed.Unknown, c.Source = []string{"x"}, a.Source
	f.add(a, b, c, flagged("https://boe.es/d"))
	groups, err := f.Groups(f.ctx, review.Filter{Open: true})
	f.must(err)
	flags := canon.SetOf(canon.UnknownParam)
	equal(f, "groups", groups, []review.Group{
		{Host: "boe.es", Flags: flags, Unknown: []string{"x", "y"}, File: "f", Field: "url", N: 2},
		{Host: "boe.es", Flags: flags, Unknown: []string{"x"}, File: "f", Field: "url", N: 1},
	})
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
	f.totals("settled by a rule", review.Totals{Items: 4, Reviewed: 2, Verdicts: verdicts})
	f.commit(review.Change{Action: review.ActUndo, Undo: batch})
	f.totals("undone", review.Totals{Items: 4, Open: 1, Reviewed: 1, Verdicts: verdicts})

	f.decide("ana", review.Approve, ids[2])
	f.totals("an accepted one approved was never open", review.Totals{Items: 4, Open: 1, Reviewed: 1, Verdicts: verdicts})
	f.recompute(ids[2], flagged("https://boe.es/other").Computed)
	f.totals("changed since its approval", review.Totals{Items: 4, Open: 2, Reviewed: 1, Verdicts: verdicts})
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
