package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"visto/review"
	"visto/review/health"
	"visto/review/probe"
	"visto/store/sqlite"
)

// TestNinetyDays simulates ninety days within the process, and compares with the table on each.
func TestNinetyDays(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	t.Parallel()
	n := newNinety(t)
	p := newProgram(t)
	n.addTo(t, p)
	n.simulate(t, n.reviewer(t, p), 1)
	p.ok("check")
}

// addTo adds the links to the database of a program, and looks up their IDs.
func (n *ninety) addTo(t *testing.T, p *program) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "sources.jsonl")
	write(t, file, sources(n.links))
	p.ok("add", file)
	ids := map[string]int64{}
	for _, line := range lines(p.ok("list", "--status", "all", "--json")) {
		var it struct {
			ID       int64
			Original string
		}
		if err := json.Unmarshal([]byte(line), &it); err != nil {
			t.Fatal(err)
		}
		ids[it.Original] = it.ID
	}
	for _, l := range n.links {
		if l.id = ids[l.url()]; l.id == 0 {
			t.Fatalf("%s was not added", l.url())
		}
	}
}

// reviewer opens the database of a program with the clock of the simulation.
func (n *ninety) reviewer(t *testing.T, p *program) *deskReviewer {
	t.Helper()
	store, err := sqlite.Open(t.Context(), p.db, sqlite.Options{Now: n.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	desk, err := review.Open(t.Context(), store, "ana", nil)
	if err != nil {
		t.Fatal(err)
	}
	return &deskReviewer{t: t, n: n, store: store, desk: desk}
}

// deskReviewer works through a desk.
type deskReviewer struct {
	t      *testing.T
	n      *ninety
	store  *sqlite.Store
	desk   *review.Desk
	states map[int64]simState // nil: they have changed
}

func (r *deskReviewer) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *deskReviewer) run() (asked []int64) {
	r.states = nil
	ctx := r.t.Context()
	policy, overrides, err := r.desk.Rules(ctx)
	r.must(err)
	jobs, _, err := r.desk.DueLinks(ctx, review.Filter{}, r.n.Now(), review.DueOptions{})
	r.must(err)
	cfg := probe.Config{Policy: policy, Overrides: overrides, Cache: r.desk.ProbeCache()}
	r.n.network(&cfg)
	prober, err := probe.New(cfg)
	r.must(err)
	defer prober.Close()
	err = review.NewProbing(r.desk, prober, r.n.Now).RunDue(ctx, jobs, func(l review.ProbeResult) error {
		asked = append(asked, l.After.ID)
		return nil
	})
	if !r.n.offline() || !errors.Is(err, probe.ErrOffline) {
		r.must(err)
	}
	return asked
}

func (r *deskReviewer) decide(l *simLink, d simDecision) int64 {
	r.states = nil
	ctx := r.t.Context()
	choice := review.Choice{Kind: review.Approve}
	switch {
	case d.kind == "reject":
		choice.Kind = review.Reject
	case d.kind == "correct":
		choice.Kind, choice.Canonical = review.Correct, "https://"+l.host+d.arg
	case d.arg != "":
		detail, err := r.desk.Detail(ctx, l.id)
		r.must(err)
		for _, by := range detail.Item.Citers(detail.Files) {
			if by.Is(d.arg) {
				choice.Record = by.Number
			}
		}
	}
	receipt, err := r.desk.Decide(ctx, choice, review.Target{ID: l.id})
	r.must(err)
	return receipt.Batch
}

func (r *deskReviewer) undo(batch int64) {
	r.states = nil
	_, _, err := r.desk.Undo(r.t.Context(), batch)
	r.must(err)
}

func (r *deskReviewer) state(l *simLink) simState {
	if r.states == nil {
		r.states = map[int64]simState{}
		r.must(r.store.Each(r.t.Context(), review.Filter{}, func(it review.Item) error {
			r.states[it.ID] = simState{it.Status.String(), it.LinkState().String(), it.Computed.Flags}
			return nil
		}))
	}
	return r.states[l.id]
}

func (r *deskReviewer) exported() (urls []string) {
	var b bytes.Buffer
	_, err := r.desk.Export(r.t.Context(), &b, review.ExportOptions{Fields: []string{"original"},
		Query: review.Query{Filter: review.Filter{Statuses: []review.Status{review.Accepted, review.Approved},
			LinkStates: []health.State{health.Active, health.Degraded}}}})
	r.must(err)
	return originals(r.t, b.String())
}

// originals returns the field original of each line.
func originals(t *testing.T, text string) (urls []string) {
	t.Helper()
	for _, line := range lines(text) {
		var it struct{ Original string }
		if err := json.Unmarshal([]byte(line), &it); err != nil {
			t.Fatal(err)
		}
		urls = append(urls, it.Original)
	}
	return urls
}
