package probe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is how much of a title is kept, in bytes: as much as anybody reads.
const maxText = 1000

// cleanText returns a text as one line: white space of any kind and controls as single spaces, bytes that are not UTF-8 as
// U+FFFD, and no more than maxText.
func cleanText(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Join(strings.FieldsFunc(s, isGap), " ")
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimSpace(s[:end]) + "…"
}

func isGap(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
