package lint

import (
	"context"

	"visto/review"
)

// Stored has the decisions of a database, and its rules for the URLs that it lacks.
type Stored struct {
	lookup *review.Lookup
	files  map[string]string // as Desk.Files
}

// NewStored returns the decisions of the database behind the desk. They are those of the moment of each question.
func NewStored(ctx context.Context, desk *review.Desk) (*Stored, error) {
	lookup, err := desk.Lookup(ctx)
	if err != nil {
		return nil, err
	}
	files, err := desk.Files(ctx)
	return &Stored{lookup, files}, err
}

// Entry returns the stored decision on the URL, or that of the rules if none is stored.
func (s *Stored) Entry(ctx context.Context, c Citation) (Entry, error) {
	found, err := s.lookup.Find(ctx, c.URL, c.Place.Field, func(it *review.Item) int64 { return s.citer(&c, it) })
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

// citer returns what cites the item in the place of the citation, 0 if it is not known.
func (s *Stored) citer(c *Citation, it *review.Item) (citer int64) {
	best := 0
	for _, o := range it.Citing() {
		at := spot{files: []string{o.File, s.files[o.File]}, none: o.Record == nil, path: o.Path}
		if o.Record != nil {
			at.id, at.name = o.Record.ID, o.Record.Name
		}
		if sure := c.likeness(at); sure > best {
			best, citer = sure, o.Citer
		}
	}
	return citer
}
