package widget

import (
	"strings"

	"visto/ui/term"
	"visto/ui/theme"
)

// Box draws lines in a frame of exactly width by height cells with a title. It cuts lines that do not fit; the content
// is [Inside](width) cells wide.
func Box(th *theme.Theme, title string, lines []string, width, height int) string {
	inner := max(0, width-2)
	edge := th.FocusedBorder.Render
	var b strings.Builder
	head := term.Truncate("─ "+title+" ", inner)
	line := strings.Repeat("─", max(0, inner-term.Width(head)))
	b.WriteString(edge("╭") + th.Heading.Render(head) + edge(line+"╮") + "\n")
	left, right := edge("│")+" ", " "+edge("│")+"\n"
	blank := make([]string, max(0, height-2))
	for _, line := range append(lines[:len(lines):len(lines)], blank...)[:len(blank)] {
		b.WriteString(left + term.Pad(line, inner-2) + right)
	}
	b.WriteString(edge("╰" + strings.Repeat("─", inner) + "╯"))
	return b.String()
}

// Inside returns the width of the content of a box in cells.
func Inside(width int) int { return max(1, width-4) }
