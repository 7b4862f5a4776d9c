package console

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/wording"
)

// session is the part of a console that its controllers share. It knows none of them.
type session struct {
	ctx   context.Context
	who   desk.Identity
	opts  Options
	keys  []binding
	scope scope // the tab on screen, or the opened URL

	pressed string // the newest key that no dialog took, or aClick

	messages
	dialogs
}

// early reports whether a moment is so recent that a key pressed now was meant for the state before it.
func (s *session) early(since time.Time) bool { return s.opts.clock.now().Sub(since) < grace }

// grace is how long a new dialog, or another URL under the cursor, takes no answer: a person cannot have read it yet.
const grace = 250 * time.Millisecond

// aClick stands for a key where a click has the same effect.
const aClick = "a click"

// tooEarly tells that a key was meant for the state before a URL or a question came, so that it does nothing. why says
// why that came, if nothing else does.
func (s *session) tooEarly(key, what, why string) tea.Cmd {
	again := "press it again"
	if key == aClick {
		again = "click again"
	}
	text := fmt.Sprintf("%s came too early for this %s: %s", shownKey(key), what, again)
	if why != "" {
		text += " (" + why + ")"
	}
	if d, ok := s.dialog.(*dialog.Search); ok { // it covers the message line
		d.Fail(text)
		return nil
	}
	return s.add(message{text: text, bad: true, early: true})
}

// answer is the message of a controller's own command. [Model.Update] calls it, so that the controller takes the
// result in the one goroutine that changes state.
type answer func() tea.Cmd

// ask reads something in a command and passes it to take in Update.
func ask[T any](read func() (T, error), take func(T, error) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		value, err := read()
		return answer(func() tea.Cmd { return take(value, err) })
	}
}

// read is ask for a reading whose error the reviewer is warned of.
func read[T any](s *session, get func(context.Context) (T, error), take func(T) tea.Cmd) tea.Cmd {
	return ask(func() (T, error) { return get(s.ctx) }, func(value T, err error) tea.Cmd {
		if err != nil {
			return s.warn(wording.Error(err))
		}
		return take(value)
	})
}

// stream passes the answers of a channel to Update until it is closed. It reads to the end, so that the sender never
// blocks for good.
func stream(answers <-chan answer) tea.Cmd {
	return func() tea.Msg {
		next, ok := <-answers
		if !ok {
			return nil
		}
		return answer(func() tea.Cmd { return tea.Batch(stream(answers), next()) })
	}
}

// end ends the answers of a goroutine, which defers it. It makes a panic there one of Update: that ends this console
// alone, and not all others of a server. The goroutine leaves a place for it in the channel.
func end(answers chan<- answer) {
	defer close(answers)
	if fault := recover(); fault != nil {
		text := fmt.Sprintf("%v\n\n%s", fault, debug.Stack())
		answers <- func() tea.Cmd { panic(text) }
	}
}

// send returns the command that sends a message.
func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// table is the page of a table.
type table[T any] struct{ pane pane.Table[T] }

func (t *table[T]) set(rows []T) tea.Cmd {
	t.pane.Set(rows)
	return nil
}

func (t *table[T]) view(c canvas, height int) string { return t.pane.View(c.th, c.width, height) }

func (t *table[T]) click(y int) (again bool, cmd tea.Cmd) {
	again, _ = t.pane.Click(y)
	return again, nil
}

// changed is the message that the store has changed other than by a write of this console.
type changed struct{}
