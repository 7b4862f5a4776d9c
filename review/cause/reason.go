package cause

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// choose marks the one remedy that something speaks for. Where what is known speaks for two, a person has to weigh it.
func choose(list []Fix) {
	at := -1
	for i := range list {
		switch {
		case len(list[i].Reasons) == 0:
		case at >= 0:
			return
		default:
			at = i
		}
	}
	if at >= 0 {
		list[at].Recommended = true
	}
}

// voteFor notes what speaks for a remedy, if the cause has such a one.
func (s *study) voteFor(a FixKind, format string, args ...any) {
	for i := range s.Fixes {
		if s.Fixes[i].Kind == a {
			s.Fixes[i].Reasons = append(s.Fixes[i].Reasons, fmt.Sprintf(format, args...))
			return
		}
	}
}

// vote asks everything that can speak for a remedy. A host that imitates another is trusted for no reason that a machine has.
func (s *study) vote() {
	if s.Cause.Flag == canon.SuspiciousHost {
		return
	}
	s.votePrecedent()
	s.voteElsewhere()
	switch s.Cause.Flag {
	case canon.UnknownParam:
		s.voteParam()
	case canon.HomePage, canon.SectionPage:
		s.voteField()
	case canon.NoSpanish:
		s.voteVersions()
	case canon.HTTPOnly:
		s.voteSeen(FixKeep, "%s: no answer over HTTPS", s.noHTTPS)
	case canon.TrailingSlash:
		s.voteSeen(FixKeep, "%s: the server leads back to the slash", wantsSlash)
	case canon.NonstandardPort, canon.BrokenEncoding, canon.Credentials:
		s.voteSeen(FixAccept, "%s: the page answers so", answers)
	}
}

// The least that a precedent has to be: so many decisions, and so many of ten alike.
const (
	minDecided = 3
	minAlike   = 8
)

func most(n, of int) bool { return of >= minDecided && 10*n >= minAlike*of }

// votePrecedent speaks for what people did with nearly all URLs of this kind so far.
func (s *study) votePrecedent() {
	p := s.precedent
	keep := FixAccept
	if s.Cause.Param != "" {
		keep = FixKeep
	}
	switch {
	case most(p.approved, p.decided):
		s.voteFor(keep, "%d of %d decided before were approved unchanged", p.approved, p.decided)
	case most(p.rejected, p.decided):
		s.voteFor(FixReject, "%d of %d decided before were rejected", p.rejected, p.decided)
	}
}

// voteElsewhere speaks for what rules of other places say of the same parameter or flag.
func (s *study) voteElsewhere() {
	kept, dropped, accepted := 0, 0, 0
	here, _ := s.Cause.match()
	for _, o := range s.stored {
		if o.Override.Match == here {
			continue
		}
		if s.Cause.Param != "" {
			kept += count(names(o.Override.KeepQueryParams, s.Cause.Param))
			dropped += count(names(o.Override.DropQueryParams, s.Cause.Param))
			continue
		}
		accepted += count(slices.Contains(o.Override.Accept, s.Cause.Flag.String()))
	}
	if kept > 0 && s.Cause.Param != "" {
		s.voteFor(FixKeep, "%s it", counts(kept, "rule elsewhere keeps", "rules elsewhere keep"))
	}
	if dropped > 0 {
		s.voteFor(FixDrop, "%s it", counts(dropped, "rule elsewhere drops", "rules elsewhere drop"))
	}
	if accepted >= minDecided {
		s.voteFor(FixAccept, "%s the flag", counts(accepted, "rule elsewhere accepts", "rules elsewhere accept"))
	}
}

// counts says how many, in the right number of the verb.
func counts(n int, one, many string) string {
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

// names reports whether a list of a rule names the parameter.
func names(list []string, param string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		prefix, wild := strings.CutSuffix(name, "*")
		return strings.EqualFold(name, param) || wild && len(param) >= len(prefix) && strings.EqualFold(param[:len(prefix)], prefix)
	})
}

// voteSeen speaks for a remedy if the network said of some of the URLs what speaks for it, and of none the contrary. Pages in a field
// have no server in common: there it has to be said of each.
func (s *study) voteSeen(a FixKind, format string, says func(*canon.Evidence) (known, yes bool)) {
	asked, yes := 0, 0
	for _, ev := range s.evidence {
		known, y := says(ev)
		asked += count(known)
		yes += count(known && y)
	}
	enough := asked > 0 && (s.Cause.Kind != ByField || asked == s.Cause.N) // a rule is for a server, a decision for each page
	if enough && yes == asked {
		s.voteFor(a, format, askedAbout(asked))
	}
}

