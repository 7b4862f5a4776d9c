package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// tone is one colour in 16 colours, 256 colours and true colour, on a dark and on a light background. Of 16 colours it
// is the terminal's own, so that the user's scheme decides.
type tone struct{ dark, light [3]string }

var tones = struct{ accent, dim, red, green, yellow, selected, bar tone }{
	accent:   tone{dark: [3]string{"14", "117", "#7dcfff"}, light: [3]string{"4", "25", "#005faf"}},
	dim:      tone{dark: [3]string{"7", "246", "#949494"}, light: [3]string{"8", "241", "#626262"}},
	red:      tone{dark: [3]string{"9", "210", "#ff8787"}, light: [3]string{"1", "124", "#af0000"}},
	green:    tone{dark: [3]string{"10", "114", "#87d787"}, light: [3]string{"2", "22", "#005f00"}},
	yellow:   tone{dark: [3]string{"11", "222", "#ffd787"}, light: [3]string{"3", "94", "#875f00"}},
	selected: tone{dark: [3]string{"", "237", "#303a4a"}, light: [3]string{"", "254", "#dfe8f4"}},
	bar:      tone{dark: [3]string{"", "236", "#24283b"}, light: [3]string{"", "253", "#e4e4e8"}},
}

// ground gives a style the background, or reverses it with fewer than 256 colours.
func (t Terminal) ground(s lipgloss.Style, bg tone) lipgloss.Style {
	if t.Profile < colorprofile.ANSI256 {
		return s.Reverse(true)
	}
	return s.Background(t.pick(bg))
}

func (t Terminal) pick(c tone) color.Color {
	hues := c.dark
	if t.Light {
		hues = c.light
	}
	return lipgloss.Complete(t.Profile)(lipgloss.Color(hues[0]), lipgloss.Color(hues[1]), lipgloss.Color(hues[2]))
}
