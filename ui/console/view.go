package console

import (
	"cmp"
	"fmt"
	"slices"
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

// View hands out what the last Update has drawn.
func (m *Model) View() tea.View { return m.frame }

// draw draws the screen from what is there. It is the last thing that Update does, so that lists and texts know how
// much of them is in view when the next key comes.
func (m *Model) draw() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: m.title()}
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
	case *dialog.Search:
		screen, v.Cursor = m.withSearch(d)
	default:
		screen, v.Cursor = m.overlay(m.screen())
	}
	v.SetContent(screen)
	return v
}

// screen is what is shown without a dialog.
func (m *Model) screen() string {
	said := m.messageLines()
	return strings.Join([]string{m.header(), m.body(m.height - 3 - len(said)), strings.Join(said, "\n"), m.status(), m.footer()}, "\n")
}

// withSearch is the screen with a search at its foot, in the place of the messages and of the keys, which are text there.
func (m *Model) withSearch(d *dialog.Search) (string, *tea.Cursor) {
	d.SetFound(m.lookup.found(m))
	v := d.View(m.th, m.width, dialog.SearchHeight)
	body := m.body(m.height - 2 - dialog.SearchHeight)
	return strings.Join([]string{m.header(), body, m.status(), v.Content}, "\n"), m.placed(v, 0, m.height-dialog.SearchHeight)
}

// placed notes where a dialog is, and returns its cursor on the screen.
func (m *Model) placed(v dialog.View, x, y int) *tea.Cursor {
	m.zones = m.zones[:0]
	for _, z := range v.Zones {
		z.Y, z.From, z.To = z.Y+y, z.From+x, z.To+x
		m.zones = append(m.zones, z)
	}
	if v.Cursor == nil {
		return nil
	}
	return tea.NewCursor(x+v.Cursor.X, y+v.Cursor.Y)
}

// tiny reports whether the terminal is known to be too small for anything to be judged in it.
func (m *Model) tiny() bool { return m.width > 0 && (m.width < minWidth || m.height < minHeight) }

// title is the window's, which the renderer does not sanitise.
func (m *Model) title() string {
	title := "visto"
	if it := m.subject(); it != nil {
		title += ": " + pane.Shown(it)
	}
	return term.Safe(term.Clip(title, 120))
}

func (m *Model) tooSmall() string {
	lines := term.Wrap(fmt.Sprintf(m.keyed("visto needs %d by %d cells; this is %d by %d. {quit} quits"), minWidth, minHeight, m.width, m.height), m.width)
	lines = lines[:min(len(lines), m.height)]
	for i := range lines {
		lines[i] = term.Truncate(lines[i], m.width)
	}
	return strings.Join(lines, "\n")
}

// overlay draws the dialog over the middle of the screen.
func (m *Model) overlay(screen string) (string, *tea.Cursor) {
	v := m.dialog.View(m.th, m.width-2, m.height-2)
	top, _, _ := strings.Cut(v.Content, "\n") // all lines of a box are as wide
	x := (m.width - term.Width(top)) / 2
	y := max(0, (m.height-strings.Count(v.Content, "\n")-1)/2)
	return widget.Over(screen, v.Content, x, y), m.placed(v, x, y)
}

// brand begins the line of the tabs.
const brand = " visto  "

// header is the line of the tabs, with the place in the queue at its end.
func (m *Model) header() string {
	var b strings.Builder
	b.WriteString(m.th.Accent.Render(brand))
	for _, t := range tabs {
		text := t.key + " " + t.name
		if t.scope == m.scope || t.scope == inQueue && m.scope == inDetail {
			b.WriteString(m.th.ActiveTab.Render("[" + text + "]"))
		} else {
			b.WriteString(m.th.Tab.Render(" " + text + " "))
		}
	}
	return ends(b.String(), m.th.Dim.Render(m.place()), m.width)
}

// place says where in the queue the cursor is.
func (m *Model) place() string {
	if m.scope&onItem == 0 {
		return ""
	}
	if m.inquiry.waiting {
		return "searching… "
	}
	var text string
	total := m.queue.Total()
	if at := m.queue.Position(); at > 0 && total >= 0 {
		text = fmt.Sprintf("%d of %d ", at, total)
	} else if total >= 0 {
		text = counted(total) + " "
	}
	if n := m.queue.Marks(); n > 0 {
		text = fmt.Sprintf("%d marked  ", n) + text
	}
	return text
}

