package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
)

// moreRemedies adds those that can only be seen in the URLs: the prefixes of another language and of Spanish, and a host that is
// cited already under another name.
func (s *study) moreRemedies(ctx context.Context) error {
	if s.Cause.Kind == FieldCause {
		return s.countField(ctx)
	}
	if s.Cause.Kind != HostCause {
		return nil
	}
	if s.Cause.Flag == canon.NoSpanish {
		return s.addSpanish(ctx)
	}
	return s.addHost(ctx)
}

// countField counts all that stands in the field, and those of them with the flag.
func (s *study) countField(ctx context.Context) (err error) {
	f := Filter{Fields: []string{s.Cause.Field}}
	if s.fieldSize, err = s.desk.store.Count(ctx, f); err != nil {
		return err
	}
	f.Flags = canon.SetOf(s.Cause.Flag)
	s.fieldFlagged, err = s.desk.store.Count(ctx, f)
	return err
}

// addSpanish offers the pair of prefixes by which most of the guessed Spanish URLs differ from their originals. That Spanish pages of
// the host are stored that lie there speaks for it.
func (s *study) addSpanish(ctx context.Context) error {
	pair, n := s.prefixes()
	if n == 0 {
		return nil
	}
	m, _ := s.Cause.match()
	title := fmt.Sprintf("lead %s to %s on %s", pair.From, pair.To, m.Host)
	s.Fixes = slices.Insert(s.Fixes, 0, Fix{Kind: FixMapLanguage, Title: title, Only: s.Cause.Filter(),
		Rule: &canon.Override{Match: canon.Match{Host: m.Host}, Spanish: &pair}})
	known, err := s.desk.store.Page(ctx, Query{Filter: Filter{AtHost: s.Cause.Host, Path: pair.To, Not: Values{Flags: canon.SetOf(canon.NoSpanish)}}}, nil, maxStudied)
	if err != nil {
		return err
	}
	if len(known) > 0 {
		s.voteFor(FixMapLanguage, "%s under %s, and %s under %s", counts(n, "of them lies", "of them lie"), pair.From, counts(len(known), "Spanish page of the host lies", "Spanish pages of the host lie"), pair.To)
	}
	return nil
}

// prefixes returns the pair of prefixes that most of the guesses have, and how many do.
func (s *study) prefixes() (canon.Prefixes, int) {
	c := canon.New(s.rules.policy, s.rules.overrides)
	counts := map[canon.Prefixes]int{}
	for i := range s.items {
		r := c.Canonicalize(s.items[i].Original, withHosts(s.evidence[s.items[i].ID], s.rules.hosts))
		if pair := PrefixPair(r.Canonical, r.SpanishCandidate); pair != (canon.Prefixes{}) {
			counts[pair]++
		}
	}
	var best canon.Prefixes
	for pair, n := range counts {
		if cmp.Or(cmp.Compare(n, counts[best]), strings.Compare(best.From, pair.From)) > 0 {
			best = pair
		}
	}
	return best, counts[best]
}

// PrefixPair returns the prefixes of the paths by which a URL and its Spanish counterpart differ: up to and with the first segment
// that is another one. It is empty if none is, or if more than that segment differs.
func PrefixPair(from, to string) canon.Prefixes {
	a, b := strings.Split(pathOf(from), "/"), strings.Split(pathOf(to), "/")
	if len(a) != len(b) {
		return canon.Prefixes{}
	}
	for i := 1; i < len(a); i++ {
		if a[i] != b[i] && slices.Equal(a[i+1:], b[i+1:]) {
			return canon.Prefixes{From: strings.Join(a[:i+1], "/") + "/", To: strings.Join(b[:i+1], "/") + "/"}
		}
	}
	return canon.Prefixes{}
}

// addHost offers the same host with www, or without it, where pages are cited on that one already.
func (s *study) addHost(ctx context.Context) error {
	other, bare := strings.CutPrefix(s.Cause.Host, "www.")
	if !bare {
		other = "www." + s.Cause.Host
	}
	cited, err := s.desk.store.Count(ctx, Filter{AtHost: other, Statuses: []Status{Accepted, Approved}})
	if err != nil || cited == 0 {
		return err
	}
	m, _ := s.Cause.match()
	s.Fixes = append(s.Fixes, Fix{Kind: FixHost, Title: fmt.Sprintf("cite %s in the place of %s", other, place(m)),
		Rule: &canon.Override{Match: m, CanonicalHost: other}, Only: s.Cause.Filter()})
	if s.rules.hosts[s.Cause.Host].PreferredHost == other {
		s.voteFor(FixHost, "the domain prefers it, and %d URLs are cited there", cited)
	}
	return nil
}
