package cause

import (
	"cmp"
	"slices"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
)

// maxDoubtful is the largest number of suggestions among the causes that are not recommended.
const maxDoubtful = 20

// WithSuggestions returns the causes with the suggestions that nobody dismissed. Recommended ones stand by their reach
// among the causes. Up to 20 others stand at the end; more is the number of those left out.
func WithSuggestions(causes []Cause, found []suggest.Suggestion) (list []Cause, more int) {
	list = slices.Clip(causes)
	doubtful := 0
	for i := range found { // the recommended ones first, then those with the larger reach
		s := &found[i]
		switch {
		case s.Dismissed != nil:
			continue
		case !s.Recommended:
			doubtful++
		}
		if doubtful <= maxDoubtful {
			list = append(list, Cause{Kind: BySuggestion, Rule: s.ID(), Suggestion: s, N: s.Reach, Hosts: s.Hosts})
		}
	}
	if len(list) > len(causes) { // else they are the caller's, in order
		slices.SortStableFunc(list, func(a, b Cause) int { return cmp.Compare(b.weight(), a.weight()) })
	}
	return list, max(0, doubtful-maxDoubtful)
}

// weight is the number by which causes and suggestions are sorted. That of a suggestion which is not recommended is
// below all others.
func (c Cause) weight() int {
	switch s := c.Suggestion; {
	case s == nil:
		return c.N + c.Sole
	case !s.Recommended:
		return -1
	}
	return c.N
}

// OfSuggestion returns the study of a suggestion under rules. Its URLs are those that its rule would change, settled
// ones too.
func OfSuggestion(c Cause, p *canon.Policy, o *canon.Overrides) *Study {
	return &Study{Cause: c, Settles: c.N, Fixes: c.Fixes(), Ask: c.Suggestion.Ask, Warning: c.Suggestion.Warning(p, o)}
}

// take returns the fix that writes the rule of a suggestion.
func (c Cause) take() Fix {
	s := c.Suggestion
	yes, _ := s.Reasons()
	does := s.Template.String()
	return Fix{Kind: FixTake, Title: "write the rule: " + does, Done: "rule written: " + does, Only: c.Filter(),
		Rules: []canon.Override{s.Override()}, Reasons: yes, Recommended: s.Recommended}
}

// suggestionFilter returns the filter of the URLs on the hosts and below the path of a suggestion.
func (c Cause) suggestionFilter() review.Filter {
	f := review.Filter{Path: c.Suggestion.Path}
	if !c.Suggestion.IsGeneral() {
		f.AtHosts = []string{c.Suggestion.Host}
	}
	return f
}
