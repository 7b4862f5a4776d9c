package desk

import (
	"context"
	"slices"
	"strings"
	"sync"

	"visto/review"
)

// Own returns the filter without the URLs that wait for the approval of another person after that of the reviewer, if
// it is of waiting URLs: they are no longer the reviewer's work.
func Own(ctx context.Context, d Queue, who Identity, f review.Filter) (review.Filter, error) {
	chosen := f.Reviewers != nil || f.IDs != nil || f.Records != nil
	if who.Policy().SecondLook() == 0 || !f.Open || chosen {
		return f, nil
	}
	mine, own := f, f
	mine.Reviewers, own.NotIDs = []string{who.Reviewer()}, slices.Clone(f.NotIDs)
	err := d.Each(ctx, mine, func(it review.Item) error {
		if first := it.FirstLook(); first != nil && strings.EqualFold(first.Reviewer, who.Reviewer()) {
			own.NotIDs = append(own.NotIDs, it.ID)
		}
		return nil
	})
	return own, err
}

// OwnWork returns the desk with [Own] applied to the filters of URLs, of causes and of decisions about them, so that
// what is counted, shown and marked are the URLs that the reviewer can settle.
func OwnWork(d Desk) Desk { return ownWork{d} }

type ownWork struct{ Desk }

func (d ownWork) Each(ctx context.Context, f review.Filter, fn func(review.Item) error) error {
	f, err := Own(ctx, d.Desk, d, f)
	if err != nil {
		return err
	}
	return d.Desk.Each(ctx, f, fn)
}

func (d ownWork) Groups(ctx context.Context, f review.Filter, fn func(review.Group) error) error {
	f, err := Own(ctx, d.Desk, d, f)
	if err != nil {
		return err
	}
	return d.Desk.Groups(ctx, f, fn)
}

func (d ownWork) Undecided(ctx context.Context, f review.Filter, fn func(review.Undecided) error) error {
	f, err := Own(ctx, d.Desk, d, f)
	if err != nil {
		return err
	}
	return d.Desk.Undecided(ctx, f, fn)
}

func (d ownWork) Count(ctx context.Context, f review.Filter) (int, error) {
	f, err := Own(ctx, d.Desk, d, f)
	if err != nil {
		return 0, err
	}
	return d.Desk.Count(ctx, f)
}

func (d ownWork) Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error) {
	var err error
	if q.Filter, err = Own(ctx, d.Desk, d, q.Filter); err != nil {
		return nil, err
	}
	return d.Desk.Page(ctx, q, from, n)
}

func (d ownWork) DecisionEffect(
	ctx context.Context, c review.Choice, progress func(review.Effect), filters ...review.Filter,
) (*review.Effect, []review.Target, error) {
	own := make([]review.Filter, len(filters))
	for i, f := range filters {
		var err error
		if own[i], err = Own(ctx, d.Desk, d, f); err != nil {
			return nil, nil, err
		}
	}
	return d.Desk.DecisionEffect(ctx, c, progress, own...)
}

// OwnCauses are the causes of each reviewer.
type OwnCauses struct {
	mu   sync.Mutex
	list map[string]*Shared[Causes] // by reviewer; by "" those of all
}

// Of returns the causes of a reviewer. They are the same for all unless the policy asks for the approvals of two.
func (o *OwnCauses) Of(who Identity) *Shared[Causes] {
	reviewer := ""
	if who.Policy().SecondLook() != 0 {
		reviewer = who.Reviewer()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.list == nil {
		o.list = map[string]*Shared[Causes]{}
	}
	if o.list[reviewer] == nil {
		o.list[reviewer] = &Shared[Causes]{}
	}
	return o.list[reviewer]
}
