package console

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/review"
)

// clickOn clicks on the first place of the screen where the text stands, at its n-th cell.
func (s *screen) clickOn(text string) *screen {
	s.t.Helper()
	for y, line := range strings.Split(s.text(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			s.now = s.now.Add(1e9)
			s.send(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			return s
		}
	}
	s.t.Fatalf("%q is not on the screen:\n%s", text, s.text())
	return s
}

func withMouse(t *testing.T, desk Desk, width, height int, keys ...string) *screen {
	opts := Options{Mouse: true, unasked: -1, Env: []string{"TERM=xterm"}}
	return openScreenWith(t, desk, opts, width, height, keys...)
}

func TestMouse(t *testing.T) {
	desk := newDesk(t)
	s := withMouse(t, desk, 100, 30)
	if s.model.View().MouseMode == tea.MouseModeNone {
		t.Error("the mouse is not asked for")
	}
	s.clickOn("www.sepe.es/HomeSepe").at(5).clickOn("www.sepe.es/HomeSepe").shows("Why it is here", "URL 5")
	s.clickOn("2 Causes").shows("[2 Causes]").clickOn("4 Log").shows("[4 Log]")
	s.clickOn("1 Queue").shows("[1 Queue]").at(5)
	s.clickOn("a approve").shows("approved: URL 5").clickOn("u undo").shows("took back: approve")
	s.clickOn("? help").shows("╭─ Keys").clickOn("esc close").lacks("╭─ Keys")
	s.keys("*", "A").shows("╭─ Approve marked").clickOn("[Cancel]").lacks("╭─ Approve marked")
	status(t, desk, 1, review.Pending)
	s.keys("A").clickOn(" approve 10 ").shows("approved: 10 URLs")
}

func TestMouseOnAMenu(t *testing.T) {
	s := withMouse(t, newDesk(t), 100, 30, "s").clickOn("canonical URL, from").shows("▌ canonical URL, from the end")
	s.clickOn("▌ canonical URL, from").lacks("╭─ Sort").at(5)
}

// A click on a row of the facets moves the cursor there. A click on its box makes the next choice.
func TestMouseOnFacets(t *testing.T) {
	s := withMouse(t, newDesk(t), 100, 30, "f").clickOn("home-page").shows("▌           [ ] home-page")
	s.clickOn("[ ] home-page").shows("▌           [x] home-page").clickOn("[x] home-page").shows("[!] home-page")
	s.clickOn("[!] home-page").shows("[ ] home-page").clickOn("[ ] home-page")
	s.clickOn("[ ] section-page").shows("[x] section-page")
	// it cannot be left out
	s.clickOn("[x] waiting").shows("[ ] waiting").clickOn("[ ] waiting").shows("[x] waiting for a person")
	s.clickOn("enter show").shows("▽ waiting, home-page or section-page", "1 of 3").at(4)
	s = withMouse(t, newDesk(t), 80, 16, "f", "pgdown",
		"pgdown").clickOn("[ ] credentials").shows("▌           [x] credentials")
	s.clickOn("esc cancel").shows("1 of 10")
}

func TestMouseIsNotAnsweredInFlight(t *testing.T) {
	desk := newDesk(t)
	s := withMouse(t, desk, 100, 30, "*", "A")
	for _, z := range s.model.zones {
		s.send(tea.MouseClickMsg{X: z.From, Y: z.Y, Button: tea.MouseLeft}) // at the same moment
	}
	s.shows("╭─ Approve marked")
	status(t, desk, 1, review.Pending)
}

func TestMouseIsOffUnlessWanted(t *testing.T) {
	if mode := openScreen(t, newDesk(t), 100, 30).model.View().MouseMode; mode != tea.MouseModeNone {
		t.Errorf("mode %v", mode)
	}
}

// The right half of a wide queue is the page of the URL, and no row. A narrow one, and any other list, is rows alone.
func TestMouseOnTheRightHalf(t *testing.T) {
	click := func(s *screen, x, y int) *screen {
		s.now = s.now.Add(1e9)
		s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		return s
	}
	click(withMouse(t, newDesk(t), besideWidth-1, 30, "esc"), besideWidth-2, 3).at(3)
	click(withMouse(t, newDesk(t), besideWidth, 30), besideWidth-1, 3).at(1)
	s := withMouse(t, newDesk(t), besideWidth, 30, "2", "j", "j")
	before := s.text()
	if click(s, besideWidth-1, 2).text() == before {
		t.Error("a click on the right half of the causes does nothing")
	}
}
