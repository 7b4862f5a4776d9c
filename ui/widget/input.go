package widget

import (
	"slices"
	"visto/ui/term"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Input is a line of text being edited. The textinput of bubbles does the editing. The view is our own, for prefilled
// and pasted text is untrusted: it passes through term.Safe, and the cursor stands in its column by the width of the
// escapes.
type Input struct {
	edit textinput.Model
}

// NewInput returns an input with a value and the cursor at its end.
func NewInput(value string) Input {
	m := textinput.New()
	m.SetVirtualCursor(false)
	// The terminal pastes (bracketed paste). Reading the clipboard here would be I/O.
	m.KeyMap.Paste = key.NewBinding(key.WithDisabled())
	m.SetValue(value)
	m.CursorEnd()
	m.Focus()
	return Input{edit: m}
}

// Value returns the text.
func (in *Input) Value() string { return in.edit.Value() }

// Update takes a key press or a paste and reports whether the value changed.
func (in *Input) Update(msg tea.Msg) bool {
	before := in.edit.Value()
	in.edit, _ = in.edit.Update(msg) // it returns no command without a virtual cursor and clipboard
	return in.edit.Value() != before
}

// View returns the part of the text around the cursor that fits into width cells, and the column of the cursor in it.
func (in *Input) View(width int) (text string, column int) {
	runes := []rune(in.edit.Value())
	return around(runes, min(in.edit.Position(), len(runes)), width)
}

// around returns the safe text around rune pos of a line that fits into width cells, and the column of pos. A combining
// mark stands on the letter before it, unless pos is between the two: then it is an escape, so that the cursor has a
// column of its own.
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

// maxRunes is the assumed maximum number of runes in one cell. It bounds the cost of drawing a long line.
const maxRunes = 8

// characters returns the safe text of each character with its combining marks.
func characters(runes []rune) (list []string) {
	for it := graphemes.FromString(string(runes)); it.Next(); {
		list = append(list, term.Safe(it.Value()))
	}
	return list
}
