package cause

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
	"visto/review/suggest"
)

// recommend marks the fix that reasons support. If they support two, a person has to weigh them.
func recommend(list []Fix) {
	var with []*Fix
	for i := range list {
		if list[i].supported {
			with = append(with, &list[i])
		}
	}
	if len(with) == 1 {
		with[0].Recommended = true
	}
}

// addReason adds a reason that supports the fix of that kind, if there is one.
func (s *examiner) addReason(a FixKind, format string, args ...any) {
	if f := s.addDoubt(a, format, args...); f != nil {
		f.supported = true
	}
}

// addDoubt adds a reason that is not enough to support the fix of that kind. It returns the fix, nil if there is none.
func (s *examiner) addDoubt(a FixKind, format string, args ...any) *Fix {
	i := slices.IndexFunc(s.Fixes, func(f Fix) bool { return f.Kind == a })
	if i < 0 {
		return nil
	}
	s.Fixes[i].Reasons = append(s.Fixes[i].Reasons, fmt.Sprintf(format, args...))
	return &s.Fixes[i]
}

// addReasons adds all reasons. A suspicious host gets none: only a person may trust it.
func (s *examiner) addReasons() {
	if s.Cause.Flag == canon.SuspiciousHost {
		return
	}
	s.addPrecedentReason()
	s.addOverrideReasons()
	switch s.Cause.Flag {
	case canon.UnknownParam:
		if s.Cause.Kind == ByAdvertising {
			s.addAdvertisingReason()
		} else {
			s.addParamReasons()
		}
	case canon.HomePage, canon.SectionPage:
		s.addFieldReason()
	case canon.NoSpanish:
		s.addVersionsReason()
	case canon.HTTPOnly:
		s.addEvidenceReason(FixKeep, "no answer over HTTPS", s.noHTTPS)
	case canon.TrailingSlash:
		s.addEvidenceReason(FixKeep, "the server leads back to the slash", s.wantsSlash)
	case canon.NonstandardPort, canon.BrokenEncoding, canon.Credentials:
		s.addEvidenceReason(FixAccept, "the page answers so", s.answers)
	}
}

// A precedent needs at least minDecided decisions, minAlike of ten of them alike.
const (
	minDecided = 3
	minAlike   = 8
)

func nearlyAll(n, of int) bool { return of >= minDecided && 10*n >= minAlike*of }

// addPrecedentReason supports the decision that people made on nearly all similar URLs.
func (s *examiner) addPrecedentReason() {
	p := s.precedent
	keep := FixAccept
	if s.Cause.Params != "" {
		keep = FixKeep
	}
	switch {
	case nearlyAll(p.approved, p.decided):
		s.addReason(keep, "%d of %d decided before were approved unchanged", p.approved, p.decided)
	case nearlyAll(p.rejected, p.decided):
		s.addReason(FixReject, "%d of %d decided before were rejected", p.rejected, p.decided)
	}
}

// addOverrideReasons supports the fixes that overrides of other places make for the same parameters or flag. That
// others trusted their hosts tells nothing of this one.
func (s *examiner) addOverrideReasons() {
	kept, dropped, accepted := 0, 0, 0
	here, params := s.Cause.matches(), s.Cause.Params.List()
	for _, o := range s.stored {
		if slices.Contains(here, o.Override.Match) {
			continue
		}
		kept += count(names(o.Override.KeepQueryParams, params))
		dropped += count(names(o.Override.DropQueryParams, params))
		accepted += count(params == nil && !s.Cause.Flag.IsOfHosts() &&
			slices.Contains(o.Override.Accept, s.Cause.Flag.String()))
	}
	if kept > 0 {
		s.addReason(FixKeep, "%s %s", countText(kept, "rule elsewhere keeps", "rules elsewhere keep"), s.them())
	}
	if dropped > 0 {
		s.addReason(FixDrop, "%s %s", countText(dropped, "rule elsewhere drops", "rules elsewhere drop"), s.them())
	}
	if accepted >= minDecided {
		s.addReason(FixAccept, "%s the flag", countText(accepted, "rule elsewhere accepts", "rules elsewhere accept"))
	}
}

