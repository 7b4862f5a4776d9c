package review

import (
	"context"
	"errors"
	"fmt"

	"visto/canon"
)

// RecanonEffect is Effect for another policy: what it would make of all stored URLs. Nothing is written. It serves the
// policy that stands as well, for a newer program may understand it better.
func (d *Desk) RecanonEffect(ctx context.Context, p *canon.Policy, progress func(Effect)) (*Effect, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, err
	}
	t, err := d.tryPolicy(ctx, r, p, false, progress)
	if err != nil {
		return nil, err
	}
	return &t.effect, nil
}

// Recanon makes p the store's policy and writes what follows from it, as one batch. If nothing follows, and p is the
// store's policy already, it writes nothing.
func (d *Desk) Recanon(ctx context.Context, p *canon.Policy) (receipt Receipt, effect *Effect, err error) {
	err = whileStale(func() error {
		r, err := d.rules(ctx)
		if err == nil {
			receipt, effect, err = d.recanon(ctx, r, p)
		}
		return err
	})
	return receipt, effect, err
}

func (d *Desk) recanon(ctx context.Context, r *rules, p *canon.Policy) (Receipt, *Effect, error) {
	t, err := d.tryPolicy(ctx, r, p, true, nil)
	if err != nil {
		return Receipt{}, nil, err
	}
	if len(t.recomputed) == 0 && p.Digest() == r.policy.Digest() {
		return Receipt{}, &t.effect, nil
	}
	receipt, err := d.store.Commit(ctx, Change{
		Reviewer: d.reviewer, Action: ActPolicy, Summary: "policy " + p.ID(), Policy: p,
		Recomputed: t.recomputed, Gen: r.gen, LastID: r.lastID, Late: t.late(r.lastID),
	})
	if err == nil {
		_, err = d.rules(ctx) // Policy is the new one from here on
	}
	return receipt, &t.effect, err
}

func (d *Desk) tryPolicy(ctx context.Context, r *rules, p *canon.Policy, keep bool, progress func(Effect)) (*trial, error) {
	list := plain(r.stored)
	compiled, err := canon.CompileOverrides(list)
	if err != nil {
		return nil, err
	}
	t, err := d.try(ctx, plan{policy: p, overrides: compiled, list: list, keep: keep}, progress)
	var loop *canon.LoopError
	if errors.As(err, &loop) {
		return nil, fmt.Errorf("the overrides under policy %s: %w", p.ID(), loop)
	}
	return t, err
}
