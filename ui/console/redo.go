package console

import (
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
)

// redoable are the batches that can be brought back, the next one last. Whatever else is written takes them away.
type redoable []review.Batch

// next takes what the store would bring back now: one that is known, with what comes after it, or one more.
func (r redoable) next(b review.Batch) redoable {
	if i := slices.IndexFunc(r, func(x review.Batch) bool { return x.ID == b.ID }); i >= 0 {
		return r[:i+1]
	}
	return append(r, b)
}

// urls is how many URLs they are about. Of a rule it is not known: more than one.
func (r redoable) urls() (n int) {
	for _, b := range r {
		n += len(b.Items)
		if len(b.Rules) > 0 {
			n += 2
		}
	}
	return n
}

// text says what they are.
func (r redoable) text() string {
	last := batchText(r[len(r)-1])
	if len(r) > 1 {
		return fmt.Sprintf("%s, and %d more", last, len(r)-1)
	}
	return last
}

// loadRedo reads what can be brought back.
func (m *Model) loadRedo() tea.Cmd {
	return func() tea.Msg {
		return m.nextRedo()
	}
}

func (m *Model) nextRedo() redoAnswer {
	b, err := m.desk.NextRedo(m.ctx)
	return redoAnswer{b, err}
}

type redoAnswer struct {
	next review.Batch
	err  error
}

func (a redoAnswer) take(m *Model) tea.Cmd {
	switch {
	case errors.Is(a.err, review.ErrNotFound):
		m.redoable = nil
	case a.err == nil:
		m.redoable = m.redoable.next(a.next)
	}
	return nil
}

// goOn is the wish to write although it takes away what can be brought back.
type goOn struct{ do func() (outcome, error) }

// write runs a write that is no undo or redo. What could be brought back is lost by it: that is told, and asked about before it
// is done when it is more than one URL.
func (m *Model) write(do func() (outcome, error)) tea.Cmd {
	if m.writing.active || m.redoable.urls() <= 1 {
		return m.put(losing(m.redoable, do))
	}
	behind := m.dialog
	m.open(&dialog.Confirm{
		Title: "What was taken back", Yes: "go on", Do: goOn{do},
		Text: []string{"You took this back:", "", m.redoable.text(), "", m.keyed("{redo} can bring it back now, and no longer after this.")},
	})
	m.behind = behind
	return nil
}

// goOn writes after the question, in the dialog that was open before it.
func (m *Model) goOn(g goOn) tea.Cmd {
	m.dialog, m.behind = m.behind, nil
	return m.put(losing(m.redoable, g.do))
}

// losing is a write that tells what can no longer be brought back after it.
func losing(lost redoable, do func() (outcome, error)) func() (outcome, error) {
	return func() (outcome, error) {
		out, err := do()
		if len(lost) > 0 && out.receipt.Batch != 0 {
			out.lost = lost.text()
		}
		return out, err
	}
}

// redoLost says, in the review by lines, what can no longer be brought back, asks about it when it is more than one URL, and reports
// whether to go on.
func (p *plain) redoLost() bool {
	b, err := p.desk.NextRedo(p.ctx)
	if err != nil { // nothing to lose, or what cannot be read will not be written either
		return true
	}
	lost := redoable{b}
	p.out.printf("After this it can no longer be brought back: %s.\n", lost.text())
	return lost.urls() <= 1 || p.sure("Go on? yes or no: ")
}
