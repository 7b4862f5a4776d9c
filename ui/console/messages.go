package console

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/ui/dialog"
	"visto/ui/term"
)

// message is what tells the reviewer what happened.
type message struct {
	text string // trusted: made safe where it is made
	bad  bool
}

// said is a message with when it was shown.
type said struct {
	message
	at time.Time
}

// mostSaid is how many messages are kept.
const mostSaid = 500

func (m *Model) say(text string)  { m.tell(message{text: text}) }
func (m *Model) warn(text string) { m.tell(message{text: text, bad: true}) }

func (m *Model) tell(msg message) {
	m.message = msg
	if msg.text == "" {
		return
	}
	m.said = append(m.said, said{msg, m.opts.clock.now()})
	if len(m.said) > mostSaid {
		m.said = slices.Delete(m.said, 0, len(m.said)-mostSaid)
	}
}

// line is the message with the sign that tells good from bad without colour.
func (msg *message) line() string {
	if msg.bad {
		return "! " + msg.text
	}
	return "✓ " + msg.text
}

// messages shows the messages of this session, the last one first.
func (m *Model) messages() tea.Cmd {
	if len(m.said) == 0 {
		m.say("nothing has been said yet")
	}
	var lines []string
	for _, s := range slices.Backward(m.said) {
		lines = append(lines, s.at.Format("15:04:05")+"  "+s.line())
	}
	m.message = message{}
	m.open(&dialog.Reader{Title: "Messages", Text: strings.Join(lines, "\n"), Safe: true})
	return nil
}

// messageLines are what the message takes, with the news of others behind it: a line, or two where one is not enough and there
// is room. What does not fit into two is in the list of messages.
func (m *Model) messageLines() []string {
	most := 1
	if m.height >= roomyHeight {
		most = 2
	}
	lines := m.wrapped(most)
	style := m.th.OK
	if m.message.bad {
		style = m.th.Error
	}
	for i := range lines {
		if lines[i] != "" {
			lines[i] = style.Render(term.Truncate(" "+lines[i], m.width))
		}
	}
	last := &lines[len(lines)-1]
	if news, room := m.news.text(), m.width-term.Width(*last); news != "" && room > 12 {
		*last += m.th.Accent.Render(term.Truncate(" ● "+news, room))
	}
	return lines
}

// wrapped is the message in at most so many lines.
func (m *Model) wrapped(most int) []string {
	if m.message.text == "" {
		return []string{""}
	}
	width := m.width - 1
	lines := term.Wrap(m.message.line(), width)
	if len(lines) > most {
		more := m.keyed("… {messages} shows all")
		rest := strings.Join(lines[most-1:], " ")
		rest = strings.TrimSuffix(term.Truncate(rest, width-term.Width(more)+1), "…")
		lines = append(lines[:most-1], rest+more)
	}
	return lines
}

// roomyHeight is from how many lines of the screen on a message may take two of them.
const roomyHeight = 14
