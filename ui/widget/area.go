package widget

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
)

// Area is a text of several lines being edited. The drawn text has passed through term.Safe, as in an [Input].
//
// The editing is our own. The textarea of bubbles v2.2.1 would be worse for the reviewer: Delete on the last character
// of a line also joins the next line; a pasted CRLF becomes two line breaks and a tab four spaces; its view passes bidi
// and zero-width characters to the terminal, and text escaped after its soft wrap no longer fits; and a key in a line
// of 10,000 characters costs 27 ms (here 0.1 ms), in one of 100,000 half a second.
type Area struct {
	lines    [][]rune // at least one
	row, col int
	top      int
}

// NewArea returns an area with the cursor at the start of the text.
func NewArea(text string) Area {
	var a Area
	for line := range strings.SplitSeq(text, "\n") {
		a.lines = append(a.lines, []rune(line))
	}
	return a
}

// Value returns the text.
func (a *Area) Value() string {
	list := make([]string, len(a.lines))
	for i, line := range a.lines {
		list[i] = string(line)
	}
	return strings.Join(list, "\n")
}

// areaMoves are the keys that move the cursor.
var areaMoves = map[string]func(*Area){
	"up": func(a *Area) { a.to(a.row-1, a.col) }, "down": func(a *Area) { a.to(a.row+1, a.col) },
	"home": func(a *Area) { a.col = 0 }, "end": func(a *Area) { a.col = len(a.lines[a.row]) },
	"pgup": func(a *Area) { a.to(a.row-10, a.col) }, "pgdown": func(a *Area) { a.to(a.row+10, a.col) },
	"left": (*Area).left, "right": (*Area).right,
}

// Update takes a key press or a paste and reports whether the text changed.
func (a *Area) Update(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		a.insert(strings.ReplaceAll(msg.Content, "\r", ""))
		return msg.Content != ""
	case tea.KeyPressMsg:
		return a.press(msg)
	}
	return false
}

func (a *Area) press(key tea.KeyPressMsg) bool {
	if move := areaMoves[key.String()]; move != nil {
		move(a)
		return false
	}
	before := a.Value()
	switch name := key.String(); {
	case name == "enter":
		a.insert("\n")
	case name == "tab":
		a.insert("  ")
	case name == "backspace" && a.row+a.col > 0:
		a.left()
		a.remove()
	case name == "delete":
		a.remove()
	default:
		a.insert(key.Text)
	}
	return a.Value() != before
}

func (a *Area) to(row, col int) {
	a.row = max(0, min(row, len(a.lines)-1))
	a.col = min(col, len(a.lines[a.row]))
}

func (a *Area) left() {
	switch {
	case a.col > 0:
		a.col--
	case a.row > 0:
		a.row--
		a.col = len(a.lines[a.row])
	}
}

func (a *Area) right() {
	switch {
	case a.col < len(a.lines[a.row]):
		a.col++
	case a.row < len(a.lines)-1:
		a.row++
		a.col = 0
	}
}

// insert inserts text before the cursor.
func (a *Area) insert(text string) {
	for i, part := range strings.Split(text, "\n") {
		if i > 0 {
			rest := slices.Clone(a.lines[a.row][a.col:])
			a.lines[a.row] = a.lines[a.row][:a.col]
			a.row, a.col = a.row+1, 0
			a.lines = slices.Insert(a.lines, a.row, rest)
		}
		a.lines[a.row] = slices.Insert(a.lines[a.row], a.col, []rune(part)...)
		a.col += len([]rune(part))
	}
}

// remove deletes the rune under the cursor, or the line break at the end of a line.
func (a *Area) remove() {
	switch line := a.lines[a.row]; {
	case a.col < len(line):
		a.lines[a.row] = slices.Delete(line, a.col, a.col+1)
	case a.row < len(a.lines)-1:
		a.lines[a.row] = append(line, a.lines[a.row+1]...)
		a.lines = slices.Delete(a.lines, a.row+1, a.row+2)
	}
}

// View returns the lines around the cursor, cut to width by height cells, and the position of the cursor in them.
func (a *Area) View(width, height int) (lines []string, x, y int) {
	height = max(1, height)
	a.top = max(0, min(a.top, a.row), a.row-height+1)
	for i := a.top; i < min(len(a.lines), a.top+height); i++ {
		if i != a.row {
			lines = append(lines, term.Truncate(term.Safe(string(a.lines[i])), width))
			continue
		}
		var line string
		line, x = around(a.lines[i], a.col, width)
		y = len(lines)
		lines = append(lines, line)
	}
	return lines, x, y
}
