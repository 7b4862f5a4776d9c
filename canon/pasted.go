package canon

import (
	"strings"
)

// A value may hold more than a link: text that was copied along with it, or the escapes of a careless program. At most
// one in a thousand URLs that are right as written has a part that this file looks for. The flag pasted-text
// names the part; mended gives the URL without it.

// pasted is a part of a value that no URL has.
type pasted struct {
	begin, end int    // of the part in the value
	why        string // a noun for people
	instead    string // the text in the place of the part
	isUnknown  bool   // its replacement is not known
}

// findPasted returns the first such part of a trimmed value.
func findPasted(text string) (pasted, bool) {
	s := pasteScan{text: text, at: behindHost(text)}
	if i := strings.IndexAny(text[:s.at], "\t\r\n"); i >= 0 {
		return pasted{begin: i, end: i + 1, why: "a line break or tab"}, true
	}
	for s.pair = s.at; s.at < len(text); s.at++ {
		if !mayPaste[text[s.at]] {
			continue
		}
		if s.read() {
			return s.found, true
		}
	}
	isFound := s.end()
	return s.found, isFound
}

// mended returns the value without the parts that no URL has, "" if their replacement is not known.
func mended(text string) string {
	for range maxMended {
		p, ok := findPasted(text)
		switch {
		case p.isUnknown:
			return ""
		case !ok:
			return text
		}
		text = Trim(text[:p.begin] + p.instead + text[p.end:])
	}
	return ""
}

// maxMended limits the parts of one value.
const maxMended = 64

// markPasted marks the bytes that may begin pasted text, plain or as an escape, if the policy flags it. Most URLs with
// a query or an escape have none: a "?" begins the query, an "&" a parameter, and few escapes matter.
func (r *registrar) markPasted(plain, escaped *[256]stepSet, isHarmless func(x byte) bool) {
	if !r.policy.doc.FlagPasted {
		return
	}
	mark(plain, mayBePasted, func(x byte) bool { return mayPaste[x] && !isHarmless(x) })
	mark(escaped, mayBePasted, in("$<{;\\"))
	mark(&r.escapedInPath, mayBePasted, in("?["))
}

// checkPasted flags a value with a part that no URL has.
func (r *run) checkPasted(text string) {
	if !r.policy.doc.FlagPasted {
		return
	}
	if p, ok := findPasted(text); ok && r.raise(PastedText) {
		r.flag(PastedText, `%s: "%s"; look whether it belongs to the URL`, p.why, text[p.begin:p.end])
	}
}

// withoutPasted returns the canonical form of a value without the parts that no URL has, or "".
func (c *Canonicalizer) withoutPasted(raw string) string {
	text := mended(raw)
	if text == "" {
		return ""
	}
	other := Canonicalizer{newRun(c.run.policy, c.run.overrides), c.only}
	return other.Canonicalize(text, nil).Canonical
}