// noHTTPS is what is known of HTTPS on the host of the cause.
func (s *study) noHTTPS(ev *canon.Evidence) (known, yes bool) {
	https := ev.HTTPS
	if https == nil {
		https = ev.Hosts[s.Cause.Host].HTTPS
	}
	return https != nil, https != nil && !*https
}

// wantsSlash is said by a redirect to the slash, or by a probe that looked for it: the flag has no other reason.
func wantsSlash(ev *canon.Evidence) (known, yes bool) {
	yes = ev.TrailingSlash == "keep" || len(ev.Hops) > 0
	return yes || ev.TrailingSlash != "", yes
}

func answers(ev *canon.Evidence) (known, yes bool) {
	return ev.Status > 0 || ev.Error != "", ev.Status == 200
}

func askedAbout(n int) string {
	if n == 1 {
		return "asked about 1 of them"
	}
	return fmt.Sprintf("asked about %d of them", n)
}

// voteField speaks for approval where nearly all that stands in a field is such a page: the field is made for them.
func (s *study) voteField() {
	if s.Cause.Kind != ByField || s.fieldSize == 0 {
		return
	}
	if n := s.fieldFlagged; most(n, s.fieldSize) {
		s.voteFor(FixAccept, "%d of the %d URLs in %s are such pages: the field is made for them", n, s.fieldSize, s.Cause.Field)
	}
}

// voteVersions speaks for citing pages as they are that name their language versions, none of them Spanish.
func (s *study) voteVersions() {
	listed, spanish := 0, 0
	for _, ev := range s.evidence {
		if len(ev.LangVariants) > 0 {
			listed++
			spanish += count(hasSpanish(ev.LangVariants))
		}
	}
	if listed > 0 && spanish == 0 && listed == len(s.items) {
		s.voteFor(FixAccept, "each page names its language versions, and Spanish is not among them")
	}
}

func hasSpanish(variants map[string]string) bool {
	for tag := range variants {
		if review.IsSpanish(tag) {
			return true
		}
	}
	return false
}

// voteParam speaks for keeping or dropping a parameter: by what the pages call their own canonical URL, and by whether pages that
// differ in nothing else are one.
func (s *study) voteParam() {
	with, without := 0, 0
	for i := range s.items {
		ev := s.evidence[s.items[i].ID]
		if ev == nil || ev.RelCanonical == "" {
			continue
		}
		if hasParam(ev.RelCanonical, s.Cause.Param) {
			with++
		} else {
			without++
		}
	}
	if with > 0 {
		s.voteFor(FixKeep, "%s in what they call their canonical URL", counts(with, "page has it", "pages have it"))
	}
	if without > 0 {
		s.voteFor(FixDrop, "%s out of what they call their canonical URL", counts(without, "page leaves it", "pages leave it"))
	}
	switch same, other := s.bodies(); {
	case same > 0:
		s.voteFor(FixDrop, "%s the same, to the byte, as one with another value", counts(same, "page is", "pages are"))
	case other > 0:
		s.voteFor(FixKeep, "%s from one with another value", counts(other, "page differs", "pages differ"))
	}
}

// bodies counts the items that differ from an earlier one in the parameter alone, with the same page and with another one.
func (s *study) bodies() (same, other int) {
	first := map[string]string{}
	for i := range s.items {
		ev := s.evidence[s.items[i].ID]
		if ev == nil || ev.SHA256 == "" {
			continue
		}
		key := withoutParam(s.items[i].Computed.Canonical, s.Cause.Param)
		switch sum, ok := first[key]; {
		case !ok:
			first[key] = ev.SHA256
		case sum == ev.SHA256:
			same++
		default:
			other++
		}
	}
	return same, other
}

func hasParam(url, param string) bool {
	_, query, _ := strings.Cut(url, "?")
	return slices.ContainsFunc(strings.Split(query, "&"), func(pair string) bool { return isParam(pair, param) })
}

// withoutParam cuts every occurrence of a parameter out of a URL, for comparison only.
func withoutParam(url, param string) string {
	base, query, _ := strings.Cut(url, "?")
	return base + "?" + strings.Join(slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool { return isParam(pair, param) }), "&")
}

// isParam compares names as they are spelled: one that is escaped another way speaks for nothing.
func isParam(pair, param string) bool {
	name, _, _ := strings.Cut(pair, "=")
	return strings.EqualFold(name, param)
}
