package review

import (
	"context"

	"visto/canon"
)

// DecisionEffect computes what one decision about all items that any of the filters selects would do, and which items those are, as
// they are seen now. progress, if not nil, is called now and then. Nothing is written.
func (d *Desk) DecisionEffect(ctx context.Context, c Choice, progress func(Effect), filters ...Filter) (*Effect, []Target, error) {
	e := &Effect{Cleared: map[canon.Code]int{}, Raised: map[canon.Code]int{}}
	c, err := d.settle(c)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range filters {
		n, err := d.store.Count(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		e.Total += n
	}
	var targets []Target
	for _, f := range filters {
		if targets, err = d.decideAlso(ctx, c, f, e, targets, progress); err != nil {
			return nil, nil, err
		}
	}
	e.Total = e.Scanned
	return e, targets, nil
}

// decideAlso counts the items of a filter that are not among the targets yet, and returns them with these.
func (d *Desk) decideAlso(ctx context.Context, c Choice, f Filter, e *Effect, targets []Target, progress func(Effect)) ([]Target, error) {
	before := make(map[int64]bool, len(targets))
	for _, t := range targets {
		before[t.ID] = true
	}
	err := d.store.Each(ctx, f, func(it Item) error {
		if before[it.ID] {
			return nil
		}
		decision, err := c.on(&it)
		if err != nil {
			return err
		}
		targets = append(targets, Target{ID: it.ID, Rev: it.Rev})
		e.decide(&it, &decision)
		if progress != nil && e.Scanned%showEvery == 0 {
			progress(e.snapshot())
		}
		return ctx.Err()
	})
	return targets, err
}

// showEvery is after how many items the effect of a decision is shown.
const showEvery = 1000

// decide counts an item on which the decision is made.
func (e *Effect) decide(it *Item, decision *Decision) {
	s := Sample{ID: it.ID, Before: it.Original, After: decision.Canonical, StatusBefore: it.Status, FlagsBefore: it.Computed.Flags}
	s.StatusAfter, s.FlagsAfter = ResolveStatus(it.Computed, decision)
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
