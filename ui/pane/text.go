package pane

import (
	"strings"
	"time"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

type style = theme.Style

// safe makes the text safe and cuts it to width cells. A much longer text is clipped first, so that the cost of a row
// does not depend on the length of the text.
func safe(s string, width int) string {
	if limit := 8 * max(width, 1); len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return term.Truncate(term.Safe(s), width)
}

// fill returns the text cut or filled to height lines.
func fill(s string, height int) string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	height = max(0, height)
	return strings.Join(append(lines, make([]string, height)...)[:height], "\n")
}

// rows draws the visible rows of a list in height lines, with a scroll bar if there are others.
func rows(
	th *theme.Theme, list *widget.List, length, width, height int, row func(i, width int) string,
) string {
	list.Resize(length, height)
	return scrolled(th, list, list.Extent(), width, height, row)
}

// scrolled draws the visible rows of a list in height lines. If there are others, the rows are a cell narrower, and a
// scroll bar stands behind them.
func scrolled(
	th *theme.Theme, list *widget.List, e widget.Extent, width, height int, row func(i, width int) string,
) string {
	bar := widget.ScrollBar(th, e, height)
	if bar != nil {
		width--
	}
	var lines []string
	for from, to := list.Visible(); from < to; from++ {
		lines = append(lines, row(from, width))
	}
	text := fill(strings.Join(lines, "\n"), height)
	if bar == nil {
		return text
	}
	lines = strings.Split(text, "\n")
	for i := range lines {
		lines[i] = term.Pad(lines[i], width) + bar[i]
	}
	return strings.Join(lines, "\n")
}

// emptyView draws a list without rows: the text, or a note that it is loading.
func emptyView(th *theme.Theme, loaded bool, text string, width, height int) string {
	if !loaded {
		text = "loading…"
	}
	var b strings.Builder
	for _, line := range term.Wrap(text, width-4) {
		b.WriteString("\n  " + th.Dim.Render(line))
	}
	return fill(b.String(), height)
}

// Stamp formats a time as the console shows it, in UTC.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// EntrySummary returns the summary of a log entry, and whether an undo or a redo was cut short. The text is untrusted.
func EntrySummary(e *review.EntryInfo) string {
	if e.CutShort() {
		return e.Summary + " (not finished: give it again)"
	}
	return e.Summary
}
