package console

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// setQuery is another filter or order for the queue. cause says in words where the filter came from, if not from the
// reviewer's own choice. The cursor goes to the place, which may be the URL it is on.
type setQuery struct {
	query review.Query
	cause string
	place pane.Place
	view  string // the name of the view that it is, if it is one
	today bool   // it shows what was decided today, whichever day that is
}

func (m *Model) setQuery(s setQuery) tea.Cmd {
	m.turnTo(s)
	if s.view != "" {
		m.say("view " + safeText(s.view))
	}
	m.scope = inQueue
	return m.readQueue(s.place)
}

// turnTo ends what is read for the filter and the order as they were, and takes on others. Nothing is asked yet.
func (m *Model) turnTo(s setQuery) {
	m.inquire()
	m.ask(s.query, s.cause, s.today)
	m.before = nil
	m.queue.DropRange()
	m.queue.SetTotal(-1)
}

// readQueue reads the queue around a place and counts it.
func (m *Model) readQueue(p pane.Place) tea.Cmd { return tea.Batch(m.loadPage(p), m.count()) }

// ask takes on another filter and order, and marks what they search for. What is wrong with a pattern is told where the page is read.
func (m *Model) ask(q review.Query, cause string, today bool) {
	m.query, m.cause, m.today = q, cause, today
	find, _ := q.Filter.Finder()
	m.queue.SetFinder(find)
	m.detail.SetFinder(find)
}

// clear takes away what there is of these, first to last: a range under way, the view of what is marked, the marks, and what the
// filter was narrowed by.
func (m *Model) clear() tea.Cmd {
	_, _, ranging := m.queue.Range()
	switch {
	case ranging:
		m.queue.DropRange()
		return nil
	case m.before != nil:
		return m.showBefore()
	case m.queue.Marks() > 0:
		m.queue.ClearMarks()
		return nil
	}
	q := m.query
	q.Filter = review.Filter{Open: true}
	if !m.narrowedDown() {
		return nil
	}
	return m.setQuery(setQuery{query: q, place: m.same()})
}

// same is the place of the URL under the cursor in another list.
func (m *Model) same() pane.Place {
	here := m.queue.Here()
	here.Jump = true
	return here
}

// orders are the orders of the queue, by name.
var orders = []struct {
	name string
	sort review.Sort
	desc bool
}{
	{"as they were added", review.ByID, false}, {"last added first", review.ByID, true},
	{"host", review.ByHost, false}, {"host, from the end", review.ByHost, true},
	{"canonical URL", review.ByURL, false}, {"canonical URL, from the end", review.ByURL, true},
	{"status", review.ByStatus, false}, {"status, from the end", review.ByStatus, true},
	{"flags", review.ByFlags, false}, {"flags, from the end", review.ByFlags, true},
	{"first decided first", review.ByDecided, false}, {"last decided first", review.ByDecided, true},
	{"reviewer", review.ByDecider, false}, {"reviewer, from the end", review.ByDecider, true},
	{"shortest first", review.ByLength, false}, {"longest first", review.ByLength, true},
}

func (m *Model) askSort() tea.Cmd {
	menu := &dialog.Menu{Title: "Sort", Hint: "sort so"}
	at := 0
	for i, o := range orders {
		s := m.now()
		s.query.Sort, s.query.Desc = o.sort, o.desc
		menu.Rows = append(menu.Rows, dialog.Row{Name: o.name, Do: s})
		if o.sort == m.query.Sort && o.desc == m.query.Desc {
			at = i
			menu.Rows[i].Text = "now"
		}
	}
	m.openMenu(menu, at)
	return nil
}

// filterParts say what is filtered, in words; they may hold untrusted text.
func (m *Model) filterParts() []review.Part {
	if m.cause == "" {
		return m.query.Filter.Parts()
	}
	searched := review.Filter{Open: true, Search: m.query.Filter.Search, Regexp: m.query.Filter.Regexp}
	return slices.Insert(searched.Parts(), 1, review.Part{Text: m.cause, Short: m.cause})
}

// narrowedDown reports whether the queue shows anything else than what waits for a person.
func (m *Model) narrowedDown() bool {
	return m.cause != "" || m.query.Filter.String() != review.Waiting
}
