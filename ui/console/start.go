package console

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review/cause"
	"visto/ui/pane"
	"visto/ui/term"
)

// start is the line above the queue on the first screen of a session: the cause that settles most, and its key. The
// first key or click ends it.
type start struct {
	*session
	queue  *queueTab
	causes *causesTab

	over  bool
	asked bool // the causes are being read, or have been
}

// maxGrouped is the number of waiting URLs up to which they are grouped into causes before anyone asks for these: it
// reads all of them.
const maxGrouped = 100_000

// startHeight is the height of the line.
const startHeight = 1

// shown reports whether the line is on the screen. It takes no room when nothing waits.
func (s *start) shown() bool {
	return !s.over && s.scope == inQueue && s.queue.totals != nil && s.open() > 0 && !s.queue.reading.waiting
}

// open returns the number of URLs that wait for this reviewer.
func (s *start) open() int { return s.queue.totals.Open - s.queue.theirs }

// follow reads the causes once the first screen has been drawn without them. The root calls it after every message.
func (s *start) follow() tea.Cmd {
	if s.asked || !s.shown() {
		return nil
	}
	s.asked = true
	if s.queue.totals.Open > maxGrouped {
		return nil
	}
	return s.causes.load()
}

// line draws the line; "" if it is not on the screen.
func (s *start) line(c canvas) string {
	if !s.shown() {
		return ""
	}
	text := " " + s.best()
	if s.who.ReadOnly() {
		text = " This database is open read-only: nothing can be decided."
	}
	return c.th.ActiveTab.Render(term.Pad(term.Truncate(text, c.width), c.width))
}

// best says which cause would settle most, once that is known and more than one URL, and the key for it. One with a
// flag for which the policy wants two persons settles nothing at one key. Of very many URLs the causes are not known
// before the reviewer asks for them.
func (s *start) best() string {
	c, ok := s.causes.pane.Best(s.who.Policy().SecondLook())
	if !ok || c.Sole < 2 {
		return s.keyed("{causes}  shows what many of the waiting URLs share, and settles these at once")
	}
	return s.keyed("{causes}  settle ") + fmt.Sprintf("%d of %d: %s", c.Sole, s.open(), causeName(c))
}

// causeName names the URLs of a cause: home pages in portal_url.
func causeName(c cause.Cause) string {
	name := c.Flag.String()
	switch c.Flag {
	case canon.HomePage:
		name = "home pages"
	case canon.SectionPage:
		name = "section pages"
	}
	return name + " " + pane.CauseText(c)
}
