package rows

import (
	"visto/canon"
	"visto/review"
)

// Change is what one transaction writes, whichever action asks for it.
type Change struct {
	review.Replayed
	Rest int64 // as that of review.ForgetChange
}

// Forgetting returns the change that forgets a file.
func Forgetting(c review.ForgetChange) *Change {
	return &Change{Rest: c.Rest, Replayed: review.Replayed{Forget: c.File, Change: review.Change{Reviewer: c.Reviewer,
		Action: review.ActForget, Summary: c.Summary, Gen: c.Gen, OnFields: c.OnFields, Compute: c.Compute}}}
}

// Following returns a change that computes results under the rules of a generation, and has nothing of its own.
func Following(compute func(review.Item, *canon.Evidence) review.Computed, gen int64) *Change {
	return &Change{Replayed: review.Replayed{Change: review.Change{Compute: compute, Gen: gen}}}
}
