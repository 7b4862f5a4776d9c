package desk

import (
	"context"

	"visto/review"
	"visto/review/cause"
	"visto/review/suggest"
)

// Causes are the causes of the whole queue with the suggestions.
type Causes struct {
	List  []cause.Cause
	More  int             // suggestions that are left out
	Mined *suggest.Result // nil: nothing was mined yet
}

// ReadCauses reads the causes, and the suggestions that were mined last.
func ReadCauses(ctx context.Context, d interface {
	cause.Desk
	suggest.Desk
}) (c Causes, err error) {
	if c.List, err = cause.List(ctx, d, review.Filter{}); err != nil {
		return c, err
	}
	if c.Mined, err = suggest.Last(ctx, d); err == nil && c.Mined != nil {
		c.List, c.More = cause.WithSuggestions(c.List, c.Mined.List)
	}
	return c, err
}
