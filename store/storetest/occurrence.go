package storetest

import (
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/read"
)

// at returns a new item at a place in a record, nil for none.
func at(url, file, field, path string, line int, r *read.Record) review.NewItem {
	n := flagged(url, canon.HomePage)
	place := read.Place{File: file, Field: field, Path: path, Line: line}
	n.Source = review.Source{File: file, Field: field}
	n.Occurrence = &review.NewOccurrence{Place: place, Record: r}
	return n
}

// cite adds items as the occurrences of a file that was read whole, and returns the changes.
func (f *fixture) cite(file string, list ...review.NewItem) review.OccurrenceCounts {
	f.Helper()
	in := &review.Intake{Reviewer: "ana", Computing: f.computing(sameResult)}
	_, err := f.Add(f.ctx, in, list)
	f.must(err)
	f.must(f.MarkGone(f.ctx, in, file, func(field string) bool { return field != "left_out" }))
	return in.OccurrenceCounts
}

// places returns the occurrences of an item without their IDs and the numbers of records.
func (f *fixture) places(id int64) []review.Occurrence {
	list := f.item(id).Occurrences
	for i := range list {
		list[i].ID, list[i].Citer = 0, 0
		if r := list[i].Record; r != nil {
			r.Number = 0
		}
	}
	return list
}

// Spec 13: a URL has all of its occurrences. Reading a file again brings them up to date: they come, move, go and come
// back. An item that nothing cites is gone.
func testOccurrences(f *fixture) {
	const a, b = "https://boe.es/a", "https://boe.es/b"
	boe := &read.Record{Path: "/0", ID: "boe", Name: "Boletín",
		Attributes: []read.Attribute{{Name: "tier", Values: []string{"1"}}, {Name: "k", Values: []string{"x", "y"}}}}
	sepe := &read.Record{Path: "/1", ID: "sepe"}
	first := []review.NewItem{at(a, "r.yaml", "url", "/0/url", 3, boe), at(a, "r.yaml", "link", "/1/link", 7, sepe),
		at(b, "r.yaml", "left_out", "/1/left_out", 8, sepe)}
	equal(f, "came", f.cite("r.yaml", first...), review.OccurrenceCounts{Came: 3})
	equal(f, "another file", f.cite("t.txt", at(a, "t.txt", "", "4:2", 4, nil)), review.OccurrenceCounts{Came: 1})
	want := []review.Occurrence{
		{File: "r.yaml", Record: &review.Record{ID: "boe", Name: "Boletín", Path: "/0", Attributes: boe.Attributes},
			Field: "url", Path: "/0/url", Line: 3},
		{File: "r.yaml", Record: &review.Record{ID: "sepe", Path: "/1"}, Field: "link", Path: "/1/link", Line: 7},
		{File: "t.txt", Path: "4:2", Line: 4},
	}
	equal(f, "places", f.places(1), want)
	entries := len(f.entries())
	equal(f, "the same again", f.cite("r.yaml", first...), review.OccurrenceCounts{})
	equal(f, "log of no change", len(f.entries()), entries)

	moved, other := *boe, *sepe
	moved.Path, moved.Name, other.Path = "/5", "BOE", "/6"
	counts := f.cite("r.yaml", at(a, "r.yaml", "url", "/5/url", 30, &moved))
	equal(f, "moved and gone, but nothing that was left out", counts, review.OccurrenceCounts{Moved: 1, Went: 1})
	want[0].Path, want[0].Line, want[0].Record.Path, want[0].Record.Name = "/5/url", 30, "/5", "BOE"
	want[1].Gone = true
	want[0], want[1] = want[1], want[0] // in the order of the lines
	equal(f, "places", f.places(1), want)
	equal(f, "the file still cites", f.item(2).Presence, review.Cited)
	f.sound()
}

// An item whose occurrences are all gone is in no filter but those for it. It does not wait, and comes back as it was.
func testGone(f *fixture) {
	const a, b = "https://boe.es/a", "https://boe.es/b"
	one, two := at(a, "r", "url", "1:1", 1, nil), at(b, "r", "url", "2:1", 2, nil)
	f.cite("r", one, two)
	f.decide("ana", review.Approve, 2)
	equal(f, "went", f.cite("r"), review.OccurrenceCounts{Went: 2})
	for filter, n := range map[*review.Filter]int{
		{}: 0, {Open: true}: 0, {Files: []string{"r"}}: 0, {Presence: review.Gone}: 2,
		{Presence: review.AnyPresence}: 2, {Presence: review.Gone, Statuses: []review.Status{review.Approved}}: 1,
	} {
		got, err := f.Count(f.ctx, *filter)
		f.must(err)
		equal(f, filter.String(), got, n)
		list, err := f.Page(f.ctx, review.Query{Filter: *filter}, nil, 10)
		f.must(err)
		equal(f, "page of "+filter.String(), len(list), n)
	}
	totals, err := f.Totals(f.ctx)
	f.must(err)
	equal(f, "totals", []int{totals.Items, totals.Open, totals.Gone}, []int{0, 0, 2})
	equal(f, "status", []any{f.item(1).Status, opens(f.item(1)), f.item(2).Status},
		[]any{review.Pending, false, review.Approved})
	f.sound()
	equal(f, "back", f.cite("r", one), review.OccurrenceCounts{Back: 1})
	equal(f, "open again", opens(f.item(1)), true)
	equal(f, "the other", f.item(2).Presence, review.Gone)
	f.sound()
}

