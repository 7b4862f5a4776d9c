package console

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// lookup is what a text that is being typed is looked for in.
type lookup interface {
	look(m *Model, text string) tea.Cmd // shows what the text finds
	keep(m *Model) tea.Cmd              // what is shown stays
	back(m *Model) tea.Cmd              // brings back what was shown before
	found(m *Model) string              // says how many there are
}

func (m *Model) openSearch(l lookup, d *dialog.Search) tea.Cmd {
	m.open(d)
	m.lookup = l
	return nil
}

// searchAction does what the line of a search wants done.
func (m *Model) searchAction(a dialog.Action) tea.Cmd {
	l := m.lookup
	switch a := a.(type) {
	case dialog.Typed:
		return l.look(m, a.Text)
	case dialog.Move:
		return m.move(a.Motion)
	case dialog.Keep:
		m.closeDialog()
		return l.keep(m)
	}
	m.closeDialog()
	return l.back(m)
}

// patternMark begins a search for a regular expression.
const patternMark = "re:"

// searched tells a text to look for from a regular expression.
func searched(text string) (search, pattern string) {
	if pattern, ok := strings.CutPrefix(text, patternMark); ok {
		return "", pattern
	}
	return text, ""
}

// checkSearch says what is wrong with a regular expression, such as that it is not whole yet.
func checkSearch(text string) error {
	_, pattern := searched(text)
	if pattern == "" {
		return nil
	}
	_, err := review.CompilePattern(pattern)
	return err
}

// queueLookup is the search in the queue. The store looks for the text in the background.
type queueLookup struct {
	was     setQuery // what was shown before
	before  *setQuery
	queue   pane.Queue
	waiting bool // its first page had not come
}

func (m *Model) askSearch() tea.Cmd {
	d := &dialog.Search{Hint: "in URLs, titles, notes; " + patternMark + "… for a regexp", Check: checkSearch}
	text := m.query.Filter.Search
	if pattern := m.query.Filter.Regexp; pattern != "" {
		text = patternMark + pattern
	}
	return m.openSearch(&queueLookup{m.now(), m.before, *m.queue, m.inquiry.waiting}, d.With(text))
}

// rest is how long a text rests before it is looked for: the next letter makes a search void, and one that no index helps would have
// gone through all URLs until then.
const rest = 80 * time.Millisecond

// look ends what is read for the text as it was, and asks for the new one when it has rested. What is marked as found follows at once.
func (l *queueLookup) look(m *Model, text string) tea.Cmd {
	s := l.was
	s.query.Filter.Search, s.query.Filter.Regexp = searched(text)
	if now := m.query.Filter; s.query.Filter.Search == now.Search && s.query.Filter.Regexp == now.Regexp {
		return nil
	}
	m.turnTo(s)
	m.inquiry.resting = true
	return m.opts.clock.after(rest, rested{m.inquiry.ctx})
}

// rested says that a text has rested, unless it has changed and its inquiry ended.
type rested struct{ inquiry context.Context }

func (a rested) take(m *Model) tea.Cmd {
	if a.inquiry.Err() != nil {
		return nil
	}
	return m.lookNow()
}

// lookNow asks for what is typed if that has not been done.
func (m *Model) lookNow() tea.Cmd {
	if !m.inquiry.resting {
		return nil
	}
	m.inquiry.resting = false
	return m.readQueue(pane.Place{})
}

func (l *queueLookup) keep(m *Model) tea.Cmd { return m.lookNow() }

// back shows what was there without asking for it, and then looks whether others have changed it.
func (l *queueLookup) back(m *Model) tea.Cmd {
	m.turnTo(l.was)
	m.before, m.inquiry.waiting = l.before, l.waiting
	m.queue.Restore(l.queue)
	place := m.queue.Here()
	if l.waiting {
		place = pane.Place{}
	}
	return tea.Batch(m.readQueue(place), m.follow())
}

func (l *queueLookup) found(m *Model) string {
	n, f := m.queue.Total(), m.query.Filter
	switch {
	case m.inquiry.waiting:
		return "searching…"
	case n < 0:
		return "counting…"
	case f.Search == "" && f.Regexp == "":
		return counted(n)
	case n == 0:
		return "nothing found"
	}
	return fmt.Sprintf("%d found", n)
}

// causeLookup is the search among the causes. They are all there, but there may be hundreds of thousands.
type causeLookup struct {
	was  pane.CausesPlace // what was shown before
	text string
}

func (m *Model) askSearchCauses() tea.Cmd {
	d := &dialog.Search{Hint: "any words of a row, such as flag and host"}
	return m.openSearch(&causeLookup{m.causes.Place(), m.causes.Searched()}, d.With(m.causes.Searched()))
}

func (l *causeLookup) look(m *Model, text string) tea.Cmd {
	l.text = text
	find := m.causes.Finder(text)
	return func() tea.Msg { return causesFound{l, find()} }
}

// causesFound is what one of the texts of a search has found.
type causesFound struct {
	by    *causeLookup
	found pane.CausesFound
}

func (a causesFound) take(m *Model) tea.Cmd {
	if m.lookup != a.by || a.by.text != a.found.Text {
		return nil
	}
	m.causes.Show(a.found)
	return m.study()
}

func (l *causeLookup) keep(m *Model) tea.Cmd {
	if m.causes.Searched() == l.text {
		return nil
	}
	m.causes.Search(l.text)
	return m.study()
}

func (l *causeLookup) back(m *Model) tea.Cmd {
	m.causes.Restore(l.was)
	return m.study()
}

func (l *causeLookup) found(m *Model) string {
	n := m.causes.Len()
	switch {
	case !m.causes.Loaded():
		return "loading…"
	case m.causes.Searched() != l.text:
		return "searching…"
	case m.causes.Searched() == "":
		return fmt.Sprintf("%d in all", n)
	case n == 0:
		return "nothing found"
	}
	return fmt.Sprintf("%d found", n)
}
