package term

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the width of the text in cells, without its styles: the sum of its runes, as most terminals count. Those
// that count by characters draw some in fewer cells (see Safe), none in more.
func Width(s string) int {
	if w, ok := simpleWidth(s); ok {
		return w
	}
	return ansi.StringWidthWc(s)
}

// simpleWidth is Width without a search for clusters. It knows the most frequent texts alone: letters and signs of one
// cell each that no mark changes, and styles. A frame asks for a thousand widths.
func simpleWidth(s string) (cells int, ok bool) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case ' ' <= c && c <= '~':
			i++
		case c == ansi.ESC:
			n := styleLen(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
			continue
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !(0xC0 <= r && r < 0x300 || 0x2500 <= r && r < 0x25A0 || r == '…' || r == '·') {
				return 0, false
			}
			i += n
		}
		cells++
	}
	return cells, true
}

// styleLen returns the length of the style, such as ESC[1;31m, that s begins with: 0 if there is none.
func styleLen(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// Truncate cuts safe text, styled or not, to at most width cells. A cut text ends with ….
func Truncate(s string, width int) string {
	w, ok := simpleWidth(s)
	switch {
	case width <= 0:
		return ""
	case ok && w <= width:
		return s
	case plain(s):
		return s[:width-1] + "…"
	}
	return Cut(s, width, "…")
}

// Cut is Truncate with another end of a cut text. The function of package ansi leaves a text whole that would fit by
// characters, so it gets a longer one.
func Cut(s string, width int, tail string) string {
	if Width(s) <= width {
		return s
	}
	return ansi.TruncateWc(s+strings.Repeat(" ", width+1), width, tail)
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
