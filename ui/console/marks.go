package console

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/widget"
)

func (m *Model) mark() tea.Cmd {
	if _, _, ok := m.queue.Range(); ok {
		return m.markRange()
	}
	if !m.queue.Toggle() {
		m.warn(m.keyed("this URL is not among all those that are marked: {clear} takes these marks away first"))
	}
	return m.settle(m.queue.Wants())
}

// markAll marks every URL of the filter, besides what is marked; if that was done, it takes all marks away.
func (m *Model) markAll() tea.Cmd {
	if m.queue.AllMarked() != nil || m.queue.Marks() > 0 && m.queue.Marks() == m.queue.Total() {
		m.queue.ClearMarks()
		m.say("no URL is marked any more")
		return nil
	}
	filter := m.query.Filter
	return func() tea.Msg { // more are not read: what is decided is what the filter then selects
		n, err := m.desk.Count(m.ctx, filter)
		if err != nil || n > m.opts.oneByOne {
			return m.allMarked(filter, n, err)
		}
		targets, err := m.targets(filter)
		return markAnswer{targets: targets, err: err}
	}
}

// allMarked is the answer where all of a filter is marked, as far as it has been added by now.
func (m *Model) allMarked(f review.Filter, n int, err error) tea.Msg {
	if err != nil {
		return markAnswer{err: err}
	}
	meta, err := m.desk.Meta(m.ctx)
	f.UpTo = meta.LastID
	return markAnswer{all: &f, n: n, err: err}
}

// targets are all that a filter selects, as they are now.
func (m *Model) targets(f review.Filter) (list []review.Target, err error) {
	err = m.desk.Each(m.ctx, f, func(it review.Item) error {
		list = append(list, review.Target{ID: it.ID, Rev: it.Rev})
		return nil
	})
	return list, err
}

type markAnswer struct {
	targets []review.Target
	all     *review.Filter
	n       int
	err     error
	then    func(*Model) tea.Cmd // what the marks were wanted for
}

func (a markAnswer) take(m *Model) tea.Cmd {
	switch {
	case a.err != nil:
		m.warn(plainError(a.err))
		return nil
	case a.all != nil:
		m.queue.MarkAll(*a.all, a.n)
	default:
		m.queue.DropRange()
		m.queue.AddMarks(a.targets)
	}
	if a.then != nil {
		return a.then(m)
	}
	m.say(counted(m.queue.Marks()) + m.keyed(" marked: {approve-marked} approves them, {mark-all} takes the marks away"))
	return m.loadPage(m.queue.Here())
}

// markRange begins a range at the cursor, and at the second press marks what is in it.
func (m *Model) markRange() tea.Cmd {
	if m.queue.AllMarked() != nil {
		m.warn(m.keyed("all of a filter is marked: {clear} takes these marks away first"))
		return nil
	}
	if _, _, ok := m.queue.Range(); ok {
		return m.closeRange(nil)
	}
	query := m.query
	m.queue.StartRange(query.Compare)
	m.say(m.keyed("a range begins here: move, then {mark-a-range} or {mark} marks it; {clear} does not"))
	return nil
}

// stretchRange moves the end of the range, which it begins first if there is none.
func (m *Model) stretchRange(motion widget.Motion) tea.Cmd {
	if _, _, ok := m.queue.Range(); !ok {
		if cmd := m.markRange(); cmd != nil || m.message.bad {
			return cmd
		}
	}
	return m.settle(m.queue.Move(motion))
}

// closeRange marks what is in the range under way, and goes on with then.
func (m *Model) closeRange(then func(*Model) tea.Cmd) tea.Cmd {
	first, last, ok := m.queue.Range()
	if !ok {
		return then(m)
	}
	query := m.query
	return func() tea.Msg {
		targets, err := between(m.ctx, m.desk, query, first, last)
		return markAnswer{targets: targets, err: err, then: then}
	}
}

// between reads the items from one to another in the order of the query.
func between(ctx context.Context, desk Desk, q review.Query, first, last *review.Item) (list []review.Target, err error) {
	const page = 500
	before, err := desk.Page(ctx, q, q.Before(first), 1)
	if err != nil {
		return nil, err
	}
	var from *review.Cursor
	if len(before) > 0 {
		from = q.After(&before[0])
	}
	for {
		items, err := desk.Page(ctx, q, from, page)
		if err != nil {
			return nil, err
		}
		for i := range items {
			if q.Compare(&items[i], last) > 0 {
				return list, nil
			}
			list = append(list, review.Target{ID: items[i].ID, Rev: items[i].Rev})
		}
		if len(items) < page {
			return list, nil
		}
		from = q.After(&items[len(items)-1])
	}
}

// onlyMarked shows what is marked and nothing else, and at the second press what was shown before.
func (m *Model) onlyMarked() tea.Cmd {
	if m.before != nil {
		return m.showBefore()
	}
	return m.closeRange(func(m *Model) tea.Cmd {
		if m.queue.Marks() == 0 {
			return m.noMarks()
		}
		before := m.now()
		q := m.query
		q.Filter = m.queue.MarkedFilter()
		cmd := m.setQuery(setQuery{query: q, place: m.same()})
		m.before = &before
		return cmd
	})
}

