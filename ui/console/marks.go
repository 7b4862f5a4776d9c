package console

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/widget"
	"visto/ui/wording"
)

// marker marks URLs of the queue and decides on the marked ones together.
type marker struct {
	*session
	desk   desk.Queue
	queue  *queueTab
	decide *decider
	rules  *rules
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
	p, filter := k.queue.pane, k.queue.shown.query.Filter
	if p.AllMarked() != nil {
		return k.unmarkAll()
	}
	targets := func(ctx context.Context) ([]review.Target, error) { return desk.Targets(ctx, k.desk, filter) }
	return k.count(filter, func(n int) tea.Cmd {
		if n <= k.opts.oneByOne {
			before := p.Marks()
			return read(k.session, targets, k.adding(func() tea.Cmd {
				if n > 0 && p.Marks() == before { // all of them were
					return k.unmarkAll()
				}
				return k.tellMarked()
			}))
		}
		return read(k.session, k.desk.Meta, func(meta review.Meta) tea.Cmd {
			filter.UpTo = meta.LastID
			p.MarkAll(filter, n)
			return k.tellMarked()
		})
	})
}

func (k *marker) unmarkAll() tea.Cmd {
	k.queue.pane.ClearMarks()
	return k.say("no URL is marked any more")
}

// count counts the URLs of a filter and goes on with their number.
func (k *marker) count(f review.Filter, then func(n int) tea.Cmd) tea.Cmd {
	return read(k.session, func(ctx context.Context) (int, error) { return k.desk.Count(ctx, f) }, then)
}

// adding marks targets and goes on with then.
func (k *marker) adding(then func() tea.Cmd) func([]review.Target) tea.Cmd {
	return func(list []review.Target) tea.Cmd {
		k.queue.pane.DropRange()
		k.queue.pane.AddMarks(list)
		return then()
	}
}

func (k *marker) tellMarked() tea.Cmd {
	k.say(wording.URLs(k.queue.pane.Marks()) +
		k.keyed(" marked: {approve-marked} approves them, {mark-all} takes the marks away"))
	return k.queue.readPage(k.queue.again())
}

// markRange begins a range at the cursor, or marks the URLs of the range.
func (k *marker) markRange() tea.Cmd {
	switch {
	case k.queue.pane.AllMarked() != nil:
		return k.warn(k.keyed("all of a filter is marked: {clear} takes these marks away first"))
	case k.ranging():
		return k.closeRange(k.tellMarked)
	}
	k.queue.pane.StartRange(k.queue.shown.query.Compare)
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
	targets, ok := k.inRange()
	if !ok {
		return then()
	}
	return read(k.session, targets, k.adding(then))
}

// inRange returns the reading of the URLs of the range; ok is false if there is none.
func (k *marker) inRange() (targets func(context.Context) ([]review.Target, error), ok bool) {
	first, last, ok := k.queue.pane.Range()
	query := k.queue.shown.query
	return func(ctx context.Context) ([]review.Target, error) {
		return desk.Between(ctx, k.desk, query, first, last)
	}, ok
}

// onlyMarked shows the marked URLs alone, and at the second press the request before.
func (k *marker) onlyMarked() tea.Cmd {
	q := k.queue
	if q.before != nil && !q.showsRecord() {
		return q.showBefore()
	}
	return k.closeRange(func() tea.Cmd {
		if q.pane.Marks() == 0 {
			return k.noMarks()
		}
		before := q.lasting()
		r := request{query: q.shown.query, place: q.here()}
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

// onMarked goes on with a decision about the marked URLs and their number. If these have to be read, keys are held
// meanwhile, so that the decision is about the marks that there were at its key.
func (k *marker) onMarked(then func(about decision, n int) tea.Cmd) tea.Cmd {
	if k.early(k.queue.came.at) {
		return k.tooEarly(k.pressed, "selection", "")
	}
	p, w := k.queue.pane, k.decide.writer
	oneByOne := func() tea.Cmd {
		targets := p.Marked()
		if len(targets) == 0 {
			return k.noMarks()
		}
		return then(decision{targets: targets, bulk: true}, len(targets))
	}
	if p.AllMarked() != nil {
		f := p.MarkedFilter()
		count := func(ctx context.Context) (int, error) { return k.desk.Count(ctx, f) }
		return prepare(w, count, func(n int) tea.Cmd {
			if n == 0 {
				return k.noMarks()
			}
			return then(decision{all: &f, bulk: true}, n)
		})
	}
	if targets, ok := k.inRange(); ok {
		return prepare(w, targets, k.adding(oneByOne))
	}
	return oneByOne()
}

// markedWords are the title and the verb of the question before a decision on the marked URLs.
var markedWords = map[review.Kind]struct{ title, verb string }{
	review.Approve: {"Approve marked", "Approve"},
	review.Defer:   {"Defer marked", "Put off"},
	review.Reopen:  {"Reopen marked", "Put back into the queue"},
}

// settle decides on the marked URLs. It asks first where one undo might not be enough, as [rules.settle] does, and
// about all that a filter selects.
func (k *marker) settle(kind review.Kind) tea.Cmd {
	return k.onMarked(func(about decision, n int) tea.Cmd {
		about.choice.Kind = kind
		words := markedWords[kind]
		how, all, back := " as they are shown?", "They are all", "They are one batch: {undo} takes them back together."
		if n == 1 {
			how, all, back = " as it is shown?", "It is the only one", "{undo} takes it back."
		}
		if about.all != nil {
			how = fmt.Sprintf("? %s of “%s”, as that is when you confirm.", all, wording.Safe(about.all.String()))
		}
		text := words.verb + " " + wording.URLs(n) + how + " " + k.keyed(back)
		question := &dialog.Confirm{Title: words.title, Text: []string{text}, Yes: fmt.Sprintf("%s %d", kind, n)}
		if about.all == nil {
			return k.rules.settle(question, pendingChange{choice: about.choice, seen: about.targets,
				only: []review.Filter{{IDs: idsOf(about.targets), Presence: review.AnyPresence}}})
		}
		question.Do = with(k.decide.decide, about)
		return k.open(question)
	})
}

func (k *marker) reject() tea.Cmd {
	return k.onMarked(func(about decision, n int) tea.Cmd {
		return k.decide.promptReject("Reject "+wording.URLs(n), k.shown(&about), k.draft("reject-marked", &about), about)
	})
}

func (k *marker) askNote() tea.Cmd {
	return k.onMarked(func(about decision, n int) tea.Cmd {
		return k.decide.promptNote("Note on "+wording.URLs(n), k.shown(&about), k.draft("note-on-marked", &about), about)
	})
}

// shown is the URL that a decision is about; "" if there are several, or if it is not in the list.
func (k *marker) shown(about *decision) string {
	if len(about.targets) == 1 {
		if it := k.queue.pane.Listed(about.targets[0].ID); it != nil {
			return pane.Shown(it)
		}
	}
	return ""
}

// draft is the key of a text about the marked URLs: other marks have another one.
func (k *marker) draft(action string, about *decision) string {
	if len(about.targets) == 1 {
		return draftOf(action, about.targets[0].ID)
	}
	return fmt.Sprintf("%s %#v", action, k.queue.pane.MarkedFilter())
}
