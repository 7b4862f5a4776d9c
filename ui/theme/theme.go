// Package theme turns what a piece of text is into how it looks. It is the only place with colours. Nothing is
// told by colour alone: what a style says is also said by a sign, a word, or bold and underline.
package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"visto/ui/diff"
	"visto/ui/term"
)

// Theme holds one style for each kind of text.
type Theme struct {
	Text, Dim, Bold       lipgloss.Style
	Accent, Key           lipgloss.Style // what the eye should find first; a key to press
	OK, Warn, Error       lipgloss.Style
	Selected              lipgloss.Style // the row under the cursor
	Tab, ActiveTab        lipgloss.Style
	Status                lipgloss.Style // the status line
	Heading               lipgloss.Style
	Border, FocusedBorder lipgloss.Style
	Button, ActiveButton  lipgloss.Style
	RemovedSign           lipgloss.Style
	AddedSign             lipgloss.Style

	removed, added ansi.Style // changed characters of a diff: lipgloss would style an underlined text rune by rune
}

// Terminal says what the terminal can show.
type Terminal struct {
	Profile colorprofile.Profile
	Light   bool // the background is light
}

// New returns the theme for a terminal.
func New(t Terminal) *Theme {
	p := palette(t)
	plain := lipgloss.NewStyle()
	return &Theme{
		Text: plain, Dim: plain.Foreground(p.dim), Bold: plain.Bold(true),
		Accent: plain.Foreground(p.accent).Bold(true), Key: plain.Foreground(p.accent).Bold(true),
		OK: plain.Foreground(p.green), Warn: plain.Foreground(p.yellow), Error: plain.Foreground(p.red).Bold(true),
		Selected: p.selected, Tab: plain.Foreground(p.dim),
		ActiveTab: p.selected.Foreground(p.accent).Bold(true),
		Status:    p.bar, Heading: plain.Foreground(p.accent).Bold(true),
		Border: plain.Foreground(p.dim), FocusedBorder: plain.Foreground(p.accent),
		Button: plain.Padding(0, 1), ActiveButton: plain.Reverse(true).Bold(true).Padding(0, 1),
		removed: ink(ansi.NewStyle(ansi.AttrUnderline), p.red), added: ink(ansi.NewStyle(ansi.AttrUnderline, ansi.AttrBold), p.green),
		RemovedSign: plain.Foreground(p.red).Bold(true), AddedSign: plain.Foreground(p.green).Bold(true),
	}
}

// ink gives the style a colour, if there are colours.
func ink(s ansi.Style, c color.Color) ansi.Style {
	if _, none := c.(lipgloss.NoColor); none {
		return s
	}
	return s.ForegroundColor(c)
}

// Spans renders one side of a diff, broken into lines of at most width cells.
func (th *Theme) Spans(spans []diff.Span, width int) []string {
	var whole strings.Builder
	for _, s := range spans {
		whole.WriteString(s.Text)
	}
	breaks := append(term.Breaks(whole.String(), width), whole.Len())
	lines := make([]string, 0, len(breaks))
	var line strings.Builder
	at := 0
	for _, s := range spans {
		for text := s.Text; text != ""; {
			n := min(len(text), breaks[len(lines)]-at)
			line.WriteString(th.span(diff.Span{Text: text[:n], Kind: s.Kind}))
			text, at = text[n:], at+n
			if at == breaks[len(lines)] {
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

func (th *Theme) span(s diff.Span) string {
	switch s.Kind {
	case diff.Removed:
		return th.removed.Styled(s.Text)
	case diff.Added:
		return th.added.Styled(s.Text)
	}
	return s.Text
}

// Diff renders two URLs one below the other: the first after a minus sign, the second after a plus sign, changed
// characters marked. Equal URLs are shown once. Both are untrusted; this makes them safe.
func (th *Theme) Diff(before, after string, width int) []string {
	before, after = term.Safe(before), term.Safe(after)
	if before == after {
		return hang("  ", th.Spans([]diff.Span{{Text: after}}, width-2))
	}
	removed, added := diff.URLs(before, after)
	lines := hang(th.RemovedSign.Render("- "), th.Spans(removed, width-2))
	return append(lines, hang(th.AddedSign.Render("+ "), th.Spans(added, width-2))...)
}

// hang puts the sign before the first line and indents the others as much.
func hang(sign string, lines []string) []string {
	for i, line := range lines {
		if i > 0 {
			sign = strings.Repeat(" ", term.Width(sign))
		}
		lines[i] = sign + line
	}
	return lines
}
