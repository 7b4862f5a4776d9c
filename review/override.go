package review

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"visto/canon"
)

// Effect computes what the changes to the overrides would do to all stored URLs they concern. An invalid one, and a set that
// never reaches a fixed point (*canon.LoopError), is an error. progress, if not nil, is called
// now and then with what is known so far. Nothing is written.
func (d *Desk) Effect(ctx context.Context, changes []OverrideChange, progress func(Effect)) (*Effect, error) {
	if changes = split(changes); len(changes) == 0 {
		return &Effect{}, nil
	}
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	p, err := d.planFor(ctx, r, changes)
	if err != nil {
		return nil, err
	}
	t, err := d.try(ctx, p, progress)
	if err != nil {
		return nil, err
	}
	return &t.effect, nil
}

// SaveOverrides writes the changes with all that follows from them, as one batch. Changes that change nothing are no batch.
func (d *Desk) SaveOverrides(ctx context.Context, changes []OverrideChange, summary string) (Receipt, *Effect, error) {
	if changes = split(changes); len(changes) == 0 {
		return Receipt{}, &Effect{}, nil
	}
	if summary == "" {
		summary = describe(changes)
	}
	return d.commitRules(ctx, Change{Action: ActOverride, Summary: cleanText(summary), Overrides: changes})
}

// commitRules computes what follows from the change's overrides and writes all of it.
func (d *Desk) commitRules(ctx context.Context, c Change) (receipt Receipt, effect *Effect, err error) {
	c.Reviewer = d.reviewer
	err = whileStale(func() error {
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		p, err := d.planFor(ctx, r, c.Overrides)
		if err != nil {
			return err
		}
		p.keep = true
		receipt, effect, err = d.commitTrial(ctx, c, r, p)
		return err
	})
	return receipt, effect, err
}

// commitTrial tries the plan and writes the change with its results.
func (d *Desk) commitTrial(ctx context.Context, c Change, r *rules, p plan) (Receipt, *Effect, error) {
	t, err := d.try(ctx, p, nil)
	if err != nil {
		return Receipt{}, nil, err
	}
	c.Recomputed, c.Gen, c.LastID, c.Late = t.recomputed, r.gen, r.lastID, t.late(r.lastID)
	receipt, err := d.store.Commit(ctx, c)
	return receipt, &t.effect, err
}

// planFor puts the changes to the rules that stand.
func (d *Desk) planFor(ctx context.Context, r *rules, changes []OverrideChange) (plan, error) {
	list, err := r.with(changes)
	if err != nil {
		return plan{}, err
	}
	p := plan{filter: Filter{Reach: hostsOf(changes)}, policy: r.policy, list: list}
	p.overrides, err = canon.CompileOverrides(list)
	return p, err
}

// with returns the overrides as the changes leave them.
func (r *rules) with(changes []OverrideChange) ([]canon.Override, error) {
	list := plain(r.stored)
	for _, c := range changes {
		i := slices.IndexFunc(list, func(o canon.Override) bool { return o.Match == matchOf(c) })
		var standing *canon.Override
		if i >= 0 {
			standing = &list[i]
		}
		if !sameRule(standing, c.Before) {
			return nil, fmt.Errorf("the override for %s: %w", place(matchOf(c)), notStanding(standing, c.Before))
		}
		switch {
		case i < 0:
			list = append(list, *c.After)
		case c.After == nil:
			list = slices.Delete(list, i, i+1)
		default:
			list[i] = *c.After
		}
	}
	return list, nil
}

func notStanding(standing, expected *canon.Override) error {
	switch {
	case expected == nil:
		return fmt.Errorf("there is one already: %w", ErrStale)
	case standing == nil:
		return fmt.Errorf("it is no longer there: %w", ErrStale)
	}
	return fmt.Errorf("it is another one now: %w", ErrStale)
}

// split writes matches in their one spelling, turns a change that moves an override to another Match into a removal and an addition, and drops what changes nothing.
func split(changes []OverrideChange) []OverrideChange {
	var list []OverrideChange
	for _, c := range changes {
		c.After = normalRule(c.After)
		switch {
		case sameRule(c.Before, c.After):
		case c.Before != nil && c.After != nil && c.Before.Match != c.After.Match:
			list = append(list, OverrideChange{Before: c.Before}, OverrideChange{After: c.After})
		default:
			list = append(list, c)
		}
	}
	return list
}

// matchOf returns the Match of a change that split has made.
func matchOf(c OverrideChange) canon.Match {
	if c.Before != nil {
		return c.Before.Match
	}
	return c.After.Match
}

// hostsOf returns the host patterns that the changes concern. Their path prefixes do not narrow them: a rule is looked up with
// the path as it stands at that point of the pipeline, which is not what is stored.
func hostsOf(changes []OverrideChange) []string {
	var hosts []string
	for _, c := range changes {
		if h := matchOf(c).Host; !slices.Contains(hosts, h) {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// sameRule compares as the rules are stored: an empty list and none are one.
func sameRule(a, b *canon.Override) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func describe(changes []OverrideChange) string {
	if len(changes) != 1 {
		return fmt.Sprintf("change %d overrides", len(changes))
	}
	verb := "change"
	switch c := changes[0]; {
	case c.Before == nil:
		verb = "add"
	case c.After == nil:
		verb = "remove"
	}
	return verb + " the override for " + place(matchOf(changes[0]))
}

func place(m canon.Match) string { return m.Host + m.PathPrefix }
