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
	Text, Dim, Bold       Style
	Accent, Key           Style // Accent draws the eye; Key is a key to press
	OK, Warn, Error       Style
	Selected              Style // the row under the cursor
	Tab, ActiveTab        Style
	Status                Style // the status line
	Heading               Style
	Border, FocusedBorder Style
	Button, ActiveButton  Style
	RemovedSign           Style
	AddedSign             Style

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
	accent, dim, strong := fore(tones.accent), styled(fore(tones.dim)), styled(fore(tones.accent).Bold(true))
	return &Theme{
		Text: styled(plain), Dim: dim, Bold: styled(plain.Bold(true)), Accent: strong, Key: strong,
		OK: styled(fore(tones.green)), Warn: styled(fore(tones.yellow)), Error: styled(fore(tones.red).Bold(true)),
		Selected: styled(selected), Tab: dim,
		ActiveTab: styled(selected.Foreground(t.pick(tones.accent)).Bold(true)),
		Status:    styled(t.ground(plain, tones.bar)), Heading: strong, Border: dim, FocusedBorder: styled(accent),
		Button:       styled(plain.Padding(0, 1)),
		ActiveButton: styled(plain.Reverse(true).Bold(true).Padding(0, 1)),
		removed:      ink(ansi.NewStyle(ansi.AttrUnderline), t.pick(tones.red)),
		added:        ink(ansi.NewStyle(ansi.AttrUnderline, ansi.AttrBold), t.pick(tones.green)),
		found:        ansi.NewStyle(ansi.AttrReverse, ansi.AttrBold), selectedFound: selectedFound(t),
		RemovedSign: styled(fore(tones.red).Bold(true)), AddedSign: styled(fore(tones.green).Bold(true)),
		accent: t.pick(tones.accent),
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
func (th *Theme) Found(s Style, m term.Marked) string {
	return m.Draw(s.Render, th.found.Styled)
}

// SelectedFound renders the row under the cursor with the matches of a search.
func (th *Theme) SelectedFound(m term.Marked) string {
	return m.Draw(th.Selected.Render, th.selectedFound.Styled)
}
