// Package dialog holds the dialogs that the console opens over its panes: questions, prompts, menus, facets, the
// correction and the override form.
//
// A dialog takes keys and pastes, draws itself, and returns an [Action] for the console to run. It does no I/O. The
// console reports back through [Failer], which never loses typed text, [EffectViewer] and [CorrectionViewer]. The
// console closes a dialog once its action has succeeded.
package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"visto/ui/theme"
)

// Action is a request to the console: nil for none, [Close], or a value that only the console interprets.
type Action any

// Close asks the console to close the dialog without acting.
type Close struct{}

// Stray tells that a key does nothing in the dialog. Hint names keys that do; it is trusted.
type Stray struct{ Key, Hint string }

// Dialog is a window over the panes.
type Dialog interface {
	// Update takes a key press, a paste or a mouse wheel event.
	Update(msg tea.Msg) Action
	// View draws the dialog, no larger than width by height.
	View(th *theme.Theme, width, height int) View
	// Typing reports whether letters are text, so that they are not taken as keys.
	Typing() bool
}

// View is a drawn dialog. Cursor is nil if it has none.
type View struct {
	Content string
	Cursor  *image.Point
	Zones   []Zone
}

// Zone is a clickable part of a line. It stands for a key; if Key is empty, for a row of a [Picker].
type Zone struct {
	Y, From, To int // the columns [From, To)
	Key         string
	Row         int
	Box         bool // the box of the row, which a [Switcher] switches
}

// Picker is a dialog with rows to pick.
type Picker interface{ Pick(row int) Action }

// Switcher is a dialog whose rows have boxes to switch.
type Switcher interface{ Switch(row int) Action }

// Answerer is a dialog that some letters or digits answer, although it is for typing.
type Answerer interface{ Answers(msg tea.Msg) bool }

// Failer is a dialog that shows why its action failed. The text must be safe.
type Failer interface{ Fail(why string) }

// Drafter is a dialog whose typed text must not be lost. The draft is that text, or the whole [Form].
type Drafter interface {
	Failer
	// Draft returns the key under which the console keeps the draft, the draft, and whether it differs from the initial
	// one. The key begins with the action that opens the dialog, and a space. An empty text is not kept.
	Draft() (key string, draft any, changed bool)
}
