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

func newReach(list []*Suggestion) reach {
	r := reach{}
	for _, s := range list {
		names := []string{""}
		switch s.Kind {
		case DropParam:
			names = s.params()
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

// count counts a URL for each suggestion that changes it. ask is its item if nothing is known about it, else 0.
func (r reach) count(a address, ask int64) {
	var counted []*Suggestion // with several parameters to drop
	try := func(at place) {
		for _, s := range r[at] {
			if s.ofParams() && slices.Contains(counted, s) {
				continue
			}
			if to, changes := s.apply(a); changes && s.isDeep(len(a.segments)) {
				s.Reach++
				if s.byHost != nil {
					s.byHost[a.host]++
				}
				if ask > 0 {
					s.askAbout(ask, to.String())
				}
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
	return m.countIn(ctx, m.filter, newReach(pointers(list)), nil, nil)
}

// countIn counts the URLs of a filter, those on hosts also for again.
func (m *miner) countIn(ctx context.Context, f review.Filter, all, again reach, hosts map[string]bool) error {
	return m.desk.EachAnswered(ctx, f, func(it review.Item, ev *canon.Evidence) error {
		a, ok := parse(it.Computed.Canonical)
		if !ok {
			return nil
		}
		ask := it.ID
		if IsAsked(ev) {
			ask = 0
		}
		all.count(a, ask)
		if hosts[a.host] {
			again.count(a, ask)
		}
		return nil
	})
}

func pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// maxAsked is the largest number of URLs to ask about for one suggestion.
const maxAsked = 5

// askAbout adds an item to those to ask about, if votes might still recommend the suggestion and none of them is about
// the same page. target is the URL that the suggestion makes of it.
func (s *Suggestion) askAbout(item int64, target string) {
	if s.Recommended || s.persons || len(s.Ask) == maxAsked || slices.Contains(s.asked, target) {
		return
	}
	s.Ask, s.asked = append(s.Ask, item), append(s.asked, target)
}
