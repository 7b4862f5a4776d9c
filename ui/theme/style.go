package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Style renders text as a lipgloss style without a size does. It keeps the codes before and after a line, for lipgloss
// works them out for each text: a screen has hundreds, and that took a quarter of the time of a key.
type Style struct {
	whole                lipgloss.Style
	before, after, empty string // empty is the look of no text
}

func styled(s lipgloss.Style) Style {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Style{s, before, after, s.Render("")}
}

// Render returns the text in the style.
func (s Style) Render(text string) string {
	if text == "" {
		return s.empty
	}
	if strings.ContainsAny(text, "\n\r\t") {
		return s.whole.Render(text)
	}
	return s.before + text + s.after
}

// Strong returns the style in bold.
func (s Style) Strong() Style { return styled(s.whole.Bold(true)) }
