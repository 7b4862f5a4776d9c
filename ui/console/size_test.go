package console

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/canon/suite"
	"visto/ui/dialog"
)

// dialogScenes open each dialog of the console.
var dialogScenes = []struct {
	name string
	keys []string
}{
	{"reject", []string{"r", "type:because 統計 of this"}}, {"note", []string{"n"}}, {"correct", []string{"e"}},
	{"not correct", []string{"e", "ctrl+u", "type:ftp://x"}}, {"override", []string{"o", "d"}},
	{"override below", []string{"o", "d", "up", "up"}},
	{"approve marked", []string{"*", "A"}}, {"search", []string{"/"}}, {"facets", []string{"f"}},
	{"sort", []string{"s", "down", "down"}},
	{"views", []string{"v"}}, {"help", []string{"?", "down"}}, {"commands", []string{":", "type:reject not this"}},
	{"rules", []string{"w"}}, {"messages", []string{"a", "u", "M"}}, {"entry", []string{"4", "enter"}},
	{"take back", []string{"a", "4", "u"}},
	{"drop", []string{"2", "D"}}, {"rule shown", []string{"o", "d", "ctrl+s", "3", "enter"}},
	{"remove rule", []string{"o", "d", "ctrl+s", "3", "D"}},
	{"edit rule", []string{"o", "d", "ctrl+s", "3", "e"}}, {"lost", []string{"*", "A", "y", "u", "a"}},
	{"another URL", []string{"c"}},
}

// TestDialogsAtEverySize resizes each dialog from one cell to 120 by 40, at each third height unless all tests run.
// Nothing is wider than the screen. Where there is room to answer, the chosen row is in view and the cursor is on the
// screen, and so is the hint of a key that does nothing.
func TestDialogsAtEverySize(t *testing.T) {
	t.Parallel()
	for _, sc := range dialogScenes {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := openAsking(t, newDesk(t), 80, 24, sc.keys...)
			if s.model.dialog == nil {
				t.Fatalf("no dialog:\n%s", s.text())
			}
			step := suite.Rounds(3, 1)
			if testing.Short() {
				step = 13
			}
			for height := 1; height <= 40; height += step {
				for width := 1 + height%11; width <= 120; width += 11 {
					for _, told := range []string{"", "x does nothing here"} {
						if s.model.message = (message{}); told != "" {
							s.model.refuse(told)
						}
						s.send(tea.WindowSizeMsg{Width: width, Height: height})
						fits(t, s.model.View().Content, width, height)
						if width >= minWidth && height >= minHeight {
							s.answerable(width, height).shows(told)
						}
					}
					if t.Failed() {
						t.Fatalf("at %dx%d:\n%s", width, height, s.text())
					}
				}
			}
		})
	}
}

// answerable checks that the chosen row of the open dialog is in view.
func (s *screen) answerable(width, height int) *screen {
	s.t.Helper()
	text := s.text()
	at := s.model.View().Cursor
	if at != nil && (at.X < 0 || at.X >= width || at.Y < 0 || at.Y >= height) {
		s.t.Errorf("the cursor is at %d, %d", at.X, at.Y)
	}
	switch s.model.dialog.(type) {
	case *dialog.Confirm:
		if !strings.Contains(text, "[Cancel]") {
			s.t.Error("the chosen answer is not in view")
		}
	case *dialog.Prompt, *dialog.Correct, *dialog.Search:
		if at == nil {
			s.t.Error("no cursor")
		}
	case *dialog.Menu:
		if at == nil || !strings.Contains(text, "▌ ") {
			s.t.Error("what is chosen is not in view")
		}
	}
	return s
}

func TestOneColumnIsNotBlank(t *testing.T) {
	openScreen(t, newDesk(t), 1, 5).shows("…")
}

// TestCountsStayInView asks about an effect in the smallest terminal. The counts and the answers are in view.
func TestCountsStayInView(t *testing.T) {
	s := openAsking(t, newDesk(t), 80, 24, "2", "D")
	for _, size := range [][2]int{{80, 24}, {79, 23}, {60, 16}, {40, 12}, {40, 10}, {120, 10}} {
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		text := s.text()
		if !strings.Contains(text, "settled") || !strings.Contains(text, "changed") &&
			!strings.Contains(text, "another canonical") || !strings.Contains(text, "[Cancel]") {
			t.Errorf("at %v:\n%s", size, text)
		}
	}
}
