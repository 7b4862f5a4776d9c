package canon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

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
	Blocked       // the host, a hop or the final host is on the blocklist
)

func (r Reason) String() string {
	return [...]string{
		"", "invalid-url", "unsupported-scheme", "too-long", "private-address", "off-allowlist", "blocked",
	}[r]
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

// Pagination is the page number that rule 9 removed from the URL, and the number of pages from the evidence. One of
// them is known.
type Pagination struct {
	Param      string      // as spelled; empty: the URL is the beginning of a list
	Page       json.Number // digits, however many, without leading zeros; empty like Param
	TotalPages int         // 0: not known
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
	WithoutPasted    string // the canonical URL without the part behind pasted-text; empty: not known; only from Explain

	// Ask is a URL whose answer the evidence lacks (Evidence.Answers) and that would be cited in the place of Canonical
	// if it showed the page. It is zero if there is none.
	Ask Request

	PutOff bool // the server answered nothing but 429 so far: no page was seen (Evidence.IsPutOff)

	Policy string  // name@version
	Trace  []Entry // only from Explain
}

// Request is a request for a URL.
type Request struct {
	URL    string // empty: none
	Follow bool   // its redirects are followed
}

// Codes returns the codes of the flags as a set.
func (r *Result) Codes() CodeSet {
	var s CodeSet
	for _, f := range r.Flags {
		s = s.With(f.Code)
	}
	return s
}

// Normalized returns the canonical URL with its query sorted by key, then value. It is the text of the comparison key:
// canonical URLs that differ only in the order of their parameters share it.
func (r *Result) Normalized() string { return NormalizedOf(r.Canonical) }

// Hash returns the SHA-256 of Normalized (seed 001, canonical_hash).
func (r *Result) Hash() [sha256.Size]byte { return HashOf(r.Canonical) }

// HashOf returns the SHA-256 of NormalizedOf(canonical).
func HashOf(canonical string) [sha256.Size]byte {
	return sha256.Sum256([]byte(NormalizedOf(canonical)))
}

// NormalizedOf is Normalized for a canonical URL without a Result, such as one that a reviewer typed.
func NormalizedOf(canonical string) string {
	rest, fragment, hasFragment := strings.Cut(canonical, "#")
	head, query, ok := strings.Cut(rest, "?")
	if !ok || strings.IndexByte(query, '&') < 0 {
		return canonical
	}
	sorted := head + "?" + string(sortQuery([]byte(query), true))
	if hasFragment {
		sorted += "#" + fragment
	}
	return sorted
}

// resultJSON fixes the names and the order of the fields in the documented output format.
type resultJSON struct {
	Original      string            `json:"original"`
	Canonical     string            `json:"canonical,omitempty"`
	Normalized    string            `json:"normalized,omitempty"`
	Hash          string            `json:"canonical_hash,omitempty"`
	Verdict       string            `json:"verdict"`
	Reason        string            `json:"reason,omitempty"`
	Flags         []flagJSON        `json:"flags,omitempty"`
	LinkType      string            `json:"link_type,omitempty"`
	FragmentNote  string            `json:"fragment_note,omitempty"`
	Pagination    *paginationJSON   `json:"pagination,omitempty"`
	Language      string            `json:"language,omitempty"`
	LangVariants  map[string]string `json:"lang_variants,omitempty"`
	RedirectChain []Hop             `json:"redirect_chain,omitempty"`
	WithoutPasted string            `json:"without_pasted_text,omitempty"`
	PutOff        bool              `json:"put_off,omitempty"`
	Policy        string            `json:"policy"`
	Trace         []Entry           `json:"trace,omitempty"`
}

type flagJSON struct {
	Code   string `json:"code"`
	Rule   string `json:"rule"`
	Detail string `json:"detail"`
}

// paginationJSON has the one field that is null if unknown.
type paginationJSON struct {
	Paginated  bool        `json:"paginated"`
	PageParam  string      `json:"page_param,omitempty"`
	Page       json.Number `json:"page,omitempty"`
	TotalPages *int        `json:"total_pages"`
}

// MarshalJSON writes the result as one object of the documented output format. JSON cannot hold bytes that are not
// UTF-8, so they are percent-encoded; the text still canonicalizes to the same URL, unless a line break splits a
// character.
func (r Result) MarshalJSON() ([]byte, error) {
	out := resultJSON{
		Original: EscapeInvalid(r.Original), Canonical: EscapeInvalid(r.Canonical),
		Verdict: r.Verdict.String(), Reason: r.Reason.String(),
		LinkType: r.LinkType.String(), FragmentNote: EscapeInvalid(r.FragmentNote),
		Language: r.Language, LangVariants: r.LangVariants, Policy: r.Policy,
		WithoutPasted: r.WithoutPasted, PutOff: r.PutOff,
	}
	if r.Verdict != Rejected {
		hash := r.Hash()
		out.Normalized, out.Hash = EscapeInvalid(r.Normalized()), hex.EncodeToString(hash[:])
	}
	for _, f := range r.Flags {
		out.Flags = append(out.Flags, flagJSON{f.Code.String(), f.Rule, EscapeInvalid(f.Detail)})
	}
	if p := r.Pagination; p != nil {
		out.Pagination = &paginationJSON{true, EscapeInvalid(p.Param), p.Page, nil}
		if p.TotalPages > 0 {
			out.Pagination.TotalPages = &p.TotalPages
		}
	}
	for _, h := range r.RedirectChain {
		out.RedirectChain = append(out.RedirectChain, Hop{h.Status, EscapeInvalid(h.URL)})
	}
	for _, e := range r.Trace {
		out.Trace = append(out.Trace, Entry{e.Step, e.Rule, EscapeInvalid(e.Before), EscapeInvalid(e.After),
			EscapeInvalid(e.Note)})
	}
	text, err := marshal(out, "")
	return bytes.TrimSuffix(text, []byte{'\n'}), err
}

// marshal writes one line of JSON, or an indented text, without escapes for "&", "<" and ">".
func marshal(v any, indent string) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return buf.Bytes(), err
}

// EscapeInvalid percent-encodes the bytes of s that are not UTF-8, which JSON and CSV cannot hold.
func EscapeInvalid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			out = appendEscape(out, s[0])
		} else {
			out = append(out, s[:n]...)
		}
		s = s[n:]
	}
	return string(out)
}
