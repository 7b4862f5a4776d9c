package term

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Breaks returns the byte offsets at which safe text without styles must be broken into lines of at most width cells.
// It prefers breaks between words and between the parts of a URL that leave the line more than half full.
func Breaks(s string, width int) []int { return breaks(s, width, false) }

// breaks is Breaks. If dropsSpace is set, the space after a full line goes with it and takes no cell.
func breaks(s string, width int, dropsSpace bool) []int {
	if len(s) <= width && plain(s) {
		return nil
	}
	var list []int
	width = max(width, 2)
	start, used := 0, 0
	nice, niceUsed := 0, 0 // the last preferred break in the line, and the cells before it
	for it := graphemes.FromString(s); it.Next(); {
		w := Width(it.Value())
		if used+w > width && used > 0 {
			at := it.Start()
			switch {
			case dropsSpace && it.Value() == " ":
				at, used, w = it.End(), 0, 0
			case niceUsed > width/2:
				at = nice
				used -= niceUsed
			default:
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

// Wrap breaks safe text without styles into lines of at most width cells; see [Breaks]. A line break in the text starts
// a new line, and an empty text is one empty line.
func Wrap(s string, width int) []string {
	var lines []string
	for _, at := range WrapAt(s, width) {
		lines = append(lines, s[at[0]:at[1]])
	}
	return lines
}

// WrapAt returns the byte ranges [from, to) of the lines into which [Wrap] breaks the text.
func WrapAt(s string, width int) (lines [][2]int) {
	start := 0
	for para := range strings.SplitAfterSeq(s, "\n") {
		end := start + len(para)
		para = strings.TrimSuffix(para, "\n")
		from := 0
		for _, at := range breaks(para, width, true) {
			lines = append(lines, [2]int{start + from, start + from + len(strings.TrimRight(para[from:at], " "))})
			from = at
		}
		lines = append(lines, [2]int{start + from, start + len(para)})
		start = end
	}
	return lines
}
