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
	weighed, sites := make([]Suggestion, 0, len(list)), newWeb(pages).sorted()
	for _, t := range list {
		var votes []Vote
		for _, s := range sites {
			if t.isFor(s.host) {
				votes = append(votes, s.vote(t)...)
				votes = append(votes, keptBy(rules, t.on(s.host))...)
			}
		}
		if t.Host == "*" {
			votes = withoutSingles(votes)
		}
		votes = under(votes, t.Path)
		weighed = append(weighed, newSuggestion(t, scoped{t.Path, votes, tally(votes)}))
	}
	return weighed
}

// Import returns a suggestion for each template of shared rules, in the order of Mine, and the rules. Those whose
// override would never reach a fixed point are unsaid there. name is that of their file.
func Import(ctx context.Context, desk PageDesk, f review.Filter, name string, rules []Shared) (
	[]Suggestion, []Shared, error) {
	list, err := newMiner(desk, f).share(ctx, name, rules)
	if err != nil {
		return nil, nil, fmt.Errorf("weighing the rules of %s: %w", name, err)
	}
	rules = slices.Clone(rules)
	for i := range rules {
		rules[i].leave(list)
	}
	return list, rules, nil
}

func (m *miner) share(ctx context.Context, name string, rules []Shared) ([]Suggestion, error) {
	if err := m.readAll(ctx); err != nil {
		return nil, err
	}
	var templates []Template
	for _, r := range rules {
		templates = append(templates, r.Templates...)
	}
	slices.SortFunc(templates, compareTemplates)
	list := weigh(m.pages, m.rules, slices.Compact(templates))
	m.pages = nil
	for i := range list {
		list[i].Source = name
	}
	if err := m.count(ctx, list); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(s Suggestion) bool { return s.Reach > 0 && m.loops(&s) })
	slices.SortFunc(list, compare)
	return list, nil
}

// leave makes unsaid the templates that are no suggestions.
func (s *Shared) leave(list []Suggestion) {
	var said []Template
	s.Unsaid = slices.Clone(s.Unsaid)
	for _, t := range s.Templates {
		if slices.ContainsFunc(list, func(o Suggestion) bool { return o.Template == t }) {
			said = append(said, t)
		} else {
			s.Unsaid = append(s.Unsaid, Unsaid{t.Host + t.Path, "its override would never come to rest"})
		}
	}
	s.Templates = said
}

// Together returns the suggestion for one site with two hosts: with the votes of both.
func Together(list []Suggestion) *Suggestion {
	s := &list[0]
	var votes []Vote
	for _, o := range list {
		votes = append(votes, o.Votes...)
	}
	both := newSuggestion(s.Template, scoped{s.Path, votes, tally(votes)})
	return &both
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
