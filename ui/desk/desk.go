// Package desk is the user interfaces' side of a [review.Desk]: its methods by noun, and the readings of the queue,
// the facets and the orders that the console and the line mode share.
package desk

import (
	"context"
	"time"

	"visto/canon"
	"visto/review"
	"visto/review/candidate"
	"visto/review/cause"
	"visto/review/health"
	"visto/review/probe"
	"visto/review/suggest"
)

// Desk has all methods of a [review.Desk] that a user interface calls. A caller takes the smallest part that it needs.
type Desk interface {
	Identity
	Queue
	Items
	Decisions
	Assignments
	Rules
	cause.Desk
	suggest.Desk
	History
	Views
}

var _ Desk = (*review.Desk)(nil)

// Identity names the policy and the reviewer, and reports whether the database is read-only.
type Identity interface {
	Policy() *canon.Policy
	Reviewer() string
	ReadOnly() bool
}

// Queue reads and counts items by a filter.
type Queue interface {
	Page(ctx context.Context, q review.Query, from *review.Cursor, n int) ([]review.Item, error)
	Each(ctx context.Context, f review.Filter, fn func(review.Item) error) error
	Count(ctx context.Context, f review.Filter) (int, error)
	Facets(ctx context.Context, f review.Filter) (review.Facets, error)
	Facet(ctx context.Context, f review.Filter, by review.Dimension) ([]review.Bucket, error)
	Attributes(ctx context.Context, f review.Filter) ([]review.AttributeFacet, error)
	MissingAttribute(ctx context.Context, names []string) (missing string, known []string, err error)
	Totals(ctx context.Context) (review.Totals, error)
	Meta(ctx context.Context) (review.Meta, error)
}

// Items reads one item, its surroundings and the content of its page.
type Items interface {
	Detail(ctx context.Context, id int64) (*review.Detail, error)
	Surroundings(ctx context.Context, id int64) (*review.Surroundings, error)
	Contents(ctx context.Context, id int64) ([]review.StoredContent, error)
}

// Decisions decides on items and reverts batches.
type Decisions interface {
	Correction(ctx context.Context, typed string) (review.Correction, error)
	Decide(ctx context.Context, c review.Choice, targets ...review.Target) (review.Receipt, error)
	Cite(ctx context.Context, now func() time.Time, list ...review.Citation) (review.Receipt, error)
	DecideAll(ctx context.Context, c review.Choice, f review.Filter) (review.Receipt, error)
	Note(ctx context.Context, text string, ids ...int64) (review.Receipt, error)
	NoteAll(ctx context.Context, text string, f review.Filter) (review.Receipt, error)
	Undo(ctx context.Context, batch int64) (review.Batch, review.Receipt, error)
	Redo(ctx context.Context) (review.Batch, review.Receipt, error)
	NextRedo(ctx context.Context) (review.Batch, error)
}

// Assignments shares items out among reviewers.
type Assignments interface {
	Shares(ctx context.Context, s review.Sharing) (*review.Shares, error)
	Assign(ctx context.Context, s *review.Shares) (int, error)
	Unassign(ctx context.Context, s *review.Shares) (int, error)
}

// Rules reads and writes overrides and computes effects before they are written.
type Rules interface {
	Overrides(ctx context.Context) ([]review.StoredOverride, error)
	Proposals(ctx context.Context) ([]review.Batch, error)
	Strangers(ctx context.Context, rules ...canon.Override) ([]review.Stranger, error)
	AmendAll(ctx context.Context, rules ...canon.Override) ([]review.OverrideChange, error)
	Effect(ctx context.Context, changes []review.OverrideChange, progress func(review.Effect)) (*review.Effect, error)
	DecisionEffect(ctx context.Context, c review.Choice, progress func(review.Effect), filters ...review.Filter) (
		*review.Effect, []review.Target, error)
	SaveOverrides(ctx context.Context, changes []review.OverrideChange, summary string) (
		review.Receipt, *review.Effect, error)
}

// History reads the log, the statistics, the trends of the links and the version of the store.
type History interface {
	Log(ctx context.Context, before int64, n int) ([]review.EntryInfo, error)
	Entry(ctx context.Context, seq int64) (review.Entry, error)
	Stats(ctx context.Context) (review.Stats, error)
	Trends(ctx context.Context, f review.Filter, now time.Time) (health.Summary, error)
	Version(ctx context.Context) (int64, error)
}

// Views reads and writes saved views.
type Views interface {
	Views(ctx context.Context, now time.Time) ([]review.View, error)
	SaveView(ctx context.Context, v review.View) error
	RenameView(ctx context.Context, from, to string) error
	DeleteView(ctx context.Context, name string) error
}

// Prober asks the network about a stored URL. Probe stores the evidence; Candidates finds pages to cite in its place,
// best first, and stores nothing. Both call watch with each event, one at a time; watch does not block. They stop at
// once when ctx ends.
type Prober interface {
	Probe(ctx context.Context, id int64, watch func(probe.Event)) (review.ProbeResult, error)
	Candidates(ctx context.Context, q candidate.Question, watch func(probe.Event)) ([]candidate.Candidate, error)
}
