package review_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/probe"
	"visto/store/sqlite"
	"visto/store/sqlitetest"
)

// TestNoFailureIsSwallowed fails each call of a store, one after the other, and expects every method of a desk to
// return the failure. Check reports failures as problems, and
// Replay some.
func TestNoFailureIsSwallowed(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every method once for each call of the store")
	}
	d := newDesk(t)
	d.add("https://a.ejemplo.gob.es/tramite/1?plaza=1", "https://a.ejemplo.gob.es/tramite/1?plaza=2",
		"https://a.ejemplo.gob.es/", "https://b.ejemplo.gob.es/alta")
	rule := canon.Override{Match: canon.Match{Host: "a.ejemplo.gob.es"}, DropQueryParams: []string{"plaza"}}
	changes := []review.OverrideChange{{After: &rule}}
	other := allowing(t, "2", "gob.es")
	one, all := review.Target{ID: 1}, review.Filter{}
	for _, c := range []struct {
		name string
		call func(context.Context, *review.Desk) error
	}{
		{"AmendAll", returns(func(ctx context.Context, d *review.Desk) (any, error) { return d.AmendAll(ctx, rule) })},
		{"Correction", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Correction(ctx, "https://a.ejemplo.gob.es/otra")
		})},
		{"DecisionEffect", func(ctx context.Context, d *review.Desk) error {
			_, _, err := d.DecisionEffect(ctx, review.Choice{Kind: review.Approve}, nil, all)
			return err
		}},
		{"Detail", returns(func(ctx context.Context, d *review.Desk) (any, error) { return d.Detail(ctx, 1) })},
		{"Find", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Find(ctx, "https://a.ejemplo.gob.es/tramite/1?plaza=1")
		})},
		{"Export", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Export(ctx, io.Discard, whole(review.JSONL, all))
		})},
		{"Export a few", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Export(ctx, io.Discard, review.ExportOptions{Limit: 2})
		})},
		{"ExportLog", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.ExportLog(ctx, io.Discard)
		})},
		{"Effect", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Effect(ctx, changes, func(review.Effect) {})
		})},
		{"RecanonEffect", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.RecanonEffect(ctx, other, nil)
		})},
		{"Exported", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Exported(ctx, review.Item{ID: 1, Source: review.Source{File: "urls.txt", Position: "1"}})
		})},
		{"EachExported", func(ctx context.Context, d *review.Desk) error {
			return d.EachExported(ctx, review.Query{}, 0, func(review.Exported) error { return nil })
		}},
		{"Meta", returns(func(ctx context.Context, d *review.Desk) (any, error) { return d.Meta(ctx) })},
		{"Rules", func(ctx context.Context, d *review.Desk) error { _, _, err := d.Rules(ctx); return err }},
		{"Stats", returns(func(ctx context.Context, d *review.Desk) (any, error) { return d.Stats(ctx) })},
		{"Surroundings", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Surroundings(ctx, 1)
		})},
		{"ProbeJobs", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.ProbeJobs(ctx, all, review.ProbeJobOptions{})
		})},
		{"Check", func(ctx context.Context, d *review.Desk) error {
			problems, err := d.Check(ctx)
			for _, p := range problems {
				err = errors.Join(err, errors.New(p.Text))
			}
			return err
		}},
		{"Replay", func(ctx context.Context, d *review.Desk) error { return replay(ctx, t, d, &failing{}) }},
		{"Decide", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Decide(ctx, review.Choice{Kind: review.Defer}, one)
		})},
		{"DecideAll", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			onB := review.Filter{Hosts: []string{"b.ejemplo.gob.es"}}
			return d.DecideAll(ctx, review.Choice{Kind: review.Approve}, onB)
		})},
		{"NoteAll", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.NoteAll(ctx, "sí", all)
		})},
		{"Undo", func(ctx context.Context, d *review.Desk) error { _, _, err := d.Undo(ctx, 0); return err }},
		{"Redo", func(ctx context.Context, d *review.Desk) error { _, _, err := d.Redo(ctx); return err }},
		{"SaveOverrides", func(ctx context.Context, d *review.Desk) error {
			_, _, err := d.SaveOverrides(ctx, changes, "")
			return err
		}},
		{"Recanon", func(ctx context.Context, d *review.Desk) error { _, _, err := d.Recanon(ctx, other); return err }},
		{"Add", returns(func(ctx context.Context, d *review.Desk) (any, error) {
			return d.Add(ctx, review.Input{}, each([]review.Found{{URL: "https://c.ejemplo.gob.es/1"}}))
		})},
		{"Assign", func(ctx context.Context, d *review.Desk) error {
			s, err := d.Shares(ctx, review.Sharing{To: []string{"ana"}})
			if err != nil {
				return err
			}
			_, errAssign := d.Assign(ctx, s)
			_, errUnassign := d.Unassign(ctx, s)
			return errors.Join(errAssign, errUnassign)
		}},
		{"Probe", probeTwice},
	} {
		t.Run(c.name, func(t *testing.T) {
			for n := 1; ; n++ {
				s := &failing{Store: d.store()}
				desk, err := review.Open(t.Context(), s, "ana", nil)
				d.must(err)
				s.left = n
				err = c.call(t.Context(), desk)
				if s.left > 0 { // fewer calls than n
					d.must(err)
					if n == 1 {
						t.Error("no call of the store")
					}
					return
				}
				if !errors.Is(err, errStore) && (err == nil || !strings.Contains(err.Error(), errStore.Error())) {
					t.Errorf("call %d, %s, fails: %v", n, s.failed, err)
				}
			}
		})
	}
}

