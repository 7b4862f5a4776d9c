package console

import (
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/ui/term"
)

// rowSign begins the row under the cursor in every list.
const rowSign = "▌"

// parked returns the cursor of the terminal where nothing is typed: on the row under the cursor or, without a list, at
// the place where the text begins. Magnifiers and screen readers follow it. A sign further to the right is text.
func parked(screen string, text image.Point) *tea.Cursor {
	at := text
	found := false
	for y, line := range strings.Split(screen, "\n") {
		if before, _, ok := strings.Cut(line, rowSign); ok {
			if x := term.Width(ansi.Strip(before)); !found || x < at.X {
				at, found = image.Pt(x, y), true
			}
		}
	}
	c := tea.NewCursor(at.X, at.Y)
	c.Blink = false
	return c
}