// An item in two fields of a file counts once under the file, and under both fields.
func testPlaces(f *fixture) {
	const a, b = "https://boe.es/a", "https://boe.es/b"
	f.cite("r", at(a, "r", "url", "1:1", 1, nil), at(a, "r", "link", "1:2", 1, nil), at(b, "r", "url", "2:1", 2, nil),
		at(b, "s", "link", "1:1", 1, nil))
	facets, err := f.Facets(f.ctx, review.Filter{})
	f.must(err)
	equal(f, "files", facets.Files, []review.Bucket{{Value: "r", N: 2}, {Value: "s", N: 1}})
	equal(f, "fields", facets.Fields, []review.Bucket{{Value: "link", N: 2}, {Value: "url", N: 2}})
	for filter, n := range map[*review.Filter]int{
		{Files: []string{"r"}, Fields: []string{"link"}}: 1, {Files: []string{"s"}, Fields: []string{"url"}}: 0,
		{Not: review.Values{Fields: []string{"link"}}}: 0, {Not: review.Values{Files: []string{"s"}}}: 1,
	} {
		got, err := f.Count(f.ctx, *filter)
		f.must(err)
		equal(f, filter.String(), got, n)
	}
	names, err := f.Files(f.ctx)
	f.must(err)
	equal(f, "names", names, []string{"r", "s"})
}

// Forgetting a file is one batch; its undo brings the same occurrences back, and no others.
func testForget(f *fixture) {
	const a, b = "https://boe.es/a", "https://boe.es/b"
	f.cite("r", at(a, "r", "url", "1:1", 1, nil), at(b, "r", "url", "2:1", 2, nil))
	f.cite("r", at(a, "r", "url", "1:1", 1, nil)) // b is gone before
	f.cite("s", at(a, "s", "url", "1:1", 1, nil))
	forget := review.Forget{Summary: "forget r", File: "r"}
	r := f.commit(forget)
	equal(f, "still cited", f.item(1).Presence, review.Cited)
	equal(f, "occurrences", []bool{f.item(1).Occurrences[0].Gone, f.item(1).Occurrences[1].Gone}, []bool{true, false})
	f.sound()
	equal(f, "nothing left to forget", f.commit(forget).Batch, 0)
	batch, err := f.LastBatch(f.ctx, "ana", false)
	f.must(err)
	equal(f, "batch", batch.ID, r.Batch)
	f.commit(review.Revert{Reviewer: "ana", Batch: r.Batch})
	equal(f, "undone", f.item(1).Occurrences[0].Gone, false)
	equal(f, "gone before", f.item(2).Presence, review.Gone)
	f.sound()
	f.commit(review.Revert{Reviewer: "ana", Redo: true, Batch: r.Batch})
	equal(f, "redone", f.item(1).Occurrences[0].Gone, true)
	f.sound()
}

// A filter asks for attributes of one record that cites an item; the facets count by those with few values.
func testAttributes(f *fixture) {
	const a, b, c = "https://boe.es/a", "https://boe.es/b", "https://boe.es/c"
	of := func(id string, pairs ...string) *read.Record {
		r := &read.Record{Path: "/" + id, ID: id}
		for i := 0; i < len(pairs); i += 2 {
			r.Attributes = append(r.Attributes, read.Attribute{Name: pairs[i], Values: strings.Split(pairs[i+1], " ")})
		}
		return r
	}
	one, two := of("x", "tier", "1", "k", "p q", "only", "z"), of("y", "tier", "2", "k", "q")
	f.cite("r", at(a, "r", "url", "/x/url", 1, one), at(a, "r", "url", "/y/url", 2, two),
		at(b, "r", "url", "/y/b", 3, two), at(c, "r", "url", "4:1", 4, nil))
	attribute := func(name string, values ...string) read.Attribute {
		return read.Attribute{Name: name, Values: values}
	}
	for _, test := range []struct {
		where []read.Attribute
		ids   []int64
	}{
		{[]read.Attribute{attribute("tier", "1")}, []int64{1}},
		{[]read.Attribute{attribute("tier", "1", "2")}, []int64{1, 2}},
		{[]read.Attribute{attribute("tier", "1"), attribute("k", "p")}, []int64{1}},
		{[]read.Attribute{attribute("tier", "2"), attribute("k", "p")}, []int64{}}, // of two records
		{[]read.Attribute{attribute("tie", "1")}, []int64{}}, {[]read.Attribute{attribute("tier", "")}, []int64{}},
	} {
		f.filter(review.Filter{Where: test.where}, test.ids)
	}
	for _, test := range []struct {
		not, with []read.Attribute
		ids       []int64
	}{
		{[]read.Attribute{attribute("tier", "1")}, nil, []int64{2, 3}},
		{[]read.Attribute{attribute("tier", "1", "2")}, nil, []int64{3}},
		{[]read.Attribute{attribute("tier", "9"), attribute("k", "p")}, nil, []int64{2, 3}}, // any of them
		{[]read.Attribute{attribute("k", "p")}, []read.Attribute{attribute("tier", "2")}, []int64{2}},
	} {
		f.filter(review.Filter{Where: test.with, Not: review.Values{Where: test.not}}, test.ids)
	}
	f.filter(review.Filter{Records: []int64{f.item(2).Occurrences[0].Record.Number}}, []int64{1, 2})
	facets, err := f.Attributes(f.ctx, review.Filter{})
	f.must(err)
	equal(f, "attributes", facets, []review.AttributeFacet{
		{Name: "k", Values: []review.Bucket{{Value: "q", N: 2}, {Value: "p", N: 1}}},
		{Name: "tier", Values: []review.Bucket{{Value: "2", N: 2}, {Value: "1", N: 1}}}})
}

