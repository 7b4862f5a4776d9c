package console

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/ui/dialog"
	"visto/ui/term"
)

// message tells the reviewer a result or a problem.
type message struct {
	text  string // trusted: made safe where it is made
	bad   bool
	early bool // it is about a key that came too early for a dialog, and goes with the next one that the dialog takes
	at    time.Time
}

// messages are the messages of a session. message is the one on screen.
type messages struct {
	message message
	list    []message
}

// maxMessages is the number of messages that are kept.
const maxMessages = 500

// say and warn tell a result and a problem. Like all that tells or asks the reviewer something, they return nil: the
// command of an action that ends so.
func (s *session) say(text string) tea.Cmd  { return s.add(message{text: text}) }
func (s *session) warn(text string) tea.Cmd { return s.add(message{text: text, bad: true}) }

func (s *session) add(msg message) tea.Cmd {
	msg.at = s.opts.clock.now()
	s.message = msg
	if msg.text != "" {
		s.list = append(s.list, msg)
		s.list = s.list[max(0, len(s.list)-maxMessages):]
	}
	return nil
}

// line is the message with a sign that tells good from bad without colour.
func (msg *message) line() string {
	if msg.bad {
		return "! " + msg.text
	}
	return "✓ " + msg.text
}

// showMessages lists the messages of this session, the last one first.
func (s *session) showMessages() tea.Cmd {
	if len(s.list) == 0 {
		s.say("nothing has been said yet")
	}
	var lines []string
	for _, msg := range slices.Backward(s.list) {
		lines = append(lines, msg.at.Format("15:04:05")+"  "+msg.line())
	}
	s.message = message{}
	return s.open(&dialog.Reader{Title: "Messages", Text: strings.Join(lines, "\n"), Safe: true})
}

// roomyHeight is the height of the screen from which a message may take two lines.
const roomyHeight = 14

// messageLines draws the message, with the updates of others behind it.
func (m *Model) messageLines() []string {
	lines := []string{""}
	if m.message.text != "" {
		lines = m.wrapped()
	}
	last := &lines[len(lines)-1]
	if text, room := m.watcher.updates.text(), m.width-term.Width(*last); text != "" && room > 12 {
		*last += m.th.Accent.Render(term.Truncate(" ● "+text, room))
	}
	return lines
}

// wrapped draws the message in one or two lines. The list of messages has the rest of a longer one.
func (m *Model) wrapped() []string {
	limit, style, width := 1, m.th.OK, m.width-1
	if m.height >= roomyHeight {
		limit = 2
	}
	if m.message.bad {
		style = m.th.Error
	}
	lines := term.Wrap(m.message.line(), width)
	if len(lines) > limit {
		more := m.keyed("… {messages} shows all")
		rest := strings.Join(lines[limit-1:], " ")
		rest = strings.TrimSuffix(term.Truncate(rest, width-term.Width(more)+1), "…")
		lines = append(lines[:limit-1], rest+more)
	}
	for i, line := range lines {
		lines[i] = style.Render(term.Truncate(" "+line, m.width))
	}
	return lines
}
