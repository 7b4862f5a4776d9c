package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
)

// Over draws a box over styled lines, from column x of line y on, and cuts the box below the last line. A half-covered
// wide character becomes spaces in its style.
func Over(lines, box string, x, y int) string {
	list := strings.Split(lines, "\n")
	for i, line := range strings.Split(box, "\n") {
		if at := y + i; at < len(list) {
			list[at] = over(list[at], line, x)
		}
	}
	return strings.Join(list, "\n")
}

func over(under, line string, x int) string {
	left := term.Cut(under, x, "")
	if gap := x - term.Width(left); gap > 0 {
		if term.Width(under) > x { // a wide character stands across the edge
			left = term.Cut(under, x, strings.Repeat(" ", gap))
		} else {
			left += strings.Repeat(" ", gap)
		}
	}
	return left + line + from(under, x+term.Width(line))
}

// from returns the line from column x on.
func from(line string, x int) string {
	room := term.Width(line) - x
	if room <= 0 {
		return ""
	}
	right := ansi.TruncateLeftWc(line, x, "")
	for cut := 1; term.Width(right) > room; cut++ { // a wide character stands across the edge
		right = ansi.TruncateLeftWc(line, x+cut, strings.Repeat(" ", cut))
	}
	return right
}
