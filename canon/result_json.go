package canon

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

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
	Paginated  bool   `json:"paginated"`
	PageParam  string `json:"page_param"`
	Page       int    `json:"page"`
	TotalPages *int   `json:"total_pages"`
}

// MarshalJSON writes the result as one object of the documented output format. JSON cannot hold bytes that are not
// UTF-8, so they are percent-encoded; the text still canonicalizes to the same URL.
func (r Result) MarshalJSON() ([]byte, error) {
	out := resultJSON{
		Original: printable(r.Original), Canonical: printable(r.Canonical),
		Verdict: r.Verdict.String(), Reason: r.Reason.String(),
		LinkType: r.LinkType.String(), FragmentNote: printable(r.FragmentNote),
		Language: r.Language, LangVariants: r.LangVariants, Policy: r.Policy,
	}
	if r.Verdict != Rejected {
		hash := r.Hash()
		out.Normalized, out.Hash = printable(r.Normalized()), hex.EncodeToString(hash[:])
	}
	for _, f := range r.Flags {
		out.Flags = append(out.Flags, flagJSON{f.Code.String(), f.Rule, printable(f.Detail)})
	}
	if p := r.Pagination; p != nil {
		out.Pagination = &paginationJSON{true, printable(p.Param), p.Page, nil}
		if p.TotalPages > 0 {
			out.Pagination.TotalPages = &p.TotalPages
		}
	}
	for _, h := range r.RedirectChain {
		out.RedirectChain = append(out.RedirectChain, Hop{h.Status, printable(h.URL)})
	}
	for _, e := range r.Trace {
		out.Trace = append(out.Trace, Entry{e.Step, e.Rule, printable(e.Before), printable(e.After), printable(e.Note)})
	}
	return marshal(out)
}

// marshal is json.Marshal without escapes for "&", "<" and ">".
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), err
}

// printable percent-encodes the bytes of s that are not UTF-8.
func printable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s)+16)
	for len(s) > 0 {
		if c, n := utf8.DecodeRuneInString(s); c == utf8.RuneError && n == 1 {
			out = appendEscape(out, s[0])
			s = s[1:]
		} else {
			out = append(out, s[:n]...)
			s = s[n:]
		}
	}
	return string(out)
}
