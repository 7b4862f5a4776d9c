package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Reader shows a text to read and scroll, such as a log entry.
type Reader struct {
	Title string
	Text  string // line breaks are kept
	Safe  bool   // Text is safe already
	Parts []Part // drawn below Text
	Page  *Page  // drawn instead of Text; nil: none

	optionalEffect
	view widget.List
}

// Part is a text under a heading; both are untrusted.
type Part struct{ Head, Text string }

// Page is a page that is rendered elsewhere, for that takes too long for a frame.
type Page struct {
	look  PageLook
	lines []string
}

// PageLook is the theme and the width that a page is rendered for.
type PageLook struct {
	Theme *theme.Theme
	Width int // in cells
}

// readerWidth is the width of a reader at most, in cells, its frame included.
const readerWidth = 110

// LookAt returns the look of a page on a screen of some width.
func LookAt(th *theme.Theme, width int) PageLook {
	return PageLook{th, widget.Inside(min(width, readerWidth))}
}

// Set sets the lines of the page, rendered for a look.
func (p *Page) Set(look PageLook, lines []string) { p.look, p.lines = look, lines }

// Fits reports whether the page is rendered for a look.
func (p *Page) Fits(look PageLook) bool { return p.look == look }

// WithEffect makes the reader show the effect of a rule below the text.
func (r *Reader) WithEffect() *Reader {
	r.effect = &effectView{}
	return r
}

// Typing returns false: letters are keys.
func (r *Reader) Typing() bool { return false }

// readerKeys are the keys that scroll the text.
var readerKeys = []struct {
	motion widget.Motion
	keys   []string
}{
	{widget.Down, []string{"j", "down"}}, {widget.Up, []string{"k", "up"}},
	{widget.PageDown, []string{"pgdown", "space", "ctrl+d"}}, {widget.PageUp, []string{"pgup", "ctrl+u"}},
	{widget.Top, []string{"g", "home"}}, {widget.Bottom, []string{"G", "end"}},
}

// scroll moves a text by a key or the mouse wheel, and reports whether the message is one of these.
func scroll(l *widget.List, msg tea.Msg) bool {
	for _, k := range readerKeys {
		if isKey(msg, k.keys...) {
			l.Scroll(k.motion)
			return true
		}
	}
	motion, ok := motionOf(msg)
	if ok = ok && wheel(msg) != 0; ok {
		l.Scroll(motion)
	}
	return ok
}

// Update takes a key.
func (r *Reader) Update(msg tea.Msg) Action {
	if isKey(msg, "esc", "q", "enter") {
		return Close{}
	}
	if scroll(&r.view, msg) {
		return nil
	}
	return stray(msg, "j and k scroll, esc closes")
}

// View draws the visible part of the text.
func (r *Reader) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, readerWidth)
	text := &sheet{th: th, width: s.width}
	switch {
	case r.Page != nil:
		for _, line := range r.Page.lines {
			text.add(term.Truncate(line, s.width))
		}
	case r.Text == "":
	case r.Safe:
		text.para(r.Text)
	default:
		text.add(safeLines(r.Text, s.width)...)
	}
	for i, part := range r.Parts {
		if i > 0 || r.Text != "" {
			text.add("")
		}
		text.add(th.Heading.Render(term.Truncate(term.Safe(part.Head), s.width)))
		text.add(safeLines(part.Text, s.width)...)
	}
	if r.effect != nil {
		text.add("")
		r.effect.draw(text, 40)
	}
	s.add(r.view.Window(text.lines, min(len(text.lines), height-4))...)
	s.keysLine("j k", "scroll", "esc", "close")
	return s.view(r.Title, height, 0, 2)
}

// safeLines makes each line of a text safe and wraps it. Continuation lines keep the indent.
func safeLines(text string, width int) []string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := line[:min(len(line)-len(rest), width/2)]
		for _, part := range term.Wrap(term.Safe(rest), width-len(indent)) {
			lines = append(lines, indent+part)
		}
	}
	return lines
}
