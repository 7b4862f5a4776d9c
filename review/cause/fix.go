package cause

import (
	"fmt"
	"slices"
	"strings"

	"visto/canon"
	"visto/review"
)

// Fix is one way to settle a cause: overrides or, where no override can, one decision. A fix never approves a URL that
// has another flag, for nobody would have looked at that flag.
type Fix struct {
	Kind     FixKind
	Title    string           // for people
	Done     string           // Title once the rules are written
	Rules    []canon.Override // one, or one for each field or host of the cause; empty: the fix is a Decision
	Decision review.Kind      // the kind of decision on all URLs of Only
	Only     review.Filter    // the URLs that it concerns
	N        int              // number of URLs of a Decision

	// Reasons say why the fix may be right. Recommended is set if they support it, and no other fix is supported by
	// its own. It is a proposal for a person.
	Reasons     []string
	Recommended bool
	supported   bool
}

// FixKind is the kind of a fix.
type FixKind uint8

// The kinds of fixes.
const (
	FixKeep        FixKind = iota + 1 // keep parameters, a slash or http, which a step would change
	FixDrop                           // drop the parameters
	FixMapLanguage                    // map the path prefix of another language to the Spanish one
	FixHost                           // cite another host instead of this one
	FixAccept                         // accept the flag, or approve the URLs as they are
	FixReject                         // reject the URLs
	FixTake                           // write the rule of a suggestion
	FixApprove                        // approve the URLs as they are, with no rule; see [Study.Fix]
	FixDefer                          // defer the URLs
)

// Fixes returns the fixes that can be found without looking at the URLs of the cause; see [Examine].
func (c Cause) Fixes() []Fix {
	if c.Suggestion != nil {
		return []Fix{c.take()}
	}
	if c.decided() {
		return c.decisions()
	}
	return append(c.overrideFixes(), c.reject())
}

// decisions returns the fixes that are a decision.
func (c Cause) decisions() []Fix {
	if c.Sole == 0 {
		return []Fix{c.reject()}
	}
	title := "approve " + urlsText(c.Sole)
	if c.Sole < c.N {
		title += " with no other flag"
	}
	return []Fix{{Kind: FixAccept, Title: title, Decision: review.Approve, Only: c.SoleFilter(),
		N: c.Sole}, c.reject()}
}

// Approve returns the fix that approves the URLs with no flags but those of this and of other causes of the same place.
// It is false where a rule accepts the flag.
func (c Cause) Approve(with ...Cause) (Fix, bool) {
	fix := Fix{Kind: FixAccept, Title: "approve the URLs with no other flags", Decision: review.Approve,
		Only: c.SoleFilter(with...), N: c.N}
	return fix, c.decided()
}

func (c Cause) reject() Fix {
	return Fix{Kind: FixReject, Title: "reject " + urlsText(c.N), Decision: review.Reject, Only: c.Filter(),
		N: c.N}
}

// Fix returns a fix of the cause. FixApprove and FixDefer are decisions on its URLs, with no rule for those that come
// later. Only URLs with no flag but that of this and of other causes of the same place are approved, and with no other
// unknown parameter.
func (s *Study) Fix(kind FixKind, with ...Cause) (Fix, bool) {
	c := s.Cause
	switch i := slices.IndexFunc(s.Fixes, func(f Fix) bool { return f.Kind == kind }); {
	case i >= 0:
		return s.Fixes[i], true
	case c.Suggestion != nil || c.N == 0:
	case kind == FixDefer:
		return Fix{Kind: kind, Title: "defer " + urlsText(c.N), Decision: review.Defer, Only: c.Filter(), N: c.N}, true
	case kind == FixApprove && (s.Alone > 0 || len(with) > 1):
		fix, _ := c.Approve(with...)
		fix.Kind, fix.Only.Not.Params = kind, s.OtherParams
		if len(with) < 2 {
			fix.N = s.Alone
		}
		return fix, true
	}
	return Fix{}, false
}

// decided reports whether a decision accepts the flag of the cause, and not a rule.
func (c Cause) decided() bool { return c.ofLink() || c.Flag == canon.ChangedSinceApproval }

func urlsText(n int) string {
	if n == 1 {
		return "the one URL"
	}
	return fmt.Sprintf("the %d URLs", n)
}

// The verbs of fixes, and their participles.
var (
	keeps   = [2]string{"keep", "kept"}
	drops   = [2]string{"drop", "dropped"}
	accepts = [2]string{"accept", "accepted"}
)

// NamedHosts is the number of hosts that the title of a fix names. Of more it names the first ones.
const NamedHosts = 3

// hostsText names a few hosts, and counts them where they are more.
func hostsText(hosts []string) string {
	if len(hosts) <= NamedHosts {
		return strings.Join(hosts, ", ")
	}
	return fmt.Sprintf("each of %d hosts: %s, …", len(hosts), strings.Join(hosts[:NamedHosts], ", "))
}

// overrideFixes returns the fixes that are overrides for the matches. Those for a field can only accept.
func (c Cause) overrideFixes() []Fix {
	matches := c.matches()
	if len(matches) == 0 {
		return nil
	}
	where := " on " + matches[0].String()
	switch {
	case c.Kind == ByHost:
		where = " on " + c.Place()
	case c.On != "":
		where = " on " + hostsText(c.On.List())
	case c.Kind == ByField:
		where = " " + c.InFields()
	case c.Kind == ByAdvertising:
		where = " on all hosts"
	}
	rule := func(a FixKind, verb [2]string, object string, set func(*canon.Override)) Fix {
		fix := Fix{Kind: a, Only: c.Filter()}
		fix.Title, fix.Done = verb[0]+" "+object+where, object+" "+verb[1]+where
		for _, m := range matches {
			o := canon.Override{Match: m}
			set(&o)
			fix.Rules = append(fix.Rules, o)
		}
		return fix
	}
	verb, object := accepts, c.Flag.String()
	if c.Params != "" {
		verb, object = keeps, "all parameters"
	}
	accept := rule(FixAccept, verb, object, func(o *canon.Override) { o.Accept = []string{c.Flag.String()} })
	switch {
	case c.Kind == ByField:
		return []Fix{accept}
	case c.Flag == canon.HTTPOnly:
		return []Fix{rule(FixKeep, keeps, "http", func(o *canon.Override) { o.Scheme = "http" }), accept}
	case c.Flag == canon.TrailingSlash:
		return []Fix{rule(FixKeep, keeps, "the slash", func(o *canon.Override) { o.TrailingSlash = "keep" }), accept}
	case c.Params == "" || c.HasPattern():
		return []Fix{accept}
	}
	params := c.Params.String()
	drop := rule(FixDrop, drops, params, func(o *canon.Override) { o.DropQueryParams = c.Params.List() })
	if c.Kind == ByAdvertising { // no rule for all hosts keeps or accepts
		return []Fix{drop}
	}
	keep := rule(FixKeep, keeps, params, func(o *canon.Override) { o.KeepQueryParams = c.Params.List() })
	return []Fix{keep, drop, accept}
}

// HasPattern reports whether an override would read the name of a parameter as a pattern.
func (c Cause) HasPattern() bool {
	return slices.ContainsFunc(c.Params.List(), func(name string) bool { return strings.HasSuffix(name, "*") })
}
