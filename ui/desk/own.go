package desk

import (
	"context"
	"sync"

	"visto/review"
)

// OwnWork returns the desk with its reviewer as Filter.For, so that the waiting URLs that are counted, shown, marked
// and decided on are those that the reviewer can settle.
func OwnWork(d Desk) Desk { return ownWork{d} }

type ownWork struct{ Desk }

// own returns the filter with its For. A choice of reviewers or of records has all of them, and so has one of URLs
// unless it is of those that are open.
func own(who Identity, f review.Filter) review.Filter {
	if f.Reviewers == nil && f.Records == nil && (f.IDs == nil || f.Open) {
		f.For = second(who)
	}
	return f
}

// second returns the name of the reviewer if the policy wants the approvals of two persons.
func second(who Identity) string {
	if who.Policy().SecondLook() == 0 {
		return ""
	}
	return who.Reviewer()
}

func (d ownWork) Each(ctx context.Context, f review.Filter, fn func(review.Item) error) error {
	return d.Desk.Each(ctx, own(d, f), fn)
}

func (d ownWork) Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error {
	return d.Desk.Groups(ctx, own(d, f), fn)
}

func (d ownWork) Undecided(ctx context.Context, f review.Filter, fn func(review.Undecided) error) error {
	return d.Desk.Undecided(ctx, own(d, f), fn)
}

func (d ownWork) Count(ctx context.Context, f review.Filter) (int, error) {
	return d.Desk.Count(ctx, own(d, f))
}

func (d ownWork) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	q.Filter = own(d, q.Filter)
	return d.Desk.Page(ctx, q, from, n)
}

func (d ownWork) DecideAll(ctx context.Context, c review.Choice, f review.Filter) (review.Receipt, error) {
	return d.Desk.DecideAll(ctx, c, own(d, f))
}

func (d ownWork) NoteAll(ctx context.Context, text string, f review.Filter) (review.Receipt, error) {
	return d.Desk.NoteAll(ctx, text, own(d, f))
}

func (d ownWork) DecisionEffect(
	ctx context.Context, c review.Choice, progress func(review.Effect), filters ...review.Filter,
) (*review.Effect, []review.Target, error) {
	list := make([]review.Filter, len(filters))
	for i, f := range filters {
		list[i] = own(d, f)
	}
	return d.Desk.DecisionEffect(ctx, c, progress, list...)
}

// OwnCauses are the causes of each reviewer.
type OwnCauses struct{ list sync.Map } // by reviewer; by "" those of all

// Of returns the causes of a reviewer. They are the same for all unless the policy asks for the approvals of two.
func (o *OwnCauses) Of(who Identity) *Shared[Causes] {
	causes, _ := o.list.LoadOrStore(second(who), &Shared[Causes]{})
	return causes.(*Shared[Causes])
}
