package canon

// Verdict is what the machine makes of a URL.
type Verdict uint8

// The verdicts. Their numbers are stored.
const (
	Accepted Verdict = iota // no flag: nobody needs to look
	Flagged                 // canonical, but a person should decide
	Rejected                // no canonical URL; Reason says why
)

func (v Verdict) String() string { return [...]string{"accepted", "flagged", "rejected"}[v] }

// Reason says why a URL was rejected.
type Reason uint8

// The reasons. Their numbers are stored. NotRejected is the reason of every other verdict.
const (
	NotRejected Reason = iota
	InvalidURL
	UnsupportedScheme
	TooLong
	PrivateAddress
	LeftAllowlist // "off-allowlist": a redirect left the allowlist
)

func (r Reason) String() string {
	return [...]string{"", "invalid-url", "unsupported-scheme", "too-long", "private-address", "off-allowlist"}[r]
}

// LinkType says what kind of page a URL names (seed 000, "Informative link vs home page").
type LinkType uint8

// The link types. Their numbers are stored. NoLinkType is that of a rejected URL.
const (
	NoLinkType LinkType = iota
	Informative
	Section
	Homepage
)

func (t LinkType) String() string { return [...]string{"", "informative", "section", "homepage"}[t] }

// Pagination is what rule 9 took off the URL.
type Pagination struct {
	Param      string // as it was spelled
	Page       int
	TotalPages int // 0: not known
}

// Result is what Canonicalize found. Strings may hold any byte of the input; whatever prints them to a
// terminal escapes them first. MarshalJSON writes the object of the documented output format.
type Result struct {
	Original  string // as it came, trimmed of white space and controls at the ends
	Canonical string // empty when rejected
	Verdict   Verdict
	Reason    Reason
	Detail    string // what exactly is wrong with a rejected URL, for people

	Flags         []Flag   // at most one for each code, in the order of the codes
	UnknownParams []string // names behind unknown-param, percent-decoded, without repetition

	InHost string // ASCII host of the original; empty if there is none
	Host   string // ASCII host of the canonical URL

	// Via are the hosts that the URL stood on in between, in their order, without repetition: after a redirect, before the
	// host that the domain prefers, before the Spanish version. Overrides were looked up for them as well.
	Via []string

	LinkType         LinkType
	FragmentNote     string // "#…" as it came
	Pagination       *Pagination
	Language         string            // "es", "ca", …; empty: not known
	LangVariants     map[string]string // other known versions: language to URL
	SpanishCandidate string            // the guessed Spanish URL behind no-spanish
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
