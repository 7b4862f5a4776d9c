package console

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
	"visto/ui/wording"
)

// detailTab is the page of one URL: the one under the cursor of the queue, or one that was opened from another page. It
// is also drawn beside the list.
type detailTab struct {
	*session
	desk    desk.Items
	queue   *queueTab
	probes  *probes
	pane    pane.Detail
	visited []review.Item // opened from the page of another URL, the last one on screen

	walk       []int64 // the records whose URLs the last visit goes through; nil: it does not
	walkedFrom int64   // the item at which that began

	loading  int64 // the item being read; 0: none
	read     int64 // the item that was last read, also if that failed
	readRev  int64
	stale    bool // it is read again with the next page of the queue
	aroundOn bool // the surroundings are being read
	find     *review.Finder
}

func newDetailTab(s *session, d desk.Items, q *queueTab, p *probes) *detailTab {
	t := &detailTab{session: s, desk: d, queue: q, probes: p}
	t.pane.Keyed = s.keyed
	p.changed = func(id int64, run *pane.Probe) {
		if shown, _ := t.pane.ID(); shown == id {
			t.pane.SetProbe(id, run)
		}
	}
	return t
}

// subject is the URL that keys are about: the visited one, or the one under the cursor of the queue.
func (t *detailTab) subject() *review.Item {
	if n := len(t.visited); n > 0 && t.scope&opened != 0 {
		return &t.visited[n-1]
	}
	return t.queue.pane.Current()
}

// noSubject says why keys are about no URL.
func (t *detailTab) noSubject() string {
	if t.queue.pending || t.queue.reading.waiting {
		return "the list is still being read"
	}
	return "there is no URL here"
}

// ofQueue reports whether the queue or the opened URL under its cursor is on screen.
func (t *detailTab) ofQueue() bool {
	return t.scope == inQueue || t.scope&opened != 0 && len(t.visited) == 0
}

// data is the detail of the subject, or nil while another one is on screen.
func (t *detailTab) data() *review.Detail {
	it, d := t.subject(), t.pane.Data()
	if it == nil || d == nil || d.Item.ID != it.ID {
		return nil
	}
	return d
}

// follow reads the detail of the subject if the pane has another one or an older revision. The root calls it after
// every message.
func (t *detailTab) follow() tea.Cmd {
	if t.find != t.queue.find {
		t.find = t.queue.find
		t.pane.SetFinder(t.find)
	}
	it := t.subject()
	if it == nil {
		t.pane.Set(nil)
		t.read = 0
		return nil
	}
	again := t.stale && !t.queue.pending
	if t.loading != 0 || !again && t.read == it.ID && t.readRev == it.Rev {
		return nil
	}
	t.loading, t.stale = it.ID, t.stale && !again
	id := it.ID
	return ask(func() (*review.Detail, error) { return t.desk.Detail(t.ctx, id) },
		func(d *review.Detail, err error) tea.Cmd { return t.take(id, d, err) })
}

func (t *detailTab) take(id int64, d *review.Detail, err error) tea.Cmd {
	t.loading = 0
	it := t.subject()
	if it == nil || it.ID != id { // the cursor has moved on
		return nil
	}
	t.read, t.readRev = it.ID, it.Rev
	if err != nil {
		t.pane.Fail(wording.Error(err))
		return nil
	}
	t.pane.Set(d)
	if t.queue.awaited == id {
		if t.queue.awaited = 0; t.scope&opened != 0 {
			t.arrive(&t.queue.came) // it can be read from now on
		}
	}
	t.pane.SetProbe(it.ID, t.probes.of(it.ID))
	if n := len(t.visited); n > 0 && t.visited[n-1].ID == id {
		t.visited[n-1] = d.Item
		t.readRev = d.Item.Rev
	}
	return t.loadAround()
}

