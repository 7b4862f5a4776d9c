package widget

import (
	"slices"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"visto/ui/term"
)

// Input is a line of text being typed. Editing is that of bubbles' textinput; what is shown passes through
// term.Safe, since what is prefilled or pasted is as untrusted as any URL.
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
// of that place. Marks are shown on the letter before them, unless pos is between the two: there the mark is shown as an escape,
// so that the cursor has a column of its own.
func around(runes []rune, pos, width int) (text string, column int) {
	width = max(width, 2)
	near := width * maxRunes
	for _, shown := range slices.Backward(characters(runes[max(0, pos-near):pos])) {
		w := term.Width(shown)
		if column+w > width-1 {
			break
		}
		text, column = shown+text, column+w
	}
	used := column
	for _, shown := range characters(runes[pos:min(len(runes), pos+near)]) {
		if used += term.Width(shown); used > width {
			break
		}
		text += shown
	}
	return text, column
}

// maxRunes is more than the runes of a character that takes one cell: of a longer text no more is looked at than can be in view.
const maxRunes = 8

// characters are the characters of a text, each with its marks and as it is safe to show.
func characters(runes []rune) (list []string) {
	for it := graphemes.FromString(string(runes)); it.Next(); {
		list = append(list, term.Safe(it.Value()))
	}
	return list
}
