package storetest

import (
	"errors"

	"visto/review"
)

// Views are stored by name and not logged.
func testViews(f *fixture) {
	entries, err := f.Log(f.ctx, 0, 100)
	f.must(err)
	f.must(f.SaveView(f.ctx, review.StoredView{Name: "b", Body: []byte(`{"a":1}`), Reviewer: "ana"}))
	f.must(f.SaveView(f.ctx, review.StoredView{Name: "a\x00\xff", Body: []byte(`{}`), Reviewer: "berta"}))
	f.must(f.SaveView(f.ctx, review.StoredView{Name: "b", Body: []byte(`{"a":2}`), Reviewer: "berta"}))
	f.views("a\x00\xff {} berta", `b {"a":2} berta`)
	if err := f.RenameView(f.ctx, "b", "a\x00\xff"); err == nil {
		f.Error("a view took the name of another one")
	}
	f.must(f.RenameView(f.ctx, "b", "c"))
	f.must(f.DeleteView(f.ctx, "a\x00\xff"))
	f.views(`c {"a":2} berta`)
	for _, err := range []error{f.RenameView(f.ctx, "b", "d"), f.DeleteView(f.ctx, "b")} {
		if !errors.Is(err, review.ErrNotFound) {
			f.Errorf("a view that is not there: %v", err)
		}
	}
	after, err := f.Log(f.ctx, 0, 100)
	f.must(err)
	equal(f, "log entries", len(after), len(entries))
}

func (f *fixture) views(want ...string) {
	f.Helper()
	list, err := f.Views(f.ctx)
	f.must(err)
	var got []string
	for _, v := range list {
		got = append(got, v.Name+" "+string(v.Body)+" "+v.Reviewer)
		if v.At.IsZero() {
			f.Errorf("%s has no time", v.Name)
		}
	}
	equal(f, "views", got, want)
}
