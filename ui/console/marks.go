package console

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/widget"
	"visto/ui/wording"
)

// marker marks URLs of the queue and decides on the marked ones together.
type marker struct {
	*session
	desk   desk.Queue
	queue  *queueTab
	decide *decider
}

func (k *marker) mark() tea.Cmd {
	if k.ranging() {
		return k.markRange()
	}
	if !k.queue.pane.Toggle() {
		k.warn(k.keyed("this URL is not among all those that are marked: {clear} takes these marks away first"))
	}
	return k.queue.readIf(k.queue.pane.Wants())
}

func (k *marker) ranging() bool {
	_, _, ok := k.queue.pane.Range()
	return ok
}

// markAll marks every URL of the filter besides the marked ones. If all are marked, it takes all marks away.
//
// Up to oneByOne URLs are marked by their numbers and revisions. More are marked as the filter: a decision then
// concerns the URLs that it selects at that time.
func (k *marker) markAll() tea.Cmd {
	p := k.queue.pane
	if p.AllMarked() != nil || p.Marks() > 0 && p.Marks() == p.Total() {
		p.ClearMarks()
		return k.say("no URL is marked any more")
	}
	filter := k.queue.shown.query.Filter
	var targets []review.Target
	var all *review.Filter
	return ask(func() (int, error) {
		n, err := k.desk.Count(k.ctx, filter)
		if err != nil {
			return n, err
		}
		if n > k.opts.oneByOne {
			meta, err := k.desk.Meta(k.ctx)
			filter.UpTo = meta.LastID
			all = &filter
			return n, err
		}
		targets, err = desk.Targets(k.ctx, k.desk, filter)
		return n, err
	}, func(n int, err error) tea.Cmd {
		if err == nil && all != nil {
			p.MarkAll(*all, n)
			return k.tellMarked()
		}
		return k.marked(targets, err, k.tellMarked)
	})
}

// marked takes targets to mark and goes on with then.
func (k *marker) marked(targets []review.Target, err error, then func() tea.Cmd) tea.Cmd {
	if err != nil {
		return k.warn(wording.Error(err))
	}
	k.queue.pane.DropRange()
	k.queue.pane.AddMarks(targets)
	return then()
}

func (k *marker) tellMarked() tea.Cmd {
	k.say(wording.URLs(k.queue.pane.Marks()) +
		k.keyed(" marked: {approve-marked} approves them, {mark-all} takes the marks away"))
	return k.queue.readPage(k.queue.pane.Here())
}

// markRange begins a range at the cursor, or marks the URLs of the range.
func (k *marker) markRange() tea.Cmd {
	switch {
	case k.queue.pane.AllMarked() != nil:
		return k.warn(k.keyed("all of a filter is marked: {clear} takes these marks away first"))
	case k.ranging():
		return k.closeRange(k.tellMarked)
	}
	query := k.queue.shown.query
	k.queue.pane.StartRange(query.Compare)
	return k.say(k.keyed("a range begins here: move, then {mark-a-range} or {mark} marks it; {clear} does not"))
}

// stretch moves the end of the range. It begins one first if there is none.
func (k *marker) stretch(motion widget.Motion) tea.Cmd {
	if !k.ranging() {
		if k.markRange(); k.message.bad {
			return nil
		}
	}
	return k.queue.move(motion)
}

// closeRange marks the URLs of a range, if there is one, and goes on with then.
func (k *marker) closeRange(then func() tea.Cmd) tea.Cmd {
	first, last, ok := k.queue.pane.Range()
	if !ok {
		return then()
	}
	query := k.queue.shown.query
	return ask(func() ([]review.Target, error) { return desk.Between(k.ctx, k.desk, query, first, last) },
		func(targets []review.Target, err error) tea.Cmd { return k.marked(targets, err, then) })
}