// replay replays the log in a fresh store behind the given one, and returns an error for a difference too.
func replay(ctx context.Context, t *testing.T, d *review.Desk, fresh *failing) error {
	problems, err := d.Replay(ctx, func(now func() time.Time) (review.Replayer, error) {
		s, err := sqlitetest.Open(ctx, filepath.Join(t.TempDir(), "replay.db"), sqlite.Options{Now: now})
		if err == nil {
			t.Cleanup(func() { s.Close() })
		}
		fresh.Store = s
		return fresh, err
	})
	for _, p := range problems {
		err = errors.Join(err, errors.New(p.Text))
	}
	return err
}

// TestReplayIntoFailingStore fails each call of the fresh store.
func TestReplayIntoFailingStore(t *testing.T) {
	if testing.Short() {
		t.Skip("replays a log once for each call of the store")
	}
	d := newDesk(t)
	d.add(alta)
	d.decide(review.Defer, alta)
	_, err := d.Note(t.Context(), "ojo", 1)
	d.must(err)
	for n := 1; ; n++ {
		fresh := &failing{left: n}
		if err := replay(t.Context(), t, d.Desk, fresh); fresh.left > 0 {
			d.must(err)
			return
		} else if err == nil || !strings.Contains(err.Error(), errStore.Error()) {
			t.Errorf("call %d, %s, fails: %v", n, fresh.failed, err)
		}
	}
}

// TestOpenFails fails each call of a store while a desk opens a new database, and then an existing one.
func TestOpenFails(t *testing.T) {
	o := newOffice(t)
	for range 2 {
		for n := 1; ; n++ {
			s := &failing{Store: o.store(), left: n}
			if _, err := review.Open(t.Context(), s, "ana", nil); s.left > 0 {
				o.must(err)
				break
			} else if !errors.Is(err, errStore) {
				t.Errorf("call %d, %s, fails: %v", n, s.failed, err)
			}
		}
	}
}

