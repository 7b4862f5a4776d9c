package dialog_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"visto/ui/dialog"
	"visto/ui/theme"
)

// typed gives the dialog a text, key by key.
func typed(d dialog.Dialog, text string) {
	for _, r := range text {
		d.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func view(d dialog.Dialog) (string, dialog.View) {
	v := d.View(theme.New(theme.Terminal{Profile: colorprofile.ASCII}), 80, 24)
	return ansi.Strip(v.Content), v
}

// TestMenuFindsKeys types a key as it is written in the row: only the rows with that key are left, whatever it means elsewhere.
func TestMenuFindsKeys(t *testing.T) {
	rows := []dialog.Row{
		{Key: "*", Name: "Mark all", Do: "all"}, {Key: "ctrl+r", Name: "Redo", Do: "redo"}, {Key: "r", Name: "Reject", Do: "reject"},
		{Key: "j ↓", Name: "Down", Do: "down"},
	}
	for key, want := range map[string]dialog.Action{"*": "all", "r": "reject", "ctrl+r": "redo", "↓": "down", "dwn": "down"} {
		m := (&dialog.Menu{Title: "Keys", Rows: rows}).Start(-1)
		typed(m, key)
		if got := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); got != want {
			t.Errorf("%s does %v, not %v", key, got, want)
		}
	}
}

// TestPromptCursorInWideText puts the cursor in the cell behind what was typed, whatever that is wide.
func TestPromptCursorInWideText(t *testing.T) {
	for text, cells := range map[string]int{"": 0, "abc": 3, "統計": 4, "pregunte\u0301": 8, "a\u200b": 9} {
		p := (&dialog.Prompt{Title: "Note"}).With("")
		typed(p, text)
		content, v := view(p)
		if v.Cursor == nil || v.Cursor.X != 2+cells || v.Cursor.Y != 1 {
			t.Errorf("%q: the cursor is at %v in\n%s", text, v.Cursor, content)
		}
		if _, typed, _ := p.Draft(); typed != text {
			t.Errorf("%q became %q", text, typed)
		}
	}
}

// TestPromptAsksForAText keeps what is missing from being done, and says so.
func TestPromptAsksForAText(t *testing.T) {
	p := (&dialog.Prompt{Title: "Reject", Empty: "a reason is needed", Do: func(text string) dialog.Action { return text }}).With("")
	typed(p, "  ")
	if got := p.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); got != nil {
		t.Errorf("did %v", got)
	}
	if content, _ := view(p); !strings.Contains(content, "! a reason is needed") {
		t.Errorf("not said in\n%s", content)
	}
	typed(p, "gone ")
	if got := p.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); got != "gone" {
		t.Errorf("did %v", got)
	}
}
