package console

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/wording"
)

// firstPage reads the page around the URL of the last session, or the start.
func (q *queueTab) firstPage() tea.Cmd {
	if q.resume == 0 {
		return q.readPage(pane.Place{})
	}
	q.pending = true
	return ask(func() (*review.Detail, error) { return q.desk.Detail(q.ctx, q.resume) },
		func(d *review.Detail, err error) tea.Cmd {
			if err != nil {
				return q.readPage(pane.Place{})
			}
			return q.readPage(pane.Place{Anchor: &d.Item, Jump: true})
		})
}

// isRead reports whether the page that was asked for last has come.
func (q *queueTab) isRead() bool { return q.pageSeq > 0 && !q.pending }

// read reads the queue around a place and counts it.
func (q *queueTab) read(p pane.Place) tea.Cmd { return tea.Batch(q.readPage(p), q.count()) }

// readPage reads the queue around a place. The newest request wins.
func (q *queueTab) readPage(p pane.Place) tea.Cmd {
	q.pageSeq++
	q.wanted, q.pending = p, true
	seq, ctx, query, marked, end := q.pageSeq, q.reading.ctx, q.shown.query, q.pane.AllMarked(), q.endSpan()
	return ask(func() (page pane.Page, err error) {
		page, err = desk.Window(ctx, q.desk, query, p, end)
		if err == nil && marked != nil {
			page.All, err = desk.MarkedRows(ctx, q.desk, marked, query.Filter, page.Items)
		}
		return page, err
	}, func(page pane.Page, err error) tea.Cmd {
		if seq == q.pageSeq {
			q.takePage(page, err)
		}
		return nil
	})
}

// endSpan is the number of items that are read at an end of the list, where the reviewer waits for them: a screen of
// them and room to move.
func (q *queueTab) endSpan() int {
	if q.rows == 0 {
		return pane.Span
	}
	return max(pane.Span/2, q.rows)
}

func (q *queueTab) takePage(page pane.Page, err error) {
	first, own := q.reading.waiting, q.ownWrite
	q.reading.waiting, q.pending, q.ownWrite = false, false, false
	if err != nil {
		q.pane.Failed()
		q.unread(err)
		return
	}
	before := q.pane.Current()
	q.pane.SetPage(page)
	meant := own || page.Jump && (first || !q.empty) // an empty list is read from its start, which is no jump
	q.empty = len(page.Items) == 0
	q.compare(before, meant, own || first && q.dialog == nil)
}

// compare notices another URL under the cursor, or a change of it. Keys on their way to the URL before it decide
// nothing about the new one. meant says that the reviewer went there, arrived that a decision or a filter led there.
func (q *queueTab) compare(before *review.Item, meant, arrived bool) {
	now := q.pane.Current()
	same := before != nil && now != nil && now.ID == before.ID
	switch {
	case arrived && !same, before == nil && now != nil && !meant: // the second: it came into an empty list
		if q.arrive(&q.came); now != nil {
			q.awaited = now.ID
		}
	case meant, before == nil, same && now.Canonical() == before.Canonical():
	case same:
		q.slip(before.ID, "URL %d has another canonical URL now: look again")
	default:
		q.slip(before.ID, "URL %d has left this list: someone else settled it")
	}
}

// slip tells why the URL under the cursor changed by itself: the result of its probe, or the text. Another tab says
// nothing of it.
func (q *queueTab) slip(id int64, text string) {
	q.came, q.awaited = arrived{q.opts.clock.now(), fmt.Sprintf(text, id)}, 0
	if now := q.pane.Current(); now != nil {
		q.awaited = now.ID
	}
	if run := q.probes.of(id); run != nil && run.Result != nil {
		q.came.why = wording.Probed(run.Result)
	}
	if q.scope&(inQueue|opened) != 0 {
		q.say(q.came.why)
	}
}

// unread tells why the queue could not be read, beside a search text that is being typed.
func (q *queueTab) unread(err error) {
	if d, ok := q.dialog.(*dialog.Search); ok {
		d.Fail(wording.Error(err))
		return
	}
	q.warn(wording.Error(err))
}

// count counts the items of the filter, and those of the filter of the marks.
func (q *queueTab) count() tea.Cmd {
	q.countSeq++
	seq, ctx, filter, marked := q.countSeq, q.reading.ctx, q.shown.query.Filter, q.pane.AllMarked()
	var nMarked int
	var markedErr error
	return ask(func() (int, error) {
		n, err := q.desk.Count(ctx, filter)
		if marked != nil {
			nMarked, markedErr = q.desk.Count(ctx, *marked)
		}
		return n, err
	}, func(n int, err error) tea.Cmd {
		if err != nil {
			n = -1
		}
		if seq == q.countSeq {
			q.pane.SetTotal(n)
		}
		if marked != nil && markedErr == nil && marked == q.pane.AllMarked() {
			q.pane.SetAllCount(nMarked)
		}
		return nil
	})
}

func (q *queueTab) loadTotals() tea.Cmd {
	theirs := 0
	return ask(func() (review.Totals, error) {
		t, err := q.desk.Totals(q.ctx)
		if err == nil && q.who.Policy().SecondLook() != 0 {
			own := 0
			own, err = q.desk.Count(q.ctx, review.Filter{Open: true})
			theirs = t.Open - own
		}
		return t, err
	}, func(t review.Totals, err error) tea.Cmd {
		if err == nil {
			q.totals, q.theirs = &t, theirs
		}
		return nil
	})
}

// reload reads the queue again around a place, since the store has changed.
func (q *queueTab) reload(p pane.Place, ownWrite bool) tea.Cmd {
	q.ownWrite = ownWrite
	return tea.Batch(q.read(p), q.loadTotals())
}

// written updates the marks after a write.
func (q *queueTab) written(out *outcome) {
	q.pane.Unmark(out.unmark...)
	if out.unmarkAll {
		q.pane.ClearMarks()
	}
	for _, t := range out.seen {
		q.pane.Seen(t)
	}
}
