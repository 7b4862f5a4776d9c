package term

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Width returns how many cells the text takes; styling in it takes none. Of plain text, which most is, it need not look for clusters;
// nor need those who cut it.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Truncate cuts safe text, styled or not, to at most width cells and ends it with … where something was cut.
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

// Middle cuts safe text without styling to at most width cells and puts … in its middle, so that the host of a URL and
// its end, which tell URLs apart, both stay.
func Middle(s string, width int) string { return Marked{Text: s}.Middle(width).Text }

// middleParts says how many cells Middle keeps of the start and of the end.
func middleParts(width int) (head, tail int) {
	head = width * 3 / 5
	if tail = width - head - 1; tail < 1 {
		return width - 1, 0
	}
	return head, tail
}

// tailOf returns what fits into so many cells of the end of the text.
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

// Pad truncates or fills the text with spaces to exactly width cells.
func Pad(s string, width int) string {
	s = Truncate(s, width)
	return s + strings.Repeat(" ", max(0, width-Width(s)))
}

// Breaks returns the byte offsets at which safe text without styling is to be broken so that no line takes more than
// width cells. It prefers the places between words and between the parts of a URL, as long as the line stays at
// least half full.
func Breaks(s string, width int) []int {
	if len(s) <= width && plain(s) {
		return nil
	}
	var list []int
	width = max(width, 2) // the widest cluster
	start, used := 0, 0
	nice, niceUsed := 0, 0 // the last good place in the line, and the cells before it
	for it := graphemes.FromString(s); it.Next(); {
		w := ansi.StringWidth(it.Value())
		if used+w > width {
			at := it.Start()
			if niceUsed > width/2 {
				at = nice
				used -= niceUsed
			} else {
				used = 0
			}
			list = append(list, at)
			start, niceUsed = at, 0
		}
		used += w
		if breaksAfter(it.Value()) && it.End() > start {
			nice, niceUsed = it.End(), used
		}
	}
	return list
}

func breaksAfter(cluster string) bool {
	return len(cluster) == 1 && strings.Contains(" /?&=;,", cluster)
}

// Wrap breaks safe text without styling into lines of at most width cells; see [Breaks]. Every line break in it
// starts a new line, and an empty text is one empty line.
func Wrap(s string, width int) []string {
	var lines []string
	for _, at := range wrapped(s, width) {
		lines = append(lines, s[at[0]:at[1]])
	}
	return lines
}

// wrapped says where the lines of a text are that Wrap breaks it into.
func wrapped(s string, width int) (lines [][2]int) {
	start := 0
	for para := range strings.SplitAfterSeq(s, "\n") {
		end := start + len(para)
		para = strings.TrimSuffix(para, "\n")
		from := 0
		for _, at := range Breaks(para, width) {
			lines = append(lines, [2]int{start + from, start + from + len(strings.TrimRight(para[from:at], " "))})
			from = at
			if para[from] == ' ' { // it stood where the line broke
				from++
			}
		}
		lines = append(lines, [2]int{start + from, start + len(para)})
		start = end
	}
	return lines
}

// Openable reports whether the URL may be handed to a browser: printable ASCII, http or https.
func Openable(url string) bool {
	return plain(url) && !strings.ContainsAny(url, " \"<>^`{|}") &&
		(strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://"))
}

// Clip cuts untrusted text to about n bytes, at a rune, and says how long it was. A rejected original may be
// megabytes long; nobody reads it to its end in a terminal.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes in all)", s[:n], len(s))
}
