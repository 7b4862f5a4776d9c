package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
)

// Study is what a person should see of a cause before settling it.
type Study struct {
	Cause   Cause    // N as it is now: 0 when others have settled it
	Samples []Item   // up to three, spread over those looked at
	Under   []Bucket // path prefixes under which some but not all of those looked at lie, largest first; for a host
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
	desk      *Desk
	rules     *rules
	items     []Item
	evidence  map[int64]*canon.Evidence
	precedent precedent

	fieldSize, fieldFlagged int // of a FieldCause: what stands in the field, and how much of it has the flag
}

// Study looks at a cause: at some of its URLs, at what the network said of them, at what people decided about others like them, and
// at the rules that stand elsewhere.
func (d *Desk) Study(ctx context.Context, c Cause) (*Study, error) {
	s := &study{Study: &Study{Cause: c}, desk: d, evidence: map[int64]*canon.Evidence{}}
	if err := s.read(ctx); err != nil {
		return nil, fmt.Errorf("looking at %s: %w", c, err)
	}
	s.Samples = spread(s.items)
	s.Under = under(c, s.items)
	if s.Cause.N == 0 {
		return s.Study, nil
	}
	s.Fixes = s.Cause.Fixes()
	if err := s.moreRemedies(ctx); err != nil {
		return nil, fmt.Errorf("looking at %s: %w", c, err)
	}
	s.vote()
	choose(s.Fixes)
	return s.Study, nil
}

func (s *study) read(ctx context.Context) (err error) {
	f := s.Cause.Filter()
	if s.rules, err = s.desk.rules(ctx); err != nil {
		return err
	}
	if s.Cause.N, err = s.desk.store.Count(ctx, f); err != nil {
		return err
	}
	if s.Cause.Sole = min(s.Cause.Sole, s.Cause.N); s.Cause.Param == "" {
		if s.Cause.Sole, err = s.desk.store.Count(ctx, s.Cause.SoleFilter()); err != nil {
			return err
		}
	}
	if s.items, err = s.desk.store.Page(ctx, Query{Filter: f}, nil, maxStudied); err != nil {
		return err
	}
	if err = s.readEvidence(ctx); err != nil {
		return err
	}
	s.precedent, err = s.desk.precedent(ctx, s.Cause)
	return err
}

func (s *study) readEvidence(ctx context.Context) error {
	ids := make([]int64, len(s.items))
	for i := range s.items {
		ids[i] = s.items[i].ID
	}
	return s.desk.store.EachWithEvidence(ctx, Filter{IDs: ids}, func(it Item, ev *canon.Evidence) error {
		if ev != nil {
			s.evidence[it.ID] = ev
		}
		return nil
	})
}

// precedent is what people decided about URLs like those of a cause.
type precedent struct{ decided, approved, corrected, rejected int }

// precedent looks at URLs with the flag, in the same place, that are decided.
func (d *Desk) precedent(ctx context.Context, c Cause) (precedent, error) {
	var p precedent
	f := c.Filter()
	f.Open, f.Statuses = false, []Status{Approved, Rejected}
	items, err := d.store.Page(ctx, Query{Filter: f}, nil, maxStudied)
	for i := range items {
		if items[i].Decision == nil || items[i].Open() {
			continue
		}
		p.decided++
		switch items[i].Decision.Kind {
		case Approve:
			p.approved++
		case Correct:
			p.corrected++
		case Reject:
			p.rejected++
		}
	}
	return p, err
}

// spread returns a few of the items, from all over the list.
func spread(items []Item) []Item {
	if len(items) <= maxShown {
		return items
	}
	list := make([]Item, maxShown)
	for i := range list {
		list[i] = items[i*(len(items)-1)/(maxShown-1)]
	}
	return list
}

// under counts the items below each prefix of their paths. A prefix that all of them share, or that only one has, narrows nothing; of
// prefixes with the same URLs below them the longest stands for all.
func under(c Cause, items []Item) []Bucket {
	if c.Kind != HostCause || len(items) < 2 {
		return nil
	}
	count, deepest := map[string]int{}, map[string]bool{}
	for i := range items {
		prefix := ""
		for segment := range strings.SplitSeq(strings.Trim(pathOf(items[i].Computed.Canonical), "/"), "/") {
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
	var list []Bucket
	for p, yes := range deepest {
		if yes && p != c.Path {
			list = append(list, Bucket{Value: p, N: count[p]})
		}
	}
	slices.SortFunc(list, func(a, b Bucket) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Value, b.Value)) })
	return list[:min(len(list), maxUnder)]
}

// Narrow returns the cause of those of its URLs whose path lies under the prefix: a host's alone can be narrowed.
func (c Cause) Narrow(path string) Cause {
	if c.Kind == HostCause {
		c.Path = path
	}
	return c
}