// them stands for the parameters of the cause in a reason.
func (s *examiner) them() string {
	if len(s.Cause.Params.List()) > 1 {
		return "them"
	}
	return "it"
}

// countText returns the number with the singular or plural text.
func countText(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// names reports whether a list of an override names all the parameters, of which there are some.
func names(list, params []string) bool {
	missing := func(param string) bool { return !namesOne(list, param) }
	return len(params) > 0 && !slices.ContainsFunc(params, missing)
}

func namesOne(list []string, param string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		prefix, wild := strings.CutSuffix(name, "*")
		return strings.EqualFold(name, param) || wild && len(param) >= len(prefix) &&
			strings.EqualFold(param[:len(prefix)], prefix)
	})
}

// addEvidenceReason supports a fix if holds is true for all evidence in which it is known: for each URL, or for as many
// as a suggestion needs. URLs of a field share no server, so there it has to be known for each of them; two hosts may
// be two servers, so for both of these.
func (s *examiner) addEvidenceReason(a FixKind, conclusion string, holds func(*canon.Evidence) (known, yes bool)) {
	probed, yes, hosts := 0, 0, map[string]bool{}
	for i := range s.items {
		ev := s.evidence[s.items[i].ID]
		if ev == nil {
			continue
		}
		known, y := holds(ev)
		probed += count(known)
		yes += count(known && y)
		if known {
			hosts[s.items[i].Computed.Host] = true
		}
	}
	whole := probed == s.Cause.N
	each := len(hosts) >= len(s.Cause.AtHosts()) && (s.Cause.Kind != ByField || whole)
	switch {
	case probed == 0 || yes < probed || !each:
	case whole || suggest.Enough(yes, 0):
		s.addReason(a, "asked about %d of them: "+conclusion, probed)
	default:
		s.addDoubt(a, "asked about %d of them: "+conclusion+": too few to recommend", probed)
	}
}

// noHTTPS reports whether the hosts of the cause lack HTTPS.
func (s *examiner) noHTTPS(ev *canon.Evidence) (known, yes bool) {
	if ev.HTTPS != nil {
		return true, !*ev.HTTPS
	}
	for _, host := range s.Cause.AtHosts() {
		https := ev.Hosts[host].HTTPS
		if https == nil || *https {
			return https != nil, false
		}
		known = true
	}
	return known, known
}

// wantsSlash reports whether the server leads to a page with the slash. For this flag any redirect does.
func (s *examiner) wantsSlash(ev *canon.Evidence) (known, yes bool) {
	yes = ev.TrailingSlash == "keep" || len(ev.Hops) > 0
	return s.states(ev) && (yes || ev.TrailingSlash != ""), yes
}

func (s *examiner) answers(ev *canon.Evidence) (known, yes bool) {
	return suggest.IsAsked(ev), s.states(ev)
}

// states reports whether evidence states something about its page under the present policy.
func (s *examiner) states(ev *canon.Evidence) bool { return suggest.States(s.policy, ev) }

// addFieldReason supports acceptance if nearly all URLs in the fields have the flag, and most in each of them: the
// fields are made for such pages.
func (s *examiner) addFieldReason() {
	all := s.fieldsTogether
	if s.Cause.Kind != ByField || !nearlyAll(all.flagged, all.n) || len(s.fields) == 0 {
		return
	}
	made := "the field is made for them"
	if len(s.fields) > 1 {
		made = "the fields are made for them"
	}
	for _, f := range s.fields {
		if 2*f.flagged < f.n {
			return
		}
	}
	s.addReason(FixAccept, "%d of the %d URLs in %s are such pages: %s", all.flagged, all.n, s.Cause.Fields, made)
}

// addVersionsReason supports acceptance if every page names its language versions and none is Spanish.
func (s *examiner) addVersionsReason() {
	listed, spanish := 0, 0
	for _, ev := range s.evidence {
		if s.states(ev) && len(ev.LangVariants) > 0 {
			listed++
			spanish += count(slices.ContainsFunc(slices.Collect(maps.Keys(ev.LangVariants)), review.IsSpanish))
		}
	}
	if listed > 0 && spanish == 0 && listed == len(s.items) {
		s.addReason(FixAccept, "each page names its language versions, and Spanish is not among them")
	}
}
