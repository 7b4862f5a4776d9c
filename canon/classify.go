package canon

import (
	"bytes"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// stepClassify is step 12: what kind of page the URL names, from the depth of its path and from whether anything in it
// identifies a document (seed 000, "Informative Link vs Home Page").
func (r *run) stepClassify() {
	if !r.policy.doc.Classify {
		return
	}
	depth := r.depth()
	switch {
	case depth == 0:
		r.link = Homepage
	case depth >= 3 || r.hasIdentifier():
		r.link = Informative
	case depth == 1:
		r.link = Homepage
	default:
		r.link = Section
	}
	switch {
	case r.link == Homepage && r.raise(HomePage):
		r.flag(HomePage, "%s is a home page: cite the page of the procedure, or accept it where the body has none", r.u.String())
	case r.link == Section && r.raise(SectionPage):
		r.flag(SectionPage, "%s only leads to other pages: cite the page of the procedure, or accept it where the body has none", r.u.String())
	}
}

// depth counts the non-empty segments, without a last one that is an index page and a first one that is a language code.
// Where these two cannot matter they are not looked for.
func (r *run) depth() int {
	if n := bytes.Count(r.u.path, []byte{'/'}); n >= 5 && !bytes.Contains(r.u.path, []byte("//")) {
		return n
	}
	n, language, index := 0, 0, 0
	segments(r.u.path, func(segment []byte) {
		if len(segment) == 0 {
			return
		}
		if n == 0 && r.segmentLanguage(segment, true) != "" {
			language = 1
		}
		n++
		index = 0
		if r.isIndexPage(segment) {
			index = 1
		}
	})
	return n - language - index
}

func (r *run) isIndexPage(segment []byte) bool {
	segment, _, _ = bytes.Cut(segment, []byte{';'})
	name, _, ok := bytes.Cut(segment, []byte{'.'})
	return ok && r.policy.indexPage[strings.ToLower(string(name))]
}

// hasIdentifier reports whether a segment, an identifier parameter or the page's title names one document or procedure.
func (r *run) hasIdentifier() bool {
	found, first := false, true
	segments(r.u.path, func(segment []byte) {
		text := r.segmentText(segment)
		if first && r.segmentLanguage(segment, true) != "" {
			text = nil // "es-es" is no slug
		}
		first = false
		found = found || hasNumber(text) || isUUID(text) || isSlug(text) || r.policy.isDocument(text)
	})
	eachPair(r.u.query, func(p pair) {
		if !found && r.named(p.name).kind&isIdentifier != 0 {
			value := decode(nil, p.value)
			found = hasNumber(value) || isUUID(value)
		}
	})
	return found || r.ev != nil && r.policy.isProcedure(r.ev.Title)
}

// segmentText is a segment as people read it: decoded, without its matrix parameters. It is good until the next call.
func (r *run) segmentText(segment []byte) []byte {
	segment, _, _ = bytes.Cut(segment, []byte{';'})
	r.route = decode(r.route[:0], segment)
	return r.route
}

// hasNumber reports a run of three digits or more.
func hasNumber(s []byte) bool {
	run := 0
	for i := 0; i < len(s) && run < 3; i++ {
		if run++; !isDigit(s[i]) {
			run = 0
		}
	}
	return run >= 3
}

// isUUID reports a UUID anywhere in s: portals put them before file names and after names of portlets.
func isUUID(s []byte) bool {
	const form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	for ; len(s) >= len(form); s = s[1:] {
		matches := true
		for i := 0; matches && i < len(form); i++ {
			matches = form[i] == '-' && s[i] == '-' || form[i] == 'x' && isHex(s[i])
		}
		if matches {
			return true
		}
	}
	return false
}

// isSlug reports two words or more, joined by hyphens or underscores: "prestacion-desempleo".
func isSlug(s []byte) bool {
	words := 0
	for len(s) > 0 {
		end := bytes.IndexAny(s, "-_")
		if end < 0 {
			end = len(s)
		}
		if bytes.IndexFunc(s[:end], unicode.IsLetter) >= 0 {
			words++
		}
		s = s[min(end+1, len(s)):]
	}
	return words >= 2
}

func (p *Policy) isDocument(segment []byte) bool {
	dot := bytes.LastIndexByte(segment, '.')
	return dot >= 0 && p.extension[string(bytes.ToLower(segment[dot+1:]))]
}

// isProcedure reports whether a title has a word that names a procedure.
func (p *Policy) isProcedure(title string) bool {
	if title == "" {
		return false
	}
	for _, word := range strings.FieldsFunc(fold(title), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if p.terms[word] {
			return true
		}
	}
	return false
}

// fold returns text for comparison without case and accents. Text that cannot be folded is compared as it is.
func fold(text string) string {
	folding := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	if folded, _, err := transform.String(folding, text); err == nil {
		text = folded
	}
	return strings.ToLower(text)
}
