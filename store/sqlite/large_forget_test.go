package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"visto/review"
	"visto/review/read"
	"visto/store/sqlite"
)

// deskOfPlaces is a desk on a new store with many URLs that the file r cites. The file s cites each fourth of them.
func deskOfPlaces(t *testing.T, path string) (*review.Desk, *sqlite.Store) {
	t.Helper()
	s := open(t, path)
	d, err := review.Open(t.Context(), s, "ana", nil)
	must(t, err)
	_, err = d.Add(t.Context(), review.Input{}, func(yield func(review.Found) error) error {
		var errs []error
		for i := range many {
			url := fmt.Sprintf("http://www.boe.es/%d?x=1", i)
			errs = append(errs, yield(review.Found{URL: url, Place: read.Place{File: "r", Line: i + 1}}))
			if i%4 == 0 {
				errs = append(errs, yield(review.Found{URL: url, Place: read.Place{File: "s", Line: i + 1}}))
			}
		}
		return errors.Join(errs...)
	})
	must(t, err)
	return d, s
}

// gonePlaces counts the gone occurrences, after it checked the store, also by replaying its log.
func gonePlaces(t *testing.T, s *sqlite.Store) (n int) {
	t.Helper()
	d, err := review.Open(t.Context(), s, "checker", nil)
	must(t, err)
	problems, err := d.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Errorf("check: %v %v", problems, err)
	}
	problems, err = d.Replay(t.Context(), func(now func() time.Time) (review.Replayer, error) {
		again, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "again.db"),
			sqlite.Options{Create: true, Now: now})
		if err == nil {
			t.Cleanup(func() { again.Close() })
		}
		return again, err
	})
	if err != nil || len(problems) > 0 {
		t.Errorf("replay: %v %v", problems, err)
	}
	must(t, s.EachOccurrence(t.Context(), func(o review.StoredOccurrence) error {
		if o.Gone > 0 {
			n++
		}
		return nil
	}))
	return n
}

// logOf returns the actions of the entries by ana that the log shows, newest first.
func logOf(t *testing.T, s *sqlite.Store) (actions string) {
	t.Helper()
	list, err := s.Log(t.Context(), 0, 100)
	must(t, err)
	for _, e := range list {
		if e.Reviewer == "ana" && e.Seq > 2 { // without those of the policy and of the files
			actions += string(e.Action) + " "
		}
	}
	return actions
}

// Spec 12, 13: while a file with many places is forgotten, and while that is undone and redone, others decide. It is
// one batch, and each one entry of the log that is shown. Between its chunks the store is sound.
func TestForgetMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "visto.db")
	d, s := deskOfPlaces(t, path)
	other, chunks := open(t, path), 0
	every := 2
	if testing.Short() {
		every = 10
	}
	sqlite.Chunks(s, few, func() {
		if chunks++; chunks%every == 0 {
			_, err := other.Commit(t.Context(), approval("berta", int64(5*chunks), 0))
			must(t, err)
			gonePlaces(t, other)
		}
	})
	step := func(name string, gone int, shown string, err error) {
		t.Helper()
		must(t, err)
		if chunks < many/few {
			t.Errorf("%s: others could write only %d times", name, chunks)
		}
		chunks = 0
		if n := gonePlaces(t, s); n != gone {
			t.Errorf("%s: %d places are gone, want %d", name, n, gone)
		}
		if got := logOf(t, s); got != shown {
			t.Errorf("%s: the log has %s, want %s", name, got, shown)
		}
	}
	chunks = 0
	forgot, err := d.Forget(t.Context(), "r")
	step("forgotten", many, "forget ", err)
	if n, err := s.Count(t.Context(), review.Filter{}); err != nil || n != many/4 {
		t.Errorf("%d URLs are cited, %v", n, err)
	}
	b, _, err := d.Undo(t.Context(), 0)
	step("undone", 0, "undo forget ", err)
	if b.ID != forgot.Batch {
		t.Errorf("undo took back batch %d, want %d", b.ID, forgot.Batch)
	}
	_, _, err = d.Redo(t.Context())
	step("redone", many, "redo undo forget ", err)
	_, _, err = d.Undo(t.Context(), 0)
	step("undone again", 0, "undo redo undo forget ", err)
}

// A program is killed after each chunk of forgetting many places, or of its undo, in turn. Nothing is lost: the next
// program goes on where it stopped, and undo brings back all.
func TestKilledWhileForgetting(t *testing.T) {
	for _, undo := range []bool{false, true} {
		for n := 1; !killWhileForgetting(t, undo, n); n += everyChunk() {
		}
	}
}

