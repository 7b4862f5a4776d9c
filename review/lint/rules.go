package lint

import (
	"context"

	"visto/canon"
)

// Rules decides by a policy and overrides alone. It serves one goroutine at a time.
type Rules struct{ c *canon.Canonicalizer }

// NewRules returns the decisions of a policy. o may be nil.
func NewRules(p *canon.Policy, o *canon.Overrides) *Rules { return &Rules{canon.New(p, o)} }

// Entry returns the result of canonicalizing the URL. Its error is nil.
func (r *Rules) Entry(_ context.Context, c Citation) (Entry, error) {
	return fromResult(r.c.Explain(c.URL, nil)), nil
}