// A search finds the URLs that a record cites by its ID, its name and its attributes, also after its text changed.
func testSearchRecords(f *fixture) {
	boe := &read.Record{Path: "/0", ID: "boe-x1", Name: "Ingreso Mínimo Vital",
		Attributes: []read.Attribute{{Name: "organismo", Values: []string{"Seguridad Social", "INSS"}}}}
	none := []int64{}
	f.cite("r", at("https://boe.es/a", "r", "url", "/0/url", 1, boe), at("https://boe.es/b", "r", "url", "5:1", 5, nil))
	check := func(new string) {
		f.Helper()
		for text, ids := range map[string][]int64{"BOE-x1": {1}, "ingreso mí": {1}, "seguridad": {1}, "inss": {1},
			"vital\nse": none, "ns": {1}, "jubil": none, "x1": {1}} {
			f.filter(review.Filter{Search: text}, ids)
		}
		f.filter(review.Filter{Regexp: "m.nimo|padr.n"}, []int64{1})
		f.filter(review.Filter{Search: new}, map[bool][]int64{true: {1}, false: none}[new == "nuevo"])
	}
	check("nada")
	f.must(f.Maintain(f.ctx))
	check("nada")
	changed := *boe
	changed.Name += " nuevo"
	f.cite("r", at("https://boe.es/a", "r", "url", "/0/url", 1, &changed),
		at("https://boe.es/b", "r", "url", "5:1", 5, nil))
	check("nuevo")
	f.must(f.Maintain(f.ctx))
	check("nuevo")
	f.sound()
}

// A record that cites a URL no longer is searched only if none does.
func testSearchGoneRecords(f *fixture) {
	const a = "https://boe.es/a"
	old := at(a, "r", "url", "/0/url", 1, &read.Record{Path: "/0", ID: "0", Name: "Padrón"})
	other := at(a, "r", "url", "/1/url", 2, &read.Record{Path: "/1", ID: "1", Name: "Beca"})
	found := func(when string, text string, presence review.Presence, want int) {
		f.Helper()
		equal(f, when+": "+text, f.count(review.Filter{Search: text, Presence: presence}), want)
	}
	f.cite("r", old, other)
	found("both", "padrón", review.Cited, 1)
	f.cite("r", other)
	found("one", "padrón", review.Cited, 0)
	found("one", "beca", review.Cited, 1)
	f.cite("r")
	found("none", "padrón", review.Gone, 1)
	found("none", "beca", review.Gone, 1)
	f.must(f.Maintain(f.ctx))
	found("indexed", "padrón", review.Gone, 1)
	f.sound()
}

// Records that share an ID in a file are different ones; a record without one is known by its name.
func testRecords(f *fixture) {
	const a, b = "https://boe.es/a", "https://boe.es/b"
	twice := func(path string) *read.Record { return &read.Record{Path: path, ID: "x"} }
	named := func(path string) *read.Record { return &read.Record{Path: path, ID: path[1:], Name: "Padrón"} }
	f.cite("r", at(a, "r", "url", "/0/url", 1, twice("/0")), at(a, "r", "url", "/1/url", 2, twice("/1")),
		at(b, "r", "url", "/2/url", 3, named("/2")))
	equal(f, "two", len(f.item(1).Occurrences), 2)
	number := f.item(2).Occurrences[0].Record.Number
	counts := f.cite("r", at(a, "r", "url", "/0/url", 1, twice("/0")), at(a, "r", "url", "/1/url", 2, twice("/1")),
		at(b, "r", "url", "/9/url", 9, named("/9")))
	equal(f, "moved", counts, review.OccurrenceCounts{Moved: 1})
	equal(f, "the same record", f.item(2).Occurrences[0].Record.Number, number)
	f.sound()
}

func opens(it review.Item) bool { return it.Open() }
