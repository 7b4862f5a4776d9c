package pane

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
)

// diff draws two untrusted URLs one below the other, with the matches of the search. In a long diff, runs of lines
// without a change or a match are collapsed.
func (p *page) diff(before, after string) {
	lines := p.th.DiffFound(marked(p.find, before), marked(p.find, after), p.width)
	if p.collapse && len(lines) > collapseFrom {
		lines = p.collapsed(lines)
	}
	p.add(lines...)
}

const (
	collapseFrom = 10 // a longer diff is collapsed
	collapseRun  = 4  // minimum length of a run of unchanged lines to collapse
)

// collapsed replaces the middle of each run of unchanged lines by one line.
func (p *page) collapsed(lines []string) []string {
	var out []string
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && unchanged(lines[to], to > from) {
			to++
		}
		if n := to - from - 2; n >= collapseRun-2 {
			text := fmt.Sprintf(p.keyed("  ⋯ %d lines in which nothing changed: {fold} shows them"), n)
			out = append(out, lines[from], p.th.Dim.Render(term.Truncate(text, p.width)))
			from = to - 1
		}
		out = append(out, lines[from])
		from++
	}
	return out
}

// unchanged reports whether a line of a diff has no change and no match: no style but that of the sign at its start. If
// further, the line must also continue the one before it, without a sign.
func unchanged(line string, further bool) bool {
	if further && !strings.HasPrefix(line, "  ") {
		return false
	}
	_, text, _ := strings.Cut(line, " ")
	return ansi.Strip(text) == text
}
