package read

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"visto/canon"
	"visto/review/lazyregexp"
)

var bareStart = lazyregexp.New(`^(?i:https?://|www\.)`)

// bareSize returns the size of the bare URL at i in prose or Markdown, or 0. It follows GitHub Flavored Markdown,
// section 6.9, but for the characters around a URL: neither the sentence nor a longer word is written over.
func bareSize(text string, i int) int {
	if start := startOfBare(text, i); start == "" || isGlued(text[:i], start) {
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

// gluedSize returns the number of bytes at i, up to white space, in which a bare URL is not taken because of what
// stands before it, or 0.
func gluedSize(text string, i int) int {
	start := startOfBare(text, i)
	if start == "" || !isGlued(text[:i], start) || strings.HasSuffix(text[:i], "@") { // the address of a person
		return 0
	}
	word, _, _ := cutWord(text[i:])
	return len(word)
}

// startOfBare returns what a bare URL at i begins with, if a host follows it; else "".
func startOfBare(text string, i int) string {
	start := bareStart().FindString(text[i:])
	host := i + len(start)
	if strings.EqualFold(start, "www.") {
		host = i
	}
	if start == "" || !hasDomain(text[host:min(host+maxHost, len(text))]) {
		return ""
	}
	return start
}

// isGlued reports whether a text before a URL with such a beginning makes it a part of something longer.
func isGlued(before, start string) bool {
	if strings.EqualFold(start, "www.") {
		return !beginsWord(before)
	}
	return endsInWord(before) || strings.HasSuffix(before, "/") || endsInQuery(before)
}

// endsInQuery reports whether a text ends with "=" in the query of something longer, such as a.es/x?url=. Only the
// bytes of a long host name and path are looked at, so that a long line takes no longer.
func endsInQuery(before string) bool {
	if !strings.HasSuffix(before, "=") {
		return false
	}
	word := before[max(0, len(before)-4*maxHost):]
	return strings.Contains(word[strings.LastIndexFunc(word, isSpace)+1:], "?")
}

// endsInWord reports whether the last character of a text is a letter or a digit. A scheme directly behind one is
// the end of another word, such as xhttp, or words without a space: which one, nobody can tell.
func endsInWord(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return before != "" && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

// beginsWord reports whether a word begins behind a text: at the start of a line, or behind white space, an opening
// bracket or quote, with marks of emphasis or without. Elsewhere a www. is a part of something longer, such as
// ftp://www.boe.es, ana@www.boe.es or sub.www.boe.es. GFM takes fewer brackets and quotes. A "[" is none of them:
// it may open an IPv6 address.
func beginsWord(before string) bool {
	before = strings.TrimRight(before, "*_~")
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || isInvisible(last) || strings.ContainsRune("({<>|\"'`«“‘‹„‚¿¡", last)
}

// isInvisible reports whether canon.Trim removes a character from the ends of a URL.
func isInvisible(c rune) bool { return canon.Trim(string(c)) == "" }

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
		case endsBare(c) || c == ']' || isSign(c) && !joins(text, i) && !isUnclear(text, i):
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

// isSign reports whether a character is one that a URL holds percent-encoded and a sentence as it is: a dash, a closing
// quote, a bullet, a fraction, a picture, but no letter or digit. Those that nobody sees end no URL in the middle.
func isSign(c rune) bool {
	return c >= utf8.RuneSelf && !unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.Cf)
}

// joins reports whether the character at i is an apostrophe or a middle dot inside a word, as in "d’abril" and
// "col·legi".
func joins(text string, i int) bool {
	c, size := utf8.DecodeRuneInString(text[i:])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+size:])
	return (c == '’' || c == '·') && unicode.IsLetter(before) && unicode.IsLetter(after)
}

// isUnclear reports whether a sign stands between two letters or digits, as the dash in "plan-2020–2024" and in
// "ficha-1—bueno": of the URL, or of the sentence behind it, nobody can tell. Such a URL is not taken.
func isUnclear(text string, i int) bool {
	c, size := utf8.DecodeRuneInString(text[i:])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+size:])
	inWord := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	return isSign(c) && c != '’' && c != '·' && inWord(before) && inWord(after)
}

// holdsUnclear reports whether a bare URL has a character that may be a part of the text around it.
func holdsUnclear(url string) bool {
	for i := range url {
		if url[i] == '\\' || isUnclear(url, i) {
			return true
		}
	}
	return false
}

const punctuation = `?!.,:*_~'"\`

// endsSentence reports whether a character at the end of a bare URL is no part of it.
func endsSentence(c rune) bool { return strings.ContainsRune(punctuation, c) || isInvisible(c) }

// trimBare removes what is no part of a URL at its end: punctuation, invisible characters, and references to
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
			case !endsSentence(before):
				return url
			}
		} else if !endsSentence(last) {
			return url
		}
		url = url[:len(url)-size]
	}
	return url
}
