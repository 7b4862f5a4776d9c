package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/review/probe/extract"
)

// page returns evidence of an item with the content of its page.
func page(id int64, text string) review.ItemEvidence {
	return review.ItemEvidence{ID: id, Evidence: &canon.Evidence{Status: 200}, Due: noon,
		Content: &extract.Document{Title: "Empadronamiento", Language: "es", Pages: 3, Text: text}}
}

// read stores the contents of pages, as a probe does.
func (f *fixture) read(list ...review.ItemEvidence) {
	f.Helper()
	f.commit(review.AddEvidence{Evidence: list})
}

// contents checks the texts of the versions of an item, and returns the versions.
func (f *fixture) contents(id int64, want ...string) []review.StoredContent {
	f.Helper()
	list, err := f.Contents(f.ctx, id)
	f.must(err)
	var texts []string
	for _, v := range list {
		texts = append(texts, v.Document.Text)
		equal(f, "content", v.Document, *page(id, v.Document.Text).Content)
	}
	equal(f, "versions", texts, want)
	if !slices.IsSortedFunc(list, func(a, b review.StoredContent) int { return b.At.Compare(a.At) }) {
		f.Errorf("not newest first: %+v", list)
	}
	return list
}

func (f *fixture) hasContent(id int64, want bool) {
	f.Helper()
	has, err := f.HasContent(f.ctx, probe.Target{ID: id})
	f.must(err)
	equal(f, "has a content", has, want)
}

// Spec 15: "the newest two versions a URL". A version is new only if it differs from the newest, whether Commit or
// Refresh stores it.
func testContents(f *fixture) {
	ids := f.add(flagged("https://boe.es/a"), flagged("https://boe.es/b"))
	a, b, c := "# Requisitos\n\nSer mayor de edad.\x00", strings.Repeat("ñandú ", 10_000), ""
	f.contents(ids[0])
	f.contents(999)
	f.hasContent(ids[0], false)
	f.read(page(ids[0], a), page(ids[1], a))
	first := f.contents(ids[0], a)
	f.hasContent(ids[0], true)
	f.hasContent(999, false)
	f.read(page(ids[0], a))
	f.must(f.Refresh(f.ctx, []review.ItemEvidence{page(ids[0], a)}))
	unread := page(ids[0], "")
	unread.Content = nil
	f.read(unread)
	f.must(f.Refresh(f.ctx, []review.ItemEvidence{unread}))
	equal(f, "time of the same content", f.contents(ids[0], a), first)

	f.must(f.Refresh(f.ctx, []review.ItemEvidence{page(ids[0], b)}))
	equal(f, "time of the older version", f.contents(ids[0], b, a)[1], first[0])
	f.read(page(ids[0], c))
	f.contents(ids[0], c, b)
	f.read(page(ids[0], b))
	f.contents(ids[0], b, c)
	f.contents(ids[1], a)
	f.wantErr(f.Refresh(f.ctx, []review.ItemEvidence{page(ids[0], a), page(999, a)}), review.ErrNotFound)
	f.contents(ids[0], b, c)
	f.read(page(ids[1], b), page(ids[1], c))
	f.contents(ids[1], c, b)
	f.sound()
}

// Contents are in no log entry. Decisions, rules, their undo, and evidence of other items leave them, and so does a
// file that is forgotten.
func testContentsStay(f *fixture) {
	const text = "Contenido de la página"
	ids := f.addMany(40)
	for i, id := range ids {
		f.read(page(id, fmt.Sprint(text, i/2)))
		f.read(page(id, fmt.Sprint(text, i)))
	}
	f.undo("ana", f.decide("ana", review.Reject, ids[0]))
	f.rules(review.OverrideChange{After: drop("boe.es", "", "x")})
	f.learn(ids[1], nil, time.Time{})
	f.commit(review.Forget{Summary: "forget", File: "in.txt", Computing: f.computing(sameResult)})
	f.contents(ids[0], text+"0")
	for i, id := range ids[1:] {
		f.contents(id, fmt.Sprint(text, i+1), fmt.Sprint(text, (i+1)/2))
	}
	for _, e := range f.entries() {
		if bytes.Contains(e.Body, []byte("Contenido")) {
			f.Errorf("entry %d has the content of a page: %s", e.Seq, e.Body)
		}
	}
	f.sound()
}
