package canon

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

// classifyTriggers: every URL, if the policy classifies. The marks decide whether hasIdentifier needs to read the path.
func classifyTriggers(r *registrar) {
	r.when(r.policy.doc.Classify, &r.always)
	mark(&r.inPath, mayIdentify, func(x byte) bool { return charKind[x] != otherChar && charKind[x] != letterChar })
	mark(&r.inPath, hasDot, in("."))
}

// stepClassify is step 12. It finds the kind of page from the depth of the path, and from names of single documents in
// path, query and title (seed 000, "Informative Link vs Home Page").
func (r *run) stepClassify() {
	if !r.policy.doc.Classify {
		return
	}
	isPlain := r.hasPlainPath()
	if !isPlain {
		r.shape.scan(r.policy, r.u.path, 0, 0)
	}
	depth := r.shape.levels(r.policy, r.u.path, &r.name)
	switch {
	case depth >= 3 || depth > 0 && r.hasIdentifier(isPlain):
		r.link = Informative
	case depth <= 1:
		r.link = Homepage
	default:
		r.link = Section
	}
	const advice = "cite the page of the procedure, or accept it where the body has none"
	switch {
	case r.link == Homepage && r.raise(HomePage):
		r.flag(HomePage, "%s is a home page: "+advice, r.u.String())
	case r.link == Section && r.raise(SectionPage):
		r.flag(SectionPage, "%s only leads to other pages: "+advice, r.u.String())
	}
}

// levels returns the number of non-empty segments of the scanned path, without an index page at the end and a language
// code at the beginning.
func (s *pathShape) levels(p *Policy, path []byte, room *[]byte) int {
	n := s.depth
	if n == 0 || n >= 5 {
		return n // deep enough without these two
	}
	if s.mayBeCode {
		first, _, _ := cut(bytes.TrimLeft(path, "/"), '/')
		if s.inCode = p.languages.ofSegment(first, true, room) != ""; s.inCode {
			n--
		}
	}
	if s.hasDot && p.isIndexPage(s.last.of(path), room) {
		n--
	}
	return n
}

func (p *Policy) isIndexPage(segment []byte, room *[]byte) bool {
	if len(segment) == 0 || p.indexPage.sizes.of(segment) == 0 {
		return false // nearly every segment
	}
	for i, x := range segment {
		if x == '.' || x == ';' {
			return x == '.' && p.indexPage.has(segment[:i], room)
		}
	}
	return false
}

// hasIdentifier reports whether a segment, an identifier parameter or the page's title names one document or procedure.
// A plain path has neither escapes nor matrix parameters. It is called after levels.
func (r *run) hasIdentifier(isPlain bool) bool {
	return r.shape.mayName && r.pathIdentifies(isPlain) ||
		r.mayHaveParam(isIdentifier) && r.queryIdentifies(r.u.query) ||
		r.ev != nil && r.policy.isProcedure(r.ev.Title)
}

func (r *run) pathIdentifies(isPlain bool) bool {
	path, inCode := r.u.path, r.shape.inCode
	if isPlain && !inCode {
		if r.policy.identifies(r.shape.naming.of(path), &r.name) {
			return true // nearly every one
		}
		path = path[r.shape.naming.end:]
	}
	for len(path) > 0 {
		segment, _, _ := cut(path[1:], '/')
		path = path[1+len(segment):]
		if inCode && len(segment) > 0 {
			inCode = false // "es-es" is no slug
			continue
		}
		if !isPlain {
			name, matrix, _ := cut(r.plain(segment), ';')
			if isNumber(matrix) {
				return true
			}
			segment = name
		}
		if r.policy.identifies(segment, &r.name) {
			return true
		}
	}
	return false
}

func (j *judge) queryIdentifies(query []byte) (found bool) {
	eachPair(query, func(p pair) {
		if !found && j.named(p.name).kind&isIdentifier != 0 {
			value := j.plain(p.value)
			found = isNumber(value) || isUUID(value)
		}
	})
	return found
}

// Kinds of characters for identifies.
const (
	otherChar uint8 = iota
	digitChar
	letterChar
	joinerChar
	dotChar
	highChar // a byte of a character outside ASCII
)

var charKind = func() (kinds [256]uint8) {
	for x := range kinds {
		switch {
		case isDigit(byte(x)):
			kinds[x] = digitChar
		case 'a' <= x|0x20 && x|0x20 <= 'z':
			kinds[x] = letterChar
		case isJoiner(byte(x)):
			kinds[x] = joinerChar
		case x == '.':
			kinds[x] = dotChar
		case x >= utf8.RuneSelf:
			kinds[x] = highChar
		}
	}
	return kinds
}()

// identifies reports whether the text of a segment names one document or procedure. It does with a run of three digits,
// a slug (two words joined by hyphens or underscores, each with a letter or digit; a UUID is one), or the extension of a
// document.
func (p *Policy) identifies(text []byte, room *[]byte) bool {
	digits, words, inWord, dot := 0, 0, false, len(text)
	for i, x := range text {
		kind := charKind[x]
		if kind != digitChar {
			digits = 0
		} else if digits++; digits == 3 {
			return true
		}
		switch {
		case inWord && kind == letterChar: // nearly every character
		case kind == joinerChar:
			inWord = false
		case kind == dotChar:
			dot = i
		case !inWord && (kind == letterChar || kind == digitChar || kind == highChar && beginsWord(text[i:])):
			inWord = true
			if words++; words == 2 && !isExtension(text, i) {
				return true
			}
		}
	}
	return dot < len(text) && p.extension.has(text[dot+1:], room)
}

// isExtension reports whether the text from index i on is a file extension, which is no word of a slug.
func isExtension(text []byte, i int) bool {
	return text[i-1] == '.' && !bytes.ContainsAny(text[i:], ".-_")
}

func beginsWord(s []byte) bool {
	c, _ := utf8.DecodeRune(s)
	return unicode.IsLetter(c) || unicode.IsDigit(c)
}

// isNumber reports whether s has a run of three digits.
func isNumber(s []byte) bool {
	run := 0
	for i := 0; i < len(s) && run < 3; i++ {
		if run++; !isDigit(s[i]) {
			run = 0
		}
	}
	return run >= 3
}

// isUUID reports whether s has a UUID anywhere. Portals put them before file names and behind portlet names.
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

// isProcedure reports whether a title has a word that names a procedure.
func (p *Policy) isProcedure(title string) bool {
	if title == "" {
		return false
	}
	separates := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	for word := range strings.FieldsFuncSeq(casefold(title), separates) {
		if p.terms[word] {
			return true
		}
	}
	return false
}

// casefold returns text for comparison without case and accents.
func casefold(text string) string {
	plain := runes.Remove(runes.In(unicode.Mn)).String(norm.NFD.String(text))
	return strings.ToLower(norm.NFC.String(plain))
}
