package term

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the width of the text in cells, without its styles. Plain text, the most frequent case here and in the
// functions below, needs no search for clusters.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Truncate cuts safe text, styled or not, to at most width cells. A cut text ends with ….
func Truncate(s string, width int) string {
	switch {
	case width <= 0:
		return ""
	case !plain(s):
		return ansi.Truncate(s, width, "…")
	case len(s) <= width:
		return s
	}
	return s[:width-1] + "…"
}

// Middle cuts safe text without styles to at most width cells with … in the middle, so that the host and the end of a
// URL, which distinguish URLs, both stay.
func Middle(s string, width int) string { return Marked{Text: s}.Middle(width).Text }

// Pad cuts the text or fills it with spaces to exactly width cells.
func Pad(s string, width int) string {
	s = Truncate(s, width)
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

// Clip cuts untrusted text to about n bytes, at a rune, and appends its length. A rejected original may be megabytes
// long.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes in all)", s[:n], len(s))
}
