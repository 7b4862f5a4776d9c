package storetest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
)

// selects reports whether the filter selects the item: the meaning of a Filter in Go, without notes, which an Item
// does not hold.
func selects(f review.Filter, it *review.Item) bool {
	c := &it.Computed
	checks := []bool{
		!f.Open || it.Open(),
		len(f.Statuses) == 0 || slices.Contains(f.Statuses, it.Status),
		f.Flags == 0 || c.Flags&f.Flags != 0,
		len(f.Hosts) == 0 || slices.ContainsFunc(f.Hosts,
			func(p string) bool { return onHost(p, c.Host) || onHost(p, c.InHost) }),
		len(f.Files) == 0 || slices.Contains(f.Files, it.Source.File),
		len(f.Fields) == 0 || slices.Contains(f.Fields, it.Source.Field),
		len(f.Languages) == 0 || slices.Contains(f.Languages, c.Language),
		len(f.Params) == 0 || overlap(f.Params, c.Unknown),
		len(f.Reviewers) == 0 || it.Decision != nil && slices.Contains(f.Reviewers, it.Decision.Reviewer),
		f.Since.IsZero() || it.Decision != nil && !it.Decision.At.Before(f.Since),
		!hasAny(f.Not, it),
		f.Path == "" || underPath(f.Path, c.Canonical),
		f.Search == "" || slices.ContainsFunc(texts(it),
			func(t string) bool { return strings.Contains(review.Fold(t), review.Fold(f.Search)) }),
		f.Regexp == "" || slices.ContainsFunc(texts(it), regexp.MustCompile("(?i)"+f.Regexp).MatchString),
		len(f.Reach) == 0 || slices.ContainsFunc(f.Reach, func(p string) bool {
			return slices.ContainsFunc(append(c.Via, c.Host, c.InHost), func(h string) bool { return onHost(p, h) })
		}),
		len(f.AtHosts) == 0 || slices.Contains(f.AtHosts, c.Host),
		f.Keys == nil || slices.Contains(f.Keys, c.Key),
		f.Originals == nil || slices.Contains(f.Originals, it.Original),
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

// Every filter selects the same items for Count, Each, EachWithEvidence, EachAnswered, Page, Facets and Groups.
func testFilters(f *fixture) {
	all := f.mixed()
	for _, filter := range []review.Filter{
		{}, {Open: true}, {Statuses: []review.Status{review.Approved}},
		{Statuses: []review.Status{review.Rejected, review.Accepted}},
		{Flags: canon.SetOf(canon.HomePage, canon.NoSpanish)}, {Flags: canon.SetOf(canon.ChangedSinceApproval)},
		{Not: review.Values{Flags: canon.SetOf(canon.UnknownParam)}},
		{Flags: canon.SetOf(canon.UnknownParam), Not: review.Values{Flags: canon.SetOf(canon.NoSpanish)}},
		{Not: review.Values{Statuses: []review.Status{review.Pending, review.Rejected}}},
		{Not: review.Values{Hosts: []string{"gencat.cat"}}}, {Not: review.Values{Hosts: []string{"*.example.es"}}},
		{Not: review.Values{Hosts: []string{"*"}}},
		{Hosts: []string{"*.example.es"}, Not: review.Values{Hosts: []string{"a.example.es"}}},
		{Not: review.Values{Files: []string{"f1.yaml", "f2.yaml"}}},
		{Not: review.Values{Fields: []string{"portal_url"}}},
		{Languages: []string{"es"}}, {Languages: []string{"ca", ""}}, {Not: review.Values{Languages: []string{"ca"}}},
		{Reviewers: []string{"ana"}}, {Reviewers: []string{"ana", "luis"}}, {Reviewers: []string{"nobody"}},
		{Not: review.Values{Reviewers: []string{"ana"}}},
		{Params: []string{"plaza", "tab"}}, {Not: review.Values{Params: []string{"plaza"}}},
		{Not: review.Values{Params: []string{"pla"}}},
		{Hosts: []string{"gencat.cat"}}, {Hosts: []string{"*.gencat.cat"}}, {Hosts: []string{"*"}},
		{Hosts: []string{"*", "gencat.cat"}},
		{Hosts: []string{"*.es", "*.cat"}}, {Hosts: []string{"*.es"}, Open: true}, {Hosts: []string{"*.cat"}},
		{Hosts: []string{"*t"}, Flags: canon.SetOf(canon.HomePage)},
		{Hosts: []string{"*.es", "*.cat"}, Not: review.Values{Hosts: []string{"www.gencat.cat"}}},
		{Not: review.Values{Hosts: []string{"*b.gencat.cat"}}},
		{Hosts: []string{"*t", "a.example.es", "b.example.es"},
			Not: review.Values{Hosts: []string{"*.example.es"}, Statuses: []review.Status{review.Approved}}},
		{Hosts: []string{"*.es", "*.cat"}, Not: review.Values{Hosts: []string{"*"}}},
		{Hosts: []string{"*.es", "*.cat"}, AtHosts: []string{"gencat.cat"}},
		{Hosts: []string{"a.example.es", "b.example.es"}}, {AtHosts: []string{"gencat.cat"}},
		{AtHosts: []string{"gencat.ca"}}, {AtHosts: []string{"www.gencat.cat", "gencat.cat"}},
		{AtHosts: []string{"gencat.cat", "b.example.es"}, Open: true, Flags: canon.SetOf(canon.UnknownParam)},
		{AtHosts: []string{"gencat.cat", "b.example.es"}, Hosts: []string{"*.example.es", "gencat.cat"}},
		{AtHosts: []string{"a.example.es", "b.example.es"}, Path: "/sta"},
		{Reach: []string{"via.example.es"}}, {Reach: []string{"*.example.es"}},
		{Reach: []string{"gencat.cat", "a.es"}}, {Reach: []string{"*"}},
		{Files: []string{"f1.yaml", "f2.yaml"}}, {Fields: []string{"portal_url"}}, {Fields: []string{""}},
		{Files: []string{"none"}},
		{Params: []string{"plaza"}}, {Params: []string{"Tab"}}, {Params: []string{"tab"}}, {Params: []string{"pla"}},
		{Path: "/sta"}, {Path: "/sta/"}, {Path: "/sta/p07"}, {Path: "/st"}, {Path: "/"}, {Path: "/otra"},
		{Path: "/p07"},
		{Search: "P1"}, {Search: "otra"}, {Search: "EXAMPLE.es/STA/p0"}, {Search: "5%"}, {Search: "p_1"},
		{Regexp: "p1"}, {Regexp: "sta/p[01][0-9]$"}, {Regexp: "(gencat|b.example).*/p\\d5"},
		{Regexp: "^HTTPS://(WWW|web)\\.gencat"}, {Regexp: "(?-i)GENCAT"},
		{Regexp: "example.*otra|nothing"}, {Regexp: "(sta)+/"}, {Regexp: "(sta){2}"}, {Regexp: "(xyz)?gencat"},
		{Regexp: "x*"}, {Regexp: "plaza=(1|22|3[0-9])$"},
		{Regexp: "sta", Open: true, Search: "p1"}, {Regexp: "[^/]cat[.]"}, {Regexp: "^$"},
		{Originals: []string{all[0].Original, "no", all[2].Original}}, {Originals: []string{}},
		{Keys: []review.Key{all[0].Computed.Key}}, {Keys: []review.Key{}}, {IDs: []int64{3, 1, 999}}, {IDs: []int64{}},
		{NotIDs: []int64{3, 1, 999}}, {NotIDs: []int64{}}, {UpTo: 20}, {Open: true, UpTo: 20, NotIDs: []int64{7, 8}},
		{IDs: []int64{1, 2, 3}, NotIDs: []int64{2}},
		{Open: true, Hosts: []string{"*.example.es"}, Flags: canon.SetOf(canon.UnknownParam),
			Params: []string{"plaza"}, Files: []string{"f0.yaml", "f2.yaml"}},
	} {
		f.filter(filter, sorted(all, review.Query{Filter: filter}))
	}
	at := all[3].Decision.At // berta decided later than ana
	for _, since := range []time.Time{at, at.Add(time.Millisecond), at.Add(time.Hour)} {
		filter := review.Filter{Since: since}
		f.filter(filter, sorted(all, review.Query{Filter: filter}))
	}
	// selects does not know notes, so their filters are tested here.
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
	equal(f, name+"each answered", answersOf(answers), answersOf(list))
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

// answersOf returns the items with only the fields that EachAnswered promises.
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
