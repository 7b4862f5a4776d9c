package lint

import (
	"context"

	"visto/review"
)

// Stored has the decisions of a database, and its rules for the URLs that it lacks.
// It serves one goroutine at a time.
type Stored struct {
	lookup *review.Lookup
	files  map[string]string  // as Desk.Files
	asked  map[question]Entry // many URLs of a file may lead to one, and a file that is mended is judged again
}

type question struct{ url, field string }

// maxAsked is the number of entries that are kept. A large one has a few KB.
const maxAsked = 4096

// NewStored returns the decisions of the database behind the desk. They are those of the moment of the first question
// about a URL.
func NewStored(ctx context.Context, desk *review.Desk) (*Stored, error) {
	lookup, err := desk.Lookup(ctx)
	if err != nil {
		return nil, err
	}
	files, err := desk.Files(ctx)
	return &Stored{lookup, files, map[question]Entry{}}, err
}

// Entry returns the stored decision on the URL, or that of the rules if none is stored.
func (s *Stored) Entry(ctx context.Context, c Citation) (Entry, error) {
	q := question{c.URL, c.Place.Field}
	if e, ok := s.asked[q]; ok {
		return e, nil
	}
	e, everywhere, err := s.ask(ctx, &c)
	if err != nil || !everywhere {
		return e, err
	}
	if len(s.asked) == maxAsked {
		clear(s.asked)
	}
	s.asked[q] = e
	return e, nil
}

// ask asks the database, and reports whether the answer is the same for every record.
func (s *Stored) ask(ctx context.Context, c *Citation) (e Entry, everywhere bool, err error) {
	everywhere = true
	found, err := s.lookup.Find(ctx, c.URL, c.Place.Field, func(it *review.Item) int64 {
		everywhere = false
		return s.citer(c, it)
	})
	if err != nil {
		return Entry{}, false, err
	}
	k := known{approved: found.Approved, accepted: found.Accepted}
	entry := fromResult(found.Result)
	if it := found.Item; it != nil {
		entry.Status, entry.Canonical, entry.Decision = it.Status, it.Canonical(), it.Decision
		k.own = &entry
	}
	e, err = k.entry(c.URL, func() (Entry, error) { return entry, nil })
	return e, everywhere, err
}

// citer returns the number of the record or file that cites the item in the place of the citation, 0 if it is not
// known.
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
