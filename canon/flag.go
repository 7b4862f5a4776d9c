package canon

import "math/bits"

// Code identifies a reason why a person should look at a URL.
type Code uint8

// The codes, in the order in which a result lists them. Their numbers are stored, so add new ones at the end.
const (
	UnknownParam Code = iota
	HTTPOnly
	NoSpanish
	RedirectLimit
	HomePage
	SectionPage
	TrailingSlash
	NonstandardPort
	UnresolvedShortener
	Credentials
	BrokenEncoding
	FragmentRoute
	OffAllowlist
	SuspiciousHost
	Unreachable
	RobotsBlocked
	ChangedSinceApproval // raised by a review, never by Canonicalize
	NoContent

	// Raised by the checks of links (package health), never by Canonicalize.
	LinkBroken
	ContentChanged
	RedirectChanged
	CertificateExpiring
	CanonicalConflict

	PastedText // raised by Canonicalize
	codeCount
)

// codes is the table of the flags: name, step that raises it, summary.
var codes = [codeCount]struct{ name, step, summary string }{
	UnknownParam:        {"unknown-param", "tracking", "a query parameter that no list knows: keep it or drop it"},
	HTTPOnly:            {"http-only", "scheme", "the site does not answer over HTTPS"},
	NoSpanish:           {"no-spanish", "language", "no Spanish version of this page is known"},
	RedirectLimit:       {"redirect-limit", "redirects", "too many redirects, or a loop of them"},
	HomePage:            {"home-page", "classify", "a home page where a procedure page should be cited"},
	SectionPage:         {"section-page", "classify", "a navigation page where a procedure page should be cited"},
	TrailingSlash:       {"trailing-slash", "redirects", "the server insists on the trailing slash"},
	NonstandardPort:     {"nonstandard-port", "host", "a port that is not the default of the scheme"},
	UnresolvedShortener: {"unresolved-shortener", "redirects", "a short link whose target is not known"},
	Credentials:         {"credentials", "parse", "the URL carried a user name or password, now removed"},
	BrokenEncoding:      {"broken-encoding", "path", "percent-encoding that is not valid, or bytes that are not UTF-8"},
	FragmentRoute: {"fragment-route", "fragment",
		"the fragment selects the page (client-side route), and it was removed"},
	OffAllowlist:   {"off-allowlist", "redirects", "the host is not on the allowlist"},
	SuspiciousHost: {"suspicious-host", "host", "the host name mixes scripts or imitates another"},
	Unreachable:    {"unreachable", "redirects", "the page did not answer"},
	RobotsBlocked:  {"robots-blocked", "redirects", "robots.txt forbids fetching the page"},
	ChangedSinceApproval: {"changed-since-approval", "review",
		"the canonical URL is no longer the one that was approved"},
	NoContent:           {"no-content", "redirects", "no text of the page came, or scripts draw it and no browser could"},
	LinkBroken:          {"link-broken", "health", "the page has failed again and again, or is gone"},
	ContentChanged:      {"content-changed", "health", "the page no longer says what it said when it was accepted"},
	RedirectChanged:     {"redirect-changed", "health", "the URL no longer leads where it led when it was accepted"},
	CertificateExpiring: {"certificate-expiring", "health", "the certificate of the site ends soon, or has ended"},
	CanonicalConflict:   {"canonical-conflict", "health", "the page names another page as its canonical one"},
	PastedText:          {"pasted-text", "parse", "text was copied along with the link, or the link is damaged"},
}

// ofReview are the flags that no result of Canonicalize has.
var ofReview = SetOf(ChangedSinceApproval, LinkBroken, ContentChanged, RedirectChanged, CertificateExpiring,
	CanonicalConflict)

// String returns the code's name in JSON, such as "unknown-param".
func (c Code) String() string { return codes[c].name }

// Step returns the id of the step that raises the flag.
func (c Code) Step() string { return codes[c].step }

// Summary explains the flag in one clause, for people.
func (c Code) Summary() string { return codes[c].summary }

// ParseCode returns the code with that name.
func ParseCode(name string) (Code, bool) {
	for c := range codeCount {
		if codes[c].name == name {
			return c, true
		}
	}
	return 0, false
}

// Codes returns all codes in their order.
func Codes() []Code {
	return (CodeSet(1)<<codeCount - 1).Codes()
}

// CodeSet is a set of codes, bit n for code n. It is stored.
type CodeSet uint32

// SetOf returns the set of the given codes.
func SetOf(list ...Code) CodeSet {
	var s CodeSet
	for _, c := range list {
		s |= 1 << c
	}
	return s
}

// Has reports whether c is in the set.
func (s CodeSet) Has(c Code) bool { return s&(1<<c) != 0 }

// With returns the set with c added.
func (s CodeSet) With(c Code) CodeSet { return s | 1<<c }

// Without returns the set without c.
func (s CodeSet) Without(c Code) CodeSet { return s &^ (1 << c) }

// Len returns the number of codes in the set.
func (s CodeSet) Len() int { return bits.OnesCount32(uint32(s)) }

// Codes lists the set in the order of the codes.
func (s CodeSet) Codes() []Code {
	list := make([]Code, 0, s.Len())
	for c := range codeCount {
		if s.Has(c) {
			list = append(list, c)
		}
	}
	return list
}

// Flag is one reason to look at a URL, with the detail that a person needs to act.
type Flag struct {
	Code   Code
	Rule   string // id of the step that raised it
	Detail string // which parameter, which host, which alternative; only from Explain
}