// killWhileForgetting reports whether there were fewer than n chunks.
func killWhileForgetting(t *testing.T, undo bool, n int) (ended bool) {
	path := filepath.Join(t.TempDir(), "visto.db")
	d, dying := deskOfPlaces(t, path)
	m, err := dying.Meta(t.Context())
	must(t, err)
	change := func() error {
		_, err := dying.Commit(t.Context(), review.Forget{Reviewer: "ana", Summary: "forget r", File: "r",
			Computing: review.Computing{Gen: m.Gen}})
		return err
	}
	if undo {
		r, err := d.Forget(t.Context(), "r")
		must(t, err)
		change = func() error {
			_, err := dying.Commit(t.Context(), review.Revert{Reviewer: "ana", Batch: r.Batch,
				Computing: review.Computing{Gen: m.Gen}})
			return err
		}
	}
	chunks, confirmed := runUntil(dying, n, change)

	next := open(t, path)
	sqlite.Chunks(next, few, func() {})
	left := gonePlaces(t, next)
	if left == 0 && !confirmed {
		t.Errorf("undo %v, killed after %d chunks: no place is gone", undo, n)
	}
	d, err = review.Open(t.Context(), next, "ana", nil)
	must(t, err)
	if !undo && left < many {
		_, err := d.Forget(t.Context(), "r")
		must(t, err)
		if gone := gonePlaces(t, next); gone != many {
			t.Errorf("killed after %d chunks, and again: %d places are gone", n, gone)
		}
		_, _, err = d.Undo(t.Context(), 0)
		must(t, err)
	}
	if !undo || !confirmed {
		_, _, err = d.Undo(t.Context(), 0)
		must(t, err)
	}
	if gone := gonePlaces(t, next); gone != 0 {
		t.Errorf("undo %v, killed after %d chunks: %d places are gone after the undo", undo, n, gone)
	}
	return chunks < n
}

// The log shows an undo or a redo that was cut short, until it is given again.
func TestUndoCutShort(t *testing.T) {
	d, s := deskOfPlaces(t, filepath.Join(t.TempDir(), "visto.db"))
	chunks, stop := 0, func() {}
	sqlite.Chunks(s, few, func() {
		if chunks++; chunks == 2 {
			stop()
		}
	})
	_, err := d.Forget(t.Context(), "r")
	must(t, err)
	cut := func(revert func(context.Context) error, shown string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		chunks, stop = 0, cancel
		if err := revert(ctx); err == nil {
			t.Fatal("it was not cut short")
		}
		list, err := s.Log(t.Context(), 0, 1)
		must(t, err)
		if got := logOf(t, s); got != shown || !list[0].CutShort() {
			t.Errorf("cut short: the log has %s, want %s; cut short %v", got, shown, list[0].CutShort())
		}
		stop = func() {}
		must(t, revert(t.Context()))
		list, err = s.Log(t.Context(), 0, 1)
		must(t, err)
		if got := logOf(t, s); got != shown || list[0].CutShort() {
			t.Errorf("given again: the log has %s, want %s; cut short %v", got, shown, list[0].CutShort())
		}
	}
	cut(func(ctx context.Context) error {
		_, _, err := d.Undo(ctx, 0)
		return err
	}, "undo forget ")
	cut(func(ctx context.Context) error {
		_, _, err := d.Redo(ctx)
		return err
	}, "redo undo forget ")
}

// A large forget that is cancelled names its batch. One that is undone meanwhile stops. One that meets new rules goes
// on with these in the same batch.
func TestForgetManyMeanwhile(t *testing.T) {
	for name, test := range map[string]struct {
		between func(t *testing.T, s *sqlite.Store, cancel context.CancelFunc)
		failed  bool
		gone    int
	}{
		"cancelled": {func(_ *testing.T, _ *sqlite.Store, cancel context.CancelFunc) { cancel() }, true, 2 * few},
		"undone": {func(t *testing.T, s *sqlite.Store, _ context.CancelFunc) {
			_, err := s.Commit(t.Context(), review.Revert{Reviewer: "ana", Batch: 2,
				Computing: review.Computing{Gen: 99}})
			must(t, err)
		}, true, 0},
		"new rules": {func(t *testing.T, s *sqlite.Store, _ context.CancelFunc) {
			m, err := s.Meta(t.Context())
			must(t, err)
			c := moveAll(t, s, "moved.es")
			c.Recomputed, c.Gen = nil, m.Gen
			_, err = s.Commit(t.Context(), c)
			must(t, err)
		}, false, many},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "visto.db")
			d, s := deskOfPlaces(t, path)
			other, chunks := open(t, path), 0
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sqlite.Chunks(s, few, func() {
				if chunks++; chunks == 1 {
					test.between(t, other, cancel)
				}
			})
			r, err := d.Forget(ctx, "r")
			if (err != nil) != test.failed || r.Batch != 2 {
				t.Errorf("batch %d, %v", r.Batch, err)
			}
			if gone := gonePlaces(t, other); gone != test.gone {
				t.Errorf("%d places are gone, want %d", gone, test.gone)
			}
		})
	}
}
