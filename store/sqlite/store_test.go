package sqlite_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"visto/canon"
	"visto/canon/suite"
	"visto/review"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
	"visto/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(suite.InMemory{Tests: m}.Run()) }

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) review.Store { return open(t, filepath.Join(t.TempDir(), "visto.db")) })
}

// TestConformance with pages by record that are always read in the order of the records.
func TestConformanceByRecord(t *testing.T) {
	oneGoroutine(t)
	storetest.RunPages(t, func(t *testing.T) review.Store {
		s := open(t, filepath.Join(t.TempDir(), "visto.db"))
		sqlite.SetFew(s, -1)
		return s
	})
}

func TestLongLists(t *testing.T) {
	oneGoroutine(t)
	storetest.RunLong(t, func(t *testing.T) review.Store { return open(t, filepath.Join(t.TempDir(), "visto.db")) })
}

// allLarge is a store to which every change is large. Its results are those of the last change.
type allLarge struct{ *sqlite.Store }

func (s allLarge) Commit(ctx context.Context, c review.Change) (review.Receipt, error) {
	computed, compute := map[int64]review.Computed{}, sameResult
	note := func(r *review.Results) {
		for _, re := range r.Recomputed {
			computed[re.ID] = re.Computed
		}
		if late := r.Late; late != nil {
			r.Late = func(it review.Item, ev *canon.Evidence) *review.Recomputed {
				re := late(it, ev)
				if delete(computed, it.ID); re != nil {
					computed[it.ID] = re.Computed
				}
				return re
			}
		}
	}
	switch change := c.(type) {
	case review.ChangeRules:
		note(&change.Results)
		c = change
	case review.Recanon:
		note(&change.Results)
		c = change
	case review.Revert:
		note(&change.Results)
		if change.Compute != nil {
			compute = change.Compute
		}
		c = change
	case review.Decide:
		compute = change.Compute
	}
	useRules(s.Store, func(it review.Item, ev *canon.Evidence) review.Computed {
		if is, ok := computed[it.ID]; ok {
			return is
		}
		return compute(it, ev)
	})
	r, err := s.Store.Commit(ctx, c)
	if err == nil {
		err = s.Finish(ctx)
	}
	return r, err
}

// useRules has a store compute results with a function, whatever the rules are.
func useRules(s *sqlite.Store, compute func(review.Item, *canon.Evidence) review.Computed) {
	s.UseRules(func(context.Context) (review.Computing, error) {
		return review.Computing{Gen: math.MaxInt64, Compute: compute}, nil
	})
}

func sameResult(it review.Item, _ *canon.Evidence) review.Computed { return it.Computed }

// TestConformance with changes whose items all become pending.
func TestConformanceLarge(t *testing.T) {
	oneGoroutine(t)
	storetest.RunVariant(t, func(t *testing.T) review.Store {
		s := open(t, filepath.Join(t.TempDir(), "visto.db"))
		sqlite.AllLarge(s)
		return allLarge{s}
	}, "decide", "conflicts", "undo and redo", "settled at random", "second look",
		"settled under rules", "corrections under rules", "corrections in the log", "second look under rules",
		"overrides", "fields followed", "undo of an override", "stale rules", "late items", "policy", "recomputed",
		"evidence under rules", "facet", "filters", "totals", "undo under a later decision", "links stand", "forget",
		"search in records", "waiting for others")
}

// maintained is a store whose search index is up to date after every write.
type maintained struct{ *sqlite.Store }

func (s maintained) Add(ctx context.Context, in *review.Intake, list []review.NewItem) ([]review.AddOutcome, error) {
	out, err := s.Store.Add(ctx, in, list)
	return out, errors.Join(err, s.Maintain(ctx))
}

func (s maintained) Commit(ctx context.Context, c review.Change) (review.Receipt, error) {
	r, err := s.Store.Commit(ctx, c)
	if err != nil {
		return r, err
	}
	return r, s.Maintain(ctx)
}

// The same with a search index that finds everything.
func TestConformanceIndexed(t *testing.T) {
	oneGoroutine(t)
	storetest.RunVariant(t, func(t *testing.T) review.Store {
		return maintained{open(t, filepath.Join(t.TempDir(), "visto.db"))}
	}, "filters", "bytes", "search in records", "notes", "recomputed", "corrections", "undo and redo", "forget")
}

// oneGoroutine leaves a long test of a single goroutine out of the short run, which looks for races.
func oneGoroutine(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
}

func sum(data []byte) [32]byte { return sha256.Sum256(data) }

// open opens a store whose clock advances by a second every time it is read.
func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	s, err := sqlitetest.Open(t.Context(), path, sqlite.Options{Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
