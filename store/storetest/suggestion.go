package storetest

import (
	"bytes"
	"slices"
	"time"

	"visto/review"
)

// testMined keeps one result, the last one, in the place of any other.
func testMined(f *fixture) {
	mined := func() *review.Mined {
		f.Helper()
		m, err := f.Mined(f.ctx)
		f.must(err)
		return m
	}
	if m := mined(); m != nil {
		f.Errorf("a new store has %+v", m)
	}
	var before time.Time
	for _, want := range []review.Mined{{Seq: 7, Body: []byte("\x00\xff")}, {Seq: 3, Body: make([]byte, 3<<20)}} {
		f.must(f.KeepMined(f.ctx, want))
		m := mined()
		if m.Seq != want.Seq || !bytes.Equal(m.Body, want.Body) || !m.At.After(before) {
			f.Errorf("entry %d, %d bytes at %s; not entry %d, %d bytes", m.Seq, len(m.Body), m.At, want.Seq,
				len(want.Body))
		}
		before = m.At
	}
}

// testDismissals keeps the last dismissal of each suggestion.
func testDismissals(f *fixture) {
	f.must(f.Dismiss(f.ctx, review.Dismissal{ID: "b", Pages: 3, Reviewer: "ana"}))
	f.must(f.Dismiss(f.ctx, review.Dismissal{ID: "a", Pages: 4, Reviewer: "ana"}))
	f.must(f.Dismiss(f.ctx, review.Dismissal{ID: "b", Pages: 6, Reviewer: "eva"}))
	list, err := f.Dismissals(f.ctx)
	f.must(err)
	if slices.ContainsFunc(list, func(d review.Dismissal) bool { return d.At.IsZero() }) {
		f.Errorf("no time: %+v", list)
	}
	for i := range list {
		list[i].At = list[0].At
	}
	equal(f, "dismissals", list, []review.Dismissal{{ID: "a", Pages: 4, Reviewer: "ana", At: list[0].At},
		{ID: "b", Pages: 6, Reviewer: "eva", At: list[0].At}})
	f.must(f.Undismiss(f.ctx, "b"))
	f.wantErr(f.Undismiss(f.ctx, "b"), review.ErrNotFound)
	list, err = f.Dismissals(f.ctx)
	f.must(err)
	equal(f, "dismissals left", len(list), 1)
}
