package read

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// decodeLatin returns a text in Windows-1252 as UTF-8, and whether it is one: it is not UTF-8, not even in parts, and
// every byte is a character. Excel writes such tables.
func decodeLatin(text string) (decoded string, ok bool) {
	if utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool {
		return c >= utf8.RuneSelf && c != utf8.RuneError
	}) {
		return text, false
	}
	decoded, err := charmap.Windows1252.NewDecoder().String(text)
	if err != nil || strings.ContainsFunc(decoded, func(c rune) bool {
		return c == utf8.RuneError || c >= utf8.RuneSelf && unicode.IsControl(c)
	}) {
		return text, false
	}
	return decoded, true
}
