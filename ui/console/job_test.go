//go:build unix

package console

import (
	"context"
	"errors"
	"image"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"visto/ui/term"
)

// ctrl+z gives the terminal to the shell as it was before the console, title included, and takes it again. So does a
// signal of the shell.
func TestSuspend(t *testing.T) {
	signals := make(chan JobSignal)
	stopped := make(chan string, 1)
	var s *sitting
	stop := func() error {
		stopped <- s.written()
		return errors.New("no shell")
	}
	s = sitOn(t.Context(), t, newDesk(t), Options{
		Env: []string{"TERM=xterm"}, Job: &Job{Stop: stop, Signals: signals},
	})
	s.opens()
	for _, ask := range []func(){func() { s.keys("\x1a") }, func() { signals <- JobStop }} {
		before := len(s.written())
		ask()
		<-stopped
		s.until(func() bool { return strings.Contains(s.written()[before:], "\x1b[?1049h") })
		out := s.written()[before:]
		for _, want := range []string{"\x1b[?1049l", "\x1b[23;2t", "\x1b[22;2t", "\x1b[?1049h"} { // in this order
			_, rest, ok := strings.Cut(out, want)
			if !ok {
				t.Errorf("%q is not written, or too early", want)
			}
			out = rest
		}
	}
	s.until(func() bool { return strings.Contains(s.written(), "! no shell") })
	s.keys("\x03")
	if err := s.end(); err != nil {
		t.Error(err)
	}
	s.until(func() bool { return strings.HasSuffix(s.written(), "\x1b[23;2t") })
}

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