// ends puts one text at the start of a line and one at its end; where there is no room for both, the first wins.
func ends(left, right string, width int) string {
	gap := width - term.Width(left) - term.Width(right)
	if gap < 1 {
		return term.Pad(left, width)
	}
	return left + strings.Repeat(" ", gap) + right
}

// hint is a key in the footer: what it does there, and how wide that is drawn.
type hint struct {
	key, word string
	index     int // of the binding
}

func (h *hint) width() int { return term.Width(h.key+h.word) + 3 }

// hints are the keys that matter here, as many as there is room for; help is always there. What may not be done is not offered.
func (m *Model) hints() []hint {
	last := m.hintOf(slices.IndexFunc(m.keys, func(b binding) bool { return b.id() == "help" }))
	used := last.width()
	var list []hint
	for i := range m.keys {
		k := &m.keys[i]
		if k.in&m.scope == 0 || k.foot == "" || len(k.keys) == 0 || m.refuses(k) || m.needsOverride(k) {
			continue
		}
		h := m.hintOf(i)
		if used+h.width() > m.width {
			break
		}
		used += h.width()
		list = append(list, h)
	}
	return append(list, last)
}

// needsOverride reports whether the binding is about the override under the cursor, and there is none.
func (m *Model) needsOverride(b *binding) bool {
	_, any := m.overrides.Current()
	return b.in&^writes == inOverrides && !any
}

func (m *Model) hintOf(i int) hint {
	b := &m.keys[i]
	h := hint{word: cmp.Or(b.foot, strings.ToLower(b.name)), index: i}
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

func (m *Model) body(height int) string {
	switch m.scope {
	case inDetail:
		return m.wholeDetail(height)
	case inCauses:
		return m.causes.View(m.th, m.causeKeyNames(), m.width, height)
	case inOverrides:
		return m.overrides.View(m.th, m.width, height)
	case inLog:
		return m.log.View(m.th, m.width, height)
	case inStats:
		return m.stats.View(m.th, m.width, height)
	}
	return m.queueBody(height)
}

// The layout of the queue: with the URL beside the list, below it, or without.
const (
	besideWidth   = 110 // of the screen, from which there is room beside the list
	belowHeight   = 16  // of the body, from which there is room below it
	previewHeight = 8
)

func (m *Model) queueBody(height int) string {
	switch {
	case m.width >= besideWidth:
		return m.besideBody(height)
	case height >= belowHeight:
		list := m.queue.View(m.th, m.width, height-previewHeight, m.emptyText())
		return list + "\n" + m.rule() + "\n" + m.detail.Preview(m.th, m.width, previewHeight-1)
	}
	return m.queue.View(m.th, m.width, height, m.emptyText())
}

func (m *Model) rule() string { return m.th.Border.Render(strings.Repeat("─", m.width)) }

func (m *Model) besideBody(height int) string {
	left := m.width / 2
	right := m.width - left - 3
	list := strings.Split(m.queue.View(m.th, left, height, m.emptyText()), "\n")
	text := strings.Split(m.detail.View(m.th, right, height), "\n")
	for i := range list {
		list[i] = term.Pad(list[i], left) + m.th.Border.Render(" │ ") + text[i]
	}
	return strings.Join(list, "\n")
}

// wholeDetail is the opened URL with a margin, and a sign where there is more of it.
func (m *Model) wholeDetail(height int) string {
	width := min(m.width-4, 140)
	lines := strings.Split(m.detail.View(m.th, width, height), "\n")
	above, below := m.detail.More()
	for i := range lines {
		margin := "  "
		switch {
		case i == 0 && above:
			margin = m.th.Dim.Render("↑ ")
		case i == len(lines)-1 && below:
			margin = m.th.Dim.Render("↓ ")
		}
		lines[i] = margin + lines[i]
	}
	return strings.Join(lines, "\n")
}

// emptyText says why the queue shows nothing, and what to do.
func (m *Model) emptyText() string {
	switch {
	case m.narrowedDown():
		return m.keyed("Nothing matches this filter. {clear} shows what waits for a person again.")
	case m.totals != nil && m.totals.Items == 0:
		return m.keyed("There are no URLs yet. Leave with {quit} and add some: visto add FILE.")
	}
	return m.keyed("Nothing waits for a person any more. {facets} shows the other URLs, {stats} the counts; visto export writes the registry.")
}
