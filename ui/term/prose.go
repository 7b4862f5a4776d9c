package term

import (
	"html"
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Prose returns text of several lines for a renderer of Markdown: with an escape for each character that [Safe]
// escapes, except that backslashes stay, which Markdown needs, that a tab is four spaces, and that signs which say only
// how another one is drawn are left out. The escapes are not one to one: prose is for reading, not for telling URLs
// apart. A second call changes nothing.
//
// A character reference of HTML that stands for an escaped character is resolved and escaped, for a renderer would
// resolve it later.
func Prose(s string) string {
	lines := strings.Split(lineBreaks.Replace(s), "\n")
	for i, line := range lines {
		lines[i] = proseLine(line)
	}
	return strings.Join(lines, "\n")
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", "    ")

// drawingHints are the soft hyphen, zero-width space, word joiner and byte order mark, and the selectors of the form of
// a sign as text or as emoji.
var drawingHints = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u2060", "", "\ufeff", "", "\ufe0e", "",
	"\ufe0f", "")

// maxReferences is how often references may be nested, as in &amp;amp;lt;.
const maxReferences = 4

func proseLine(s string) string {
	s = drawingHints.Replace(s)
	if plainProse(s) && !strings.Contains(s, "&") {
		return s
	}
	resolved, hinted := s, false
	for range maxReferences {
		text := html.UnescapeString(resolved)
		resolved = drawingHints.Replace(text)
		hinted = hinted || resolved != text
	}
	escaped := proseEscape(resolved)
	switch {
	case html.UnescapeString(resolved) != resolved:
		return strings.ReplaceAll(escaped, "&", "")
	case hinted, escaped != resolved:
		return escaped
	}
	return s
}

func proseEscape(s string) string {
	var b strings.Builder
	for it := graphemes.FromString(s); it.Next(); {
		if c := it.Value(); c == `\` {
			b.WriteString(c)
		} else {
			writeCluster(&b, c, 0, func(_, _ int) {})
		}
	}
	return b.String()
}

// plainProse reports whether s is printable ASCII.
func plainProse(s string) bool { return plain(strings.ReplaceAll(s, `\`, "")) }
