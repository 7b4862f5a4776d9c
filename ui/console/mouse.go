package console

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/ui/dialog"
	"visto/ui/term"
	"visto/ui/widget"
)

// click does what stands at a place of the screen: a key that a dialog or the footer names, a tab, a row. A row is gone to; the
// one under the cursor is opened.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	switch {
	case at.Button != tea.MouseLeft, m.tiny(), m.writing.active:
		return nil
	case m.dialog != nil:
		return m.clickDialog(at)
	case m.opts.clock.now().Sub(m.slipped) < grace:
		return nil
	}
	m.message = message{}
	switch {
	case at.Y == 0:
		return m.clickTab(at.X)
	case at.Y == m.height-1:
		return m.clickFooter(at.X)
	}
	return m.clickRow(at)
}

// clickDialog presses the key that a dialog names there, switches the box of a row, or picks the row.
func (m *Model) clickDialog(at tea.Mouse) tea.Cmd {
	for _, z := range m.zones {
		if at.Y != z.Y || at.X < z.From || at.X >= z.To {
			continue
		}
		if m.opts.clock.now().Sub(m.opened) < grace {
			return nil
		}
		if s, ok := m.dialog.(dialog.Switcher); ok && z.Box {
			return m.act(s.Switch(z.Row))
		}
		if p, ok := m.dialog.(dialog.Picker); ok && z.Key == "" {
			return m.act(p.Pick(z.Row))
		}
		if key, err := keyPress(z.Key); err == nil {
			return m.answerDialog(key)
		}
	}
	return nil
}

func (m *Model) clickTab(x int) tea.Cmd {
	from := term.Width(brand)
	for _, t := range tabs {
		to := from + len(t.key+t.name) + 3
		if x >= from && x < to {
			return m.show(t.scope)
		}
		from = to
	}
	return nil
}

func (m *Model) clickFooter(x int) tea.Cmd {
	from := 0
	for _, h := range m.hints() {
		if x >= from && x < from+h.width() {
			return m.run(&m.keys[h.index])
		}
		from += h.width()
	}
	return nil
}

func (m *Model) clickRow(at tea.Mouse) tea.Cmd {
	var again, hit bool
	y := at.Y - 1
	switch m.scope {
	case inQueue:
		if m.width >= besideWidth && at.X >= m.width/2 {
			return nil
		}
		again, hit = m.queue.Click(y)
	case inCauses:
		again, hit = m.causes.Click(y)
	case inOverrides:
		again, hit = m.overrides.Click(y)
	case inLog:
		again, hit = m.log.Click(y)
	}
	switch {
	case !hit:
		return nil
	case again:
		return m.run(&m.keys[slices.IndexFunc(m.keys, func(b binding) bool { return b.id() == opens[m.scope] })])
	case m.scope == inQueue:
		return m.settle(m.queue.Wants())
	case m.scope == inCauses:
		return m.study()
	}
	return nil
}

// opens are the actions that a click on the row under the cursor does.
var opens = map[scope]string{inQueue: "open", inCauses: "urls-of-the-cause", inOverrides: "show-override", inLog: "show-entry"}

// scroll moves what is in view by a turn of the wheel.
func (m *Model) scroll(wheel tea.MouseWheelMsg) tea.Cmd {
	switch wheel.Button {
	case tea.MouseWheelUp:
		return m.move(widget.Up)
	case tea.MouseWheelDown:
		return m.move(widget.Down)
	}
	return nil
}
