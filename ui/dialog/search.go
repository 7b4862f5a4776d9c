package dialog

import (
	"cmp"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Search is an incremental search field. The list above shows the matches; the field stands at the foot of the screen
// and covers no row.
type Search struct {
	Hint  string                  // the accepted input; trusted
	Check func(text string) error // returns why a text cannot be searched; nil: every text can be

	in      widget.Input
	invalid string // why the text is not searched; safe
	failed  string // why the search failed; safe
	found   string
}

// The actions of a [Search].
type (
	// Typed asks for a search for another text.
	Typed struct{ Text string }
	// Keep asks to close the field and keep the matches.
	Keep struct{}
	// Back asks to close the field and restore the list as it was.
	Back struct{}
	// Move asks to move the cursor in the list.
	Move struct{ Motion widget.Motion }
)

// SearchHeight is the height of a [Search] in lines.
const SearchHeight = 2

// With sets the initial text and returns the search.
func (s *Search) With(text string) *Search {
	s.in = widget.NewInput(text)
	return s
}

// Typing returns true: letters are text.
func (s *Search) Typing() bool { return true }

// Fail shows why the search failed.
func (s *Search) Fail(why string) { s.failed = why }

// SetFound sets the text about the number of matches.
func (s *Search) SetFound(found string) { s.found = found }

// Update takes a key, a paste or a mouse wheel event.
func (s *Search) Update(msg tea.Msg) Action {
	if motion, ok := motionOf(msg); ok {
		return Move{motion}
	}
	switch {
	case isKey(msg, "esc"):
		return Back{}
	case isKey(msg, "enter") && s.invalid != "":
		return nil
	case isKey(msg, "enter"):
		return Keep{}
	}
	if !s.in.Update(msg) {
		return nil
	}
	text := strings.TrimSpace(s.in.Value())
	if s.check(text); s.invalid != "" {
		return nil
	}
	return Typed{text}
}

func (s *Search) check(text string) {
	s.invalid, s.failed = "", ""
	if s.Check == nil {
		return
	}
	if err := s.Check(text); err != nil {
		s.invalid = term.Safe(err.Error())
	}
}

// View draws the field with the number of matches, and the keys below.
func (s *Search) View(th *theme.Theme, width, _ int) View {
	const label, minStatus = " / ", 14 // minStatus cells keep the field from jumping
	status := th.Dim.Render(s.found)
	if why := cmp.Or(s.invalid, s.failed); why != "" {
		status = th.Error.Render("! " + why)
	}
	status = term.Truncate(status, width*3/5)
	room := max(1, width-term.Width(label)-max(minStatus, term.Width(status))-2)
	text, column := s.in.View(room)
	field := th.Key.Render(label) + th.Selected.Render(term.Pad(text, room)) + " " + status

	keys := &sheet{th: th, width: width}
	keys.keys("enter", "keep", "esc", "as it was", "↑↓", "move")
	v := View{Cursor: &image.Point{X: term.Width(label) + column}}
	for _, z := range keys.zones {
		v.Zones = append(v.Zones, Zone{Y: 1, From: z.From + 1, To: z.To + 1, Key: z.Key})
	}
	v.Content = field + "\n" + term.Truncate(" "+keys.lines[0]+"  "+th.Dim.Render(s.Hint), width)
	return v
}
