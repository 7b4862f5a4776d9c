package console

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review/cause"
)

// presses tells a press of its own from a key that is held or typed ahead: one press settles one URL.
type presses struct {
	last   map[string]time.Time // when each key was last dealt with
	newest string               // the newest key
	told   bool                 // the terminal tells repeats from presses
	now    arrival              // the key at hand
	doubt  *arrival             // a key that waits for what follows it; nil: none
}

// arrival is a key as it arrived.
type arrival struct {
	tea.KeyPressMsg
	again    bool // it was no press of its own then, however long it is held here
	doubtful bool // it may be the first repeat of a held key

	at     time.Time
	waited time.Duration // from then until it is taken, if it was doubtful
}

// slowest is the longest usual delay after which a held key begins to repeat: 660 ms in X11.
const slowest = 700 * time.Millisecond

// repetition is longer than the time between two repeats of a held key: 25 to 80 ms.
const repetition = 100 * time.Millisecond

// arrival tells whether a key is a press of its own, as far as its time shows.
func (s *session) arrival(msg tea.KeyPressMsg) arrival {
	p, key := &s.presses, msg.String()
	doubtful := !p.told && p.newest == key && s.opts.clock.now().Sub(p.last[key]) < slowest
	again := s.repeats(key) || msg.IsRepeat
	p.newest = key
	return arrival{KeyPressMsg: msg, again: again, doubtful: doubtful && !again, at: s.opts.clock.now()}
}

// repeats reports whether a key comes less than the grace after itself. A terminal cannot tell such a press from a held
// key.
func (s *session) repeats(key string) bool {
	last, known := s.presses.last[key]
	s.presses.last[key] = s.opts.clock.now()
	return known && s.early(last)
}

// settled is the message that nothing followed a doubtful key for so long that it was a press of its own.
type settled struct{ key *arrival }

// doubt puts the key at hand off until it is clear whether it is held.
func (s *session) doubt() tea.Cmd {
	key := s.presses.now
	key.doubtful = false
	s.presses.doubt = &key
	return s.opts.clock.after(repetition, settled{&key})
}

// settle takes a doubtful key that nothing followed.
func (m *Model) settle(msg settled) tea.Cmd {
	if msg.key != m.presses.doubt {
		return nil
	}
	m.presses.doubt = nil
	return m.pressLate(*msg.key)
}

// pressLate takes a key that was doubtful, for what was on screen when it came.
func (m *Model) pressLate(key arrival) tea.Cmd {
	key.waited = m.opts.clock.now().Sub(key.at)
	cmd := m.press(key)
	m.presses.now.waited = 0
	return cmd
}

// take takes a key, and before it a doubtful one. That was held if the same key follows at once.
func (m *Model) take(key arrival) tea.Cmd {
	before := m.presses.doubt
	m.presses.doubt = nil
	if before == nil || key.again && key.String() == before.String() {
		return m.press(key)
	}
	return tea.Batch(m.pressLate(*before), m.follow(), m.press(key))
}

// dealt notes the end of the work for a message. A key that came meanwhile is taken only now: it counts from here.
func (s *session) dealt(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.presses.last[msg.String()] = s.opts.clock.now()
	case settled:
		s.presses.last[msg.key.String()] = s.opts.clock.now()
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

// arrived tells when what keys decide about came on screen. No key decides about it before it can have been read. If it
// came by itself no key does anything about it, for each was meant for what was there before.
type arrived struct {
	at  time.Time
	why string // it came by itself: the text of the message then; "": the reviewer led there
}

// arrive notes that something came on screen now. What came by itself a moment ago still did.
func (s *session) arrive(a *arrived) {
	if !s.early(a.at) {
		a.why = ""
	}
	a.at = s.opts.clock.now()
}

// notice notices that the screen shows something else to decide about, whoever led there.
func (m *Model) notice() {
	before := m.sight
	m.sight = m.sighted()
	if before.scope != m.sight.scope || before.url != m.sight.url || before.marks != m.sight.marks {
		m.arrive(&m.queue.came)
	}
	if before.scope != m.sight.scope || !before.cause.Same(m.sight.cause) || before.rule != m.sight.rule {
		m.arrive(&m.causes.came)
	}
}
