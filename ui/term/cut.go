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

// middleParts returns the number of cells that Middle keeps of the start and of the end.
func middleParts(width int) (head, tail int) {
	head = width * 3 / 5
	if tail = width - head - 1; tail < 1 {
		return width - 1, 0
	}
	return head, tail
}

// tailOf returns the end of the text that fits into width cells.
func tailOf(s string, width int) string {
	skip := max(0, Width(s)-width)
	if plain(s) {
		return s[skip:]
	}
	end := ansi.TruncateLeft(s, skip, "")
	if Width(end) > width { // a wide character stood across the cut
		end = ansi.TruncateLeft(s, skip+1, "")
	}
	return end
}

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
