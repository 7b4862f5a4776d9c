package console

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/ui/config"
	"visto/ui/dialog"
	"visto/ui/widget"
	"visto/ui/wording"
)

// action is the action of a dialog. The root calls it.
type action func() tea.Cmd

// with is an action on one value.
func with[T any](do func(T) tea.Cmd, value T) action { return func() tea.Cmd { return do(value) } }

// submit is the answer of a prompt: the action on its text.
func submit(do func(text string) tea.Cmd) func(text string) dialog.Action {
	return func(text string) dialog.Action { return with(do, text) }
}

// press gives a key to the writer during a write, to the dialog, or to its binding. A terminal too small to show
// anything takes no key but that of quit. The console is suspended from anywhere.
func (m *Model) press(key arrival) tea.Cmd {
	switch m.presses.now = key; {
	case key.String() == "ctrl+c", m.tiny() && find(m.keys, "quit").has(key.String()):
		return tea.Quit
	case find(m.keys, idOf(suspend)).has(key.String()):
		return m.programs.suspend()
	case m.tiny():
		return nil
	case m.writer.busy():
		return m.writer.hold(key)
	case m.dialog != nil:
		return m.answerDialog(key.KeyPressMsg)
	case m.slipped():
		return m.tooEarly(key.String(), "URL", m.queue.came.why)
	}
	m.message, m.pressed = message{}, key.String()
	m.watcher.updates.clear()
	closes := m.start.shown() && find(m.keys, "clear").has(key.String())
	if m.start.over = true; closes {
		return nil
	}
	for i := range m.keys {
		if b := &m.keys[i]; b.in&m.scope != 0 && b.has(key.String()) {
			return m.run(b)
		}
	}
	if key.String() == "esc" { // there is nothing that it would end
		return nil
	}
	return m.stray(key.String(), m.keyed("{help} shows the keys"))
}

// slipped reports whether the URL on screen has just changed by itself, or a program has just left the terminal.
func (m *Model) slipped() bool {
	return m.queue.came.why != "" && m.early(m.queue.came.at) &&
		(m.detail.ofQueue() || m.early(m.programs.backAt))
}

// cover is the time during which keys go to a dialog, a write, another tab or a visited URL in the place of a list. The
// zero value is none.
type cover struct{ since time.Time }

// until notes whether there is a cover now. What came under it by itself is new at its end: keys may still be meant for
// what was there before.
func (c *cover) until(now time.Time, covered bool, came *arrived) {
	switch since := c.since; {
	case covered && since.IsZero():
		c.since = now
	case !covered && !since.IsZero():
		c.since = time.Time{}
		if !came.at.Before(since) {
			came.at = now
		}
	}
}

// uncover notices the ends of covers.
func (m *Model) uncover() {
	now, covered := m.opts.clock.now(), m.dialog != nil || m.writer.busy()
	m.covers.queue.until(now, covered || !m.detail.ofQueue(), &m.queue.came)
	m.covers.causes.until(now, covered || m.scope != inCauses, &m.causes.came)
}

// answerDialog gives a message to the dialog. A dialog that has just opened takes text only.
func (m *Model) answerDialog(msg tea.Msg) tea.Cmd {
	key, isKey := msg.(tea.KeyPressMsg)
	text := m.dialog.Typing() && (!isKey || key.Text != "")
	if a, ok := m.dialog.(dialog.Answerer); ok && a.Answers(msg) {
		text = false
	}
	if m.early(m.opened) && !text {
		if isKey {
			return m.tooEarly(key.String(), "question", "")
		}
		return nil
	}
	if isKey && !text && decides(key) {
		switch now := m.presses.now; {
		case now.again:
			return m.notAgain(key.String())
		case now.doubtful:
			return m.doubt()
		}
	}
	if m.message.early {
		m.message = message{}
	}
	return m.act(m.dialog.Update(msg))
}

// act does the action of a dialog.
func (m *Model) act(a dialog.Action) tea.Cmd {
	switch a := a.(type) {
	case action:
		return a()
	case dialog.Close:
		m.cancelDialog()
	case dialog.Stray:
		return m.stray(a.Key, a.Hint)
	case dialog.Check:
		return m.decider.check(a)
	case dialog.ComputeEffect:
		return m.rules.show(pendingFor(a), typingPause)
	case dialog.EditExisting:
		m.keepDraft()
		return m.rules.edit(a.Override, a.By)
	case dialog.Typed:
		return m.lookup.look(a.Text)
	case dialog.Move:
		return m.tab().move(a.Motion)
	case dialog.Keep:
		return m.closing(m.lookup.keep)()
	case dialog.Back:
		return m.closing(m.lookup.restore)()
	}
	return nil
}

// pasteOrScroll gives a paste to the dialog, the only place to type, and the wheel to the page in view.
func (m *Model) pasteOrScroll(msg tea.Msg) tea.Cmd {
	switch _, isPaste := msg.(tea.PasteMsg); {
	case m.tiny():
		return nil
	case m.writer.busy() && isPaste:
		return m.writer.miss("paste")
	case m.writer.busy():
		return nil
	case m.dialog != nil:
		return m.answerDialog(msg)
	}
	if wheel, ok := msg.(tea.MouseWheelMsg); ok {
		switch wheel.Button {
		case tea.MouseWheelUp:
			return m.tab().move(widget.Up)
		case tea.MouseWheelDown:
			return m.tab().move(widget.Down)
		}
	}
	return nil
}

// setTheme sets the ground that colours are for.
func (m *Model) setTheme(name string) tea.Cmd {
	theme, err := config.ParseTheme(name)
	if err != nil {
		return m.warn(wording.Safe(err.Error()))
	}
	m.opts.Theme = theme
	m.look(m.terminal)
	m.say("colours for: " + cmp.Or(string(theme), "the background of the terminal"))
	return tea.RequestBackgroundColor
}
