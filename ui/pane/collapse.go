package pane

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
)

// diff draws two untrusted URLs one below the other, with what was found in them. Where they are long, lines in which nothing changed
// or was found are folded.
func (p *page) diff(before, after string) {
	lines := p.th.DiffFound(marked(p.find, before), marked(p.find, after), p.width)
	if p.collapse && len(lines) > collapseFrom {
		lines = p.collapsed(lines)
	}
	p.add(lines...)
}

// foldFrom is from how many lines on a diff is folded, and foldRun how many lines without a change it takes for that.
const (
	collapseFrom = 10
	collapseRun  = 4
)

// collapsed leaves out what is in the middle of each run of lines without a change.
func (p *page) collapsed(lines []string) []string {
	var out []string
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && unchanged(lines[to], to > from) {
			to++
		}
		if n := to - from - 2; n >= collapseRun-2 {
			out = append(out, lines[from], p.th.Dim.Render(term.Truncate(fmt.Sprintf(p.keyed("  ⋯ %d lines in which nothing changed: {fold} shows them"), n), p.width)))
			from = to - 1
		}
		out = append(out, lines[from])
		from++
	}
	return out
}

// unchanged reports whether a line of a diff has no mark of a change or of what was found: no style but that of the sign at its start. With further, the
// line is to go on from one before, without a sign.
func unchanged(line string, further bool) bool {
	if further && !strings.HasPrefix(line, "  ") {
		return false
	}
	_, text, _ := strings.Cut(line, " ")
	return ansi.Strip(text) == text
}
