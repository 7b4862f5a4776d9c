// Package theme maps kinds of text to styles. It is the only place with colours. No style carries meaning by colour
// alone: a sign, a word, bold or underline expresses the same.
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
	Accent, Key           lipgloss.Style // Accent draws the eye; Key is a key to press
	OK, Warn, Error       lipgloss.Style
	Selected              lipgloss.Style // the row under the cursor
	Tab, ActiveTab        lipgloss.Style
	Status                lipgloss.Style // the status line
	Heading               lipgloss.Style
	Border, FocusedBorder lipgloss.Style
	Button, ActiveButton  lipgloss.Style
	RemovedSign           lipgloss.Style
	AddedSign             lipgloss.Style

	// The changed characters of a diff, and the matches of a search in other text and in the row under the cursor.
	// These are no lipgloss styles, for lipgloss styles underlined text rune by rune.
	removed, added, found, selectedFound ansi.Style

	accent color.Color // of headings and links in a page
}

// Terminal describes the capabilities of the terminal.
type Terminal struct {
	Profile colorprofile.Profile
	Light   bool // the background is light
}

// New returns the theme for a terminal.
func New(t Terminal) *Theme {
	plain := lipgloss.NewStyle()
	selected := t.ground(plain.Bold(true), tones.selected)
	fore := func(c tone) lipgloss.Style { return plain.Foreground(t.pick(c)) }
	accent, dim := fore(tones.accent), fore(tones.dim)
	return &Theme{
		Text: plain, Dim: dim, Bold: plain.Bold(true), Accent: accent.Bold(true), Key: accent.Bold(true),
		OK: fore(tones.green), Warn: fore(tones.yellow), Error: fore(tones.red).Bold(true),
		Selected: selected, Tab: dim, ActiveTab: selected.Foreground(t.pick(tones.accent)).Bold(true),
		Status: t.ground(plain, tones.bar), Heading: accent.Bold(true), Border: dim, FocusedBorder: accent,
		Button: plain.Padding(0, 1), ActiveButton: plain.Reverse(true).Bold(true).Padding(0, 1),
		removed: ink(ansi.NewStyle(ansi.AttrUnderline), t.pick(tones.red)),
		added:   ink(ansi.NewStyle(ansi.AttrUnderline, ansi.AttrBold), t.pick(tones.green)),
		found:   ansi.NewStyle(ansi.AttrReverse, ansi.AttrBold), selectedFound: selectedFound(t),
		RemovedSign: fore(tones.red).Bold(true), AddedSign: fore(tones.green).Bold(true), accent: t.pick(tones.accent),
	}
}

// ink gives the style a colour, unless the terminal has none.
func ink(s ansi.Style, c color.Color) ansi.Style {
	if _, none := c.(lipgloss.NoColor); none {
		return s
	}
	return s.ForegroundColor(c)
}

// selectedFound is the style of a match in the row under the cursor. If that row is reversed, the match is not.
func selectedFound(t Terminal) ansi.Style {
	if t.Profile < colorprofile.ANSI256 {
		return ansi.NewStyle(ansi.AttrUnderline, ansi.AttrBold)
	}
	return ansi.NewStyle(ansi.AttrReverse, ansi.AttrBold)
}

// Found renders a text in a style with the matches of a search.
func (th *Theme) Found(s lipgloss.Style, m term.Marked) string {
	return m.Draw(func(text string) string { return s.Render(text) }, th.found.Styled)
}

// SelectedFound renders the row under the cursor with the matches of a search.
func (th *Theme) SelectedFound(m term.Marked) string {
	return m.Draw(func(text string) string { return th.Selected.Render(text) }, th.selectedFound.Styled)
}
