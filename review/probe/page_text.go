package probe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the upper bound of a title in bytes. Nobody reads longer ones.
const maxText = 1000

// cleanText returns a text as one line of at most maxText bytes: white space and controls become single spaces,
// invalid UTF-8 becomes U+FFFD.
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

// wordSet returns the set of the words in a text.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
