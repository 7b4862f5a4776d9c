package console

import (
	"fmt"

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
}

func (m *Model) setQuery(s setQuery) tea.Cmd {
	m.query, m.cause = s.query, s.cause
	m.scope = inQueue
	m.before = nil
	m.queue.DropRange()
	m.queue.SetTotal(-1)
	return tea.Batch(m.loadPage(s.place), m.count())
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

func (m *Model) askSearch() tea.Cmd {
	query, cause := m.query, m.cause
	p := &dialog.Prompt{
		Title: "Search", Hint: "in originals, canonical URLs, titles and notes; empty shows all again", Yes: "search",
		Do: func(text string) dialog.Action {
			query.Filter.Search = text
			return setQuery{query: query, cause: cause}
		},
	}
	m.open(p.With(m.query.Filter.Search))
	return nil
}

// orders are the orders of the queue, by name.
var orders = []struct {
	name string
	sort review.Sort
	desc bool
}{
	{"as they came", review.ByID, false}, {"newest first", review.ByID, true},
	{"host", review.ByHost, false}, {"host, from the end", review.ByHost, true},
	{"canonical URL", review.ByURL, false}, {"canonical URL, from the end", review.ByURL, true},
	{"status", review.ByStatus, false}, {"status, from the end", review.ByStatus, true},
}

func (m *Model) askSort() tea.Cmd {
	menu := &dialog.Menu{Title: "Sort", Hint: "sort so"}
	at := 0
	for i, o := range orders {
		q := m.query
		q.Sort, q.Desc = o.sort, o.desc
		menu.Rows = append(menu.Rows, dialog.Row{Name: o.name, Do: setQuery{query: q, cause: m.cause}})
		if o.sort == m.query.Sort && o.desc == m.query.Desc {
			at = i
			menu.Rows[i].Text = "now"
		}
	}
	m.openMenu(menu, at)
	return nil
}

// filterText says what is filtered, in words; it may hold untrusted text.
func (m *Model) filterText() string {
	f := m.query.Filter
	if m.cause == "" {
		return f.String()
	}
	text := review.Waiting + ", " + m.cause
	if f.Search != "" {
		text += fmt.Sprintf(", with “%s”", f.Search)
	}
	return text
}

// narrowedDown reports whether the queue shows anything else than what waits for a person.
func (m *Model) narrowedDown() bool {
	return m.cause != "" || m.query.Filter.String() != review.Waiting
}
