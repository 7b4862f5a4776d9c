package lint

import (
	"context"

	"visto/review"
)

// Stored has the decisions of a database, and its rules for the URLs that it lacks.
type Stored struct{ lookup *review.Lookup }

// NewStored returns the decisions of the database behind the desk. They are those of the moment of each question.
func NewStored(ctx context.Context, desk *review.Desk) (*Stored, error) {
	lookup, err := desk.Lookup(ctx)
	return &Stored{lookup}, err
}

// Entry returns the stored decision on the URL, or that of the rules if none is stored.
func (s *Stored) Entry(ctx context.Context, c Citation) (Entry, error) {
	found, err := s.lookup.Find(ctx, c.URL, c.Place.Field)
	if err != nil {
		return Entry{}, err
	}
	k := known{approved: found.Approved, accepted: found.Accepted}
	entry := fromResult(found.Result)
	if it := found.Item; it != nil {
		entry.Status, entry.Canonical, entry.Decision = it.Status, it.Canonical(), it.Decision
		k.own = &entry
	}
	return k.entry(c.URL, func() (Entry, error) { return entry, nil })
}
