package review

import (
	"context"
	"errors"
	"fmt"

	"visto/canon"
)

// RecanonEffect computes the effect of another policy on all stored URLs. It writes nothing. The current policy may
// have an effect too, if a newer program canonicalizes differently.
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

// Recanon makes p the policy of the store and writes its effect, as one batch. If p is the policy already and has no
// effect, Recanon writes nothing.
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
		Recomputed: t.recomputed, Gen: r.gen, LastID: r.lastID, Late: t.recomputeLate(r.lastID),
	})
	if err == nil {
		_, err = d.rules(ctx) // makes Policy return the new one
	}
	return receipt, &t.effect, err
}

func (d *Desk) tryPolicy(
	ctx context.Context, r *rules, p *canon.Policy, keep bool, progress func(Effect),
) (*trial, error) {
	list := overridesOf(r.stored)
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