// loadAround reads the surroundings of the opened URL, unless they are known.
func (t *detailTab) loadAround() tea.Cmd {
	id, rev := t.pane.ID()
	if t.scope&opened == 0 || id == 0 || t.aroundOn || t.pane.Around() != nil {
		return nil
	}
	t.aroundOn = true
	return ask(func() (*review.Surroundings, error) { return t.desk.Surroundings(t.ctx, id) },
		func(a *review.Surroundings, err error) tea.Cmd {
			t.aroundOn = false
			if err != nil {
				return t.warn(wording.Error(err))
			}
			if nowID, nowRev := t.pane.ID(); nowID != id || nowRev != rev {
				return t.loadAround()
			}
			t.pane.SetAround(a)
			return nil
		})
}

func (t *detailTab) load() tea.Cmd { return nil }

func (t *detailTab) move(motion widget.Motion) tea.Cmd {
	t.pane.Scroll(motion)
	return nil
}

func (t *detailTab) click(int) (again bool, cmd tea.Cmd) { return false, nil }

// view draws the opened URL with a margin, and signs where there is more of it.
func (t *detailTab) view(c canvas, height int) string {
	text := t.pane.View(c.th, min(c.width-4, 200), height)
	above, below := t.pane.More()
	return margins(c.th, text, above, below)
}

// margins puts a margin of two cells before each line, with signs where there is more of the text.
func margins(th *theme.Theme, text string, above, below bool) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		margin := "  "
		switch {
		case i == 0 && above:
			margin = th.Dim.Render("↑ ")
		case i == len(lines)-1 && below:
			margin = th.Dim.Render("↓ ")
		}
		lines[i] = margin + lines[i]
	}
	return strings.Join(lines, "\n")
}

// openCurrent opens the URL under the cursor.
func (t *detailTab) openCurrent() tea.Cmd {
	if t.queue.pane.Current() == nil {
		return nil
	}
	t.scope, t.visited, t.walk = inDetail, nil, nil
	return t.loadAround()
}

// back returns to the page that a visit began at, or to the list.
func (t *detailTab) back() tea.Cmd {
	if !t.endVisit() {
		t.scope = inQueue
		t.pane.Scroll(widget.Top)
	}
	return nil
}

// step goes to a neighbour of the opened URL.
func (t *detailTab) step(motion widget.Motion) tea.Cmd {
	t.visited, t.walk = nil, nil
	return t.queue.move(motion)
}

// endVisit ends a visit and reports whether there was one.
func (t *detailTab) endVisit() bool {
	n := len(t.visited)
	t.visited, t.walk = t.visited[:max(0, n-1)], nil
	return n > 0
}

func (t *detailTab) section(by int) tea.Cmd {
	t.pane.Section(by)
	return nil
}

func (t *detailTab) toggleTrace() tea.Cmd {
	if t.pane.ToggleTrace() {
		return t.say("the trace, step by step")
	}
	return t.say("the trace in short")
}

// toggleCollapse collapses long URLs, or shows them whole.
func (t *detailTab) toggleCollapse() tea.Cmd {
	if t.pane.ToggleCollapse() {
		return t.say("long URLs are folded")
	}
	return t.say("URLs are shown whole")
}

// askRelated lists the other originals of the page and the neighbours on the host.
func (t *detailTab) askRelated() tea.Cmd {
	d, around := t.pane.Data(), cmp.Or(t.pane.Around(), &review.Surroundings{})
	if d == nil {
		return nil
	}
	menu := &dialog.Menu{Title: "Related URLs", Hint: "open it"}
	add := func(relation string, it review.Item) {
		short := pane.Shown(&it)
		if path, ok := strings.CutPrefix(short, "https://"+d.Item.Computed.Host); ok && strings.HasPrefix(path, "/") {
			short = path
		}
		menu.Rows = append(menu.Rows, dialog.Row{
			Key: pane.StatusSign(&it), Name: term.Middle(wording.Safe(short), 60),
			Text: fmt.Sprintf("%s, %d", relation, it.ID),
			Do: t.closing(func() tea.Cmd {
				t.visited, t.walk = append(t.visited, it), nil
				return nil
			}),
		})
	}
	for _, it := range d.Twins {
		add("the same page", it)
	}
	for _, it := range around.Near {
		add("near it", it)
	}
	if len(menu.Rows) == 0 {
		return t.warn("no other URL of this page, or near it, is stored")
	}
	return t.openMenu(menu, 0)
}