// showBefore goes back from what is marked to what was shown before.
func (m *Model) showBefore() tea.Cmd {
	s := *m.before
	s.place = m.same()
	return m.setQuery(s)
}

func (m *Model) noMarks() tea.Cmd {
	m.warn(m.keyed("nothing is marked: {mark} marks a URL, {mark-a-range} a range, {mark-all} all that the filter shows"))
	return nil
}

// onMarked counts what is marked now, and goes on with it.
func (m *Model) onMarked(then func(m *Model, about decide, n int) tea.Cmd) tea.Cmd {
	return m.closeRange(func(m *Model) tea.Cmd {
		if m.queue.Marks() == 0 {
			return m.noMarks()
		}
		if m.queue.AllMarked() == nil {
			targets := m.queue.Marked()
			return then(m, decide{targets: targets, marked: true}, len(targets))
		}
		f := m.queue.MarkedFilter()
		return func() tea.Msg {
			n, err := m.desk.Count(m.ctx, f)
			return allCounted{f, n, err, then}
		}
	})
}

// allCounted is how many of those that are marked as all of a filter there are now.
type allCounted struct {
	filter review.Filter
	n      int
	err    error
	then   func(m *Model, about decide, n int) tea.Cmd
}

func (a allCounted) take(m *Model) tea.Cmd {
	if a.err != nil {
		m.warn(plainError(a.err))
		return nil
	}
	return a.then(m, decide{all: &a.filter, marked: true}, a.n)
}

// markedVerb is a decision on all that is marked, in words.
type markedVerb struct {
	kind               review.Kind
	title, ask, button string
}

// askMarked asks before a decision on what is marked.
func (m *Model) askMarked(v markedVerb) tea.Cmd {
	return m.onMarked(func(m *Model, about decide, n int) tea.Cmd {
		about.choice.Kind = v.kind
		m.open(&dialog.Confirm{
			Title: v.title,
			Text:  []string{fmt.Sprintf(m.keyed("%s %s%s They are one batch: {undo} takes them back together."), v.ask, counted(n), markedHow(about))},
			Yes:   fmt.Sprintf("%s %d", v.button, n),
			Do:    about,
		})
		return nil
	})
}

// markedHow says what there is to know of URLs that nobody has seen one by one.
func markedHow(about decide) string {
	if about.all == nil {
		return " as they are shown?"
	}
	return fmt.Sprintf("? They are all of “%s”, as it is when you confirm.", safeText(about.all.String()))
}

func (m *Model) askApproveMarked() tea.Cmd {
	return m.askMarked(markedVerb{review.Approve, "Approve marked", "Approve", "approve"})
}

func (m *Model) deferMarked() tea.Cmd {
	return m.askMarked(markedVerb{review.Defer, "Defer marked", "Put off", "defer"})
}

func (m *Model) reopenMarked() tea.Cmd {
	return m.askMarked(markedVerb{review.Reopen, "Reopen marked", "Put back into the queue", "reopen"})
}

func (m *Model) askRejectMarked() tea.Cmd {
	return m.onMarked(func(m *Model, about decide, n int) tea.Cmd {
		m.promptReject(fmt.Sprintf("Reject %s", counted(n)), "", about)
		return nil
	})
}

func (m *Model) noteMarked() tea.Cmd {
	return m.onMarked(func(m *Model, about decide, n int) tea.Cmd {
		p := &dialog.Prompt{
			Title: fmt.Sprintf("Note on %s", counted(n)), Yes: "add the note", Empty: "the note is empty", Key: draftOf("note"),
			Do: func(text string) dialog.Action { return noteAll{text, about} },
		}
		m.openPrompt(p)
		return nil
	})
}

// noteAll is a note for all that is marked.
type noteAll struct {
	text  string
	about decide
}

// noteAll adds the note. The marks stay, on the items as they are then.
func (m *Model) noteAll(n noteAll) tea.Cmd {
	place := m.queue.Here()
	return m.write(func() (outcome, error) {
		var r review.Receipt
		var err error
		if n.about.all != nil {
			r, err = m.desk.NoteAll(m.ctx, n.text, *n.about.all)
			return outcome{text: "noted on all that is marked", receipt: r, place: place}, err
		}
		ids := idsOf(n.about.targets)
		if r, err = m.desk.Note(m.ctx, n.text, ids...); err != nil {
			return outcome{}, err
		}
		out := outcome{text: fmt.Sprintf("noted on %s", counted(len(ids))), receipt: r, place: place}
		out.seen, err = m.targets(review.Filter{IDs: ids})
		return out, err
	})
}

// markedRows says which of the items of a page are among all of a filter that are marked; nil: all of them.
func markedRows(ctx context.Context, desk Desk, all *review.Filter, shown review.Filter, items []review.Item) (map[int64]bool, error) {
	plain := *all
	plain.UpTo = 0
	if reflect.DeepEqual(plain, shown) || len(items) == 0 {
		return nil, nil
	}
	rows := map[int64]bool{}
	f := *all
	f.IDs = []int64{}
	for i := range items {
		if all.IDs == nil || slices.Contains(all.IDs, items[i].ID) {
			f.IDs = append(f.IDs, items[i].ID)
		}
	}
	err := desk.Each(ctx, f, func(it review.Item) error {
		rows[it.ID] = true
		return nil
	})
	return rows, err
}
