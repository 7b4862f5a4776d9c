package suggest

import (
	"context"
	"slices"

	"visto/canon"
	"visto/review"
)

// place is a host with the name of a parameter that URLs on it may have, or "".
type place struct{ host, param string }

// reach finds the suggestions that may change a URL.
type reach map[place][]*Suggestion

func newReach(list []Suggestion) reach {
	r := reach{}
	for i := range list {
		s := &list[i]
		names := []string{""}
		switch s.Kind {
		case DropParam:
			names = []string{s.Params}
		case KeepParams:
			names = s.Drops
		}
		for _, name := range names {
			at := place{s.Host, name}
			r[at] = append(r[at], s)
		}
	}
	return r
}

// count counts a URL for each suggestion that changes it.
func (r reach) count(a address) {
	var counted []*Suggestion // with several parameters to drop
	try := func(at place) {
		for _, s := range r[at] {
			if s.Kind == KeepParams && slices.Contains(counted, s) {
				continue
			}
			if _, changes := s.apply(a); changes && s.isDeep(len(a.segments)) {
				s.Reach++
				counted = append(counted, s)
			}
		}
	}
	try(place{a.host, ""})
	try(place{"*", ""})
	for _, name := range a.names() {
		try(place{a.host, name})
		try(place{"*", name})
	}
}

// isDeep reports whether the override of the suggestion is for URLs with that number of segments.
func (s *Suggestion) isDeep(segments int) bool {
	return s.Kind != IndexPage && s.Kind != Extension || slices.Contains(s.depths, segments)
}

// count counts the stored URLs that each suggestion changes.
func (m *miner) count(ctx context.Context, list []Suggestion) error {
	if len(list) == 0 {
		return nil
	}
	r := newReach(list)
	return m.desk.EachAnswered(ctx, m.filter, func(it review.Item, _ *canon.Evidence) error {
		if a, ok := parse(it.Computed.Canonical); ok {
			r.count(a)
		}
		return nil
	})
}
