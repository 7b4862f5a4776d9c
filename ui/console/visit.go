package console

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/widget"
)

func detailKeys() []binding {
	return []binding{
		{[]string{"c"}, "Choose another URL", "take another form of the URL, the Spanish page, a redirect's URL: what there is, each checked and compared", "choose", onItem | writes, (*Model).askChoose},
		{[]string{"m"}, "Related URLs", "open another original of this page, or a neighbour on the host; esc comes back", "related", inDetail, (*Model).askRelated},
		{[]string{"J"}, "Next section", "to the next section of the page", "", inDetail, func(m *Model) tea.Cmd { return m.section(1) }},
		{[]string{"K"}, "Previous section", "to the section before", "", inDetail, func(m *Model) tea.Cmd { return m.section(-1) }},
		{[]string{"Z"}, "Fold", "long URLs: whole, or only their ends and what changed", "", onItem, (*Model).fold},
	}
}

// subject is the URL that keys are about: the one that was opened from another one's page, else the one under the cursor.
func (m *Model) subject() *review.Item {
	if n := len(m.visited); n > 0 && m.scope == inDetail {
		return &m.visited[n-1]
	}
	return m.queue.Current()
}

// visit opens a URL from the page of another one.
type visit struct{ item review.Item }

func (m *Model) visit(v visit) tea.Cmd {
	m.closeDialog()
	m.visited = append(m.visited, v.item)
	return m.follow()
}

// endVisit ends a visit and reports whether there was one.
func (m *Model) endVisit() bool {
	n := len(m.visited)
	if n > 0 {
		m.visited = m.visited[:n-1]
	}
	return n > 0
}

// lookAround reads what surrounds the opened URL, unless it is known.
func (m *Model) lookAround() tea.Cmd {
	id, rev := m.detail.ID()
	if m.scope != inDetail || id == 0 || m.loading.around || m.detail.Around() != nil {
		return nil
	}
	m.loading.around = true
	return func() tea.Msg {
		a, err := m.desk.Surroundings(m.ctx, id)
		return aroundAnswer{id, rev, a, err}
	}
}

type aroundAnswer struct {
	id, rev int64
	around  *review.Surroundings
	err     error
}

func (a aroundAnswer) take(m *Model) tea.Cmd {
	m.loading.around = false
	if a.err != nil {
		m.warn(plainError(a.err))
		return nil
	}
	if id, rev := m.detail.ID(); id != a.id || rev != a.rev {
		return m.lookAround()
	}
	m.detail.SetAround(a.around)
	return nil
}

func (m *Model) section(by int) tea.Cmd {
	m.detail.Section(by)
	return nil
}

func (m *Model) fold() tea.Cmd {
	if m.detail.ToggleCollapse() {
		m.say("long URLs are folded")
	} else {
		m.say("URLs are shown whole")
	}
	return nil
}

// askChoose offers what could be cited in the place of the URL.
func (m *Model) askChoose() tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		d := m.detail.Data()
		if d == nil || d.Item.ID != it.ID {
			m.warn("this URL is still being read")
			return nil
		}
		if len(d.Alternatives) == 0 {
			m.warn(m.keyed("nothing else is known that could be cited: {correct} enters a URL"))
			return nil
		}
		c := &dialog.Choose{From: d.Result.Canonical, Submit: func(url string) dialog.Action {
			return decide{choice: review.Choice{Kind: review.Correct, Canonical: url}, targets: targetOf(&it)}
		}}
		for _, a := range d.Alternatives {
			c.Options = append(c.Options, dialog.Option{Text: a.Label, URL: a.URL})
		}
		m.open(c)
		return m.act(c.First())
	})
}

// askRelated lists the other originals of the page and the neighbours on the host.
func (m *Model) askRelated() tea.Cmd {
	d, around := m.detail.Data(), m.detail.Around()
	if d == nil {
		return nil
	}
	menu := &dialog.Menu{Title: "Related URLs", Hint: "open it"}
	row := func(what string, it review.Item) {
		short := strings.TrimPrefix(pane.Shown(&it), "https://"+d.Item.Computed.Host) // they have it in common
		name := term.Middle(safeText(short), 60)
		menu.Rows = append(menu.Rows, dialog.Row{Key: pane.StatusSign(&it), Name: name, Text: fmt.Sprintf("%s, %d", what, it.ID), Do: visit{it}})
	}
	for _, it := range d.Twins {
		row("the same page", it)
	}
	if around != nil {
		for _, it := range around.Near {
			row("near it", it)
		}
	}
	if len(menu.Rows) == 0 {
		m.warn("no other URL of this page, or near it, is stored")
		return nil
	}
	m.openMenu(menu, 0)
	return nil
}

func (m *Model) closeDetail() tea.Cmd {
	if m.endVisit() {
		return m.follow()
	}
	m.scope = inQueue
	m.detail.Scroll(widget.Top)
	return nil
}

func (m *Model) openDetail() tea.Cmd {
	if m.queue.Current() == nil {
		return nil
	}
	m.scope, m.visited = inDetail, nil
	return m.lookAround()
}
