package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
)

// decide is what a dialog wants decided.
type decide struct {
	choice  review.Choice
	targets []review.Target
	all     *review.Filter // in the place of targets: all that it selects when it is decided
	marked  bool           // they are several: what is marked, or a cause's
}

// addNote is a note to add.
type addNote struct {
	text string
	id   int64
}

func targetOf(it *review.Item) []review.Target { return []review.Target{{ID: it.ID, Rev: it.Rev}} }

// onCurrent runs fn on the item under the cursor, or says that there is none.
func (m *Model) onCurrent(fn func(it review.Item) tea.Cmd) tea.Cmd {
	it := m.subject()
	if it == nil {
		m.warn("there is no URL here")
		return nil
	}
	return fn(*it)
}

// onSeen is onCurrent for what is settled by one key: it says so, instead, when the URL has come only just now, after
// another one was settled, or when it is opened but not shown yet. The key may have been meant for the one before.
func (m *Model) onSeen(fn func(it review.Item) tea.Cmd) tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		shown, _ := m.detail.ID()
		if m.scope == inQueue && m.inquiry.waiting {
			m.warn("not so fast: what you asked for is still being searched")
			return nil
		}
		if m.opts.clock.now().Sub(m.arrived) < grace || m.scope == inDetail && shown != it.ID {
			m.warn(fmt.Sprintf("not so fast: URL %d has only just come. Look at it and press the key again", it.ID))
			return nil
		}
		return fn(it)
	})
}

func (m *Model) approve() tea.Cmd {
	return m.onSeen(func(it review.Item) tea.Cmd {
		if it.Computed.Canonical == "" {
			m.warn(m.keyed("this URL has no canonical form to approve: {correct} enters one, {reject} rejects it"))
			return nil
		}
		return m.decide(decide{choice: review.Choice{Kind: review.Approve}, targets: targetOf(&it)})
	})
}

func (m *Model) deferItem() tea.Cmd {
	return m.onSeen(func(it review.Item) tea.Cmd {
		return m.decide(decide{choice: review.Choice{Kind: review.Defer}, targets: targetOf(&it)})
	})
}

func (m *Model) reopen() tea.Cmd {
	return m.onSeen(func(it review.Item) tea.Cmd {
		return m.decide(decide{choice: review.Choice{Kind: review.Reopen}, targets: targetOf(&it)})
	})
}

func (m *Model) askReject() tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		m.promptReject("Reject", pane.Shown(&it), decide{targets: targetOf(&it)})
		return nil
	})
}

func (m *Model) promptReject(title, about string, d decide) {
	p := &dialog.Prompt{
		Title: title, About: about, Hint: "the reason, for those who come after", Yes: "reject",
		Empty: "a rejection needs a reason", Key: draftOf("reject", d.targets...),
		Do: func(text string) dialog.Action {
			d.choice = review.Choice{Kind: review.Reject, Note: text}
			return d
		},
	}
	m.openPrompt(p)
}

// openPrompt opens a prompt with what was typed into it before and not done.
func (m *Model) openPrompt(p *dialog.Prompt) { m.open(p.With(m.drafts[p.Key])) }

func (m *Model) askNote() tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		p := &dialog.Prompt{
			Title: "Note", About: pane.Shown(&it), Yes: "add the note", Empty: "the note is empty", Key: draftOf("note", targetOf(&it)...),
			Do: func(text string) dialog.Action { return addNote{text, it.ID} },
		}
		m.openPrompt(p)
		return nil
	})
}

func (m *Model) askCorrect() tea.Cmd {
	return m.onCurrent(func(it review.Item) tea.Cmd {
		text := cmp.Or(m.drafts[draftOf("correct", targetOf(&it)...)], term.Clip(pane.Shown(&it), 4096))
		return m.openCorrect(&it, text)
	})
}

// openCorrect opens the correction of an item with a text in it.
func (m *Model) openCorrect(it *review.Item, text string) tea.Cmd {
	from := cmp.Or(it.Computed.Canonical, it.Original)
	targets := targetOf(it)
	key := draftOf("correct", targets...)
	c := dialog.NewCorrect(from, text, key, func(url string) dialog.Action {
		return decide{choice: review.Choice{Kind: review.Correct, Canonical: url}, targets: targets}
	})
	m.open(c)
	return m.act(c.First())
}

