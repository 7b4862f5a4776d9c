package candidate

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
)

// ranking is the pages with a score, best first.
type ranking []scored

type scored struct {
	*page
	score   float64
	signals []signal
}

// rank ranks the pages as far as they are known.
func (s *search) rank(ctx context.Context) (ranking, error) {
	s.nameSite()
	if err := s.index.put(ctx, s.news); err != nil {
		return nil, err
	}
	s.news = nil
	scores, err := s.index.scores(ctx, s.query)
	if err != nil {
		return nil, err
	}
	s.judge.know(s.list)
	var list ranking
	for _, p := range s.list {
		score := scores[p.number] + s.bonus(p)
		if score <= 0 || !p.mayCite() {
			continue
		}
		signals := s.judge.signals(p)
		for _, g := range signals {
			score *= g.factor
		}
		list = append(list, scored{p, score, signals})
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return list, nil
}

// nameSite tells the pages the names of the site, once enough of them were read.
func (s *search) nameSite() {
	names := siteNames(s.list)
	for _, p := range s.list {
		if p.report != nil && !slices.Equal(p.names, names) {
			p.names = names
			s.news = append(s.news, p)
		}
	}
}

// namedBonus is the score of a page that the cited page itself names: it needs no shared word.
const namedBonus = 5

func (s *search) bonus(p *page) float64 {
	if slices.Contains(p.found, byLanguage) || slices.Contains(p.found, byCanonical) {
		return namedBonus
	}
	return 0
}

// ranked returns the candidates. A page that was not read is none: nobody knows whether it answers.
func (s *search) ranked(ctx context.Context) ([]Candidate, error) {
	list, err := s.rank(ctx)
	if err != nil {
		return nil, err
	}
	q := s.query.without(stemsOf(strings.Join(siteNames(s.list), " ")))
	var found []Candidate
	for _, p := range list {
		if p.report != nil && len(found) < maxCandidates {
			found = append(found, candidateOf(p, q))
		}
	}
	return found, nil
}

// candidateOf returns a page that was read as a candidate; the words of the query are reasons.
func candidateOf(p scored, q *query) Candidate {
	return Candidate{URL: p.url(), Title: p.stated(), Score: math.Round(100*p.score) / 100,
		Why: reasons(p.page, q, p.signals), Flags: flagsOf(p.page), Named: q.isName(p.title()),
		Report: *p.report}
}
