package console

import (
	"cmp"
	"fmt"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/widget"
)

// The smallest terminal in which a URL can be judged.
const (
	minWidth  = 40
	minHeight = 10
)

// View returns the screen that the last Update drew.
func (m *Model) View() tea.View { return m.frame }

// draw draws the screen. Update does it last, so that lists and texts know their height when the next key comes.
func (m *Model) draw() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: m.title()}
	v.KeyboardEnhancements.ReportEventTypes = true // a terminal that can tells a held key from presses
	if m.opts.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.width == 0 {
		return v
	}
	if m.tiny() {
		v.SetContent(m.tooSmall())
		return v
	}
	var screen string
	switch d := m.dialog.(type) {
	case nil:
		screen = m.screen()
		v.Cursor = parked(screen, image.Pt(0, 1))
	case *dialog.Search:
		screen, v.Cursor = m.withSearch(d)
	default:
		screen, v.Cursor = m.overlay(m.screen())
	}
	v.SetContent(screen)
	return v
}

// screen is the screen without a dialog.
func (m *Model) screen() string {
	message := m.messageLines()
	body := m.tab().view(m.canvas, m.height-3-len(message))
	return strings.Join([]string{m.header(), body, strings.Join(message, "\n"), m.status(), m.footer()}, "\n")
}

// withSearch is the screen with a search at its foot, in place of the messages and the keys.
func (m *Model) withSearch(d *dialog.Search) (string, *tea.Cursor) {
	d.SetFound(m.lookup.found())
	v := d.View(m.th, m.width, dialog.SearchHeight)
	body := m.tab().view(m.canvas, m.height-2-dialog.SearchHeight)
	screen := strings.Join([]string{m.header(), body, m.status(), v.Content}, "\n")
	return screen, m.placed(v, 0, m.height-dialog.SearchHeight)
}

// placed keeps the zones of a dialog and returns its cursor, both by their place on the screen.
func (m *Model) placed(v dialog.View, x, y int) *tea.Cursor {
	m.zones = m.zones[:0]
	for _, z := range v.Zones {
		z.Y, z.From, z.To = z.Y+y, z.From+x, z.To+x
		m.zones = append(m.zones, z)
	}
	if v.Cursor != nil {
		return tea.NewCursor(x+v.Cursor.X, y+v.Cursor.Y)
	}
	c := parked(v.Content, image.Pt(2, 1))
	c.X, c.Y = c.X+x, c.Y+y
	return c
}

// tiny reports whether the terminal is known to be too small.
func (c canvas) tiny() bool { return c.width > 0 && (c.width < minWidth || c.height < minHeight) }

// title is the title of the window, which the renderer does not sanitise.
func (m *Model) title() string {
	title := "visto"
	if it := m.detail.subject(); it != nil {
		title += ": " + pane.Shown(it)
	}
	return term.Safe(term.Clip(title, 120))
}

func (m *Model) tooSmall() string {
	text := m.keyed("visto needs %d by %d cells; this is %d by %d. {quit} quits")
	lines := term.Wrap(fmt.Sprintf(text, minWidth, minHeight, m.width, m.height), m.width)
	lines = lines[:min(len(lines), m.height)]
	for i := range lines {
		lines[i] = term.Truncate(lines[i], m.width)
	}
	return strings.Join(lines, "\n")
}

// overlayMargin is the number of columns beside a dialog.
const overlayMargin = 2

// overlay draws the dialog over the middle of the screen, or higher where it would cover a message.
func (m *Model) overlay(screen string) (string, *tea.Cursor) {
	room := m.height - 2
	if m.message.text != "" {
		room -= len(m.messageLines())
	}
	v := m.dialog.View(m.th, m.width-overlayMargin, room)
	top, below, _ := strings.Cut(v.Content, "\n") // all lines of a box are as wide
	x := (m.width - term.Width(top)) / 2
	height := 2 + strings.Count(below, "\n")
	y := (m.height - height) / 2
	if m.message.text != "" {
		y = max(0, min(y, room-height))
	}
	return widget.Over(screen, v.Content, x, y), m.placed(v, x, y)
}

// brand begins the line of the tabs.
const brand = " visto  "

