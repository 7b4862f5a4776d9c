package widget

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
)

// Input is a line of text being typed. Editing is that of bubbles' textinput; what is shown passes through
// term.Safe rune by rune, since what is prefilled or pasted is as untrusted as any URL.
type Input struct {
	edit textinput.Model
}

// NewInput returns an input with a value and the cursor at its end.
func NewInput(value string) Input {
	m := textinput.New()
	m.SetVirtualCursor(false)
	// Pasting is the terminal's own (bracketed paste); reading the clipboard here would be I/O.
	m.KeyMap.Paste = key.NewBinding(key.WithDisabled())
	m.SetValue(value)
	m.CursorEnd()
	m.Focus()
	return Input{edit: m}
}

// Value returns what was typed.
func (in *Input) Value() string { return in.edit.Value() }

// Update takes a key press or a paste and reports whether the value changed.
func (in *Input) Update(msg tea.Msg) bool {
	before := in.edit.Value()
	in.edit, _ = in.edit.Update(msg) // with a real cursor and no clipboard there is no command
	return in.edit.Value() != before
}

// View returns the part of the text around the cursor that fits into width cells, and the cursor's column in it.
func (in *Input) View(width int) (text string, column int) {
	runes := []rune(in.edit.Value())
	return around(runes, min(in.edit.Position(), len(runes)), width)
}

// around returns what fits into width cells of a line, as it is safe to show, so that the place pos in it is in view, and the column
// of that place.
func around(runes []rune, pos, width int) (text string, column int) {
	width = max(width, 2)
	from := pos
	for column = 0; from > 0; from-- {
		w := term.Width(term.Safe(string(runes[from-1])))
		if column+w > width-1 {
			break
		}
		column += w
	}
	used := column
	for i := from; i < len(runes); i++ {
		shown := term.Safe(string(runes[i]))
		if i >= pos {
			if used += term.Width(shown); used > width {
				break
			}
		}
		text += shown
	}
	return text, column
}
