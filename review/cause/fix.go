package cause

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// Fix is one way to settle a cause: an override or, where no override can, one decision. A fix never approves a URL
// that has another flag, for nobody would have looked at that flag.
type Fix struct {
	Kind     FixKind
	Title    string          // for people
	Rule     *canon.Override // nil: the fix is a Decision
	Decision review.Kind     // the kind of decision on all URLs of Only
	Only     review.Filter   // the URLs that it concerns

	// Reasons say why the fix may be right. Recommended is set if no other fix has reasons. It is a proposal for a
	// person.
	Reasons     []string
	Recommended bool
}

// FixKind is the kind of a fix.
type FixKind uint8

// The kinds of fixes.
const (
	FixKeep        FixKind = iota + 1 // keep a parameter, a slash or http, which a step would change
	FixDrop                           // drop the parameter
	FixMapLanguage                    // map the path prefix of another language to the Spanish one
	FixHost                           // cite another host instead of this one
	FixAccept                         // accept the flag, or approve the URLs as they are
	FixReject                         // reject the URLs
)

// Fixes returns the fixes that can be found without looking at the URLs of the cause; see [Examine].
func (c Cause) Fixes() []Fix {
	m, ruled := c.match()
	var list []Fix
	if ruled && c.Flag != canon.ChangedSinceApproval {
		list = c.overrideFixes(m)
	}
	if c.decided() && c.Sole > 0 {
		title := "approve " + urlsText(c.Sole)
		if c.Sole < c.N {
			title += " with no other flag"
		}
		list = append(list, Fix{Kind: FixAccept, Title: title, Decision: review.Approve, Only: c.SoleFilter()})
	}
	reject := Fix{Kind: FixReject, Title: "reject " + urlsText(c.N), Decision: review.Reject, Only: c.Filter()}
	return append(list, reject)
}

// decided reports whether a decision accepts the flag of the cause, and not a rule.
func (c Cause) decided() bool { return c.Kind == ByField || c.Flag == canon.ChangedSinceApproval }

// AcceptAll returns the fixes that accept the flags of all causes together. Causes of one place that a decision
// settles become one fix: it approves the URLs with no other flag than those of the causes.
func AcceptAll(causes []Cause) []Fix {
	var list []Fix
	joined := map[Cause]bool{}
	for _, c := range causes {
		if !c.decided() {
			list = append(list, c.fixOf(FixAccept))
			continue
		}
		if place := c.place(); !joined[place] {
			joined[place] = true
			list = append(list, acceptHere(place, causes))
		}
	}
	return list
}

// place returns the cause without its flag and counts.
func (c Cause) place() Cause {
	return Cause{Kind: c.Kind, Host: c.Host, Fields: c.Fields.sorted(), Path: c.Path}
}

// acceptHere approves the URLs of a place that have no flag but those of the causes there.
func acceptHere(place Cause, causes []Cause) Fix {
	var flags canon.CodeSet
	for _, c := range causes {
		if c.decided() && c.place() == place {
			flags = flags.With(c.Flag)
		}
	}
	only := place.Filter()
	only.Flags, only.Not.Flags = flags, canon.SetOf(canon.Codes()...)&^flags
	title := fmt.Sprintf("approve the URLs with no flag but %v", flags.Codes())
	return Fix{Kind: FixAccept, Title: title, Decision: review.Approve, Only: only}
}

// fixOf returns the fix of that kind, which must be one of Fixes.
func (c Cause) fixOf(kind FixKind) Fix {
	list := c.Fixes()
	return list[slices.IndexFunc(list, func(f Fix) bool { return f.Kind == kind })]
}

func urlsText(n int) string {
	if n == 1 {
		return "the one URL"
	}
	return fmt.Sprintf("the %d URLs", n)
}

// overrideFixes returns the fixes that are an override for the match.
func (c Cause) overrideFixes(m canon.Match) []Fix {
	rule := func(a FixKind, title string, set func(*canon.Override)) Fix {
		o := canon.Override{Match: m}
		set(&o)
		return Fix{Kind: a, Title: title + " on " + m.String(), Rule: &o, Only: c.Filter()}
	}
	all := "accept " + c.Flag.String()
	if c.Param != "" {
		all = "keep all parameters"
	}
	accept := rule(FixAccept, all, func(o *canon.Override) { o.Accept = []string{c.Flag.String()} })
	switch {
	case c.Flag == canon.HTTPOnly:
		return []Fix{rule(FixKeep, "keep http", func(o *canon.Override) { o.Scheme = "http" }), accept}
	case c.Flag == canon.TrailingSlash:
		return []Fix{rule(FixKeep, "keep the slash", func(o *canon.Override) { o.TrailingSlash = "keep" }), accept}
	case c.Param == "" || strings.HasSuffix(c.Param, "*"): // an override would read it as a pattern
		return []Fix{accept}
	}
	return []Fix{
		rule(FixKeep, "keep "+c.Param, func(o *canon.Override) { o.KeepQueryParams = []string{c.Param} }),
		rule(FixDrop, "drop "+c.Param, func(o *canon.Override) { o.DropQueryParams = []string{c.Param} }),
		accept,
	}
}
