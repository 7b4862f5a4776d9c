package console

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review/fault"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/wording"
)

// session is the part of a console that its controllers share. It knows none of them.
type session struct {
	ctx   context.Context
	who   desk.Identity
	opts  Options
	keys  []binding
	scope scope // the tab on screen, or the opened URL

	wroteAt time.Time // the end of the last write of this console

	presses presses
	pressed string // the newest key that no dialog took, or aClick

	messages
	dialogs
}

// early reports whether a moment is so recent that the key at hand was meant for the state before it.
func (s *session) early(since time.Time) bool {
	return s.opts.clock.now().Sub(since) < grace+s.presses.now.waited
}

// grace is how long a new dialog, or another URL under the cursor, takes no answer: a person cannot have read it yet. It
// is also the least time between two presses of a key that decides.
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
	return s.refuse(text)
}

// stray tells that a key does nothing here, and which ones do.
func (s *session) stray(key, hint string) tea.Cmd {
	return s.refuse(term.Safe(term.Clip(shownKey(key), 40)) + " does nothing here: " + hint)
}

// refuse tells why a key does nothing.
func (s *session) refuse(text string) tea.Cmd {
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

// gather is the command that runs a command, or all of a batch at once, and passes their answers to Update together, so
// that they are drawn once. done gets the time that took.
func (s *session) gather(cmd tea.Cmd, done func(took time.Duration)) tea.Cmd {
	return func() tea.Msg {
		began := s.opts.clock.now()
		answers := run(cmd)
		took := s.opts.clock.now().Sub(began)
		return answer(func() tea.Cmd {
			var cmds []tea.Cmd
			for _, take := range answers {
				cmds = append(cmds, take())
			}
			done(took)
			return tea.Batch(cmds...)
		})
	}
}

// run runs a command whose messages are answers, and returns those in the order of the batch.
func run(cmd tea.Cmd) []answer {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case answer:
		return []answer{msg}
	case tea.BatchMsg:
		parts := make([][]answer, len(msg))
		var all sync.WaitGroup
		for i, part := range msg {
			all.Go(func() {
				err := fault.Do(func() error {
					parts[i] = run(part)
					return nil
				})
				if err != nil { // it becomes one of Update, as in end
					parts[i] = []answer{func() tea.Cmd { panic(err) }}
				}
			})
		}
		all.Wait()
		return slices.Concat(parts...)
	}
	return nil
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

// survey is a reading that goes through all URLs, for a tab. The consoles of a process share it.
type survey[T any] struct {
	*session
	tab    scope
	shared *desk.Shared[T]
	desk   desk.History
	get    func(context.Context) (T, error)
	fresh  bool // all that this console wrote is in it at once

	version int64 // of the store when it was read
	reading bool
	again   bool // it is read once more after that
	waiting bool // it is stale, and will be read again
}

// newSurvey returns a survey that is not read yet.
func newSurvey[T any](s *session, tab scope, shared *desk.Shared[T], d desk.History,
	get func(context.Context) (T, error),
) survey[T] {
	return survey[T]{session: s, tab: tab, shared: shared, desk: d, get: get, version: unknownVersion}
}

// load reads it once at a time and passes it to take, which learns whether the store has changed since the last time.
// The latest changes may come a little later.
func (s *survey[T]) load(take func(value T, isNew bool, err error) tea.Cmd) tea.Cmd {
	if s.reading {
		s.again = true
		return nil
	}
	s.reading, s.again = true, false
	var after time.Time
	if s.fresh {
		after = s.wroteAt
	}
	known := s.version
	from := sourceOf(s.ctx, s.session, s.desk, s.get)
	var stale time.Duration
	var version int64
	return ask(func() (value T, err error) {
		value, version, stale, err = s.shared.Get(from, after)
		return value, err
	}, func(value T, err error) tea.Cmd {
		s.reading = false
		if err == nil {
			s.version = version
		}
		cmd := take(value, version != known, err)
		if s.again {
			return tea.Batch(cmd, s.load(take))
		}
		return tea.Batch(cmd, s.later(stale, take))
	})
}

// sourceOf returns where consoles that share a reading through all URLs have it from.
func sourceOf[T any](ctx context.Context, s *session, d desk.History, get func(context.Context) (T, error),
) desk.Source[T] {
	return desk.Source[T]{
		Version: func() (int64, error) { return d.Version(ctx) },
		Now:     s.opts.clock.now,
		Read: func() (T, error) {
			defer s.opts.Surveys.Turn()()
			return get(ctx)
		},
	}
}

// later reads it again after a while if it is stale and its tab is still on screen then.
func (s *survey[T]) later(stale time.Duration, take func(T, bool, error) tea.Cmd) tea.Cmd {
	if stale == 0 || s.waiting {
		return nil
	}
	s.waiting = true
	return s.opts.clock.after(stale, answer(func() tea.Cmd {
		s.waiting = false
		if s.scope != s.tab {
			return nil
		}
		return s.load(take)
	}))
}

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
