package theme

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"visto/ui/diff"
	"visto/ui/term"
)

// Diff renders two untrusted URLs one below the other, the first after a minus sign and the second after a plus sign,
// with the changed characters marked. Equal URLs are rendered once.
func (th *Theme) Diff(before, after string, width int) []string {
	return th.DiffFound(term.Mark(before, nil), term.Mark(after, nil), width)
}

// DiffFound is Diff for texts with the matches of a search.
func (th *Theme) DiffFound(before, after term.Marked, width int) []string {
	if before.Text == after.Text {
		return hang("  ", th.side(after, []diff.Span{{Text: after.Text}}, width-2))
	}
	removed, added := diff.URLs(before.Text, after.Text)
	lines := hang(th.RemovedSign.Render("- "), th.side(before, removed, width-2))
	return append(lines, hang(th.AddedSign.Render("+ "), th.side(after, added, width-2))...)
}

// side renders one side of a diff in lines of at most width cells. The spans are those of the text.
func (th *Theme) side(text term.Marked, spans []diff.Span, width int) []string {
	breaks := append(term.Breaks(text.Text, width), len(text.Text))
	lines := make([]string, 0, len(breaks))
	var line strings.Builder
	at := 0
	for _, s := range spans {
		for end := at + len(s.Text); at < end; {
			to := min(end, breaks[len(lines)])
			line.WriteString(th.span(text.Slice(at, to), s.Kind))
			if at = to; at == breaks[len(lines)] {
				lines = append(lines, line.String())
				line.Reset()
			}
		}
	}
	if len(lines) == 0 {
		return []string{""}
	}
	return lines
}

// span renders a part of one side. Matches are reversed and keep the style of the change.
func (th *Theme) span(text term.Marked, kind diff.Kind) string {
	switch kind {
	case diff.Removed:
		return text.Draw(th.removed.Styled, reversed(th.removed).Styled)
	case diff.Added:
		return text.Draw(th.added.Styled, reversed(th.added).Styled)
	}
	return text.Draw(func(s string) string { return s }, th.found.Styled)
}

func reversed(s ansi.Style) ansi.Style {
	return append(s[:len(s):len(s)], ansi.NewStyle(ansi.AttrReverse)...)
}

// hang puts the sign before the first line and indents the others by its width.
func hang(sign string, lines []string) []string {
	for i, line := range lines {
		if i > 0 {
			sign = strings.Repeat(" ", term.Width(sign))
		}
		lines[i] = sign + line
	}
	return lines
}
