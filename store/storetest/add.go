package storetest

import (
	"visto/canon"
	"visto/review"
)

func testNew(f *fixture) {
	m, err := f.Meta(f.ctx)
	f.must(err)
	if m.PolicyID != "" || m.Gen != 0 || m.LastID != 0 {
		f.Errorf("a new store says %+v", m)
	}
	n, err := f.Count(f.ctx, review.Filter{})
	f.must(err)
	equal(f, "count", n, 0)
	_, err = f.Item(f.ctx, 1)
	f.wantErr(err, review.ErrNotFound)
	_, err = f.Batch(f.ctx, 1)
	f.wantErr(err, review.ErrNotFound)
	_, err = f.LastBatch(f.ctx, "ana", false)
	f.wantErr(err, review.ErrNotFound)
	_, err = f.LastBatch(f.ctx, "ana", true)
	f.wantErr(err, review.ErrNotFound)
	problems, err := f.Check(f.ctx)
	f.must(err)
	equal(f, "problems", len(problems), 0)
}

func testAdd(f *fixture) {
	a, b := flagged("https://boe.es/a", canon.HomePage, canon.UnknownParam), flagged("https://boe.es/b")
	a.Computed.Unknown = []string{"plaza", "x&y"}
	a.Source = review.Source{File: "reg.yaml", Field: "portal_url", Position: "3:7"}
	a.Title = "Título"
	ids := f.add(a, b)

	want := review.Item{ID: ids[0], Rev: 1, Original: a.Original, Source: a.Source, Title: a.Title, Computed: a.Computed, Status: review.Pending}
	equal(f, "item", f.item(ids[0]), want)
	equal(f, "status without a flag", f.item(ids[1]).Status, review.Accepted)

	other := a
	other.Title = "another"
	out, err := f.Add(f.ctx, 0, []review.NewItem{flagged("https://boe.es/c"), other, flagged("https://boe.es/c")})
	f.must(err)
	equal(f, "outcomes", out, []review.AddOutcome{{ID: ids[1] + 1}, {ID: ids[0], Known: true}, {ID: ids[1] + 1, Known: true}})
	equal(f, "known item", f.item(ids[0]), want)

	_, err = f.Add(f.ctx, 1, []review.NewItem{flagged("https://boe.es/d")})
	f.wantErr(err, review.ErrStale)
	m, err := f.Meta(f.ctx)
	f.must(err)
	equal(f, "last id", m.LastID, ids[1]+1)
}

// Texts are bytes: NUL, invalid UTF-8 and quotes come back as they were, and are found.
func testBytes(f *fixture) {
	nasty := "https://boe.es/a\x00b\xff\xe1\x80'\"%_\u202e?X=\x1b[31m"
	n := flagged("https://boe.es/a", canon.UnknownParam)
	n.Original, n.Title = nasty, "t\x00\xfe"
	n.Computed.Unknown = []string{"a\x00\xff&", "", "ñ"}
	n.Source = review.Source{File: "f\xff\x00", Field: "g\x00", Position: "1\x00"}
	id := f.add(n)[0]
	it := f.item(id)
	equal(f, "original", it.Original, nasty)
	equal(f, "title", it.Title, n.Title)
	equal(f, "unknown", it.Computed.Unknown, n.Computed.Unknown)
	equal(f, "source", it.Source, n.Source)

	found, err := f.Find(f.ctx, nasty)
	f.must(err)
	equal(f, "found by original", len(found), 1)
	for _, text := range []string{"B\xff\xe1", "\x80'\"%_", "\x00b", "?x=\x1b[", "\xfe"} {
		count, err := f.Count(f.ctx, review.Filter{Search: text})
		f.must(err)
		equal(f, "found "+text, count, 1)
	}
	for _, filter := range []review.Filter{{Files: []string{"f\xff\x00"}}, {Fields: []string{"g\x00"}}, {Params: []string{"a\x00\xff&"}}} {
		count, err := f.Count(f.ctx, filter)
		f.must(err)
		equal(f, "filtered", count, 1)
	}
	none, err := f.Count(f.ctx, review.Filter{Search: "\x00c"})
	f.must(err)
	equal(f, "not found", none, 0)

	r := f.commit(review.Change{Action: review.ActApprove, Decisions: []review.ItemDecision{{ID: id, Decision: review.Decision{
		Kind: review.Approve, Canonical: "https://boe.es/\xff\x00", From: "https://boe.es/a", Note: "n\x00\xff"}}},
		Notes: []review.ItemNote{{ID: id, Text: "note\x00\xff"}}})
	it = f.item(id)
	equal(f, "approved", it.Decision.Canonical, "https://boe.es/\xff\x00")
	equal(f, "decision's note", it.Decision.Note, "n\x00\xff")
	notes, err := f.Notes(f.ctx, id)
	f.must(err)
	equal(f, "note", notes[0].Text, "note\x00\xff")
	equal(f, "decided", r.Decided, 1)
	problems, err := f.Check(f.ctx)
	f.must(err)
	equal(f, "problems", problems, nil)
}
