package suggest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// place is a host or a pattern with the name of a parameter that URLs on it may have, or "".
type place struct{ host, param string }

// reach finds the suggestions that may change a URL.
type reach struct {
	at       map[place][]*Suggestion
	suffixes map[string]string        // host patterns, without and with their "*"
	offers   map[string][]*Suggestion // by host
}

func newReach(list []*Suggestion) *reach {
	r := &reach{map[place][]*Suggestion{}, map[string]string{}, map[string][]*Suggestion{}}
	for _, s := range list {
		names := []string{""}
		switch {
		case s.Kind == DropParam:
			names = s.params()
		case s.Kind == KeepParams && s.Source == "":
			names = s.Drops
		}
		for _, name := range names {
			at := place{s.Host, name}
			r.at[at] = append(r.at[at], s)
		}
		if s.waiting != nil {
			r.offers[s.Host] = append(r.offers[s.Host], s)
		}
		if suffix, ok := strings.CutPrefix(s.Host, "*."); ok {
			r.suffixes["."+suffix] = s.Host
		}
	}
	return r
}

// hosts returns a host, and the host patterns of suggestions that match it.
func (r *reach) hosts(host string) []string {
	list := []string{host, "*"}
	for i := range host {
		if host[i] == '.' && r.suffixes[host[i:]] != "" {
			list = append(list, r.suffixes[host[i:]])
		}
	}
	return list
}

// count counts a URL for each suggestion that changes it. ask is its item if nothing is known about it, else 0.
func (r *reach) count(a address, ask int64) {
	var counted []*Suggestion // with several parameters to drop
	try := func(at place) {
		for _, s := range r.at[at] {
			if s.ofParams() && slices.Contains(counted, s) {
				continue
			}
			if to, changes := s.apply(a); changes && s.isDeep(len(a.segments)) {
				s.Reach++
				if s.IsGeneral() {
					s.note(a.host)
				}
				s.learn(a, to)
				s.askAbout(ask, to.String)
				counted = append(counted, s)
			}
		}
	}
	for _, s := range r.offers[a.host] {
		if _, changes := s.apply(a); !changes && ask > 0 {
			s.pairUp(ask, a.String())
		}
	}
	names := append([]string{""}, a.names()...)
	for _, host := range r.hosts(a.host) {
		for _, name := range names {
			try(place{host, name})
		}
	}
}

// note notes a host with a URL that a suggestion for several hosts changes.
func (s *Suggestion) note(host string) {
	if s.reached == nil {
		s.reached = map[string]bool{}
	}
	s.reached[host] = true
}

// learn notes for a shared rule the parameters and numbers of segments that its override has to name.
func (s *Suggestion) learn(from, to address) {
	if s.Source == "" {
		return
	}
	if s.Kind == KeepParams {
		names := slices.DeleteFunc(without(from, to), func(name string) bool { return !nameable(name) })
		s.Drops = sortedUnion(s.Drops, names)
	}
	if s.hasDepth() {
		s.Depths = sortedUnion(s.Depths, []int{len(from.segments)})
	}
}

// sortedUnion returns the values of two lists, sorted, each once.
func sortedUnion[T cmp.Ordered](a, b []T) []T {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// isDeep reports whether the override of the suggestion is for URLs with that number of segments.
func (s *Suggestion) isDeep(segments int) bool {
	return s.Source != "" || !s.hasDepth() || slices.Contains(s.Depths, segments)
}

// count counts the stored URLs that each suggestion changes.
func (m *miner) count(ctx context.Context, list []Suggestion) error {
	if len(list) == 0 {
		return nil
	}
	r := newReach(pointers(list))
	return m.each(ctx, m.filter, func(it review.Item, ev *canon.Evidence) error {
		a, ok := parse(it.Computed.Canonical)
		if !ok {
			return nil
		}
		ask := it.ID
		if IsAsked(ev) {
			ask = 0
		}
		r.count(a, ask)
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
func (s *Suggestion) askAbout(item int64, target func() string) {
	switch {
	case item == 0 || s.Recommended || s.Persons || len(s.Ask) == maxAsked:
	case s.waiting != nil:
		s.pairUp(item, target())
	case !slices.Contains(s.asked, target()):
		s.Ask, s.asked = append(s.Ask, item), append(s.asked, target())
	}
}
