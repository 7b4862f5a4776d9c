package suggest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"visto/canon"
	"visto/review"
)

// Limits of the suggestions that no vote is about.
const (
	minUnknown = 5     // the least number of URLs of a host with an unknown parameter
	maxOffered = 20    // the most such suggestions
	maxWaiting = 10000 // the most URLs of one suggestion among which pairs are looked for
)

// Offer adds offers to suggestions for the URLs of a filter: to drop unknown parameters that many URLs of a host have,
// where nobody asked about any of them and no vote is about it. They only name URLs to ask about.
func Offer(ctx context.Context, desk PageDesk, f review.Filter, list []Suggestion) ([]Suggestion, error) {
	offers, err := newMiner(desk, f).offer(ctx, list)
	if err != nil {
		return nil, fmt.Errorf("looking for URLs to ask about: %w", err)
	}
	list = slices.Concat(list, offers)
	slices.SortFunc(list, compare)
	return list, nil
}

func (m *miner) offer(ctx context.Context, list []Suggestion) ([]Suggestion, error) {
	if err := m.readRules(ctx); err != nil {
		return nil, err
	}
	u := unknowns{}
	err := m.each(ctx, m.filter, func(it review.Item, ev *canon.Evidence) error {
		u.add(&it, IsAsked(ev))
		if IsAsked(ev) { // it may lead to a URL without its parameters
			m.hosts.Hosts = ev.Hosts
			own := m.base(it.Original)
			u.ask(own.Host, own.UnknownParams)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	offers := u.offers(list)
	if err := m.count(ctx, offers); err != nil {
		return nil, err
	}
	for i := range offers {
		offers[i].fillUp()
	}
	return slices.DeleteFunc(offers, func(s Suggestion) bool { return m.loops(&s) }), nil
}

// unknowns counts the stored URLs with an unknown parameter, by host and name.
type unknowns map[place]unknown

// unknown counts URLs with a parameter. isAsked tells that one of them was asked.
type unknown struct {
	urls    int32
	isAsked bool
}

func (u unknowns) add(it *review.Item, isAsked bool) {
	for _, name := range it.Computed.Unknown {
		at := place{it.Computed.Host, strings.ToLower(name)}
		isUTF8 := !strings.ContainsRune(name, utf8.RuneError) // it stands for bytes that are none
		if known := u[at]; isUTF8 && nameable(at.param) {
			u[at] = unknown{known.urls + 1, known.isAsked || isAsked}
		}
	}
}

// ask notes that a URL with unknown parameters was asked.
func (u unknowns) ask(host string, params []string) {
	for _, name := range params {
		at := place{host, strings.ToLower(name)}
		u[at] = unknown{u[at].urls, true}
	}
}

// offers returns the offers for the parameters that most URLs of a host have, without those that the list has.
func (u unknowns) offers(list []Suggestion) (offers []Suggestion) {
	places := slices.SortedFunc(maps.Keys(u), func(a, b place) int {
		return cmp.Or(cmp.Compare(u[b].urls, u[a].urls), strings.Compare(a.host, b.host),
			strings.Compare(a.param, b.param))
	})
	for _, at := range places {
		if len(offers) == maxOffered || u[at].urls < minUnknown {
			break
		}
		isCovered := func(s Suggestion) bool { return s.Kind == DropParam && s.isFor(at.host) && s.lists(at.param) }
		if !u[at].isAsked && !slices.ContainsFunc(list, isCovered) {
			t := Template{Kind: DropParam, Host: at.host, Params: at.param}
			s := newSuggestion(t, scoped{"", nil, tally(nil)})
			s.waiting = map[string]int64{}
			offers = append(offers, s)
		}
	}
	return offers
}

// Unasked returns up to 5 of the items, about none of which anything is known, whose evidence would tell most about a
// template: first pairs of which it makes one URL.
func Unasked(t Template, items []review.Item) []int64 {
	s := Suggestion{Template: t, waiting: map[string]int64{}}
	for i := range items {
		if a, ok := parse(items[i].Computed.Canonical); ok {
			to, _ := t.apply(a)
			s.pairUp(items[i].ID, to.String())
		}
	}
	s.fillUp()
	return s.Ask
}

// pairUp notes an item that nothing is known about, and the URL that the suggestion makes of it. Two items of one such
// URL tell most: their pages are the same, or they are not.
func (s *Suggestion) pairUp(item int64, target string) {
	first, isThere := s.waiting[target]
	switch {
	case !isThere && len(s.waiting) < maxWaiting:
		s.waiting[target] = item
	case first > 0 && first != item && len(s.Ask)+2 <= maxAsked:
		s.Ask = append(s.Ask, first, item)
		s.waiting[target] = 0
	}
}

// fillUp asks about single items too, if there are not enough pairs: their redirects and canonical links may tell.
func (s *Suggestion) fillUp() {
	for _, item := range slices.Sorted(maps.Values(s.waiting)) {
		if item > 0 && len(s.Ask) < maxAsked {
			s.Ask = append(s.Ask, item)
		}
	}
	s.waiting = nil
}
