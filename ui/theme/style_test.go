package theme

import (
	"testing"

	"charm.land/lipgloss/v2"
)

// A style renders each text as lipgloss does.
func TestStyleIsOfLipgloss(t *testing.T) {
	red := lipgloss.NewStyle().Foreground(lipgloss.Color("#cc0000"))
	for name, s := range map[string]lipgloss.Style{
		"none": lipgloss.NewStyle(), "red": red, "bold": red.Bold(true), "padded": red.Reverse(true).Padding(0, 1),
	} {
		for _, text := range []string{"", " ", "x", "año 中", "a\nbc", "a\tb", "a\r\nb", "\x1b[1mx\x1b[m y", "x\xffy"} {
			if got, want := styled(s).Render(text), s.Render(text); got != want {
				t.Errorf("%s renders %q as %q, lipgloss as %q", name, text, got, want)
			}
			if got, want := styled(s).Strong().Render(text), s.Bold(true).Render(text); got != want {
				t.Errorf("%s, strong, renders %q as %q, lipgloss as %q", name, text, got, want)
			}
		}
	}
}
