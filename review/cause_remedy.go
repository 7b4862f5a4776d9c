package review

import (
	"fmt"
	"strings"

	"visto/canon"
)

// Remedy is one way to settle a cause: a rule, or, where no rule can, one decision. What is approved together has no other flag: it
// would be overlooked.
type Remedy struct {
	Act   Act
	Title string          // what it does, for people
	Rule  *canon.Override // nil: a decision of this Kind about all that Only selects
	Kind  Kind            // of the decision
	Only  Filter          // what it is about

	// Votes say what speaks for it, as far as that can be known without a person; Chosen is set if they speak for it alone. It is a
	// proposal: nothing is ever done because of it.
	Votes  []string
	Chosen bool
}

// Act is what a remedy does.
type Act uint8

// The acts.
const (
	KeepIt   Act = iota + 1 // keep what a step would take away or change: the parameter, the slash, http
	DropIt                  // drop the parameter
	MapIt                   // lead one language's prefix to the Spanish one
	CiteHost                // cite another host in the place of this one
	AcceptIt                // accept the flag, or approve the URLs as they are
	RejectIt                // reject the URLs
)

// Remedies lists what can settle the cause, as far as that can be said without looking at its URLs; see [Desk.Study].
func (c Cause) Remedies() []Remedy {
	m, ruled := c.match()
	var list []Remedy
	if ruled && c.Flag != canon.ChangedSinceApproval {
		list = c.rules(m)
	}
	if (!ruled || c.Flag == canon.ChangedSinceApproval) && c.Sole > 0 {
		title := "approve " + these(c.Sole)
		if c.Sole < c.N {
			title += " with no other flag"
		}
		list = append(list, Remedy{Act: AcceptIt, Title: title, Kind: Approve, Only: c.SoleFilter()})
	}
	return append(list, Remedy{Act: RejectIt, Title: "reject " + these(c.N), Kind: Reject, Only: c.Filter()})
}

func these(n int) string {
	if n == 1 {
		return "the one URL"
	}
	return fmt.Sprintf("the %d URLs", n)
}

// rules are the remedies that are a rule for the match.
func (c Cause) rules(m canon.Match) []Remedy {
	where := place(m)
	rule := func(a Act, title string, set func(*canon.Override)) Remedy {
		o := canon.Override{Match: m}
		set(&o)
		return Remedy{Act: a, Title: title + " on " + where, Rule: &o, Only: c.Filter()}
	}
	accept := rule(AcceptIt, "accept "+c.Flag.String(), func(o *canon.Override) { o.Accept = []string{c.Flag.String()} })
	switch {
	case c.Flag == canon.HTTPOnly:
		return []Remedy{rule(KeepIt, "keep http", func(o *canon.Override) { o.Scheme = "http" }), accept}
	case c.Flag == canon.TrailingSlash:
		return []Remedy{rule(KeepIt, "keep the slash", func(o *canon.Override) { o.TrailingSlash = "keep" }), accept}
	case c.Param == "":
		return []Remedy{accept}
	case strings.HasSuffix(c.Param, "*"): // in a rule it would stand for all that begin so
		accept.Title = "keep all parameters on " + where
		return []Remedy{accept}
	}
	accept.Title = "keep all parameters on " + where
	return []Remedy{
		rule(KeepIt, "keep "+c.Param, func(o *canon.Override) { o.KeepQueryParams = []string{c.Param} }),
		rule(DropIt, "drop "+c.Param, func(o *canon.Override) { o.DropQueryParams = []string{c.Param} }),
		accept,
	}
}