// onlyMarked shows the marked URLs alone, and at the second press the request before.
func (k *marker) onlyMarked() tea.Cmd {
	q := k.queue
	if q.before != nil {
		return q.showBefore()
	}
	return k.closeRange(func() tea.Cmd {
		if q.pane.Marks() == 0 {
			return k.noMarks()
		}
		before := q.shown
		r := request{query: before.query, place: q.here()}
		r.query.Filter = q.pane.MarkedFilter()
		cmd := q.show(r)
		q.before = &before
		return cmd
	})
}

func (k *marker) noMarks() tea.Cmd {
	return k.warn(k.keyed("nothing is marked: {mark} marks a URL, {mark-a-range} a range, " +
		"{mark-all} all that the filter shows"))
}

// onMarked counts the marked URLs and goes on with a decision about them.
func (k *marker) onMarked(then func(about decision, n int)) tea.Cmd {
	return k.closeRange(func() tea.Cmd {
		p := k.queue.pane
		if p.Marks() == 0 {
			return k.noMarks()
		}
		if p.AllMarked() == nil {
			targets := p.Marked()
			then(decision{targets: targets, bulk: true}, len(targets))
			return nil
		}
		f := p.MarkedFilter()
		count := func(ctx context.Context) (int, error) { return k.desk.Count(ctx, f) }
		return read(k.session, count, func(n int) { then(decision{all: &f, bulk: true}, n) })
	})
}

// confirm asks before a decision on the marked URLs. verb begins the question, yes is the button.
func (k *marker) confirm(kind review.Kind, title, verb, yes string) tea.Cmd {
	return k.onMarked(func(about decision, n int) {
		about.choice.Kind = kind
		how := " as they are shown?"
		if about.all != nil {
			how = fmt.Sprintf("? They are all of “%s”, as it is when you confirm.", wording.Safe(about.all.String()))
		}
		k.open(&dialog.Confirm{
			Title: title, Yes: fmt.Sprintf("%s %d", yes, n), Do: k.decide.deciding(about),
			Text: []string{verb + " " + wording.URLs(n) + how +
				k.keyed(" They are one batch: {undo} takes them back together.")},
		})
	})
}

func (k *marker) approveMarked() tea.Cmd {
	return k.confirm(review.Approve, "Approve marked", "Approve", "approve")
}

func (k *marker) deferMarked() tea.Cmd {
	return k.confirm(review.Defer, "Defer marked", "Put off", "defer")
}

func (k *marker) reopenMarked() tea.Cmd {
	return k.confirm(review.Reopen, "Reopen marked", "Put back into the queue", "reopen")
}

func (k *marker) rejectMarked() tea.Cmd {
	return k.onMarked(func(about decision, n int) {
		k.decide.promptReject(fmt.Sprintf("Reject %s", wording.URLs(n)), "", about)
	})
}

func (k *marker) askNote() tea.Cmd {
	return k.onMarked(func(about decision, n int) {
		k.openPrompt(&dialog.Prompt{
			Title: fmt.Sprintf("Note on %s", wording.URLs(n)), Yes: "add the note", Empty: "the note is empty",
			Key: draftOf("note"),
			Do:  func(text string) dialog.Action { return action(func() tea.Cmd { return k.note(text, about) }) },
		})
	})
}

// note adds a note to the marked URLs. The marks stay, with the new revisions.
func (k *marker) note(text string, about decision) tea.Cmd {
	place := k.queue.pane.Here()
	return k.decide.writer.write(func() (outcome, error) {
		if about.all != nil {
			r, err := k.decide.desk.NoteAll(k.ctx, text, *about.all)
			return outcome{text: "noted on all that is marked", receipt: r, place: place}, err
		}
		ids := idsOf(about.targets)
		r, err := k.decide.desk.Note(k.ctx, text, ids...)
		if err != nil {
			return outcome{}, err
		}
		out := outcome{text: "noted on " + wording.URLs(len(ids)), receipt: r, place: place}
		out.seen, err = desk.Targets(k.ctx, k.desk, review.Filter{IDs: ids})
		return out, err
	})
}
