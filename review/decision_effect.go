package review

import "context"

// DecisionEffect computes the effect of a choice on all items that any of the filters selects, and returns these
// items with their current revisions. It calls progress, if not nil, from time to time. It writes nothing.
func (d *Desk) DecisionEffect(
	ctx context.Context, c Choice, progress func(Effect), filters ...Filter,
) (*Effect, []Target, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, nil, err
	}
	if c, err = r.validate(c); err != nil {
		return nil, nil, err
	}
	e := newEffect()
	for _, f := range filters {
		n, err := d.store.Count(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		e.Total += n
	}
	var targets []Target
	seen := map[int64]bool{} // with an earlier filter
	for _, f := range filters {
		for _, t := range targets {
			seen[t.ID] = true
		}
		err := d.store.Each(ctx, f, func(it Item) error {
			if seen[it.ID] {
				return nil
			}
			decision, err := c.on(&it)
			if err != nil {
				return err
			}
			targets = append(targets, Target{ID: it.ID, Rev: it.Rev})
			e.addDecision(&it, &decision)
			if progress != nil && e.Scanned%showEvery == 0 {
				progress(e.snapshot())
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, nil, err
		}
	}
	e.Total = e.Scanned
	return &e, targets, nil
}

// showEvery is the number of items between two calls of progress.
const showEvery = 1000

// addDecision counts the decision on an item.
func (e *Effect) addDecision(it *Item, decision *Decision) {
	s := Sample{ID: it.ID, Before: it.Original, StatusBefore: it.Status, FlagsBefore: it.Computed.Flags}
	s.StatusAfter, s.FlagsAfter = ResolveStatus(it.Computed, decision)
	e.Scanned++
	e.Decided++
	e.Affected++
	e.Settled += count(it.Open() && !open(s.StatusAfter, s.FlagsAfter))
	e.Approved += count(it.Status == Approved)
	if decision.Kind != Reject {
		s.After = decision.Canonical
	}
	if len(e.Samples) < maxSamples {
		e.Samples = append(e.Samples, s)
	}
}
