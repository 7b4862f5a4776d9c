package storetest

import (
	"context"
	"errors"

	"visto/canon"
	"visto/review"
)

func testAdd(f *fixture) {
	a, b := flagged("https://boe.es/a", canon.HomePage, canon.UnknownParam), flagged("https://boe.es/b")
	a.Computed.Unknown = []string{"plaza", "x&y"}
	a.Source = review.Source{File: "reg.yaml", Field: "portal_url", Position: "3:7"}
	a.Title = "Título"
	ids := f.add(a, b)

	want := review.Item{ID: ids[0], Rev: 1, Original: a.Original, Source: a.Source, Title: a.Title,
		Computed: a.Computed, Status: review.Pending, Presence: review.Cited,
		Fields:      review.NewFieldSet("portal_url"),
		Occurrences: []review.Occurrence{{ID: 1, File: "reg.yaml", Citer: 1, Field: "portal_url", Path: "3:7"}}}
	equal(f, "item", f.item(ids[0]), want)
	equal(f, "status without a flag", f.item(ids[1]).Status, review.Accepted)

	other := a
	other.Title = "another"
	again := flagged("https://boe.es/c")
	out, err := f.Add(f.ctx, &review.Intake{}, []review.NewItem{again, other, again})
	f.must(err)
	equal(f, "outcomes", out, []review.AddOutcome{{ID: ids[1] + 1}, {ID: ids[0], Known: true},
		{ID: ids[1] + 1, Known: true}})
	equal(f, "known item", f.item(ids[0]), want)

	_, err = f.Add(f.ctx, &review.Intake{Computing: review.Computing{Gen: 1}},
		[]review.NewItem{flagged("https://boe.es/d")})
	f.wantErr(err, review.ErrStale)
	m, err := f.Meta(f.ctx)
	f.must(err)
	equal(f, "last id", m.LastID, ids[1]+1)
}

// Texts are bytes: NUL, invalid UTF-8 and quotes come back unchanged, and can be found.
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
	for _, filter := range []review.Filter{{Files: []string{"f\xff\x00"}}, {Fields: []string{"g\x00"}},
		{Params: []string{"a\x00\xff&"}}} {
		count, err := f.Count(f.ctx, filter)
		f.must(err)
		equal(f, "filtered", count, 1)
	}
	none, err := f.Count(f.ctx, review.Filter{Search: "\x00c"})
	f.must(err)
	equal(f, "not found", none, 0)

	r := f.commit(review.Decide{Action: review.ActApprove,
		Decisions: []review.ItemDecision{{ID: id, Decision: review.Decision{
			Kind: review.Approve, Canonical: "https://boe.es/\xff\x00", From: "https://boe.es/a", Note: "n\x00\xff"}}}})
	f.commit(review.AddNotes{Notes: []review.ItemNote{{ID: id, Text: "note\x00\xff"}}})
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

func testFind(f *fixture) {
	twin := flagged("https://boe.es/a", canon.HomePage)
	twin.Original = "HTTP://boe.es/a"
	same := flagged("https://boe.es/b")
	same.Original = "https://boe.es/a" // the canonical URL of the others
	ids := f.add(flagged("https://boe.es/a", canon.HomePage), twin, flagged("https://boe.es/c", canon.HomePage))
	f.found("https://boe.es/a?utm_source=x", ids[0])
	f.found("https://boe.es/a", ids[0], ids[1])
	f.found("https://boe.es/A")
	f.found("")

	f.commit(review.Decide{Action: review.ActCorrect,
		Decisions: []review.ItemDecision{{ID: ids[2], Decision: review.Decision{
			Kind: review.Correct, Canonical: "https://boe.es/better", From: "https://boe.es/c"}}}})
	f.found("https://boe.es/better", ids[2])
	f.found("https://boe.es/c", ids[2])
	f.decide("ana", review.Reopen, ids[2])
	f.found("https://boe.es/better")

	for _, url := range []string{"http://boe.es:8080", "https://[2001:db8::1]:8443/x?y", "https://[2001:db8::1]",
		"https://boe.es?a=/b"} {
		f.found(url, f.add(flagged(url))...)
	}
	id := f.add(same)[0]
	f.found("https://boe.es/a", id) // an original comes first
}

func (f *fixture) found(url string, want ...int64) {
	f.Helper()
	list, err := f.Find(f.ctx, url)
	f.must(err)
	equal(f, "find "+url, idsOf(list), append([]int64{}, want...))
}

// Each reads one snapshot while others write, and its callback may read and write.
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

	f.panics(func() error { return f.Each(f.ctx, review.Filter{}, func(review.Item) error { panic("a fault") }) })

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

// reader is a method that reads items with their evidence.
type reader func(context.Context, review.Filter, func(review.Item, *canon.Evidence) error) error

func (f *fixture) withEvidence() []reader { return []reader{f.EachWithEvidence, f.EachAnswered} }

// panics reads with a function that panics. The store has to give back what the reading holds: the end of the test
// closes it, and would wait for ever.
func (f *fixture) panics(read func() error) {
	defer func() {
		if recover() == nil {
			f.Errorf("the panic of a function is lost")
		}
	}()
	f.Errorf("a reading went on after a panic: %v", read())
}
