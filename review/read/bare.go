package read

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"visto/review/lazyregexp"
)

var bareStart = lazyregexp.New(`^(?i:https?://|www\.)`)

// bareSize returns the size of the bare URL at i in prose or Markdown, or 0. It follows GitHub Flavored Markdown,
// section 6.9, but for the characters that end a URL: no closing quote of a sentence is written over.
func bareSize(text string, i int) int {
	start := bareStart().FindString(text[i:])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	if start == "" || i > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return 0
	}
	host := i + len(start)
	if strings.EqualFold(start, "www.") {
		host = i
	}
	if !hasDomain(text[host:min(host+maxHost, len(text))]) {
		return 0
	}
	url := ahead(text, i)
	end := bareEnd(url)
	if strings.HasPrefix(url[end:], placeholderTag) { // with it, so that the URL is known for a template
		return end + len(placeholderTag)
	}
	url = url[:end]
	return len(trimBare(url[:partsOf(url)[0].End]))
}

// maxHost is the number of bytes of the longest host name (RFC 1035, section 2.3.4).
const maxHost = 255

// hasDomain reports whether a text begins with the name of a host that has a dot inside, or with a placeholder.
func hasDomain(text string) bool {
	end := strings.IndexFunc(text, func(c rune) bool { return endsBare(c) || strings.ContainsRune("/?#:", c) })
	if end >= 0 && !strings.HasPrefix(text[end:], placeholderTag) {
		text = text[:end]
	}
	return strings.Contains(strings.Trim(text, "."), ".") || hasPlaceholder(text)
}

// bareEnd returns the index of the first character that ends a URL, also of a bracket that closes without an opening.
func bareEnd(text string) int {
	round, curly := 0, 0
	for i, c := range text {
		switch {
		case endsBare(c) || c == ']':
			return i
		case c == '(':
			round++
		case c == '{':
			curly++
		case c == ')':
			round--
		case c == '}':
			curly--
		}
		if round < 0 || curly < 0 {
			return i
		}
	}
	return len(text)
}

func endsBare(c rune) bool {
	return unicode.IsSpace(c) || unicode.IsControl(c) || strings.ContainsRune("<>\"`[|", c)
}

const (
	closers     = "»›”’“‘—–…" // that stand behind a URL in a sentence
	punctuation = `?!.,:*_~'"\`
)

// trimBare removes what is no part of a URL at its end: closing quotes, dashes, punctuation, and references to
// characters.
func trimBare(url string) string {
	for url != "" {
		last, size := utf8.DecodeLastRuneInString(url)
		if last == ';' {
			before, _ := utf8.DecodeLastRuneInString(url[:len(url)-1])
			reference := url[max(0, strings.LastIndexByte(url, '&')):]
			switch {
			case entities().FindString(reference) == reference:
				size = len(reference)
			case !strings.ContainsRune(closers+punctuation, before):
				return url
			}
		} else if !strings.ContainsRune(closers+punctuation, last) {
			return url
		}
		url = url[:len(url)-size]
	}
	return url
}
