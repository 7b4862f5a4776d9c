package widget_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/widget"
)

func TestListKeepsTheCursorInView(t *testing.T) {
	l := widget.List{}
	l.Resize(100, 10)
	for _, step := range []struct {
		motion      widget.Motion
		cursor, top int
	}{
		{widget.Up, 0, 0}, {widget.Down, 1, 0}, {widget.PageDown, 11, 10}, {widget.HalfDown, 16, 15},
		{widget.Bottom, 99, 90}, {widget.Down, 99, 90}, {widget.PageDown, 99, 90}, {widget.HalfUp, 94, 85},
		{widget.PageUp, 84, 75}, {widget.Top, 0, 0}, {widget.PageUp, 0, 0},
	} {
		l.Move(step.motion)
		if l.Cursor != step.cursor || l.Top != step.top {
			const format = "after motion %d: cursor %d, top %d; not %d, %d"
			t.Errorf(format, step.motion, l.Cursor, l.Top, step.cursor, step.top)
		}
	}
	l.To(99)
	l.Resize(3, 10)
	if from, to := l.Visible(); l.Cursor != 2 || from != 0 || to != 3 {
		t.Errorf("shrunk: cursor %d, %d to %d", l.Cursor, from, to)
	}
	l.Resize(0, 10)
	if from, to := l.Visible(); l.Cursor != 0 || from != 0 || to != 0 {
		t.Errorf("empty: cursor %d, %d to %d", l.Cursor, from, to)
	}
}

func TestScrollStopsAtTheEnd(t *testing.T) {
	l := widget.List{}
	l.Resize(15, 10)
	l.Scroll(widget.PageDown)
	if l.Top != 5 {
		t.Errorf("top %d", l.Top)
	}
	l.Scroll(widget.Top)
	if l.Top != 0 {
		t.Errorf("top %d", l.Top)
	}
}

func TestInputShowsTheCursorAndItsSurroundings(t *testing.T) {
	in := widget.NewInput("https://www.boe.es/" + strings.Repeat("x", 100) + "end")
	text, column := in.View(20)
	if term.Width(text) > 20 || !strings.HasSuffix(text, "end") || column != term.Width(text) {
		t.Errorf("at the end: %q, cursor in %d", text, column)
	}
	in.Update(tea.KeyPressMsg{Code: tea.KeyHome})
	if text, column = in.View(20); !strings.HasPrefix(text, "https://") || column != 0 || term.Width(text) != 20 {
		t.Errorf("at the start: %q, cursor in %d", text, column)
	}
}

func TestInputIsSafe(t *testing.T) {
	in := widget.NewInput("a\u202eb")
	in.Update(tea.PasteMsg{Content: "\x1b[31m\u200b統"})
	text, column := in.View(40)
	if want := `a\u{202e}b[31m\u{200b}統`; text != want || column != term.Width(want) {
		t.Errorf("%q, cursor in %d of %d", text, column, term.Width(text))
	}
	for width := 2; width < 30; width++ {
		if text, column := in.View(width); term.Width(text) > width || column >= width {
			t.Errorf("width %d: %q of %d cells, cursor in %d", width, text, term.Width(text), column)
		}
	}
}

// TestInputShowsMarksOnTheirLetters types a decomposed accent: it stands on its letter, and apart only while the cursor
// is between the two. Marks without a letter and too many marks are escapes.
func TestInputShowsMarksOnTheirLetters(t *testing.T) {
	in := widget.NewInput("")
	for _, r := range "prestacio\u0301n" {
		in.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	for _, step := range []struct {
		want   string
		column int
	}{{"prestacio\u0301n", 10}, {"prestacio\u0301n", 9}, {`prestacio\u{301}n`, 9}, {"prestacio\u0301n", 8}} {
		if text, column := in.View(40); text != step.want || column != step.column {
			t.Errorf("%q, cursor in %d; not %q in %d", text, column, step.want, step.column)
		}
		in.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
	}
	for value, want := range map[string]string{
		"\u0301a":                               `\u{301}a`,
		"/\u200b\u0301":                         `/\u{200b}\u{301}`,
		"a" + strings.Repeat("\u0301", 9):       "a" + strings.Repeat(`\u{301}`, 9),
		"\u202e\u0301":                          `\u{202e}\u{301}`,
		strings.Repeat("e\u0301\u0323", 100):    strings.Repeat("e\u0301\u0323", 99),
		strings.Repeat("e\u0301", 5) + "\u034f": strings.Repeat("e\u0301", 4) + `e\u{301}\u{34f}`,
	} {
		in := widget.NewInput(value)
		if text, column := in.View(100); text != want || column != term.Width(want) {
			t.Errorf("%q is shown as %q, cursor in %d", value, text, column)
		}
	}
}

func TestInputReportsChanges(t *testing.T) {
	in := widget.NewInput("")
	if !in.Update(tea.KeyPressMsg{Code: 'x', Text: "x"}) || in.Value() != "x" {
		t.Error("typing is no change")
	}
	if in.Update(tea.KeyPressMsg{Code: tea.KeyLeft}) {
		t.Error("moving is a change")
	}
}
