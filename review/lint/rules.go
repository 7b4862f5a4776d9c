package lint

import (
	"context"

	"visto/canon"
	"visto/review"
)

// Rules decides by a policy and overrides alone. It serves one goroutine at a time.
type Rules struct{ engine *review.Engine }

// NewRules returns the decisions of a policy and of overrides. An override for a field is asked for each place by
// itself, for nobody knows where else a URL stands. The errors are those of [review.NewEngine].
func NewRules(p *canon.Policy, list []canon.Override) (*Rules, error) {
	engine, err := review.NewEngine(p, list)
	return &Rules{engine}, err
}

// Entry returns the result of canonicalizing the URL. Its error is nil.
func (r *Rules) Entry(_ context.Context, c Citation) (Entry, error) {
	return fromResult(r.engine.Explain(c.URL, nil, review.NewFieldSet(c.Place.Field))), nil
}
