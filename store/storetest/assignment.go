package storetest

import (
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
)

// assign writes the assignments, and fails the test unless that changes so many.
func (f *fixture) assign(by string, again bool, changed int, list ...review.Assigned) {
	f.Helper()
	n, err := f.Assign(f.ctx, review.AssignmentChange{By: by, Items: list, Again: again})
	f.must(err)
	equal(f, "changed", n, changed)
}

// has fails the test unless the reviewers of the items are these, "" being nobody.
func (f *fixture) has(ids []int64, want ...string) {
	f.Helper()
	var got []string
	for _, id := range ids {
		name := ""
		a, err := f.Assignment(f.ctx, id)
		f.must(err)
		if a != nil {
			name = a.Reviewer
		}
		got = append(got, name)
	}
	equal(f, "assigned", got, want)
}

// An item has one reviewer at most, whatever the bytes of the name. That is not logged, and changes no item.
func testAssign(f *fixture) {
	ids := f.addMany(4)
	before, entries := f.item(ids[0]), f.meta().LastSeq
	version := f.version()
	f.assign("ana", false, 3, review.Assigned{ID: ids[0], Reviewer: "ana"},
		review.Assigned{ID: ids[1], Reviewer: "ben"}, review.Assigned{ID: ids[2], Reviewer: "b\x00\xff"})
	f.has(ids, "ana", "ben", "b\x00\xff", "")
	if f.version() == version {
		f.Error("assigning did not change the version")
	}
	a, err := f.Assignment(f.ctx, ids[1])
	f.must(err)
	if a.By != "ana" || a.At.UnixMilli() <= 0 || a.At.Location().String() != "UTC" {
		f.Errorf("the assignment is %+v", a)
	}

	// it stays, unless that is wanted; an item that is not there is left out
	others := []review.Assigned{{ID: ids[0], Reviewer: "eva"}, {ID: ids[3], Reviewer: "eva"},
		{ID: 999, Reviewer: "eva"}}
	f.assign("ben", false, 1, others...)
	f.has(ids, "ana", "ben", "b\x00\xff", "eva")
	f.assign("ben", true, 1, others...)
	f.has(ids, "eva", "ben", "b\x00\xff", "eva")
	a, err = f.Assignment(f.ctx, ids[0])
	f.must(err)
	equal(f, "who assigned it", a.By, "ben")
	f.assign("ben", true, 0, others...)
	f.assign("ben", false, 2, review.Assigned{ID: ids[0]}, review.Assigned{ID: ids[2]}, review.Assigned{ID: 999})
	f.has(ids, "", "ben", "", "eva")

	equal(f, "the item", f.item(ids[0]), before)
	equal(f, "log entries", f.meta().LastSeq, entries)
	f.sound()
}

// Filters select items by their reviewers, which compare exactly.
func testAssigned(f *fixture) {
	ids := f.addMany(5)
	other := f.add(flagged("https://boe.es/a", canon.HomePage))
	ids = append(ids, other...)
	f.assign("ana", false, 4, review.Assigned{ID: ids[0], Reviewer: "ana"},
		review.Assigned{ID: ids[1], Reviewer: "ben"}, review.Assigned{ID: ids[2], Reviewer: "Ana"},
		review.Assigned{ID: ids[5], Reviewer: "ben"})
	f.decide("ana", review.Approve, ids[1])
	of := func(n ...int) []int64 {
		list := []int64{}
		for _, i := range n {
			list = append(list, ids[i])
		}
		return list
	}
	with := func(names ...string) review.Filter { return review.Filter{Assigned: names, Me: "ben"} }
	not := func(names ...string) review.Filter {
		return review.Filter{Not: review.Values{Assigned: names}, Me: "ben"}
	}
	open := with(review.Mine, review.Nobody)
	open.Open = true
	for _, c := range []struct {
		filter review.Filter
		want   []int64
	}{
		{with("ana"), of(0)}, {with("Ana"), of(2)}, {with("ANA"), of()}, {with("ana", "Ana"), of(0, 2)},
		{with(review.Mine), of(1, 5)}, {with(review.Mine, "ana"), of(0, 1, 5)},
		{with(review.Nobody), of(3, 4)}, {with(review.Nobody, "ana"), of(0, 3, 4)}, {open, of(3, 4, 5)},
		{not("ana"), of(1, 2, 3, 4, 5)}, {not(review.Mine), of(0, 2, 3, 4)}, {not(review.Nobody), of(0, 1, 2, 5)},
		{not(review.Nobody, "ben"), of(0, 2)},
	} {
		f.filter(c.filter, c.want)
	}
	for _, sort := range review.Sorts() {
		page, err := f.Page(f.ctx, review.Query{Filter: with("ana", "ben"), Sort: sort}, nil, 10)
		f.must(err)
		got := idsOf(page)
		slices.Sort(got)
		equal(f, "page by "+sort.String(), got, of(0, 1, 5))
	}
	counts, err := f.Facet(f.ctx, review.Filter{Open: true}, review.ByAssignee)
	f.must(err)
	equal(f, "facet", counts, []review.Bucket{{Value: "Ana", N: 1}, {Value: "ana", N: 1}, {Value: "ben", N: 1}})

	// the items of a host follow each other
	ids = append(ids, f.add(flagged("https://sede.example.es/last", canon.HomePage))...)
	var hosts []string
	each := map[string][]string{}
	f.must(f.EachAssigned(f.ctx, review.Filter{Open: true}, func(host string, a review.Assigned) error {
		hosts = append(hosts, host)
		each[host] = append(each[host], fmt.Sprintf("%d %s", slices.Index(ids, a.ID), a.Reviewer))
		return nil
	}))
	equal(f, "hosts", len(slices.Compact(hosts)), 2)
	equal(f, "each", each, map[string][]string{"sede.example.es": {"0 ana", "2 Ana", "3 ", "4 ", "6 "},
		"boe.es": {"5 ben"}})
}
