package cause

import (
	"fmt"
	"strings"

	"visto/canon"
	"visto/review"
)

// Fix is one way to settle a cause: a rule, or, where no rule can, one decision. What is approved together has no other flag: it
// would be overlooked.
type Fix struct {
	Kind     FixKind
	Title    string          // what it does, for people
	Rule     *canon.Override // nil: a decision of this Kind about all that Only selects
	Decision review.Kind     // of the decision
	Only     review.Filter   // what it is about

	// Votes say what speaks for it, as far as that can be known without a person; Chosen is set if they speak for it alone. It is a
	// proposal: nothing is ever done because of it.
	Reasons     []string
	Recommended bool
}

// FixKind is what a remedy does.
type FixKind uint8

// The acts.
const (
	FixKeep        FixKind = iota + 1 // keep what a step would take away or change: the parameter, the slash, http
	FixDrop                           // drop the parameter
	FixMapLanguage                    // lead one language's prefix to the Spanish one
	FixHost                           // cite another host in the place of this one
	FixAccept                         // accept the flag, or approve the URLs as they are
	FixReject                         // reject the URLs
)

// Fixes lists what can settle the cause, as far as that can be said without looking at its URLs; see [Examine].
func (c Cause) Fixes() []Fix {
	m, ruled := c.match()
	var list []Fix
	if ruled && c.Flag != canon.ChangedSinceApproval {
		list = c.rules(m)
	}
	if (!ruled || c.Flag == canon.ChangedSinceApproval) && c.Sole > 0 {
		title := "approve " + these(c.Sole)
		if c.Sole < c.N {
			title += " with no other flag"
		}
		list = append(list, Fix{Kind: FixAccept, Title: title, Decision: review.Approve, Only: c.SoleFilter()})
	}
	return append(list, Fix{Kind: FixReject, Title: "reject " + these(c.N), Decision: review.Reject, Only: c.Filter()})
}

func these(n int) string {
	if n == 1 {
		return "the one URL"
	}
	return fmt.Sprintf("the %d URLs", n)
}

// rules are the remedies that are a rule for the match.
func (c Cause) rules(m canon.Match) []Fix {
	where := place(m)
	rule := func(a FixKind, title string, set func(*canon.Override)) Fix {
		o := canon.Override{Match: m}
		set(&o)
		return Fix{Kind: a, Title: title + " on " + where, Rule: &o, Only: c.Filter()}
	}
	accept := rule(FixAccept, "accept "+c.Flag.String(), func(o *canon.Override) { o.Accept = []string{c.Flag.String()} })
	switch {
	case c.Flag == canon.HTTPOnly:
		return []Fix{rule(FixKeep, "keep http", func(o *canon.Override) { o.Scheme = "http" }), accept}
	case c.Flag == canon.TrailingSlash:
		return []Fix{rule(FixKeep, "keep the slash", func(o *canon.Override) { o.TrailingSlash = "keep" }), accept}
	case c.Param == "":
		return []Fix{accept}
	case strings.HasSuffix(c.Param, "*"): // in a rule it would stand for all that begin so
		accept.Title = "keep all parameters on " + where
		return []Fix{accept}
	}
	accept.Title = "keep all parameters on " + where
	return []Fix{
		rule(FixKeep, "keep "+c.Param, func(o *canon.Override) { o.KeepQueryParams = []string{c.Param} }),
		rule(FixDrop, "drop "+c.Param, func(o *canon.Override) { o.DropQueryParams = []string{c.Param} }),
		accept,
	}
}

// place returns the host and path of a match, for people.
func place(m canon.Match) string { return m.Host + m.PathPrefix }
