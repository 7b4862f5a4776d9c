package health

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word, a number or a sign of a line.
type token struct {
	text  string // without case and accents; of a number the digits and the separators between them
	kind  tokenKind
	glued bool // no blank before it
	class class
	drop  bool // it is not part of the substance
	done  bool // it was read: a date, or a number that is no figure
}

type tokenKind byte

const (
	wordToken tokenKind = iota
	numberToken
	signToken
)

func (t token) is(c class) bool { return t.class&c != 0 }

// plainText returns a text in lower case without accents, compatibility forms, soft hyphens and other characters that
// cannot be seen.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return unicode.ToLower(r)
		case unicode.In(r, unicode.Mn, unicode.Cf), r == '·': // Catalan "sol·licitud"
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.ToValidUTF8(text, " ")))
}

// withoutTargets returns a line of Markdown without pictures and addresses: the texts of the links remain.
func withoutTargets(line string) string {
	if !strings.Contains(line, "](") {
		return line
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(line, "](")
		if !found {
			return b.String() + line
		}
		if open := strings.LastIndexByte(before, '['); open > 0 && before[open-1] == '!' {
			before = before[:open-1]
		}
		b.WriteString(before)
		b.WriteByte(' ')
		line = after[targetEnd(after):]
	}
}

// targetEnd returns the index behind the parenthesis that closes the target of a link.
func targetEnd(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// appendTokens appends the tokens of a line of plain text.
func appendTokens(list []token, line string) []token {
	glued := false
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		t := token{glued: glued}
		end := i + size
		switch {
		case unicode.IsSpace(r) || r == '\\' || r == '*':
			glued = glued && r != ' ' && !unicode.IsSpace(r)
			i = end
			continue
		case isDigit(r):
			t.kind, end = numberToken, numberEnd(line, i)
		case unicode.IsLetter(r):
			t.kind, end = wordToken, wordEnd(line, i)
		default:
			t.kind = signToken
		}
		t.text = line[i:end]
		if t.kind == wordToken && isAddress(line[end:], t.text) {
			end = i + blankIndex(line[i:])
			i, glued = end, false
			continue
		}
		t.class = words().lookup(t.text).class
		list = append(list, t)
		i, glued = end, true
	}
	return list
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// isAddress reports whether a word begins a URL.
func isAddress(rest, word string) bool {
	return word == "www" && strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "://")
}

func blankIndex(text string) int {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return i
	}
	return len(text)
}

// numberEnd returns the end of a number, with the separators between its digits: "1.200,50", "3/3/2025", "8:30".
func numberEnd(line string, i int) int {
	for i < len(line) {
		separated := strings.IndexByte(".,:/-'", line[i]) >= 0 && i+1 < len(line) && isDigit(rune(line[i+1]))
		if !isDigit(rune(line[i])) && !separated {
			break
		}
		i++
	}
	return i
}

func wordEnd(line string, i int) int {
	if n := strings.IndexFunc(line[i:], func(r rune) bool { return !unicode.IsLetter(r) }); n >= 0 {
		return i + n
	}
	return len(line)
}
