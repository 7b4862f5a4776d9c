package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"visto/review/probe"
	"visto/ui/term"
)

// progressEvery is the time between two lines of progress where stderr is no terminal.
const progressEvery = 10 * time.Second

// probeScreen shows the progress of a probe: on a terminal in one line that is redrawn below the output, elsewhere in a
// line every progressEvery.
type probeScreen struct {
	app      *app
	live     bool // stderr is a terminal
	began    time.Time
	reported time.Time
	mu       sync.Mutex
	line     string
	done     int
	total    int
	noun     string // of the total
	left     time.Duration
	current  string
	finished bool
}

func newProbeScreen(a *app, total int, noun string) *probeScreen {
	now := time.Now()
	return &probeScreen{app: a, live: isTerminal(a.err), began: now, reported: now, total: total, noun: noun}
}

// asked returns a function that takes the events of a question, whose requests it counts.
func (s *probeScreen) asked() func(probe.Event) {
	asked := 0
	return func(e probe.Event) {
		switch e.Kind {
		case probe.Asking:
			s.event(e)
		case probe.Answered:
			asked++
			s.event(probe.Event{Kind: probe.Finished, Target: e.Target, Done: asked})
		}
	}
}

// event takes an event of the prober, as probe.Config.Progress.
func (s *probeScreen) event(e probe.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case probe.Asking:
		s.current = e.Exchange.Method + " " + e.Exchange.URL
	case probe.Finished:
		s.done, s.left = e.Done, e.Left
	}
	if s.live {
		s.draw()
	} else if now := time.Now(); now.Sub(s.reported) >= progressEvery {
		s.reported = now
		s.app.warn("%s\n", s.text())
	}
}

// text returns the progress: the number done, the speed, and the time left.
func (s *probeScreen) text() string {
	text := fmt.Sprintf("%d of %s", s.done, count(s.total, s.noun))
	if s.done > 0 {
		text += fmt.Sprintf(", %.1f a second", float64(s.done)/max(time.Since(s.began).Seconds(), 0.001))
	}
	if s.left > 0 {
		text += ", " + s.left.Round(time.Second).String() + " left"
	}
	return text
}

// draw writes the line over the last one, within the width of the terminal: a longer one would wrap.
func (s *probeScreen) draw() {
	if s.finished {
		return
	}
	line := term.Truncate(safe(s.text()+"  "+s.current), columns(s.app.err)-1)
	s.app.warn("\r%s%s", line, strings.Repeat(" ", max(0, term.Width(s.line)-term.Width(line))))
	s.line = line
}

// above runs print in the place of the line, and redraws the line below.
func (s *probeScreen) above(print func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live {
		s.clear()
		defer s.draw()
	}
	return print()
}

func (s *probeScreen) clear() {
	s.app.warn("\r%s\r", strings.Repeat(" ", term.Width(s.line)))
	s.line = ""
}

// end removes the line for good.
func (s *probeScreen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live {
		s.clear()
	}
	s.finished = true
}