// probeTwice probes every URL twice. One has an answer with news about its host, which the second probe refreshes.
func probeTwice(ctx context.Context, d *review.Desk) error {
	const url = "https://a.ejemplo.gob.es/"
	items, err := d.Find(ctx, url)
	if err != nil {
		return err
	}
	answer := canon.Evidence{Status: 200, HTTPS: new(items[0].Computed.Flags.Has(canon.HTTPOnly))}
	s := &script{answers: map[string]canon.Evidence{url: answer}}
	p := review.NewProbing(d, s, func() time.Time { return noon })
	for range 2 {
		jobs, err := d.ProbeJobs(ctx, review.Filter{}, review.ProbeJobOptions{})
		if err != nil {
			return err
		}
		if err = p.Run(ctx, jobs, func(review.ProbeResult) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

func returns(call func(context.Context, *review.Desk) (any, error)) func(context.Context, *review.Desk) error {
	return func(ctx context.Context, d *review.Desk) error { _, err := call(ctx, d); return err }
}

var errStore = errors.New("the store fails")

// failing is a store of which one call fails, the last of so many that are left.
type failing struct {
	review.Store
	mu     sync.Mutex
	left   int
	failed string
}

func (f *failing) next(method string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left--; f.left != 0 {
		return nil
	}
	f.failed = method
	return errStore
}

func called[T any](f *failing, method string, call func() (T, error)) (T, error) {
	if err := f.next(method); err != nil {
		var none T
		return none, err
	}
	return call()
}

func (f *failing) Version(ctx context.Context) (int64, error) {
	return called(f, "Version", func() (int64, error) { return f.Store.Version(ctx) })
}

func (f *failing) Assign(ctx context.Context, c review.AssignmentChange) (int, error) {
	return called(f, "Assign", func() (int, error) { return f.Store.Assign(ctx, c) })
}

func (f *failing) Assignment(ctx context.Context, id int64) (*review.Assignment, error) {
	return called(f, "Assignment", func() (*review.Assignment, error) { return f.Store.Assignment(ctx, id) })
}

func (f *failing) EachAssigned(
	ctx context.Context, filter review.Filter, fn func(string, review.Assigned) error,
) error {
	if err := f.next("EachAssigned"); err != nil {
		return err
	}
	return f.Store.EachAssigned(ctx, filter, fn)
}

func (f *failing) Item(ctx context.Context, id int64) (review.Item, error) {
	return called(f, "Item", func() (review.Item, error) { return f.Store.Item(ctx, id) })
}

func (f *failing) Find(ctx context.Context, url string) ([]review.Item, error) {
	return called(f, "Find", func() ([]review.Item, error) { return f.Store.Find(ctx, url) })
}

func (f *failing) Page(ctx context.Context, q review.Query, c *review.Cursor, n int) ([]review.Item, error) {
	return called(f, "Page", func() ([]review.Item, error) { return f.Store.Page(ctx, q, c, n) })
}

func (f *failing) Each(ctx context.Context, filter review.Filter, fn func(review.Item) error) error {
	return errors.Join(f.next("Each"), f.Store.Each(ctx, filter, fn))
}

func (f *failing) Add(ctx context.Context, in *review.Intake, list []review.NewItem) ([]review.AddOutcome, error) {
	return called(f, "Add", func() ([]review.AddOutcome, error) { return f.Store.Add(ctx, in, list) })
}

func (f *failing) Count(ctx context.Context, filter review.Filter) (int, error) {
	return called(f, "Count", func() (int, error) { return f.Store.Count(ctx, filter) })
}

func (f *failing) Totals(ctx context.Context) (review.Totals, error) {
	return called(f, "Totals", func() (review.Totals, error) { return f.Store.Totals(ctx) })
}

func (f *failing) Facets(ctx context.Context, filter review.Filter) (review.Facets, error) {
	return called(f, "Facets", func() (review.Facets, error) { return f.Store.Facets(ctx, filter) })
}

func (f *failing) DecisionCounts(ctx context.Context) ([]review.DecisionCount, error) {
	return called(f, "DecisionCounts", func() ([]review.DecisionCount, error) { return f.Store.DecisionCounts(ctx) })
}

func (f *failing) Work(ctx context.Context) ([]review.Work, error) {
	return called(f, "Work", func() ([]review.Work, error) { return f.Store.Work(ctx) })
}

func (f *failing) Commit(ctx context.Context, c review.Change) (review.Receipt, error) {
	return called(f, "Commit", func() (review.Receipt, error) { return f.Store.Commit(ctx, c) })
}

func (f *failing) Replay(ctx context.Context, e review.Replayed) (review.Receipt, error) {
	return called(f, "Replay", func() (review.Receipt, error) { return f.Store.(review.Replayer).Replay(ctx, e) })
}

func (f *failing) Batch(ctx context.Context, id int64) (review.Batch, error) {
	return called(f, "Batch", func() (review.Batch, error) { return f.Store.Batch(ctx, id) })
}

func (f *failing) LastBatch(ctx context.Context, reviewer string, undone bool) (review.Batch, error) {
	return called(f, "LastBatch", func() (review.Batch, error) { return f.Store.LastBatch(ctx, reviewer, undone) })
}

func (f *failing) Notes(ctx context.Context, id int64) ([]review.Note, error) {
	return called(f, "Notes", func() ([]review.Note, error) { return f.Store.Notes(ctx, id) })
}

func (f *failing) History(ctx context.Context, id int64) ([]review.PastDecision, error) {
	return called(f, "History", func() ([]review.PastDecision, error) { return f.Store.History(ctx, id) })
}

func (f *failing) Meta(ctx context.Context) (review.Meta, error) {
	return called(f, "Meta", func() (review.Meta, error) { return f.Store.Meta(ctx) })
}

func (f *failing) EachOverride(ctx context.Context, fn func(review.StoredOverride, string) error) error {
	return errors.Join(f.next("EachOverride"), f.Store.EachOverride(ctx, fn))
}

func (f *failing) EachEntry(ctx context.Context, fn func(review.Entry) error) error {
	return errors.Join(f.next("EachEntry"), f.Store.EachEntry(ctx, fn))
}

func (f *failing) Evidence(ctx context.Context, id int64) (*canon.Evidence, error) {
	return called(f, "Evidence", func() (*canon.Evidence, error) { return f.Store.Evidence(ctx, id) })
}

func (f *failing) EachWithEvidence(ctx context.Context, filter review.Filter,
	fn func(review.Item, *canon.Evidence) error) error {
	return errors.Join(f.next("EachWithEvidence"), f.Store.EachWithEvidence(ctx, filter, fn))
}

func (f *failing) EachAnswered(ctx context.Context, filter review.Filter,
	fn func(review.Item, *canon.Evidence) error) error {
	return errors.Join(f.next("EachAnswered"), f.Store.EachAnswered(ctx, filter, fn))
}

func (f *failing) Hosts(ctx context.Context, after int64) (canon.Hosts, error) {
	return called(f, "Hosts", func() (canon.Hosts, error) { return f.Store.Hosts(ctx, after) })
}

func (f *failing) Earlier(ctx context.Context, target probe.Target) (*canon.Evidence, error) {
	return called(f, "Earlier", func() (*canon.Evidence, error) { return f.Store.Earlier(ctx, target) })
}

func (f *failing) PendingHosts(ctx context.Context) ([]string, error) {
	return called(f, "PendingHosts", func() ([]string, error) { return f.Store.PendingHosts(ctx) })
}

func (f *failing) MarkPropagated(ctx context.Context, hosts []string, gen int64) error {
	return errors.Join(f.next("MarkPropagated"), f.Store.MarkPropagated(ctx, hosts, gen))
}

func (f *failing) Refresh(ctx context.Context, list []review.ItemEvidence) error {
	return errors.Join(f.next("Refresh"), f.Store.Refresh(ctx, list))
}

func (f *failing) Postpone(ctx context.Context, p review.Postponed) error {
	return errors.Join(f.next("Postpone"), f.Store.Postpone(ctx, p))
}
