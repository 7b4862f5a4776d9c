package console

import (
	"context"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/cause"
)

// Desk is what the console needs of a *review.Desk.
type Desk interface {
	cause.Desk

	Policy() *canon.Policy
	Reviewer() string
	ReadOnly() bool

	Each(ctx context.Context, f review.Filter, fn func(review.Item) error) error
	Facets(ctx context.Context, f review.Filter) (review.Facets, error)
	Facet(ctx context.Context, f review.Filter, by review.Dimension) ([]review.Bucket, error)
	Totals(ctx context.Context) (review.Totals, error)
	Detail(ctx context.Context, id int64) (*review.Detail, error)
	Surroundings(ctx context.Context, id int64) (*review.Surroundings, error)
	Log(ctx context.Context, before int64, n int) ([]review.EntryInfo, error)
	Entry(ctx context.Context, seq int64) (review.Entry, error)
	Stats(ctx context.Context) (review.Stats, error)
	Version(ctx context.Context) (int64, error)

	Views(ctx context.Context, now time.Time) ([]review.View, error)
	SaveView(ctx context.Context, v review.View) error
	RenameView(ctx context.Context, from, to string) error
	DeleteView(ctx context.Context, name string) error

	Correction(raw string) canon.Result
	Meta(ctx context.Context) (review.Meta, error)
	DecideAll(ctx context.Context, c review.Choice, f review.Filter) (review.Receipt, error)
	NoteAll(ctx context.Context, text string, f review.Filter) (review.Receipt, error)
	Decide(ctx context.Context, c review.Choice, targets ...review.Target) (review.Receipt, error)
	Note(ctx context.Context, text string, ids ...int64) (review.Receipt, error)
	Undo(ctx context.Context, batch int64) (review.Batch, review.Receipt, error)
	Redo(ctx context.Context) (review.Batch, review.Receipt, error)
	NextRedo(ctx context.Context) (review.Batch, error)

	DecisionEffect(ctx context.Context, c review.Choice, progress func(review.Effect), filters ...review.Filter) (*review.Effect, []review.Target, error)
	Amend(ctx context.Context, rule canon.Override) (review.OverrideChange, error)
	AmendAll(ctx context.Context, rules ...canon.Override) ([]review.OverrideChange, error)
	Effect(ctx context.Context, changes []review.OverrideChange, progress func(review.Effect)) (*review.Effect, error)
	SaveOverrides(ctx context.Context, changes []review.OverrideChange, summary string) (review.Receipt, *review.Effect, error)
}

var _ Desk = (*review.Desk)(nil)
