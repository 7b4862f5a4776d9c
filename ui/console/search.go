package console

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/wording"
)

// lookup is the list that an open search looks in.
type lookup interface {
	look(text string) tea.Cmd // shows the finds of a text
	keep() tea.Cmd            // leaves them on screen
	restore() tea.Cmd         // shows the list before the search
	found() string            // their number, in words
}

// openSearch opens the line of a search with a text in it.
func (s *session) openSearch(l lookup, line *dialog.Search, text string) tea.Cmd {
	s.open(line.With(text))
	s.lookup = l
	return nil
}

// checkSearch returns the error in a regular expression, which may be that it is not complete yet.
func checkSearch(text string) error {
	_, pattern := review.ParseSearch(text)
	_, err := review.CompilePattern(pattern)
	var wrong *review.PatternError
	if errors.As(err, &wrong) { // the field has the mark too
		return &review.PatternError{At: wrong.At + len(review.PatternMark), Why: wrong.Why}
	}
	return err
}

// queueLookup is the search in the queue. The store looks for the text in the background.
type queueLookup struct {
	*queueTab
	was     request // before the search
	before  *request
	list    pane.Queue
	waiting bool
}

func (q *queueTab) askSearch() tea.Cmd {
	hint := "in URLs, records, notes; " + review.PatternMark + "… for a regexp"
	line := &dialog.Search{Hint: hint, Check: checkSearch}
	text := q.shown.query.Filter.Search
	if pattern := q.shown.query.Filter.Regexp; pattern != "" {
		text = review.PatternMark + pattern
	}
	return q.openSearch(&queueLookup{q, q.shown, q.before, *q.pane, q.reading.waiting}, line, text)
}

// debounce is how long typing pauses before the store is asked. The next letter voids a search, and one without an
// index would have gone through all URLs until then.
const debounce = 80 * time.Millisecond

// look cancels the search for the previous text. The marks in the list change at once, the store is asked later.
func (l *queueLookup) look(text string) tea.Cmd {
	r := l.was
	f := &r.query.Filter
	f.Search, f.Regexp = review.ParseSearch(text)
	if now := l.shown.query.Filter; f.Search == now.Search && f.Regexp == now.Regexp {
		return nil
	}
	l.change(r)
	l.reading.debouncing = true
	scope := l.reading.ctx
	return l.opts.clock.after(debounce, answer(func() tea.Cmd {
		if scope.Err() != nil { // the text has changed
			return nil
		}
		return l.keep()
	}))
}

// keep asks the store for the text if that has not been done.
func (l *queueLookup) keep() tea.Cmd {
	if !l.reading.debouncing {
		return nil
	}
	l.reading.debouncing = false
	return l.read(pane.Place{})
}

// restore shows the list as it was, and then reads it again: others may have changed it.
func (l *queueLookup) restore() tea.Cmd {
	l.change(l.was)
	l.queueTab.before, l.reading.waiting = l.before, l.waiting
	l.pane.Restore(l.list)
	if l.waiting {
		return l.read(pane.Place{})
	}
	return l.read(l.pane.Here())
}

func (l *queueLookup) found() string {
	n, f := l.pane.Total(), l.shown.query.Filter
	switch {
	case l.reading.waiting:
		return "searching…"
	case n < 0:
		return "counting…"
	case f.Search == "" && f.Regexp == "":
		return wording.URLs(n)
	}
	return foundText(n)
}

func foundText(n int) string {
	if n == 0 {
		return "nothing found"
	}
	return fmt.Sprintf("%d found", n)
}

// causeLookup is the search among the causes. All of them are in memory, but there may be hundreds of thousands.
type causeLookup struct {
	*causesTab
	was  pane.CausesPlace // before the search
	text string
}

func (c *causesTab) askSearch() tea.Cmd {
	line := &dialog.Search{Hint: "any words of a row, such as flag and host"}
	return c.openSearch(&causeLookup{c, c.pane.Place(), c.pane.Searched()}, line, c.pane.Searched())
}

func (l *causeLookup) look(text string) tea.Cmd {
	l.text = text
	find := l.pane.Finder(text)
	return func() tea.Msg {
		found := find()
		return answer(func() tea.Cmd {
			if l.lookup != l || l.text != found.Text {
				return nil
			}
			l.pane.Show(found)
			return l.study()
		})
	}
}

func (l *causeLookup) keep() tea.Cmd {
	if l.pane.Searched() == l.text {
		return nil
	}
	l.pane.Search(l.text)
	return l.study()
}

func (l *causeLookup) restore() tea.Cmd {
	l.pane.Restore(l.was)
	return l.study()
}

func (l *causeLookup) found() string {
	switch {
	case !l.pane.Loaded():
		return "loading…"
	case l.pane.Searched() != l.text:
		return "searching…"
	case l.pane.Searched() == "":
		return fmt.Sprintf("%d in all", l.pane.Len())
	}
	return foundText(l.pane.Len())
}
