package widget

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
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
