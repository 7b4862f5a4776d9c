// Package dialog holds what the console opens over its panes: questions, text to type, menus, the facets, a correction,
// the override form. A dialog takes keys and pastes, draws itself, and returns an [Action] when it wants
// something done; it does nothing itself. The console acts and tells it how that went: [Failer] for an error, which never
// loses what was typed, [EffectViewer] and [CorrectionViewer] for what was computed meanwhile. A dialog is
// closed by the console, once what it asked for is done.
package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"visto/ui/theme"
)

// Action is what a dialog wants done: nil for nothing, [Close], or a value whose meaning is the console's.
type Action any

// Close asks for the dialog to be closed with nothing done.
type Close struct{}

// Dialog is something open over the panes.
type Dialog interface {
	// Update takes a key press, a paste or a wheel turn.
	Update(msg tea.Msg) Action
	// View draws the dialog, no larger than width by height.
	View(th *theme.Theme, width, height int) View
	// Typing reports whether letters are text here, so that they answer nothing.
	Typing() bool
}

// View is a dialog as drawn, and where its cursor is, if it has one.
type View struct {
	Content string
	Cursor  *image.Point
	Zones   []Zone
}

// Zone is a stretch of a line that can be clicked: it stands for a key, or for a row of a [Picker] where there is none.
type Zone struct {
	Y, From, To int // To is not in it
	Key         string
	Row         int
	Box         bool // it is the box of the row, which a [Switcher] switches
}

// Picker is a dialog with rows that can be picked.
type Picker interface{ Pick(row int) Action }

// Switcher is a dialog whose rows have boxes that can be switched.
type Switcher interface{ Switch(row int) Action }

// Failer is a dialog that can say why what it asked for was not done, in safe text.
type Failer interface{ Fail(why string) }

// Drafter is a dialog in which a text is typed that should not be lost.
type Drafter interface {
	Failer
	// Draft returns what the text is for, as the console named it, the text, and whether it is another than the dialog
	// opened with.
	Draft() (key, text string, changed bool)
}

// isKey reports whether the message is a press of one of the keys.
func isKey(msg tea.Msg, keys ...string) bool {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return false
	}
	for _, k := range keys {
		if press.String() == k {
			return true
		}
	}
	return false
}
