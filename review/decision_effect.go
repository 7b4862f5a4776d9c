package review

import (
	"context"

	"visto/canon"
)

// DecisionEffect computes what one decision about all items of the filter would do, and which items those are, as they are seen
// now. progress, if not nil, is called now and then. Nothing is written.
func (d *Desk) DecisionEffect(ctx context.Context, c Choice, f Filter, progress func(Effect)) (*Effect, []Target, error) {
	e := &Effect{Cleared: map[canon.Code]int{}, Raised: map[canon.Code]int{}}
	c, err := d.settle(c)
	if err == nil {
		e.Total, err = d.store.Count(ctx, f)
	}
	if err != nil {
		return nil, nil, err
	}
	var targets []Target
	err = d.store.Each(ctx, f, func(it Item) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		decision, err := c.on(&it)
		if err != nil {
			return err
		}
		targets = append(targets, Target{ID: it.ID, Rev: it.Rev})
		e.decide(&it, &decision)
		if progress != nil && e.Scanned%1000 == 0 {
			progress(e.snapshot())
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	e.Total = e.Scanned
	return e, targets, nil
}

// decide counts an item on which the decision is made.
func (e *Effect) decide(it *Item, decision *Decision) {
	s := Sample{ID: it.ID, Before: it.Original, After: decision.Canonical, StatusBefore: it.Status, FlagsBefore: it.Computed.Flags}
	s.StatusAfter, s.FlagsAfter = Stand(it.Computed, decision)
	e.Scanned++
	e.Decided++
	if it.Open() && !open(s.StatusAfter, s.FlagsAfter) {
		e.Settled++
	}
	if it.Status == Approved {
		e.Approved++
	}
	if decision.Kind == Reject {
		s.After = ""
	}
	if len(e.Samples) < maxSamples {
		e.Samples = append(e.Samples, s)
	}
}
