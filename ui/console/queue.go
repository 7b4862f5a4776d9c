package console

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"strings"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/widget"
	"visto/ui/wording"
)

// queueDesk is the part of the desk that the queue reads.
type queueDesk interface {
	desk.Queue
	desk.Items
}

// queueTab is the tab of the queue: the filter and the order, the page around the cursor, and the counts.
type queueTab struct {
	*session
	desk   queueDesk
	probes *probes
	pane   *pane.Queue

	shown  request
	before *request // the request that "only marked" or the URLs of a record have replaced; nil: they have not
	resume int64    // the item to begin at; 0: the first one
	totals *review.Totals
	theirs int             // of its open URLs: those that wait for another person, after this one
	find   *review.Finder  // marks the search text
	chosen []review.Column // by the reviewer or with a view; none: those of the configuration

	reading  queryScope
	pageSeq  int        // the newest request for a page
	countSeq int        // the newest request for a count
	wanted   pane.Place // of the newest request for a page
	pending  bool       // that page has not come
	ownWrite bool       // that page follows a write of this console
	empty    bool       // the newest page has no URL
	rows     int        // the height of the screen; 0: not known
	came     arrived
	awaited  int64 // the item that then came under the cursor; 0: its facts are on screen
}

// request is a filter and an order for the queue.
type request struct {
	query review.Query
	cause string     // describes the filter if a cause made it
	today bool       // the filter is for the decisions of the present day
	view  string     // the name of the view if it is one
	place pane.Place // of the cursor
}

// queryScope bounds the readings for one filter and order. The next request cancels them: a search without an index
// goes through all URLs.
type queryScope struct {
	ctx        context.Context
	cancel     context.CancelFunc
	waiting    bool // the first page has not come
	debouncing bool // nor been asked for, since the search text is still being typed
}

func newQueueTab(s *session, d queueDesk, p *probes) *queueTab {
	q := &queueTab{session: s, desk: d, probes: p, pane: pane.NewQueue()}
	q.setColumns(nil)
	q.shown.query.Filter.Open = true
	q.reading.ctx, q.reading.cancel = context.WithCancel(s.ctx)
	return q
}

// show shows a request in the queue tab.
func (q *queueTab) show(r request) tea.Cmd {
	q.change(r)
	if r.view != "" {
		q.say("view " + wording.Safe(r.view))
	}
	q.scope = inQueue
	return q.read(r.place)
}

// change cancels the readings of the present request and takes on another. It reads nothing yet.
func (q *queueTab) change(r request) {
	q.reading.cancel()
	q.pageSeq++
	q.countSeq++
	ctx, cancel := context.WithCancel(q.ctx)
	q.reading = queryScope{ctx: ctx, cancel: cancel, waiting: true}
	q.set(r)
	q.before = nil
	q.came.why = "" // the reviewer leaves the list in which a URL slipped
	q.pane.DropRange()
	q.pane.SetTotal(-1)
}

// set takes on a request and marks its search text. A bad pattern is reported where the page is read.
func (q *queueTab) set(r request) {
	q.shown = request{query: r.query, cause: r.cause, today: r.today}
	q.find, _ = r.query.Filter.Finder()
	q.pane.SetFinder(q.find)
}

// lasting is the request without "only marked".
func (q *queueTab) lasting() request {
	if q.before != nil {
		return *q.before
	}
	return q.shown
}

// again is the place to read again after a change: that of a jump whose page has not come, else that of the cursor.
func (q *queueTab) again() pane.Place {
	if w := q.wanted; q.pending && (w.Jump || w.NextOpen || w.Anchor == nil) {
		return w
	}
	return q.pane.Here()
}

// here is the place of the cursor, for another list.
func (q *queueTab) here() pane.Place {
	here := q.pane.Here()
	here.Jump = true
	return here
}

// load reads nothing: the queue is kept up to date while other tabs are shown.
func (q *queueTab) load() tea.Cmd { return nil }

func (q *queueTab) move(motion widget.Motion) tea.Cmd { return q.readIf(q.pane.Move(motion)) }

// readIf reads a page if the pane wants one.
func (q *queueTab) readIf(p pane.Place, wanted bool) tea.Cmd {
	if wanted {
		return q.readPage(p)
	}
	return nil
}

// resize takes the height of the screen.
func (q *queueTab) resize(rows int) tea.Cmd {
	q.rows = rows
	return q.readIf(q.pane.Fill(rows))
}

