package canon

import (
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// ofHosts are the flags that are properties of a host: whoever accepts one trusts the host itself.
var ofHosts = SetOf(OffAllowlist, SuspiciousHost)

// IsOfHosts reports whether a flag is a property of the host alone, such as off-allowlist. A rule may accept it for
// hosts that it names, and for no others.
func (c Code) IsOfHosts() bool { return ofHosts.Has(c) }

// Doors returns the flags of hosts that the override accepts on hosts that its author cannot know: it is for a field,
// for any host, or for all hosts below a public suffix, of the ICANN and private sections of publicsuffix.org. Such an
// override would trust the host of any later URL. It stays valid, so that stored ones work; nobody should write one.
func (o *Override) Doors() CodeSet {
	m := o.Match.Normal()
	if m.Field == "" && !m.isForAnybody() {
		return 0
	}
	var doors CodeSet
	for _, name := range o.Accept {
		if c, ok := ParseCode(name); ok && c.IsOfHosts() {
			doors = doors.With(c)
		}
	}
	return doors
}

// isForAnybody reports whether anybody can register a host that matches.
func (m Match) isForAnybody() bool {
	suffix, isPattern := strings.CutPrefix(m.Host, "*.")
	return m.Host == "*" || isPattern && (isPublicSuffix(suffix) || isPublicSuffix("x."+suffix))
}

// isPublicSuffix reports whether a domain in wire form is a public suffix. The list has rules such as *.ck, so that a
// domain can be none while each domain directly below it is one.
func isPublicSuffix(domain string) bool {
	suffix, _ := publicsuffix.PublicSuffix(domain)
	return suffix == domain
}

// DoorError reports an override that accepts flags of hosts on hosts that its author cannot know.
type DoorError struct {
	Match Match
	Flags CodeSet
}

func (e *DoorError) Error() string {
	var names []string
	for _, c := range e.Flags.Codes() {
		names = append(names, c.String())
	}
	return fmt.Sprintf("a rule for %s cannot accept %s: it would trust the host of every later URL %s; "+
		"write one rule for each host", e.Match, strings.Join(names, " and "), e.Match.Reach())
}

// Reach says which URLs the match selects, such as "of field portal_url, on any host".
func (m Match) Reach() string {
	suffix, isPattern := strings.CutPrefix(m.Host, "*.")
	var place string
	switch {
	case isPattern:
		place = "any host below " + suffix
	case m.Host == "" || m.Host == "*":
		place = "any host"
	default:
		place = m.Host
	}
	if m.PathPrefix != "" {
		place += ", under " + m.PathPrefix
	}
	if m.Field != "" {
		return "of field " + m.Field + ", on " + place
	}
	return "on " + place
}
