package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Menu is a list narrowed by typing: the command palette, the help, the sort orders.
type Menu struct {
	Title string
	Hint  string // names the effect of enter
	Rows  []Row

	in     widget.Input
	list   widget.List
	hits   []int
	chosen bool // enter runs the row under the cursor
}

// Row is one line of a menu.
type Row struct {
	Key  string // shown before the name
	Name string
	Text string // shown after it
	Do   Action // nil: a row without an action

	// Args names the argument that may follow the name; Take returns the action for it.
	Args string
	Take func(text string) Action
}

// Start prepares the menu with the cursor on row at and returns it. If at is negative, no row is chosen and enter does
// nothing until the reviewer types or moves, so that nobody who only reads the menu runs its first row.
func (m *Menu) Start(at int) *Menu {
	m.in = widget.NewInput("")
	m.narrow()
	m.list.Resize(len(m.Rows), len(m.Rows))
	m.list.To(at)
	m.chosen = at >= 0
	return m
}

// Typing returns true: letters are text.
func (m *Menu) Typing() bool { return true }

// Update takes a key or a paste.
func (m *Menu) Update(msg tea.Msg) Action {
	if motion, ok := motionOf(msg); ok {
		if m.chosen || motion != widget.Down {
			m.list.Move(motion)
		}
		m.chosen = true
		return nil
	}
	switch {
	case isKey(msg, "esc"):
		return Close{}
	case isKey(msg, "enter"):
		return m.enter()
	}
	if m.in.Update(msg) {
		m.narrow()
		m.chosen = m.in.Value() != ""
	}
	return nil
}

// enter runs the row under the cursor. If the row needs an argument, its name is filled in for the reviewer to
// complete.
func (m *Menu) enter() Action {
	if !m.chosen || m.list.Cursor >= len(m.hits) {
		return nil
	}
	row := &m.Rows[m.hits[m.list.Cursor]]
	if text, ok := row.argument(m.in.Value()); ok && strings.TrimSpace(text) != "" {
		return row.Take(text)
	}
	if row.Take == nil || row.Do != nil {
		return row.Do
	}
	m.in = widget.NewInput(row.Name + " ")
	m.narrow()
	return nil
}

// Pick chooses a row, or runs the chosen one.
func (m *Menu) Pick(row int) Action {
	if m.chosen && m.list.Cursor == row {
		return m.enter()
	}
	m.list.To(row)
	m.chosen = true
	return nil
}

// argument returns the text typed after the name of a row that takes an argument.
func (r *Row) argument(typed string) (text string, ok bool) {
	n := len(r.Name)
	if r.Take == nil || len(typed) <= n || !strings.EqualFold(typed[:n], r.Name) || typed[n] != ' ' {
		return "", false
	}
	return typed[n+1:], true
}

// narrow keeps the rows that match the typed text by the first of these criteria that has any:
//   - the text is a key of the row
//   - the text is the name of the row with an argument, after rows whose names start with the whole text
//   - all typed words occur in the row; names that start with the text come first
//   - the typed letters occur in the row, in that order
func (m *Menu) narrow() {
	typed := m.in.Value()
	want := review.Fold(typed)
	starts := func(r *Row) bool { return strings.HasPrefix(review.Fold(r.Name), want) }
	m.hits = m.rows(func(r *Row) bool { return typed != "" && slices.Contains(strings.Fields(r.Key), typed) })
	if len(m.hits) == 0 {
		m.hits = m.rows(func(r *Row) bool { _, ok := r.argument(typed); return ok })
		if len(m.hits) > 0 {
			m.hits = append(m.rows(starts), m.hits...)
		}
	}
	if len(m.hits) == 0 {
		words := func(r *Row) bool { return hasWords(r.searchText(), want) }
		m.hits = m.rows(func(r *Row) bool { return starts(r) && words(r) })
		m.hits = append(m.hits, m.rows(func(r *Row) bool { return !starts(r) && words(r) })...)
	}
	if len(m.hits) == 0 {
		m.hits = m.rows(func(r *Row) bool { return hasLetters(r.searchText(), want) })
	}
	m.list.Len = len(m.hits)
	m.list.To(0)
}

// rows returns the indices of the matching rows.
func (m *Menu) rows(match func(*Row) bool) (hits []int) {
	for i := range m.Rows {
		if match(&m.Rows[i]) {
			hits = append(hits, i)
		}
	}
	return hits
}

// searchText returns the text in which words are searched, as review.Fold writes it.
func (r *Row) searchText() string { return review.Fold(r.Key + " " + r.Name + " " + r.Text) }

// hasWords reports whether every word of want occurs in have.
func hasWords(have, want string) bool {
	for w := range strings.FieldsSeq(want) {
		if !strings.Contains(have, w) {
			return false
		}
	}
	return true
}

// hasLetters reports whether the letters of want occur in have in that order.
func hasLetters(have, want string) bool {
	for _, r := range want {
		_, rest, ok := strings.Cut(have, string(r))
		if !ok {
			return false
		}
		have = rest
	}
	return true
}

// View draws the menu.
func (m *Menu) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 90)
	s.input(&m.in, th.Key.Render("› "), true)
	s.add("")
	m.list.Resize(len(m.hits), min(len(m.Rows), max(1, height-8)))
	keys, names := m.columns()
	s.list(&m.list, func(i, width int) string {
		s.zones = append(s.zones, Zone{Y: len(s.lines), To: width, Row: i})
		row := m.Rows[m.hits[i]].withArgument(m.in.Value())
		return drawRow(th, row, m.chosen && i == m.list.Cursor, keys, names, width)
	})
	if len(m.hits) == 0 {
		s.dim("nothing by that name")
	}
	s.addUpTo(2 + m.list.Height)
	m.fullText(s)
	s.keysLine("type", "to search", "↑↓", "move", "enter", m.Hint, "esc", "close")
	return s.view(m.Title, height, 0, 2)
}

// columns returns the widths of the keys and of the names in cells.
func (m *Menu) columns() (keys, names int) {
	for _, r := range m.Rows {
		keys = max(keys, term.Width(r.Key))
		names = max(names, term.Width(r.label()))
	}
	return keys, names
}

// withArgument returns the row with the typed argument as its text.
func (r Row) withArgument(typed string) Row {
	if text, ok := r.argument(typed); ok && strings.TrimSpace(text) != "" {
		r.Text = "“" + term.Safe(term.Clip(strings.TrimSpace(text), 300)) + "”"
	}
	return r
}

// label returns the name with its argument.
func (r *Row) label() string { return strings.TrimSpace(r.Name + " " + r.Args) }

// fullText adds two lines with the text of the row under the cursor, which its own line may cut.
func (m *Menu) fullText(s *sheet) {
	if keys, _ := m.columns(); keys == 0 {
		return
	}
	lines := []string{"", ""}
	if m.chosen && m.list.Cursor < len(m.hits) {
		copy(lines, term.Wrap(m.Rows[m.hits[m.list.Cursor]].Text, s.width))
	}
	for _, line := range lines {
		s.add(s.th.Dim.Render(line))
	}
}

func drawRow(th *theme.Theme, r Row, here bool, keys, names, width int) string {
	key, name := "", term.Pad(r.label(), names+2)
	if keys > 0 {
		key = term.Pad(r.Key, keys+2)
	}
	if here {
		return th.Selected.Render(term.Pad("▌ "+key+name+r.Text, width))
	}
	return term.Truncate("  "+th.Key.Render(key)+name+th.Dim.Render(r.Text), width)
}
