package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/ui/widget"
)

// isKey reports whether the message is a press of one of the keys.
func isKey(msg tea.Msg, keys ...string) bool {
	press, ok := msg.(tea.KeyPressMsg)
	return ok && slices.Contains(keys, press.String())
}

// stray returns the action of a message that the dialog does nothing with: none if it is no key.
func stray(msg tea.Msg, hint string) Action {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		return Stray{key.String(), hint}
	}
	return nil
}

// motionOf returns the motion of a key in a list in which letters are text.
func motionOf(msg tea.Msg) (m widget.Motion, ok bool) {
	switch {
	case isKey(msg, "down", "ctrl+n"), wheel(msg) > 0:
		return widget.Down, true
	case isKey(msg, "up", "ctrl+p"), wheel(msg) < 0:
		return widget.Up, true
	case isKey(msg, "pgdown"):
		return widget.PageDown, true
	case isKey(msg, "pgup"):
		return widget.PageUp, true
	}
	return 0, false
}

// wheel returns -1 for the mouse wheel up, 1 for down, and 0 for any other message.
func wheel(msg tea.Msg) int {
	switch w, _ := msg.(tea.MouseWheelMsg); w.Button {
	case tea.MouseWheelUp:
		return -1
	case tea.MouseWheelDown:
		return 1
	}
	return 0
}
