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

// codes are the keys with names.
var codes = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
	"space":     {Code: ' ', Text: " "},
	"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "pgup": {Code: tea.KeyPgUp},
	"pgdown": {Code: tea.KeyPgDown},
	"home":   {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "backspace": {Code: tea.KeyBackspace},
}

// press presses keys by name and types other strings as text. It returns the action of the last key.
func press(d dialog.Dialog, keys ...string) (last dialog.Action) {
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			last = d.Update(code)
			continue
		}
		if letter, ok := strings.CutPrefix(k, "ctrl+"); ok {
			last = d.Update(tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl})
			continue
		}
		for _, r := range k {
			last = d.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return last
}

func view(d dialog.Dialog) (string, dialog.View) { return viewAt(d, 80, 24) }

func viewAt(d dialog.Dialog, width, height int) (string, dialog.View) {
	v := d.View(theme.New(theme.Terminal{Profile: colorprofile.ASCII}), width, height)
	return ansi.Strip(v.Content), v
}

// TestMenuFindsKeys types a key as a row shows it: only the rows with that key are left.
func TestMenuFindsKeys(t *testing.T) {
	rows := []dialog.Row{
		{Key: "*", Name: "Mark all", Do: "all"}, {Key: "ctrl+r", Name: "Redo", Do: "redo"},
		{Key: "r", Name: "Reject", Do: "reject"}, {Key: "j ↓", Name: "Down", Do: "down"},
	}
	keys := map[string]dialog.Action{"*": "all", "r": "reject", "ctrl+r": "redo", "↓": "down", "dwn": "down"}
	for key, want := range keys {
		m := (&dialog.Menu{Title: "Keys", Rows: rows}).Start(-1)
		for _, r := range key {
			press(m, string(r))
		}
		if got := m.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); got != want {
			t.Errorf("%s does %v, not %v", key, got, want)
		}
	}
}

// TestPromptCursorInWideText checks that the cursor follows the text by its width in cells.
func TestPromptCursorInWideText(t *testing.T) {
	for text, cells := range map[string]int{"": 0, "abc": 3, "統計": 4, "pregunte\u0301": 8, "a\u200b": 9} {
		p := (&dialog.Prompt{Title: "Note"}).With("")
		press(p, text)
		content, v := view(p)
		if v.Cursor == nil || v.Cursor.X != 2+cells || v.Cursor.Y != 1 {
			t.Errorf("%q: the cursor is at %v in\n%s", text, v.Cursor, content)
		}
		if _, typed, _ := p.Draft(); typed != text {
			t.Errorf("%q became %q", text, typed)
		}
	}
}

// TestPromptAsksForAText checks that an empty text is refused with a message.
func TestPromptAsksForAText(t *testing.T) {
	do := func(text string) dialog.Action { return text }
	p := (&dialog.Prompt{Title: "Reject", Empty: "a reason is needed", Do: do}).With("")
	press(p, "  ")
	if got := p.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); got != nil {
		t.Errorf("did %v", got)
	}
	if content, _ := view(p); !strings.Contains(content, "! a reason is needed") {
		t.Errorf("not said in\n%s", content)
	}
	press(p, "gone ")
	if got := p.Update(tea.KeyPressMsg{Code: tea.KeyEnter}); got != "gone" {
		t.Errorf("did %v", got)
	}
}

func TestAPastedURLTakesThePlaceOfTheOneToCorrect(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, typed, pasted, want string
	}{
		{"whole", "", "\thttps://sede.gob.es/cita\n", "https://sede.gob.es/cita"},
		{"capitals", "", "HTTP://sede.gob.es/", "HTTP://sede.gob.es/"},
		{"a part of one", "", "/cita", "https://www.boe.es/b/cita"},
		{"after a letter", "c", "https://sede.gob.es/", "https://www.boe.es/bchttps://sede.gob.es/"},
	} {
		c := newCorrect(nil)
		if tc.typed != "" {
			c.Update(tea.KeyPressMsg{Code: rune(tc.typed[0]), Text: tc.typed})
		}
		got := c.Update(tea.PasteMsg{Content: tc.pasted})
		if check, ok := got.(dialog.Check); !ok || strings.TrimSpace(check.Text) != tc.want {
			t.Errorf("%s: pasting %q gave %#v, want a check of %q", tc.name, tc.pasted, got, tc.want)
		}
	}
}
