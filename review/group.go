package review

import (
	"context"

	"visto/canon"
)

// Group is a set of items alike in all that Causes counts by, but for parameters.
type Group struct {
	Host  string
	Flags canon.CodeSet
	Field string
	N     int
}

// Undecided are the unknown parameters of one item, with what else Causes looks at.
type Undecided struct {
	Host      string
	Canonical string
	Flags     canon.CodeSet
	Params    []string // shared between items: not to be written to
}

// Groups calls fn for each group of items of the filter, host by host.
func (d *Desk) Groups(ctx context.Context, f Filter, fn func(Group) error) error {
	return d.store.Groups(ctx, f, fn)
}

// Undecided calls fn for each item of the filter with the flag unknown-param, host by host.
func (d *Desk) Undecided(ctx context.Context, f Filter, fn func(Undecided) error) error {
	return d.store.Undecided(ctx, f, fn)
}

// EachWithEvidence calls fn for each item of the filter, in the order of their IDs, with its evidence. The evidence holds all host
// evidence of the store; it is nil if there is neither. Its Hosts are shared and must not be changed.
func (d *Desk) EachWithEvidence(ctx context.Context, f Filter, fn func(Item, *canon.Evidence) error) error {
	return d.store.EachWithEvidence(ctx, f, fn)
}

// Rules returns the policy and the compiled overrides as they are now. As long as they stay the same, so do the pointers.
func (d *Desk) Rules(ctx context.Context) (*canon.Policy, *canon.Overrides, error) {
	r, err := d.rules(ctx)
	if err != nil {
		return nil, nil, err
	}
	return r.policy, r.overrides, nil
}
