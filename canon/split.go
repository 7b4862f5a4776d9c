package canon

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Span is a part of a text: the bytes from Begin to End, without the one at End.
type Span struct{ Begin, End int }

// SplitURLs returns the places of the URLs in a value that holds several, in their order, and nil for any other value.
// Canonicalize rejects such a value. Of a list of links in one cell each span is one link, without the separators and
// the brackets and quotes between them. Text behind a link stays in its span.
//
// Another URL begins at each "http://" or "https://" that follows raw white space, or stands directly behind ",", ";"
// or "|" outside the value of a parameter. One directly behind "=" or "/" is a part of the URL around it, as in
// "?id=https://www.boe.es" and "/web/2020/https://www.boe.es".
func SplitURLs(value string) []Span {
	if !holdsSecondScheme(value) {
		return nil
	}
	trimmed := Trim(value)
	offset := strings.Index(value, trimmed)
	starts := urlStarts(trimmed)
	if len(starts) < 2 {
		return nil
	}
	spans := make([]Span, len(starts))
	for i, start := range starts {
		end := len(trimmed)
		if i+1 < len(starts) {
			end = start + len(withoutSeparator(trimmed[start:starts[i+1]]))
		}
		spans[i] = Span{offset + start, offset + end}
	}
	return spans
}

// severalURLs is the rejection of a value that holds several URLs.
var severalURLs = invalid("it holds several URLs: give each its own entry")

// holdsSecondScheme reports whether a scheme may stand behind the beginning of a text. Nearly no text has one.
func holdsSecondScheme(text string) bool {
	first := strings.Index(text, "://")
	return first >= 0 && (strings.Contains(text[first+3:], "://") || schemeBefore(text, first) > 0)
}

// mayHoldSeveral reports whether a second scheme stands elsewhere than directly behind a "/" or the "=" of a query,
// where it is a part of the URL.
func mayHoldSeveral(text string) bool {
	for next := 0; ; {
		i := strings.Index(text[next:], "://")
		if i < 0 {
			return false
		}
		next += i + len("://")
		start := schemeBefore(text, next-len("://"))
		if start <= 0 || text[start-1] == '/' {
			continue
		}
		if text[start-1] != '=' || strings.IndexByte(text[:start], '?') < 0 {
			return true
		}
	}
}

// urlStarts returns where the URLs of a trimmed text begin. Text that is no URL may stand before the first one.
func urlStarts(text string) (starts []int) {
	if beginsAsURL(text) {
		starts = append(starts, 0)
	}
	part := urlPart{}
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		if i > 0 && c|0x20 == 'h' && schemeLen(text[i:]) > 0 && (len(starts) == 0 || part.separates(text[i-1])) {
			starts, part = append(starts, i), urlPart{}
		}
		part.read(c)
		i += n
	}
	return starts
}

// urlPart is the part of a URL to which a scan has come.
type urlPart struct {
	behindBlank bool // raw white space came before
	behindPath  bool // in query or fragment
	inValue     bool // in the value of a parameter
}

func (p *urlPart) read(c rune) {
	switch {
	case c == '?' || c == '#':
		p.behindPath, p.inValue = true, p.inValue && c == '?'
	case c == '&':
		p.inValue = false
	case c == '=':
		p.inValue = p.behindPath
	case isInvisible(c):
		p.behindBlank = true
	}
}

// separates reports whether a scheme behind that byte begins another URL.
func (p *urlPart) separates(before byte) bool {
	switch before {
	case '/', '=':
		return false
	case ',', ';', '|':
		return p.behindBlank || !p.inValue
	}
	return p.behindBlank
}

// beginsAsURL reports whether a text begins with a URL, with a scheme or without, up to its first white space or
// separator.
func beginsAsURL(text string) bool {
	if schemeLen(text) > 0 {
		return true
	}
	end := strings.IndexFunc(text, func(c rune) bool { return isInvisible(c) || c == ',' || c == ';' || c == '|' })
	if end <= 0 {
		return false
	}
	a, _, bad := parse([]byte(text[:end]))
	return bad == nil && bytes.IndexByte(a.ascii, '.') >= 0
}

// schemeLen returns the length of the "http://" or "https://", in any case, at the beginning of a text, or 0.
func schemeLen(text string) int {
	for _, scheme := range [...]string{"https://", "http://"} {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// schemeBefore returns where the "http" or "https" before the "://" at an index begins, or -1.
func schemeBefore(text string, colon int) int {
	for _, n := range [...]int{len("https"), len("http")} {
		if colon >= n && schemeLen(text[colon-n:]) == n+len("://") {
			return colon - n
		}
	}
	return -1
}

// withoutSeparator removes the separator before the next URL from the end of a URL.
func withoutSeparator(text string) string {
	text = strings.TrimRightFunc(text, func(c rune) bool {
		return isInvisible(c) || strings.ContainsRune(",;|(<[{\"'`«“‘", c)
	})
	return strings.TrimRight(text, ">»”")
}
