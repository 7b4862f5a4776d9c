package cause

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
)

// findFixes adds the fixes that only the URLs show: a pair of language prefixes, and another name of the host under
// which pages are already cited.
func (s *examiner) findFixes(ctx context.Context) error {
	switch {
	case s.Cause.Kind == ByField:
		return s.countFields(ctx)
	case s.Cause.Kind != ByHost:
		return nil
	case s.Cause.Flag == canon.NoSpanish:
		return s.addSpanish(ctx)
	}
	if s.Cause.WWW { // both hosts have the flag: to cite the other one settles nothing
		return nil
	}
	return s.addHost(ctx)
}

// countFields counts the URLs in each field and in all of them, and those of them with the flag.
func (s *examiner) countFields(ctx context.Context) (err error) {
	names := s.Cause.Fields.List()
	if s.fieldsTogether, err = s.inFields(ctx, names...); err != nil {
		return err
	}
	for _, name := range names {
		f, err := s.inFields(ctx, name)
		if err != nil {
			return err
		}
		s.fields = append(s.fields, f)
	}
	return nil
}

func (s *examiner) inFields(ctx context.Context, names ...string) (c flagged, err error) {
	f := review.Filter{Fields: names}
	if c.n, err = s.desk.Count(ctx, f); err != nil {
		return c, err
	}
	f.Flags = canon.SetOf(s.Cause.Flag)
	c.flagged, err = s.desk.Count(ctx, f)
	return c, err
}

// addSpanish adds the prefix pair by which most guessed Spanish URLs differ from their canonical URLs. Stored Spanish
// pages under the Spanish prefix are a reason for it.
func (s *examiner) addSpanish(ctx context.Context) error {
	pair, n := s.prefixes()
	if n == 0 {
		return nil
	}
	hosts := s.Cause.AtHosts()
	to := fmt.Sprintf(" to %s on %s", pair.To, strings.Join(hosts, " and "))
	fix := Fix{Kind: FixMapLanguage, Title: "lead " + pair.From + to, Done: pair.From + " led" + to,
		Only: s.Cause.Filter()}
	for _, host := range hosts {
		fix.Rules = append(fix.Rules, canon.Override{Match: canon.Match{Host: host}, Spanish: &pair})
	}
	s.Fixes = slices.Insert(s.Fixes, 0, fix)
	spanish := review.Filter{AtHosts: hosts, Path: pair.To,
		Not: review.Values{Flags: canon.SetOf(canon.NoSpanish)}}
	known, err := s.pages(ctx, spanish)
	if known > 0 {
		s.addReason(FixMapLanguage, "%s under %s, and %s under %s", countText(n, "of them lies", "of them lie"),
			pair.From, countText(known, "Spanish page of the host lies", "Spanish pages of the host lie"), pair.To)
	}
	return err
}

// pages counts the URLs of a filter, up to maxStudied, without those that were asked and are no pages.
func (s *examiner) pages(ctx context.Context, f review.Filter) (n int, err error) {
	items, err := s.desk.Page(ctx, review.Query{Filter: f}, nil, maxStudied)
	if err != nil || len(items) == 0 {
		return 0, err
	}
	f = review.Filter{}
	for i := range items {
		f.IDs = append(f.IDs, items[i].ID)
	}
	err = s.desk.EachAnswered(ctx, f, func(_ review.Item, ev *canon.Evidence) error {
		n += count(!suggest.IsAsked(ev) || s.states(ev))
		return nil
	})
	return n, err
}

// stated returns evidence, or that of the hosts alone if the answer states nothing about the page.
func (s *examiner) stated(ev *canon.Evidence) *canon.Evidence {
	if !suggest.IsAsked(ev) || s.states(ev) {
		return ev
	}
	return &canon.Evidence{Hosts: ev.Hosts}
}

// prefixes returns the most frequent prefix pair of the guesses, and its count.
func (s *examiner) prefixes() (canon.Prefixes, int) {
	c := canon.New(s.policy, s.overrides)
	counts := map[canon.Prefixes]int{}
	for i := range s.items {
		r := c.Canonicalize(s.items[i].Original, s.stated(s.evidence[s.items[i].ID]))
		if pair := review.PrefixPair(r.Canonical, r.SpanishCandidate); pair != (canon.Prefixes{}) {
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

// addHost adds the same host with or without "www." if pages are already cited there.
func (s *examiner) addHost(ctx context.Context) error {
	other, bare := strings.CutPrefix(s.Cause.Host, "www.")
	if !bare {
		other = "www." + s.Cause.Host
	}
	f := review.Filter{AtHosts: []string{other}, Statuses: []review.Status{review.Accepted, review.Approved}}
	cited, err := s.desk.Count(ctx, f)
	if err != nil || cited == 0 {
		return err
	}
	m := s.Cause.matches()[0]
	place := fmt.Sprintf(" in the place of %s", m)
	s.Fixes = append(s.Fixes, Fix{Kind: FixHost, Title: "cite " + other + place, Done: other + " cited" + place,
		Rules: []canon.Override{{Match: m, CanonicalHost: other}}, Only: s.Cause.Filter()})
	if s.preferredHost() == other {
		s.addReason(FixHost, "the domain prefers it, and %d URLs are cited there", cited)
	}
	return nil
}

// preferredHost returns the host that the domain of the cause prefers, or "". Every item carries all host evidence.
func (s *examiner) preferredHost() string {
	for _, ev := range s.evidence {
		return ev.Hosts[s.Cause.Host].PreferredHost
	}
	return ""
}
