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

// Search is a line in which a text to look for is typed, while a list shows what it finds. It is drawn at the foot of the screen and
// covers nothing of the list.
type Search struct {
	Hint  string                  // what can be typed; trusted
	Check func(text string) error // why a text cannot be looked for, not yet or not at all; nil: all can be

	in      widget.Input
	invalid string // why what is typed is not looked for; safe
	failed  string // why what was looked for was not read; safe
	found   string
}

// What a [Search] wants done.
type (
	// Typed is another text to look for.
	Typed struct{ Text string }
	// Keep asks for what was found to stay, and Back for what was shown before the first key, as it was.
	Keep struct{}
	Back struct{}
	// Move asks for the cursor to be moved in the list.
	Move struct{ Motion widget.Motion }
)

// SearchHeight is how many lines a [Search] takes.
const SearchHeight = 2

// With sets the text to start from.
func (s *Search) With(text string) *Search {
	s.in = widget.NewInput(text)
	return s
}

// Typing reports that letters are text.
func (s *Search) Typing() bool { return true }

// Fail says why nothing could be read.
func (s *Search) Fail(why string) { s.failed = why }

// SetFound says how many were found, or that it is not known yet.
func (s *Search) SetFound(found string) { s.found = found }

// Update takes a key, a paste or a wheel turn.
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

// View draws the field with what was found beside it, and the keys below.
func (s *Search) View(th *theme.Theme, width, _ int) View {
	const label, minStatus = " / ", 14 // cells for what was found, so that the field does not jump
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
