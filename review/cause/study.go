package cause

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// Study is what a person should see of a cause before settling it.
type Study struct {
	Cause   Cause           // N as it is now: 0 when others have settled it
	Samples []review.Item   // up to three, spread over those looked at
	Under   []review.Bucket // path prefixes under which some but not all of those looked at lie, largest first; for a host
	Fixes   []Fix
}

// The bounds of a study: however many URLs a cause has, it takes no longer.
const (
	maxStudied = 200 // URLs of the cause, and of those decided before, that are looked at
	maxShown   = 3
	maxUnder   = 8
)

// study collects what is known of the URLs of a cause.
type study struct {
	*Study
	desk      Desk
	stored    []review.StoredOverride
	items     []review.Item
	evidence  map[int64]*canon.Evidence
	precedent precedent

	fieldSize, fieldFlagged int // of a ByField: what stands in the field, and how much of it has the flag
}

// Examine studies a cause: it looks at some of its URLs and their evidence, at decisions about similar URLs, and at the
// overrides of other places.
func Examine(ctx context.Context, desk Desk, c Cause) (*Study, error) {
	s := &study{Study: &Study{Cause: c}, desk: desk, evidence: map[int64]*canon.Evidence{}}
	if err := s.run(ctx); err != nil {
		return nil, fmt.Errorf("looking at %s: %w", c, err)
	}
	return s.Study, nil
}

func (s *study) run(ctx context.Context) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	s.Samples = spread(s.items)
	s.Under = under(s.Cause, s.items)
	if s.Cause.N == 0 {
		return nil
	}
	s.Fixes = s.Cause.Fixes()
	if err := s.moreRemedies(ctx); err != nil {
		return err
	}
	s.vote()
	choose(s.Fixes)
	return nil
}

func (s *study) read(ctx context.Context) (err error) {
	f := s.Cause.Filter()
	if s.stored, err = s.desk.Overrides(ctx); err != nil {
		return err
	}
	if s.Cause.N, err = s.desk.Count(ctx, f); err != nil {
		return err
	}
	if s.Cause.Sole = min(s.Cause.Sole, s.Cause.N); s.Cause.Param == "" {
		if s.Cause.Sole, err = s.desk.Count(ctx, s.Cause.SoleFilter()); err != nil {
			return err
		}
	}
	if s.items, err = s.desk.Page(ctx, review.Query{Filter: f}, nil, maxStudied); err != nil {
		return err
	}
	if err = s.readEvidence(ctx); err != nil {
		return err
	}
	s.precedent, err = precedentOf(ctx, s.desk, s.Cause)
	return err
}

func (s *study) readEvidence(ctx context.Context) error {
	ids := make([]int64, len(s.items))
	for i := range s.items {
		ids[i] = s.items[i].ID
	}
	return s.desk.EachWithEvidence(ctx, review.Filter{IDs: ids}, func(it review.Item, ev *canon.Evidence) error {
		if ev != nil {
			s.evidence[it.ID] = ev
		}
		return nil
	})
}

// precedent is what people decided about URLs like those of a cause.
type precedent struct{ decided, approved, corrected, rejected int }

// precedentOf looks at URLs with the flag, in the same place, that are decided.
func precedentOf(ctx context.Context, desk Desk, c Cause) (precedent, error) {
	var p precedent
	f := c.Filter()
	f.Open, f.Statuses = false, []review.Status{review.Approved, review.Rejected}
	items, err := desk.Page(ctx, review.Query{Filter: f}, nil, maxStudied)
	for i := range items {
		if items[i].Decision == nil || items[i].Open() {
			continue
		}
		p.decided++
		switch items[i].Decision.Kind {
		case review.Approve:
			p.approved++
		case review.Correct:
			p.corrected++
		case review.Reject:
			p.rejected++
		}
	}
	return p, err
}

// spread returns a few of the items, from all over the list.
func spread(items []review.Item) []review.Item {
	if len(items) <= maxShown {
		return items
	}
	list := make([]review.Item, maxShown)
	for i := range list {
		list[i] = items[i*(len(items)-1)/(maxShown-1)]
	}
	return list
}

// under counts the items below each prefix of their paths. A prefix that all of them share, or that only one has, narrows nothing; of
// prefixes with the same URLs below them the longest stands for all.
func under(c Cause, items []review.Item) []review.Bucket {
	if c.Kind != ByHost || len(items) < 2 {
		return nil
	}
	count, deepest := map[string]int{}, map[string]bool{}
	for i := range items {
		prefix := ""
		for segment := range strings.SplitSeq(strings.Trim(review.PathOf(items[i].Computed.Canonical), "/"), "/") {
			prefix += "/" + segment
			count[prefix]++
		}
	}
	for p, n := range count {
		deepest[p] = n > 1 && n < len(items)
	}
	for p, n := range count {
		if parent := p[:strings.LastIndexByte(p, '/')]; parent != "" && count[parent] == n {
			deepest[parent] = false
		}
	}
	var list []review.Bucket
	for p, yes := range deepest {
		if yes && p != c.Path {
			list = append(list, review.Bucket{Value: p, N: count[p]})
		}
	}
	slices.SortFunc(list, func(a, b review.Bucket) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value)) })
	return list[:min(len(list), maxUnder)]
}

// Narrow returns the cause of those of its URLs whose path lies under the prefix: a host's alone can be narrowed.
func (c Cause) Narrow(path string) Cause {
	if c.Kind == ByHost {
		c.Path = path
	}
	return c
}