// decide writes a decision. The cursor goes on to the next URL that waits.
func (m *Model) decide(d decide) tea.Cmd {
	place := m.next()
	return m.write(func() (outcome, error) {
		r, err := d.write(m.ctx, m.desk)
		if err != nil {
			return outcome{}, err
		}
		return outcome{text: decidedText(d, r), back: true, leave: true, receipt: r, place: place, unmark: idsOf(d.targets), unmarkAll: d.all != nil}, nil
	})
}

// next is where the queue goes when something is settled: to the next URL that waits. From a cause, or from a URL that was opened from
// another one's page, it stays where it was.
func (m *Model) next() pane.Place {
	place := m.queue.Here()
	place.NextOpen = m.scope&onItem != 0 && len(m.visited) == 0
	return place
}

func (d *decide) write(ctx context.Context, desk Desk) (review.Receipt, error) {
	if d.all != nil {
		return desk.DecideAll(ctx, d.choice, *d.all)
	}
	return desk.Decide(ctx, d.choice, d.targets...)
}

func idsOf(targets []review.Target) []int64 {
	ids := make([]int64, len(targets))
	for i, t := range targets {
		ids[i] = t.ID
	}
	return ids
}

func decidedText(d decide, r review.Receipt) string {
	if r.Decided == 0 {
		return ""
	}
	if d.marked {
		return fmt.Sprintf("%s: %s", pane.Did(d.choice.Kind), counted(r.Decided))
	}
	text := fmt.Sprintf("%s: URL %d", pane.Did(d.choice.Kind), d.targets[0].ID)
	if d.choice.Kind == review.Correct {
		text += " as " + safeText(d.choice.Canonical)
	}
	return text
}

// note adds a note. It changes the item's revision, so that a mark on it has to know of it.
func (m *Model) note(n addNote) tea.Cmd {
	place := m.queue.Here()
	return m.write(func() (outcome, error) {
		r, err := m.desk.Note(m.ctx, n.text, n.id)
		out := outcome{text: fmt.Sprintf("noted on URL %d", n.id), receipt: r, place: place}
		if err != nil {
			return out, err
		}
		d, err := m.desk.Detail(m.ctx, n.id)
		if err == nil {
			out.seen = []review.Target{{ID: n.id, Rev: d.Item.Rev}}
		}
		return out, err
	})
}

func (m *Model) undo() tea.Cmd { return m.undoBatch(0) }

// undoBatch takes back a batch; 0 is the reviewer's last.
func (m *Model) undoBatch(batch int64) tea.Cmd {
	return m.turn("took back", "there is nothing to take back", func() (review.Batch, review.Receipt, error) {
		return m.desk.Undo(m.ctx, batch)
	})
}

func (m *Model) redo() tea.Cmd {
	return m.turn("brought back", "there is nothing to bring back", func() (review.Batch, review.Receipt, error) {
		return m.desk.Redo(m.ctx)
	})
}

// turn takes a batch back, or brings it back, and goes to its first item.
func (m *Model) turn(done, nothing string, do func() (review.Batch, review.Receipt, error)) tea.Cmd {
	here := m.queue.Here()
	return m.put(func() (outcome, error) {
		b, r, err := do()
		if errors.Is(err, review.ErrNotFound) {
			return outcome{text: nothing, place: here}, nil
		}
		return outcome{text: done + ": " + batchText(b), receipt: r, place: m.placeOf(b, here), unmark: b.Items}, err
	})
}

// batchText says what a batch did: approve, 12 URLs.
func batchText(b review.Batch) string {
	if b.Action == review.ActOverride {
		return safeText(b.Summary)
	}
	return fmt.Sprintf("%s, %s", b.Action, counted(len(b.Items)))
}

// placeOf is the first item of a batch, and here if it decided on none.
func (m *Model) placeOf(b review.Batch, here pane.Place) pane.Place {
	if len(b.Items) > 0 {
		if d, err := m.desk.Detail(m.ctx, b.Items[0]); err == nil {
			return pane.Place{Anchor: &d.Item, Jump: true}
		}
	}
	return here
}
