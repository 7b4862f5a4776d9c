package widget_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/widget"
)

// typed presses named keys and types other strings as text.
func typed(a *widget.Area, keys ...string) {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
		"tab": tea.KeyTab, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	}
	for _, k := range keys {
		if code, ok := codes[k]; ok {
			a.Update(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range k {
			a.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

func TestAreaEdits(t *testing.T) {
	for _, test := range []struct {
		keys []string
		want string
	}{
		{[]string{"end", "x"}, "onex\ntwo"},
		{[]string{"down", "end", "enter", "new"}, "one\ntwo\nnew"},
		{[]string{"right", "enter"}, "o\nne\ntwo"},
		{[]string{"down", "backspace", "x"}, "onextwo"},
		{[]string{"end", "delete"}, "onetwo"},
		{[]string{"end", "left", "delete"}, "on\ntwo"},
		{[]string{"end", "right", "x"}, "one\nxtwo"},
		{[]string{"down", "left", "x"}, "onex\ntwo"},
		{[]string{"backspace", "up", "left"}, "one\ntwo"},
		{[]string{"down", "down", "end", "right", "delete"}, "one\ntwo"},
		{[]string{"tab", "end", "backspace"}, "  on\ntwo"},
	} {
		a := widget.NewArea("one\ntwo")
		typed(&a, test.keys...)
		if a.Value() != test.want {
			t.Errorf("%q: %q, want %q", test.keys, a.Value(), test.want)
		}
	}
}

func TestAreaIsSafeAndFits(t *testing.T) {
	a := widget.NewArea("a\u202eb\n" + strings.Repeat("x", 100) + "end")
	if !a.Update(tea.PasteMsg{Content: "\x1b[31m\u200b\r\npegado"}) {
		t.Error("a paste is no change")
	}
	typed(&a, "down", "end")
	for height := 1; height < 5; height++ {
		lines, x, y := a.View(20, height)
		for _, line := range lines {
			if term.Width(line) > 20 || strings.ContainsAny(line, "\x1b\u202e\u200b") {
				t.Errorf("%q", line)
			}
		}
		if len(lines) > height || y >= len(lines) || !strings.HasSuffix(lines[y], "end") || x != term.Width(lines[y]) {
			t.Errorf("height %d: %q, cursor in %d, %d", height, lines, x, y)
		}
	}
}