// goTo goes to a URL by its number. It drops a filter that hides the URL.
func (q *queueTab) goTo(text string) tea.Cmd {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return q.warn("a number is wanted, such as go 12")
	}
	one := q.shown.query.Filter
	one.IDs = []int64{id}
	var n int
	return read(q.session, func(ctx context.Context) (*review.Detail, error) {
		d, err := q.desk.Detail(ctx, id)
		if err == nil {
			n, err = q.desk.Count(ctx, one)
		}
		return d, err
	}, func(d *review.Detail) tea.Cmd {
		r := request{query: q.shown.query, cause: q.shown.cause, place: pane.Place{Anchor: &d.Item, Jump: true}}
		if n == 0 {
			r.query.Filter, r.cause = review.Filter{}, ""
			q.say(fmt.Sprintf("all URLs are shown: the filter hid URL %d", id))
		}
		return q.show(r)
	})
}

// queuePage is the tab of the queue as it is drawn: the list with the detail beside it, below it, or alone.
type queuePage struct {
	*queueTab
	detail *detailTab
	start  *start
}

const (
	besideWidth   = 110 // the width of the screen from which the detail is beside the list
	belowHeight   = 16  // the height of the body from which a preview is below the list
	previewHeight = 8
	minDetail     = 54 // the width of the detail from which it leaves room to the list
)

func (p queuePage) click(y int) (again bool, cmd tea.Cmd) {
	if p.start.shown() {
		y -= startHeight
	}
	again, hit := p.pane.Click(y)
	if !hit || again {
		return again, nil
	}
	return false, p.readIf(p.pane.Wants())
}

func (p queuePage) view(c canvas, height int) string {
	if line := p.start.line(c); line != "" {
		return line + "\n" + p.list(c, height-startHeight)
	}
	return p.list(c, height)
}

// list draws the list with the detail.
func (p queuePage) list(c canvas, height int) string {
	switch {
	case c.width >= besideWidth:
		return p.beside(c, height)
	case height >= belowHeight:
		rule := c.th.Border.Render(strings.Repeat("─", c.width))
		return p.pane.View(c.th, c.width, height-previewHeight, p.emptyText()) + "\n" + rule + "\n" +
			p.detail.pane.Preview(c.th, c.width, previewHeight-1)
	}
	return p.pane.View(c.th, c.width, height, p.emptyText())
}

// listWidth is the width of the list beside the detail: more than half of the screen, and more where rows would be cut
// and the detail does not need the room.
func (q *queueTab) listWidth(width int) int {
	half := width * 11 / 20
	return max(half, min(q.pane.Width(), width-3-minDetail))
}

func (p queuePage) beside(c canvas, height int) string {
	left := p.listWidth(c.width)
	right := c.width - left - 3
	list := strings.Split(p.pane.View(c.th, left, height, p.emptyText()), "\n")
	text := strings.Split(p.detail.pane.View(c.th, right, height), "\n")
	for i := range list {
		list[i] = term.Pad(list[i], left) + c.th.Border.Render(" │ ") + text[i]
	}
	return strings.Join(list, "\n")
}

// place is the position of the cursor in the queue.
func (q *queueTab) place() string {
	if q.reading.waiting {
		return "searching… "
	}
	total := q.pane.Total()
	if at := q.pane.Position(); at > 0 && total >= 0 {
		return fmt.Sprintf("%d of %d ", at, total)
	} else if total >= 0 {
		return wording.URLs(total) + " "
	}
	return ""
}

// emptyText says why the queue is empty, and how to go on.
func (q *queueTab) emptyText() string {
	switch {
	case q.shown.cause != "":
		return q.keyed("Nothing matches this filter. {clear} goes back to the causes.")
	case q.narrowed():
		return q.keyed("Nothing matches this filter. {clear} shows the waiting URLs again.")
	case q.totals != nil && q.totals.Items == 0:
		return q.keyed("There are no URLs yet. Leave with {quit} and add some: visto add FILE.")
	case q.theirs > 0:
		return q.keyed(wording.AllHalf(q.theirs) + " {facets} has them: they are pending.")
	case q.totals != nil && q.totals.Deferred > 0:
		return q.keyed(wording.AllDeferred(q.totals.Deferred) + " {views} and {facets} show them.")
	}
	return q.keyed("Nothing waits for a person any more. {facets} shows the other URLs, {stats} the counts; " +
		"visto export writes the registry.")
}
