package console

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"visto/review"
)

// screen is a console under test. Its driver fails the test on an error.
type screen struct {
	*driver
	t     *testing.T
	later []tea.Msg // held messages of the clock, see hold
}

// openScreen opens the console and presses keys. The short run, which looks for races, does without: TestScreens, and
// TestEveryBindingDoesSomethingEverywhere with every key, run the same code in several goroutines.
func openScreen(t *testing.T, desk Desk, width, height int, keys ...string) *screen {
	t.Helper()
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	return openScreenWith(t, desk, Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}}, width,
		height, keys...)
}

// openAsking opens a console that asks before every change of rules and every decision on several URLs.
func openAsking(t *testing.T, desk Desk, width, height int, keys ...string) *screen {
	t.Helper()
	opts := Options{DBPath: "/tmp/visto.db", Env: []string{"TERM=xterm-256color"}, unasked: -1}
	return openScreenWith(t, desk, opts, width, height, keys...)
}

func openScreenWith(t *testing.T, desk Desk, opts Options, width, height int, keys ...string) *screen {
	t.Helper()
	s := &screen{driver: newDriver(t.Context(), desk, opts, width, height), t: t}
	s.keys(keys...)
	return s
}

// keys presses keys one after the other.
func (s *screen) keys(keys ...string) *screen {
	s.t.Helper()
	for _, k := range keys {
		if err := s.press(k); err != nil {
			s.t.Fatal(err)
		}
	}
	return s
}

// read lets a second go by, in which the screen can be read.
func (s *screen) read() *screen {
	s.now = s.now.Add(time.Second)
	return s
}

// text is the screen without styling.
func (s *screen) text() string { return trimmed(ansi.Strip(s.model.View().Content)) }

// trimmed is the text without spaces at the ends of lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// shows checks that all of the texts are on the screen.
func (s *screen) shows(want ...string) *screen {
	s.t.Helper()
	have := s.text()
	for _, w := range want {
		if !strings.Contains(have, w) {
			s.t.Errorf("%q is not on the screen:\n%s", w, have)
		}
	}
	return s
}

// lacks checks that none of the texts is on the screen.
func (s *screen) lacks(texts ...string) *screen {
	s.t.Helper()
	have := s.text()
	for _, w := range texts {
		if strings.Contains(have, w) {
			s.t.Errorf("%q is on the screen:\n%s", w, have)
		}
	}
	return s
}

// at checks which URL the cursor is on.
func (s *screen) at(id int64) *screen {
	s.t.Helper()
	it := s.model.queue.pane.Current()
	if it == nil || it.ID != id {
		s.t.Errorf("the cursor is on %+v, not on URL %d", it, id)
	}
	return s
}

// item is an item as it is stored now.
func item(t *testing.T, desk *review.Desk, id int64) review.Item {
	t.Helper()
	d, err := desk.Detail(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return d.Item
}

// status checks the status of an item.
func status(t *testing.T, desk *review.Desk, id int64, want review.Status) {
	t.Helper()
	if it := item(t, desk, id); it.Status != want {
		t.Errorf("URL %d is %s, not %s", id, it.Status, want)
	}
}
