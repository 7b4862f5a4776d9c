package pane

import (
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"visto/ui/term"
	"visto/ui/theme"
)

type style = lipgloss.Style

// safe makes the text safe and cuts it to width cells. Text far longer than that is cut before, so that a row costs the
// same however long the URL is.
func safe(s string, width int) string {
	if limit := 8 * max(width, 1); len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return term.Truncate(term.Safe(s), width)
}

// fill makes the text height lines long.
func fill(s string, height int) string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for len(lines) < height {
		lines = append(lines, "")
	}
	return strings.Join(lines[:max(0, height)], "\n")
}

// emptyView is a list without rows: nothing there, or not yet.
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

// Stamp is how the console writes a time.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }
