package console

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// loading tells the answers that are still wanted from those of earlier requests.
type loading struct {
	page, count int   // numbers of the newest requests
	detail      int64 // the item being read; 0: none
	seen        int64 // the item that was last read, or failed to be
	seenRev     int64

	around              bool // the surroundings of the opened URL are being read
	study               bool // a cause is being looked at
	causes, causesAgain bool // they are being read; they are to be read once more after that
}

// inquiry is what is read for the filter and the order as they are. Another one ends it: a search that no index helps goes through
// all URLs.
type inquiry struct {
	ctx     context.Context
	end     context.CancelFunc
	waiting bool // its first page has not come
	resting bool // nor been asked for: the text to look for is still being typed
}

// inquire ends what is read for the filter as it was: its answers are not wanted any more.
func (m *Model) inquire() {
	m.inquiry.end()
	m.loading.page++
	m.loading.count++
	ctx, end := context.WithCancel(m.ctx)
	m.inquiry = inquiry{ctx: ctx, end: end, waiting: true}
}

// loadPage loads the queue around a place. The newest request wins.
func (m *Model) loadPage(p pane.Place) tea.Cmd {
	m.loading.page++
	seq, ctx, query, all, end := m.loading.page, m.inquiry.ctx, m.query, m.queue.AllMarked(), m.endSpan()
	return func() tea.Msg {
		page, err := window(ctx, m.desk, query, p, end)
		if err == nil && all != nil {
			page.All, err = markedRows(ctx, m.desk, all, query.Filter, page.Items)
		}
		return pageAnswer{seq, page, err}
	}
}

// endSpan is how many items are read at an end of the list: what the screen shows and room to move, for there the reviewer waits for them.
func (m *Model) endSpan() int {
	if m.height == 0 {
		return pane.Span
	}
	return max(pane.Span/2, m.height)
}

type pageAnswer struct {
	seq  int
	page pane.Page
	err  error
}

func (a pageAnswer) take(m *Model) tea.Cmd {
	if a.seq != m.loading.page {
		return nil
	}
	first := m.inquiry.waiting
	m.inquiry.waiting = false
	if a.err != nil {
		m.queue.Failed()
		m.unread(a.err)
		return m.release()
	}
	before := m.queue.Current()
	m.queue.SetPage(a.page)
	m.moved(before, a.page.Jump, first)
	return tea.Batch(m.follow(), m.release())
}

// moved notices when the URL under the cursor is another one than before, or became another, not since the reviewer
// went there. Keys that were on their way to the one before do not settle the one that came in its place, nor the first one of another
// list.
func (m *Model) moved(before *review.Item, meant, first bool) {
	now := m.queue.Current()
	same := before != nil && now != nil && now.ID == before.ID
	switch {
	case (m.writing.done || first && m.dialog == nil) && !same:
		m.arrived = m.opts.clock.now()
	case meant, m.writing.done, before == nil, same && now.Canonical() == before.Canonical():
	case same:
		m.slip(m.probes.orElse(before.ID, "URL %d has another canonical URL now: look again"))
	default:
		m.slip(m.probes.orElse(before.ID, "URL %d has left this list: someone else settled it"))
	}
}

// unread says why the queue could not be read, beside the text that is looked for if one is being typed.
func (m *Model) unread(err error) {
	if d, ok := m.dialog.(*dialog.Search); ok {
		d.Fail(plainError(err))
		return
	}
	m.warn(plainError(err))
}

func (m *Model) slip(why string) {
	m.slipped = m.opts.clock.now()
	m.say(why)
}

// window reads the items around a place: pane.Span of them on each side, or as many as end says from an end of the list.
func window(ctx context.Context, desk Desk, q review.Query, p pane.Place, end int) (pane.Page, error) {
	if p.End {
		return tail(ctx, desk, q, end)
	}
	if p.NextOpen {
		next, err := nextOpen(ctx, desk, q, p.Anchor)
		if err != nil {
			return pane.Page{}, err
		}
		p.Anchor, p.Jump = next, true
	}
	if p.Anchor == nil {
		items, err := desk.Page(ctx, q, nil, end)
		return pane.Page{Items: items, Ends: pane.Ends{Start: true, End: len(items) < end}, Jump: true}, err
	}
	return around(ctx, desk, q, p)
}

func around(ctx context.Context, desk Desk, q review.Query, p pane.Place) (pane.Page, error) {
	before, err := desk.Page(ctx, q, q.Before(p.Anchor), pane.Span)
	if err != nil {
		return pane.Page{}, err
	}
	var from *review.Cursor
	if n := len(before); n > 0 {
		from = q.After(&before[n-1])
	}
	after, err := desk.Page(ctx, q, from, pane.Span)
	return pane.Page{
		Items: slices.Concat(before, after), Focus: len(before), Jump: p.Jump,
		Ends: pane.Ends{Start: len(before) < pane.Span, End: len(after) < pane.Span},
	}, err
}

// tail reads the end of the list, as the start of the list the other way round.
func tail(ctx context.Context, desk Desk, q review.Query, n int) (pane.Page, error) {
	q.Desc = !q.Desc
	items, err := desk.Page(ctx, q, nil, n)
	slices.Reverse(items)
	return pane.Page{
		Items: items, Focus: max(0, len(items)-1), Jump: true,
		Ends: pane.Ends{Start: len(items) < n, End: true},
	}, err
}

// nextOpen finds the next item after the anchor that waits for a person, from the start again at the end. If there is none
// the anchor stays.
func nextOpen(ctx context.Context, desk Desk, q review.Query, anchor *review.Item) (*review.Item, error) {
	open := q
	open.Filter.Open = true
	froms := []*review.Cursor{nil}
	if anchor != nil {
		froms = []*review.Cursor{q.After(anchor), nil}
	}
	for _, from := range froms {
		items, err := desk.Page(ctx, open, from, 1)
		if err != nil {
			return nil, err
		}
		if len(items) > 0 {
			return &items[0], nil
		}
	}
	return anchor, nil
}

// follow loads the detail of the item under the cursor, if what is shown is another one or an older state of it.
func (m *Model) follow() tea.Cmd {
	it := m.subject()
	if it == nil {
		m.detail.Set(nil)
		m.loading.seen = 0
		return nil
	}
	if m.loading.detail != 0 || m.loading.seen == it.ID && m.loading.seenRev == it.Rev {
		return nil
	}
	return m.loadDetail(it.ID)
}

func (m *Model) loadDetail(id int64) tea.Cmd {
	m.loading.detail = id
	return func() tea.Msg {
		d, err := m.desk.Detail(m.ctx, id)
		return detailAnswer{id, d, err}
	}
}

type detailAnswer struct {
	id   int64
	data *review.Detail
	err  error
}

func (a detailAnswer) take(m *Model) tea.Cmd {
	m.loading.detail = 0
	it := m.subject()
	if it == nil || it.ID != a.id { // the cursor has moved on
		return m.follow()
	}
	m.loading.seen, m.loading.seenRev = it.ID, it.Rev
	if a.err != nil {
		m.detail.Fail(plainError(a.err))
		return nil
	}
	m.detail.Set(a.data)
	m.detail.SetProbe(it.ID, m.probes.of(it.ID))
	if n := len(m.visited); n > 0 && m.visited[n-1].ID == a.id {
		m.visited[n-1] = a.data.Item
		m.loading.seenRev = a.data.Item.Rev
	}
	return m.lookAround()
}

// count counts what the filter selects, in the background.
func (m *Model) count() tea.Cmd {
	m.loading.count++
	seq, ctx, filter, all := m.loading.count, m.inquiry.ctx, m.query.Filter, m.queue.AllMarked()
	return func() tea.Msg {
		a := countAnswer{seq: seq, all: all}
		var err error
		if a.n, err = m.desk.Count(ctx, filter); err != nil {
			a.n = -1
		}
		if all != nil {
			if a.marked, err = m.desk.Count(ctx, *all); err != nil {
				a.all = nil
			}
		}
		return a
	}
}

// countAnswer is how many the list has, and how many there are of all that is marked.
type countAnswer struct {
	seq, n, marked int
	all            *review.Filter
}

func (a countAnswer) take(m *Model) tea.Cmd {
	if a.seq == m.loading.count {
		m.queue.SetTotal(a.n)
	}
	if a.all != nil && a.all == m.queue.AllMarked() {
		m.queue.SetAllCount(a.marked)
	}
	return nil
}

func (m *Model) loadTotals() tea.Cmd {
	return func() tea.Msg {
		t, err := m.desk.Totals(m.ctx)
		return totalsAnswer{t, err}
	}
}

type totalsAnswer struct {
	totals review.Totals
	err    error
}

func (a totalsAnswer) take(m *Model) tea.Cmd {
	if a.err == nil {
		m.totals = &a.totals
	}
	return nil
}

// poll looks again, after a while, whether anybody has written to the store.
func (m *Model) poll() tea.Cmd {
	if m.opts.clock.poll == 0 {
		return nil
	}
	return m.opts.clock.after(m.opts.clock.poll, pollAnswer{})
}

type pollAnswer struct{}

func (pollAnswer) take(m *Model) tea.Cmd { return m.readVersion() }

func (m *Model) readVersion() tea.Cmd {
	return func() tea.Msg {
		v, err := m.desk.Version(m.ctx)
		return versionAnswer{v, err}
	}
}

type versionAnswer struct {
	version int64
	err     error
}

// take reloads what is shown if the store has changed. What is being written here reloads it by itself.
func (a versionAnswer) take(m *Model) tea.Cmd {
	if a.err != nil || a.version == m.version || m.writing.active {
		return m.poll()
	}
	first := m.version == unknownVersion
	m.version = a.version
	if first {
		return m.poll()
	}
	return tea.Batch(m.poll(), m.reload(m.queue.Here()), m.readNews(), m.effectAgain())
}

// unknownVersion is the version before the first look.
const unknownVersion = -1

// reload reads again what is shown, the queue around a place.
func (m *Model) reload(p pane.Place) tea.Cmd {
	m.loading.seen = 0
	return tea.Batch(m.loadPage(p), m.count(), m.loadTotals(), m.loadTab())
}

// plainError says an error in words a reviewer can use.
func plainError(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "that took too long: the database did not answer"
	case errors.Is(err, review.ErrReadOnly):
		return "the database is open read-only: nothing can be changed"
	case errors.Is(err, review.ErrStale):
		return "someone else changed the rules meanwhile: look again and repeat it"
	}
	return safeText(err.Error())
}

// debounced is sent when typing has paused.
type debounced struct{ seq int }

const pause = 100 * time.Millisecond

func (d debounced) take(m *Model) tea.Cmd {
	if d.seq != m.effect.seq {
		return nil
	}
	return m.startEffect(false)
}

// check asks the desk what a typed URL would be stored as.
func (m *Model) check(c dialog.Check) tea.Cmd {
	return func() tea.Msg { return correctionAnswer{c.Text, m.desk.Correction(c.Text)} }
}
