package storetest

import (
	"fmt"
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// sites are the starts of canonical URLs. Some differ only in scheme or port, which the order by URL ignores.
var sites = []string{"https://a.example.es", "http://b.example.es:8080", "https://b.example.es",
	"https://www.gencat.cat", "https://web.gencat.cat",
	"https://gencat.cat", "http://gencat.cat", "http://[2001:db8::1]:81"}

// mixed fills the store so that every order has ties and every filter selects some items, but not all.
func (f *fixture) mixed() []review.Item {
	f.Helper()
	hosts := []string{"a.example.es", "b.example.es", "www.gencat.cat", "web.gencat.cat", "gencat.cat"}
	var list []review.NewItem
	for i := range 60 {
		n := flagged(fmt.Sprintf("%s/sta/p%02d", sites[i*7%len(sites)], i*37%20), flagsOf(i)...)
		n.Original = fmt.Sprintf("https://%s/sta/p%02d?plaza=%d", hosts[i%len(hosts)], i*37%60, i)
		n.Computed.InHost = hosts[i%len(hosts)]
		n.Source = review.Source{File: fmt.Sprintf("f%d.yaml", i%3), Field: []string{"", "portal_url", "url"}[i%3]}
		n.Occurrence = citedAt(&n, i)
		n.Computed.Language = []string{"es", "ca", "", "en"}[i*3%4]
		if n.Computed.Flags.Has(canon.UnknownParam) {
			n.Computed.Unknown = []string{"plaza", "Tab"}[:1+i%2]
		}
		if i%9 == 4 {
			n.Computed.Via = []string{"a.es", "via.example.es"}[i%2:]
		}
		if i%11 == 10 {
			n.Computed = review.Computed{Verdict: canon.Rejected, Reason: canon.TooLong, InHost: n.Computed.InHost}
		}
		list = append(list, n)
	}
	ids := f.add(list...)
	for i := range list[:12] { // in another record, too
		list[i].Occurrence = citedAt(&list[i], i+31)
	}
	_, err := f.Add(f.ctx, &review.Intake{Computing: review.Computing{Gen: f.meta().Gen}}, list[:12])
	f.must(err)
	f.decide("ana", review.Approve, ids[1], ids[2], ids[6])
	f.decide("ana", review.Reject, ids[3])
	f.decide("berta", review.Defer, ids[4], ids[8])
	f.commit(review.AddNotes{Notes: []review.ItemNote{{ID: ids[5], Text: "Ojo: 100%_seguro"}}})
	moved := f.item(ids[2]).Computed
	moved.Canonical, moved.Key = "https://a.example.es/otra", keyOf("https://a.example.es/otra")
	f.commit(review.AddEvidence{Results: f.results(review.Recomputed{ID: ids[2], Computed: moved})})
	return f.all()
}

// citedAt returns the occurrence of item i of mixed: three in four are in records, which several items share. Some
// have no name, and some are named alike.
func citedAt(n *review.NewItem, i int) *review.NewOccurrence {
	o := &review.NewOccurrence{Place: read.Place{File: n.Source.File, Field: n.Source.Field, Line: i + 1}}
	if i%4 > 0 {
		number := i * 7 % 60 / 3
		o.Record = &read.Record{Path: fmt.Sprintf("/%d", number), ID: fmt.Sprintf("m%02d", number)}
		o.Record.Name = []string{"", "ñu", "alta", "m03", "Zoo"}[number%5]
	}
	return o
}

func flagsOf(i int) []canon.Code {
	return [][]canon.Code{nil, {canon.HomePage}, {canon.UnknownParam}, {canon.UnknownParam, canon.NoSpanish}}[i%4]
}

// all returns every item by ID, read one by one.
func (f *fixture) all() []review.Item {
	f.Helper()
	var list []review.Item
	for id := range f.meta().LastID {
		list = append(list, f.item(id+1))
	}
	return list
}

// pageFilters are filters for which a store may read in different ways.
func pageFilters(all []review.Item) []review.Filter {
	return []review.Filter{
		{}, {Open: true}, {Hosts: []string{"gencat.cat"}}, {Hosts: []string{"gencat.cat", "*.gencat.cat"}},
		{Hosts: []string{"*.gencat.cat", "a.example.es"}, Open: true},
		{AtHosts: []string{"a.example.es"}}, {AtHosts: []string{"b.example.es", "a.example.es"}},
		{Flags: canon.SetOf(canon.NoSpanish)},
		{Statuses: []review.Status{review.Pending, review.Deferred}},
		{Search: "p1"}, {Keys: []review.Key{all[0].Computed.Key, all[7].Computed.Key}},
		{Hosts: []string{"nowhere.example"}},
	}
}

// RunPages runs the tests of pages alone. open is that of Run.
func RunPages(t *testing.T, open func(t *testing.T) review.Store) {
	t.Run("pages", func(t *testing.T) { testPages(newFixture(t, open)) })
}

// Paging returns each item once, for every order, filter, direction and size of page.
func testPages(f *fixture) {
	all := f.mixed()
	filters := pageFilters(all)
	if testing.Short() { // the short run looks for races, and a single goroutine reads all pages
		filters = filters[:1]
	}
	for i, filter := range filters {
		for _, sort := range review.Sorts() {
			for _, desc := range []bool{false, true} {
				q := review.Query{Filter: filter, Sort: sort, Desc: desc}
				want := sorted(all, q)
				name := fmt.Sprintf("%+v", q)
				for _, n := range pageSizes(len(want), i) {
					equal(f, name+" forward", f.walk(q, nil, n, q.After, last), want)
					equal(f, name+" backward", f.walk(q, &review.Cursor{Backward: true}, n, q.Before, first), want)
				}
			}
		}
	}
}

// pageSizes are one page for all items, and many pages; after the first two filters one of them in turn. Pages of one
// item are for short lists: a store reads a page for each.
func pageSizes(items, filter int) []int {
	sizes := []int{1, 100}
	if items > 12 {
		sizes[0] = 13
	}
	if filter < 2 {
		return sizes
	}
	return sizes[filter%2:][:1]
}

func first(page []review.Item) *review.Item { return &page[0] }

func last(page []review.Item) *review.Item { return &page[len(page)-1] }

// walk pages through a query until a page is empty, and returns the IDs in display order.
func (f *fixture) walk(
	q review.Query, from *review.Cursor, n int, next func(*review.Item) *review.Cursor,
	edge func([]review.Item) *review.Item,
) []int64 {
	f.Helper()
	ids := []int64{}
	for {
		page, err := f.Page(f.ctx, q, from, n)
		f.must(err)
		if len(page) > n {
			f.Fatalf("a page of %d has %d items", n, len(page))
		}
		if len(page) == 0 {
			return ids
		}
		if from != nil && from.Backward {
			ids = append(idsOf(page), ids...)
		} else {
			ids = append(ids, idsOf(page)...)
		}
		if from = next(edge(page)); len(ids) > 1000 {
			f.Fatalf("%+v has no end", q)
		}
	}
}

func idsOf(list []review.Item) []int64 {
	ids := []int64{}
	for i := range list {
		ids = append(ids, list[i].ID)
	}
	return ids
}

// sorted returns the IDs of the query in its order: the result that a store must return, computed in Go.
func sorted(all []review.Item, q review.Query) []int64 {
	list := slices.DeleteFunc(slices.Clone(all), func(it review.Item) bool { return !selects(q.Filter, &it) })
	slices.SortFunc(list, func(a, b review.Item) int { return q.Compare(&a, &b) })
	return idsOf(list)
}

func testEmptyPage(f *fixture) {
	for _, from := range []*review.Cursor{nil, {Backward: true}, {ID: 5}} {
		page, err := f.Page(f.ctx, review.Query{}, from, 10)
		f.must(err)
		equal(f, "page", len(page), 0)
	}
}
