package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// colours are the colours of the styles. With 16 colours they are the terminal's own, so that the user's scheme
// decides.
type colours struct {
	accent, dim, red, green, yellow color.Color
	selected, bar                   lipgloss.Style
}

// tone is one colour in 16 colours, 256 colours and true colour, on a dark and on a light background.
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

func palette(t Terminal) colours {
	plain := lipgloss.NewStyle()
	return colours{
		accent: pick(t, tones.accent), dim: pick(t, tones.dim), red: pick(t, tones.red),
		green: pick(t, tones.green), yellow: pick(t, tones.yellow),
		selected: ground(t, plain.Bold(true), tones.selected), bar: ground(t, plain, tones.bar),
	}
}

// ground gives a style the background, or reverses it with fewer than 256 colours.
func ground(t Terminal, s lipgloss.Style, bg tone) lipgloss.Style {
	if t.Profile < colorprofile.ANSI256 {
		return s.Reverse(true)
	}
	return s.Background(pick(t, bg))
}

func pick(t Terminal, c tone) color.Color {
	hues := c.dark
	if t.Light {
		hues = c.light
	}
	return lipgloss.Complete(t.Profile)(lipgloss.Color(hues[0]), lipgloss.Color(hues[1]), lipgloss.Color(hues[2]))
}
