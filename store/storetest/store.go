package storetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"

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

func (f *fixture) version() int64 {
	f.Helper()
	v, err := f.Version(f.ctx)
	f.must(err)
	return v
}

func testVersion(f *fixture) {
	v := f.version()
	equal(f, "version with nothing written", f.version(), v)
	ids := f.addMany(1)
	added := f.version()
	if added == v {
		f.Error("adding did not change the version")
	}
	f.count(review.Filter{})
	equal(f, "version after reading", f.version(), added)
	f.decide("ana", review.Approve, ids[0])
	if f.version() == added {
		f.Error("a decision did not change the version")
	}
}

// A cancelled context ends reading and writing with its own error, and nothing is written.
func testCancelled(f *fixture) {
	ids := f.addMany(300)
	ctx, cancel := context.WithCancel(f.ctx)
	seen := 0
	err := f.Each(ctx, review.Filter{}, func(review.Item) error {
		if seen++; seen == 10 {
			cancel()
		}
		return nil
	})
	f.wantErr(err, context.Canceled)
	_, err = f.Commit(ctx, review.Decide{Reviewer: "ana", Action: review.ActApprove,
		Decisions: []review.ItemDecision{f.approve(ids[0])}})
	f.wantErr(err, context.Canceled)
	equal(f, "status", f.item(ids[0]).Status, review.Pending)
}

// MadeOnce returns the content of a file that create makes at a path, the first time that it is wanted.
func MadeOnce(create func(path string) error) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "visto")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "visto.db")
		if err := create(path); err != nil {
			return nil, err
		}
		return os.ReadFile(path)
	})
}
