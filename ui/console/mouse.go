package console

import (
	tea "charm.land/bubbletea/v2"

	"visto/ui/dialog"
	"visto/ui/term"
)

// click does the action at a place of the screen: a key of a dialog or the footer, a tab, or a row. The row under the
// cursor is opened, another one gets the cursor.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	m.presses.now = arrival{again: m.repeats(aClick)}
	switch {
	case at.Button != tea.MouseLeft, m.tiny():
		return nil
	case m.writer.busy():
		return m.writer.miss("click")
	case m.dialog != nil:
		return m.clickDialog(at)
	case m.slipped():
		return m.tooEarly(aClick, "URL", m.queue.came.why)
	}
	m.message, m.pressed = message{}, aClick
	cmd := m.clickPlace(at)
	m.start.over = true
	return cmd
}

// clickPlace does the action at a place outside of dialogs.
func (m *Model) clickPlace(at tea.Mouse) tea.Cmd {
	switch at.Y {
	case 0:
		return m.clickTab(at.X)
	case m.height - 1:
		return m.clickFooter(at.X)
	}
	return m.clickRow(at)
}

// clickDialog presses the key of a zone, switches the box of a row, or picks the row.
func (m *Model) clickDialog(at tea.Mouse) tea.Cmd {
	for _, z := range m.zones {
		if at.Y != z.Y || at.X < z.From || at.X >= z.To {
			continue
		}
		if m.early(m.opened) {
			return m.tooEarly(aClick, "question", "")
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
	for i, text := range m.tabTexts() {
		to := from + len(text)
		if x >= from && x < to {
			return m.show(tabs[i].scope)
		}
		from = to
	}
	return nil
}

func (m *Model) clickFooter(x int) tea.Cmd {
	from := 0
	for _, h := range m.hints() {
		if x >= from && x < from+h.width() {
			return m.run(h.binding)
		}
		from += h.width()
	}
	return nil
}

func (m *Model) clickRow(at tea.Mouse) tea.Cmd {
	if m.scope == inQueue && m.width >= besideWidth && at.X >= m.queue.listWidth(m.width) {
		return nil
	}
	again, cmd := m.tab().click(at.Y - 1)
	if again {
		return m.run(find(m.keys, opens[m.scope]))
	}
	return cmd
}

// opens are the actions of a click on the row under the cursor.
var opens = map[scope]string{
	inQueue: "open", inCauses: "urls-of-the-cause", inOverrides: "show-override", inLog: "show-entry",
	inLinks: "cite-link",
}
