package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Menu is a list that is narrowed by typing: the command palette, help, the orders.
type Menu struct {
	Title string
	Hint  string // what enter does
	Rows  []Row

	in     widget.Input
	list   widget.List
	hits   []int
	chosen bool // a row is: enter does it
}

// Row is one line of a menu.
type Row struct {
	Key  string // shown before the name
	Name string
	Text string // shown after it
	Do   Action // nil: a line to read only

	// Args names what may be typed after the name, and Take is what is done with it.
	Args string
	Take func(text string) Action
}

// Start makes the menu ready and returns it; the cursor is on row at. With a negative one no row is chosen, and enter
// does nothing, until the reviewer types or moves: what stands first is done by nobody who only came to read.
func (m *Menu) Start(at int) *Menu {
	m.in = widget.NewInput("")
	m.narrow()
	m.list.Height = len(m.Rows)
	m.list.Len = len(m.Rows)
	m.list.To(at)
	m.chosen = at >= 0
	return m
}

// Typing reports that letters are text.
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

// enter does the row under the cursor. One that wants a text after its name is typed out, for the text to follow.
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

// Pick chooses a row, and does it if it was chosen.
func (m *Menu) Pick(row int) Action {
	if m.chosen && m.list.Cursor == row {
		return m.enter()
	}
	m.list.To(row)
	m.chosen = true
	return nil
}

// argument is what was typed after the name of a row that takes it.
func (r *Row) argument(typed string) (text string, ok bool) {
	n := len(r.Name)
	if r.Take == nil || len(typed) <= n || !strings.EqualFold(typed[:n], r.Name) || typed[n] != ' ' {
		return "", false
	}
	return typed[n+1:], true
}

// motionOf are the keys that move in a list in which letters are text.
func motionOf(msg tea.Msg) (widget.Motion, bool) {
	switch {
	case isKey(msg, "down", "ctrl+n"), wheel(msg) > 0:
		return widget.Down, true
	case isKey(msg, "up", "ctrl+p"), wheel(msg) < 0:
		return widget.Up, true
	case isKey(msg, "pgdown"):
		return widget.PageDown, true
	case isKey(msg, "pgup"):
		return widget.PageUp, true
	}
	return 0, false
}

// wheel returns -1 and 1 for a turn of the wheel up and down, else 0.
func wheel(msg tea.Msg) int {
	w, ok := msg.(tea.MouseWheelMsg)
	switch {
	case ok && w.Button == tea.MouseWheelUp:
		return -1
	case ok && w.Button == tea.MouseWheelDown:
		return 1
	}
	return 0
}

// narrow keeps the rows with the typed key; else the row whose name was typed with a text after it, behind those whose name goes on
// as the text does; else those in which every typed word occurs; and without such those with the letters in that order.
func (m *Menu) narrow() {
	typed := m.in.Value()
	want := strings.ToLower(typed)
	m.hits = m.rows(func(r *Row) bool { return typed != "" && slices.Contains(strings.Fields(r.Key), typed) })
	if len(m.hits) == 0 {
		m.hits = m.rows(func(r *Row) bool { _, ok := r.argument(typed); return ok })
		if len(m.hits) > 0 {
			longer := m.rows(func(r *Row) bool { return strings.HasPrefix(strings.ToLower(r.Name), want) })
			m.hits = append(longer, m.hits...)
		}
	}
	if len(m.hits) == 0 {
		m.hits = m.rows(func(r *Row) bool { return hasWords(r.searchText(), want) })
		slices.SortStableFunc(m.hits, func(a, b int) int { return m.Rows[a].rank(want) - m.Rows[b].rank(want) })
	}
	if len(m.hits) == 0 {
		m.hits = m.rows(func(r *Row) bool { return hasLetters(r.searchText(), want) })
	}
	m.list.Len = len(m.hits)
	m.list.To(0)
}

// rows are the indices of those that match.
func (m *Menu) rows(match func(*Row) bool) (hits []int) {
	for i := range m.Rows {
		if match(&m.Rows[i]) {
			hits = append(hits, i)
		}
	}
	return hits
}

// rank is 0 for a row whose name begins as was typed, which stands before the others.
func (r *Row) rank(want string) int {
	if strings.HasPrefix(strings.ToLower(r.Name), want) {
		return 0
	}
	return 1
}

// searchText is the text of a row that words are looked for in.
func (r *Row) searchText() string { return strings.ToLower(r.Key + " " + r.Name + " " + r.Text) }

func hasWords(have, want string) bool {
	for w := range strings.FieldsSeq(want) {
		if !strings.Contains(have, w) {
			return false
		}
	}
	return true
}

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
	from, to := m.list.Visible()
	for i := from; i < to; i++ {
		s.zones = append(s.zones, Zone{Y: len(s.lines), To: s.width, Row: i})
		s.add(drawRow(th, m.Rows[m.hits[i]].withArgument(m.in.Value()), m.chosen && i == m.list.Cursor, keys, names, s.width))
	}
	if len(m.hits) == 0 {
		s.dim("nothing by that name")
	}
	for len(s.lines) < 2+m.list.Height {
		s.add("")
	}
	m.fullText(s)
	s.keysLine("type", "to search", "↑↓", "move", "enter", m.Hint, "esc", "close")
	return s.view(m.Title, height, 0, 2)
}

// columns are the widths of the keys and of the names.
func (m *Menu) columns() (keys, names int) {
	for _, r := range m.Rows {
		keys = max(keys, term.Width(r.Key))
		names = max(names, term.Width(r.label()))
	}
	return keys, names
}

// withArgument is the row with what was typed after its name, so that it says what enter does.
func (r Row) withArgument(typed string) Row {
	if text, ok := r.argument(typed); ok && strings.TrimSpace(text) != "" {
		r.Text = "“" + term.Safe(term.Clip(strings.TrimSpace(text), 300)) + "”"
	}
	return r
}

// label is the name with what may follow it.
func (r *Row) label() string { return strings.TrimSpace(r.Name + " " + r.Args) }

// fullText says in two lines at the foot all about the row under the cursor, whose text its line may have no room for.
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
	mark := "  "
	if here {
		mark = "▌ "
	}
	key, name := "", term.Pad(r.label(), names+2)
	if keys > 0 {
		key = term.Pad(r.Key, keys+2)
	}
	if here {
		return th.Selected.Render(term.Pad(mark+key+name+r.Text, width))
	}
	return term.Truncate(mark+th.Key.Render(key)+name+th.Dim.Render(r.Text), width)
}