// header is the line of the tabs, with the number of marks and the position in the queue at its end. Without room for
// all it leaves out the position, and cuts the tabs rather than the marks: one key decides on all that is marked.
func (m *Model) header() string {
	var b strings.Builder
	b.WriteString(m.th.Accent.Render(brand))
	for i, text := range m.tabTexts() {
		if m.onTab(tabs[i]) {
			b.WriteString(m.th.ActiveTab.Render(text))
		} else {
			b.WriteString(m.th.Tab.Render(text))
		}
	}
	marks, place := m.marks(), ""
	if m.scope&(inQueue|opened) != 0 {
		place = m.queue.place()
	}
	if term.Width(b.String()+marks+place) >= m.width {
		place = ""
	}
	tabs := term.Truncate(b.String(), max(0, m.width-term.Width(marks)-1))
	return ends(tabs, m.th.Dim.Render(marks+place), m.width)
}

// tabTexts are the tabs in the header, in their order. Where there is no room for all names, only the tab on screen has
// its name.
func (m *Model) tabTexts() []string {
	long, short := make([]string, len(tabs)), make([]string, len(tabs))
	for i, t := range tabs {
		long[i], short[i] = " "+t.key+" "+t.name+" ", " "+t.key+" "
		if m.onTab(t) {
			long[i] = "[" + t.key + " " + t.name + "]"
			short[i] = long[i]
		}
	}
	if term.Width(brand+strings.Join(long, "")+m.marks()) >= m.width {
		return short
	}
	return long
}

// onTab reports whether a tab is on screen.
func (m *Model) onTab(t tabKey) bool {
	return t.scope == m.scope || t.scope == inQueue && m.scope&opened != 0
}

// marks says how many URLs or causes of the tab are marked, if any, and how many URLs a range has.
func (m *Model) marks() string {
	switch {
	case m.scope&(inQueue|opened) != 0:
		return marked(m.queue.pane.Marks()) + ranged(m.queue.pane.InRange())
	case m.scope == inCauses:
		return marked(m.causes.pane.Marks())
	}
	return ""
}

// marked says how many URLs or causes are marked, if any.
func marked(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d marked  ", n)
}

// ranged says how many URLs a range has, if there is one. More than the list keeps in memory are not counted.
func ranged(n int, all bool) string {
	switch {
	case !all:
		return fmt.Sprintf("range of over %d  ", n)
	case n == 0:
		return ""
	}
	return fmt.Sprintf("range of %d  ", n)
}

// ends puts one text at the start of a line and one at its end. Without room for both it leaves out the second.
func ends(left, right string, width int) string {
	gap := width - term.Width(left) - term.Width(right)
	if gap < 1 {
		return term.Pad(left, width)
	}
	return left + strings.Repeat(" ", gap) + right
}

// hint is a key in the footer with its word.
type hint struct {
	key, word string
	binding   *binding
}

func (h *hint) width() int { return term.Width(h.key+h.word) + 3 }

// hints are the keys that matter here, as many as there is room for. Help is always among them.
func (m *Model) hints() []hint {
	last := hintOf(find(m.keys, "help"))
	used := last.width()
	var list []hint
	for i := range m.keys {
		k := &m.keys[i]
		if k.in&m.scope == 0 || k.foot == "" || len(k.keys) == 0 || m.refuses(k) || m.impossible(k) {
			continue
		}
		h := hintOf(k)
		if used += h.width(); used > m.width {
			break
		}
		list = append(list, h)
	}
	return append(list, last)
}

// impossible reports whether the binding is about the override or the cause under the cursor or about the page, and can
// do nothing there.
func (m *Model) impossible(b *binding) bool {
	switch b.in &^ writes {
	case inOverrides:
		return !m.overrides.possible(b.name)
	case inCauses:
		return !m.causes.possible(b.name)
	case inPage:
		return !m.page.possible(b.name)
	}
	return false
}

func hintOf(b *binding) hint {
	h := hint{word: cmp.Or(b.foot, strings.ToLower(b.name)), binding: b}
	if len(b.keys) > 0 {
		h.key = shownKey(b.keys[0])
	}
	return h
}

// footer draws the hints.
func (m *Model) footer() string {
	var b strings.Builder
	for _, h := range m.hints() {
		b.WriteString(" " + m.th.Key.Render(h.key) + " " + m.th.Dim.Render(h.word) + " ")
	}
	return term.Truncate(b.String(), m.width)
}
