package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"visto/canon"
	"visto/review"
)

func (p *loadProgram) writer(ctx context.Context, name string, random *rand.Rand) {
	desk, err := review.Open(p.ctx, p.store, name, nil)
	if err != nil {
		p.failed("opening", err)
		return
	}
	w := &loadWriter{loadProgram: p, Rand: random, desk: desk}
	for ; ctx.Err() == nil; p.rest(random) {
		action, do := w.choose()
		if err := p.timed(action, do); err != nil {
			p.failed(name+", "+action, err)
			return
		}
	}
}

// loadWriter is one reviewer.
type loadWriter struct {
	*loadProgram
	*rand.Rand
	desk *review.Desk
	n    int // URLs added
}

func (w *loadWriter) choose() (string, func() error) {
	n := w.IntN(1000)
	for _, row := range []struct {
		below int
		name  string
		do    func() error
	}{
		{900, "decide", func() error { return w.decide(1) }},
		{940, "decide on 20", func() error { return w.decide(20) }},
		{960, "note", w.note},
		{980, "undo", w.undo},
		{990, "override", w.override},
	} {
		if n < row.below {
			return row.name, row.do
		}
	}
	return "add 500", w.add
}

// done notes the confirmations of a receipt.
func (w *loadWriter) done(action review.Action, r review.Receipt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Conflicts += len(r.Conflicts)
	if r.Seq > 0 {
		w.report.Done = append(w.report.Done, loadDone{r.Seq, w.desk.Reviewer(), action, r.Decided})
	}
}

// decide decides on n URLs as they were a moment ago. A refusal names the other reviewer and the time.
func (w *loadWriter) decide(n int) error {
	m, err := w.store.Meta(w.ctx)
	if err != nil {
		return err
	}
	from, some := w.Int64N(m.LastID), 100+w.IntN(200) // all writers pick here, so that they meet
	if w.IntN(2) == 0 {
		from = 0
	}
	var targets []review.Target
	for range n {
		it, err := w.store.Item(w.ctx, min(from+w.Int64N(int64(some))+1, m.LastID))
		if err != nil {
			return err
		}
		targets = append(targets, review.Target{ID: it.ID, Rev: it.Rev})
	}
	kind := []review.Kind{review.Reject, review.Defer, review.Reopen}[w.IntN(3)]
	r, err := w.desk.Decide(w.ctx, review.Choice{Kind: kind}, targets...)
	for _, c := range r.Conflicts {
		if d := c.Item.Decision; d != nil && (d.Reviewer == "" || d.At.IsZero() ||
			!strings.Contains(c.Error(), d.Reviewer)) {
			return fmt.Errorf("a conflict that does not say who and when: %v", c)
		}
	}
	w.done(review.Action(kind.String()), r)
	return err
}

func (w *loadWriter) note() error {
	r, err := w.desk.Note(w.ctx, "una nota", 1+w.Int64N(100))
	w.done(review.ActNote, r)
	return err
}

// refused reports whether the error is due to somebody else's work, which is no failure.
func (w *loadWriter) refused(err error) error {
	if errors.Is(err, review.ErrStale) || errors.Is(err, review.ErrNotFound) || err != nil &&
		strings.Contains(err.Error(), "take that back first") {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.report.Conflicts++
		return nil
	}
	return err
}

func (w *loadWriter) undo() error {
	_, r, err := w.desk.Undo(w.ctx, 0)
	if err == nil {
		w.done(review.ActUndo, r)
	}
	return w.refused(err)
}

// override makes a rule for a host, or removes the existing one.
func (w *loadWriter) override() error {
	m, err := w.store.Meta(w.ctx)
	if err != nil {
		return err
	}
	it, err := w.store.Item(w.ctx, 1+w.Int64N(m.LastID))
	if err != nil || it.Computed.Host == "" {
		return err
	}
	c, err := w.desk.Amend(w.ctx, canon.Override{Match: canon.Match{Host: it.Computed.Host},
		DropQueryParams: []string{"plaza"}})
	if err == nil && c.Before != nil {
		c.After = nil
	}
	if err == nil {
		var r review.Receipt
		r, _, err = w.desk.SaveOverrides(w.ctx, []review.OverrideChange{c}, "")
		w.done(review.ActOverride, r)
	}
	return w.refused(err)
}

func (w *loadWriter) add() error {
	w.n += 500
	_, err := w.desk.Add(w.ctx, review.Input{}, func(yield func(review.Found) error) error {
		for i := range 500 {
			url := fmt.Sprintf("https://nuevo%d.gob.es/tramite/%s/%d?plaza=%d", w.IntN(50),
				strings.ReplaceAll(w.desk.Reviewer(), " ", "-"), w.n+i, i)
			if err := yield(review.Found{URL: url}); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// reader reads like a console, and checks that each read is consistent.
func (p *loadProgram) reader(ctx context.Context, random *rand.Rand) {
	for ; ctx.Err() == nil; p.rest(random) {
		name, do := "page", p.page
		switch random.IntN(20) {
		case 0:
			name, do = "facets", p.facets
		case 1:
			name, do = "totals", p.totals
		}
		if err := p.timed(name, do); err != nil {
			p.failed("reading a "+name, err)
			return
		}
	}
}

func (p *loadProgram) page() error {
	list, err := p.store.Page(p.ctx, review.Query{Filter: review.Filter{Open: true}}, nil, 50)
	for _, it := range list {
		status, flags := review.ResolveStatus(it.Computed, it.Link, it.Decision)
		if status != it.Status || flags != it.Computed.Flags {
			return fmt.Errorf("URL %d is %s, and by its decision %s", it.ID, it.Status, status)
		}
	}
	return err
}

func (p *loadProgram) facets() error {
	_, err := p.store.Facets(p.ctx, review.Filter{Open: true})
	return err
}

func (p *loadProgram) totals() error {
	_, err := p.store.Totals(p.ctx)
	return err
}
