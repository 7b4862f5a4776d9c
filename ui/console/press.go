package console

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review/cause"
)

// presses tells a press of its own from a key that is held or typed ahead: one press settles one URL.
type presses struct {
	last  map[string]time.Time // when each key was last dealt with
	again bool                 // the key at hand is no press of its own
}

// arrival is a key as it arrived. again says that it was no press of its own then, however long it is held.
type arrival struct {
	tea.KeyPressMsg
	again bool
}

// repeats reports whether a key comes less than the grace after itself. A terminal cannot tell such a press from a held
// key.
func (s *session) repeats(key string) bool {
	last, known := s.presses.last[key]
	s.presses.last[key] = s.opts.clock.now()
	return known && s.early(last)
}

// dealt notes the end of the work for a message. A key that came meanwhile is taken only now: it counts from here.
func (s *session) dealt(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.presses.last[msg.String()] = s.opts.clock.now()
	case tea.MouseClickMsg:
		s.presses.last[aClick] = s.opts.clock.now()
	}
}

// notAgain tells that a key which is no press of its own decides nothing.
func (s *session) notAgain(key string) tea.Cmd {
	return s.refuse(shownKey(key) + " came twice at once, or is held: each decision needs a press of its own")
}

// decides reports whether a key may answer a dialog for good. All others move, edit or switch.
func decides(key tea.KeyPressMsg) bool {
	switch key.String() {
	case "enter", "ctrl+o", "ctrl+s":
		return true
	case "j", "k", "h", "l", "g", "G", "J", "K", "+", "-", "space":
		return false
	}
	return key.Text != ""
}

// sight is what a key at the screen would decide about.
type sight struct {
	scope scope
	url   int64
	cause cause.Cause
	rule  string // that the cause suggests
	marks int    // of the queue
}

// sighted returns what the screen shows now.
func (m *Model) sighted() (now sight) {
	now.scope, now.marks = m.scope, m.queue.pane.Marks()
	if it := m.detail.subject(); it != nil {
		now.url = it.ID
	}
	if c, ok := m.causes.pane.Current(); ok {
		if now.cause = c; c.Suggestion != nil {
			now.rule = c.Suggestion.Template.String()
		}
	}
	return now
}

// arrive notices that the screen shows something else to decide about, whoever led there. No key decides about it
// before it can have been read.
func (m *Model) arrive() {
	before := m.sight
	m.sight = m.sighted()
	now := m.opts.clock.now()
	if before.scope != m.sight.scope || before.url != m.sight.url || before.marks != m.sight.marks {
		m.queue.arrivedAt = now
	}
	if before.scope != m.sight.scope || !before.cause.Same(m.sight.cause) || before.rule != m.sight.rule {
		m.causes.arrivedAt = now
	}
}
