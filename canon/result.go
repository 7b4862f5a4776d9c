package canon

// Verdict is the machine's decision on a URL.
type Verdict uint8

// The verdicts. Their numbers are stored.
const (
	Accepted Verdict = iota // no flag: no person needs to look
	Flagged                 // canonical, but a person should decide
	Rejected                // no canonical URL; Reason says why
)

func (v Verdict) String() string { return [...]string{"accepted", "flagged", "rejected"}[v] }

// Reason is the reason for a rejection.
type Reason uint8

// The reasons. Their numbers are stored. Results that are not rejected have NotRejected.
const (
	NotRejected Reason = iota
	InvalidURL
	UnsupportedScheme
	TooLong
	PrivateAddress
	LeftAllowlist // "off-allowlist": a redirect leaves the allowlist
)

func (r Reason) String() string {
	return [...]string{"", "invalid-url", "unsupported-scheme", "too-long", "private-address", "off-allowlist"}[r]
}

// LinkType is the kind of page that a URL names (seed 000, "Informative link vs home page").
type LinkType uint8

// The link types. Their numbers are stored. A rejected URL has NoLinkType.
const (
	NoLinkType LinkType = iota
	Informative
	Section
	Homepage
)

func (t LinkType) String() string { return [...]string{"", "informative", "section", "homepage"}[t] }

// Pagination is the page number that rule 9 removed from the URL.
type Pagination struct {
	Param      string // as spelled
	Page       int
	TotalPages int // 0: not known
}

// Result is the outcome of Canonicalize. Its strings may hold any bytes of the input, so escape them before printing
// them to a terminal. MarshalJSON writes the documented output format.
type Result struct {
	Original  string // the input, without white space and controls at the ends
	Canonical string // empty when rejected
	Verdict   Verdict
	Reason    Reason
	Detail    string // the exact defect of a rejected URL, for people

	Flags         []Flag   // at most one for each code, in the order of the codes
	UnknownParams []string // names behind unknown-param, percent-decoded, without repetition

	InHost string // ASCII host of the original; empty if there is none
	Host   string // ASCII host of the canonical URL

	// Via lists the hosts that the URL had in between, in their order, without repetition: after a redirect, before the
	// preferred host, before the Spanish version. Overrides were looked up for them too.
	Via []string

	LinkType         LinkType
	FragmentNote     string // the removed fragment, with its "#"
	Pagination       *Pagination
	Language         string            // "es", "ca", …; empty: not known
	LangVariants     map[string]string // other known versions: language to URL
	SpanishCandidate string            // the guess behind no-spanish
	RedirectChain    []Hop

	Policy string  // name@version
	Trace  []Entry // only from Explain
}

// Codes returns the codes of the flags as a set.
func (r *Result) Codes() CodeSet {
	var s CodeSet
	for _, f := range r.Flags {
		s = s.With(f.Code)
	}
	return s
}
