//go:build unix

package console

import (
	"context"
	"image"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"visto/ui/term"
)

// The end of its input is the end of a console in a terminal: the terminal is gone.
func TestTerminalGone(t *testing.T) {
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	ctx, cancel := context.WithCancel(t.Context())
	in := inputOf(tty, cancel)
	keyboard.Close()
	if _, err := in.Read(make([]byte, 1)); err != io.EOF || ctx.Err() == nil {
		t.Errorf("%v, the console goes on: %v", err, ctx.Err() == nil)
	}
}

// The cursor of the terminal is on the row under the cursor, and in a dialog on what it is about.
func TestParkedCursor(t *testing.T) {
	s := openScreen(t, newDesk(t), 120, 24)
	for _, tc := range []struct{ keys, want string }{
		{"j", "▌"}, {"j", "▌"}, {"2", "▌"}, {"4", "▌"}, {"1", "▌"}, {"5", ""}, {"1", "▌"}, {"b", "▌"},
	} {
		s.keys(tc.keys)
		v := s.model.View()
		if v.Cursor == nil {
			t.Fatalf("%s: no cursor", tc.keys)
		}
		line := ansi.Strip(strings.Split(v.Content, "\n")[v.Cursor.Y])
		if !strings.HasPrefix(line, tc.want) || v.Cursor.X != 0 || v.Cursor.Y == 0 {
			t.Errorf("%s: the cursor is at %v, on %q", tc.keys, v.Cursor.Position, line)
		}
	}
	s.keys("A").send(nil)
	if c := s.model.View().Cursor; c == nil {
		t.Error("no cursor in a dialog")
	}
	if c := parked("a\n│ x "+rowSign+" b\n│ "+rowSign+" c", image.Point{}); c.X != term.Width("│ ") || c.Y != 2 {
		t.Errorf("the leftmost sign is at %v", c.Position)
	}
}
