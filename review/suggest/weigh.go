package suggest

import (
	"context"
	"fmt"
	"slices"

	"visto/canon"
	"visto/review"
)

// Weigh returns a suggestion for each template, with the votes of the stored URLs of the filter about it. The templates
// come from elsewhere, such as the fixes of a cause. There may be no vote, and their reach is not counted.
func Weigh(ctx context.Context, desk PageDesk, f review.Filter, list ...Template) ([]Suggestion, error) {
	m := newMiner(desk, f)
	if err := m.readAll(ctx); err != nil {
		return nil, fmt.Errorf("weighing rules: %w", err)
	}
	return weigh(m.pages, m.rules, list), nil
}

func weigh(pages []Page, rules []canon.Override, list []Template) []Suggestion {
	weighed, sites := make([]Suggestion, 0, len(list)), newWeb(pages, nil).sorted()
	for _, t := range list {
		var votes []Vote
		for _, s := range sites {
			if t.isFor(s.host) {
				votes = append(votes, s.vote(t)...)
				votes = append(votes, keptBy(rules, t.on(s.host))...)
			}
		}
		votes = under(votes, t.Path)
		weighed = append(weighed, newSuggestion(t, scoped{t.Path, votes, tally(votes)}))
	}
	return weighed
}

// Keeping returns the tally of the opposite of a suggestion to drop parameters: to keep them all. Decisions against the
// suggestion do not count: whoever asks counts them as precedents. A canonical link with some of several parameters is
// against both.
func (s *Suggestion) Keeping() Tally {
	var votes []Vote
	for _, v := range s.Votes {
		if v.Signal == Person && !v.For {
			continue
		}
		v.For = !v.For && (v.Signal != Canonical || s.leaves(v))
		votes = append(votes, v)
	}
	return tally(votes)
}

// leaves reports whether the other URL of a vote has all the parameters that the suggestion would drop of its URL.
func (s *Suggestion) leaves(v Vote) bool {
	a, _ := parse(v.URL)
	b, _ := parse(v.Other)
	return !slices.ContainsFunc(without(a, b), s.lists)
}
