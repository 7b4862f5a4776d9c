package dialog

import (
	"image"
	"strings"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// sheet collects the lines, the cursor and the clickable zones of a dialog.
type sheet struct {
	th     *theme.Theme
	width  int // of the content
	lines  []string
	cursor *image.Point
	zones  []Zone // Y is an index into lines
}

// newSheet returns a sheet for a dialog of at most the given widths, frame included.
func newSheet(th *theme.Theme, width, maxWidth int) *sheet {
	return &sheet{th: th, width: widget.Inside(min(width, maxWidth))}
}

func (s *sheet) add(lines ...string) { s.lines = append(s.lines, lines...) }

// append adds the lines of another sheet, with their zones.
func (s *sheet) append(o *sheet) {
	for _, z := range o.zones {
		z.Y += len(s.lines)
		s.zones = append(s.zones, z)
	}
	s.add(o.lines...)
}

// addUpTo adds blank lines up to n lines in all.
func (s *sheet) addUpTo(n int) { s.add(make([]string, max(0, n-len(s.lines)))...) }

// para adds a wrapped trusted text.
func (s *sheet) para(text string) { s.add(term.Wrap(text, s.width)...) }

// flow adds short texts, as many on a line as fit.
func (s *sheet) flow(list []string) {
	line := ""
	for _, text := range list {
		if line != "" && term.Width(line)+2+term.Width(text) > s.width {
			s.add(line)
			line = ""
		}
		if line != "" {
			line += "  "
		}
		line += text
	}
	s.add(line)
}

func (s *sheet) dim(text string) {
	for _, line := range term.Wrap(text, s.width) {
		s.add(s.th.Dim.Render(line))
	}
}

// fail adds an error in safe text, if there is one.
func (s *sheet) fail(why string) {
	if why == "" {
		return
	}
	s.add("")
	for _, line := range term.Wrap("! "+why, s.width) {
		s.add(s.th.Error.Render(line))
	}
}

// list adds the visible rows of a list. If there are others, the rows are a cell narrower, and a scroll bar stands
// behind them.
func (s *sheet) list(l *widget.List, row func(i, width int) string) {
	bar, width := widget.ScrollBar(s.th, l.Extent(), l.Height), s.width
	if bar != nil {
		width--
	}
	from, to := l.Visible()
	for i := from; i < to; i++ {
		line := row(i, width)
		if bar != nil {
			line = term.Pad(line, width) + bar[i-from]
		}
		s.add(line)
	}
}

// input adds a text input over a whole line. The focused input gets the cursor.
func (s *sheet) input(in *widget.Input, label string, focused bool) {
	room := s.width - term.Width(label)
	text, column := in.View(room)
	if focused {
		s.cursor = &image.Point{X: term.Width(label) + column, Y: len(s.lines)}
	}
	s.add(label + s.th.Selected.Render(term.Pad(text, room)))
}

// view frames the sheet. A sheet that is too long scrolls to the cursor, or without one to the line focus. Its last
// keep lines stay in view, up to half of the height.
func (s *sheet) view(title string, height, focus, keep int) View {
	room := max(1, height-2)
	top := 0
	if s.cursor != nil {
		focus = s.cursor.Y
	}
	lines := s.lines
	if len(lines) > room {
		keep = min(keep, room/2)
		body, foot := lines[:len(lines)-keep], lines[len(lines)-keep:]
		top = max(0, min(focus-(room-keep)/2, len(body)-(room-keep)))
		lines = append(append([]string(nil), body[top:top+room-keep]...), foot...)
	}
	v := View{Content: widget.Box(s.th, term.Safe(title), lines, s.width+4, len(lines)+2)}
	if s.cursor != nil {
		v.Cursor = &image.Point{X: s.cursor.X + 2, Y: s.cursor.Y - top + 1}
	}
	for _, z := range s.zones {
		switch cut := len(s.lines) - len(lines); {
		case cut == 0:
		case z.Y >= len(s.lines)-keep:
			z.Y -= cut
		case z.Y < top || z.Y >= top+len(lines)-keep:
			continue
		default:
			z.Y -= top
		}
		z.Y, z.From, z.To = z.Y+1, z.From+2, min(z.To, s.width)+2
		if z.From < z.To { // else it is cut away
			v.Zones = append(v.Zones, z)
		}
	}
	return v
}

// zone makes text, which starts at column from of the next line, clickable and returns its end.
func (s *sheet) zone(from int, text, key string) int {
	to := from + term.Width(text)
	s.zones = append(s.zones, Zone{Y: len(s.lines), From: from, To: to, Key: key})
	return to
}

// keysLine adds a blank line and the line of keys: key, meaning, key, meaning.
func (s *sheet) keysLine(pairs ...string) {
	s.add("")
	s.keys(pairs...)
}

// keys adds the line of keys without a blank line. A click on a pair presses the last key of its name.
func (s *sheet) keys(pairs ...string) {
	var list []string
	from := 0
	for i := 0; i+1 < len(pairs); i += 2 {
		text := s.th.Key.Render(pairs[i]) + " " + s.th.Dim.Render(pairs[i+1])
		list = append(list, text)
		if keys := strings.Fields(pairs[i]); len(keys) > 0 {
			from = s.zone(from, text, keys[len(keys)-1]) + 2
		}
	}
	s.add(strings.Join(list, "  "))
}
