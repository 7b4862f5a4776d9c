// Package theme turns what a piece of text is into how it looks. It is the only place with colours. Nothing is
// told by colour alone: what a style says is also said by a sign, a word, or bold and underline.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

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

	// Changed characters of a diff, and what a search found in other text and in the row under the cursor. Lipgloss would style an
	// underlined text rune by rune.
	removed, added, found, selectedFound ansi.Style
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
		found: ansi.NewStyle(ansi.AttrReverse, ansi.AttrBold), selectedFound: selectedFound(t),
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

// selectedFound is what was found in the row under the cursor: where that row is reversed, this is not.
func selectedFound(t Terminal) ansi.Style {
	if t.Profile < colorprofile.ANSI256 {
		return ansi.NewStyle(ansi.AttrUnderline, ansi.AttrBold)
	}
	return ansi.NewStyle(ansi.AttrReverse, ansi.AttrBold)
}

// Found renders a text in a style, and in it what a search found.
func (th *Theme) Found(s lipgloss.Style, m term.Marked) string {
	return m.Draw(func(text string) string { return s.Render(text) }, th.found.Styled)
}

// SelectedFound renders the row under the cursor, and in it what a search found.
func (th *Theme) SelectedFound(m term.Marked) string {
	return m.Draw(func(text string) string { return th.Selected.Render(text) }, th.selectedFound.Styled)
}
