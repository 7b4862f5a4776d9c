package console

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
	"visto/ui/pane"
)

// writing is a write under way. Keys pressed meanwhile are held and run once what follows from it is shown.
type writing struct {
	active bool
	done   bool // the store has confirmed it; the page that shows its result is still to come
	since  time.Time
	held   []tea.KeyPressMsg
}

// patience is how long held keys stay meant: after a longer wait they were pressed in doubt.
const patience = 500 * time.Millisecond

// hold keeps a key if a write is under way.
func (w *writing) hold(key tea.KeyPressMsg) bool {
	if w.active {
		w.held = append(w.held, key)
	}
	return w.active
}

// outcome is what a write has done, as the store confirmed it.
type outcome struct {
	text    string // what to tell; trusted
	back    bool   // it can be taken back, which is told
	lost    string // what can no longer be brought back; trusted
	kept    string // where a typed text is that was not used; trusted
	receipt review.Receipt
	place   pane.Place      // where the queue goes next
	unmark  []int64         // items whose marks are done with
	seen    []review.Target // items that were changed in a way that leaves a mark on them meant

	unmarkAll bool // all marks are done with
	leave     bool // the URL is done with: if it was opened from another one's page, that one comes back
}

// put runs a write and takes what came of it. The dialog that asked for it stays open until it is confirmed.
func (m *Model) put(do func() (outcome, error)) tea.Cmd {
	if m.writing.active {
		return nil
	}
	m.writing = writing{active: true, since: m.opts.clock.now()}
	return func() tea.Msg {
		out, err := do()
		return wrote{out, err, m.nextRedo()}
	}
}

type wrote struct {
	out  outcome
	err  error
	redo redoAnswer
}

func (a wrote) take(m *Model) tea.Cmd {
	a.redo.take(m)
	if a.err != nil {
		m.writing = writing{}
		m.failed(ruleError(a.err))
		return nil
	}
	m.writing.done = true
	m.settleDraft(&a.out)
	m.closeDialog()
	m.news.own = append(m.news.own, a.out.receipt.Seq)
	m.queue.Unmark(a.out.unmark...)
	if a.out.unmarkAll {
		m.queue.ClearMarks()
	}
	for _, t := range a.out.seen {
		m.queue.Seen(t)
	}
	if a.out.leave && m.endVisit() {
		m.arrived = m.opts.clock.now()
	}
	m.report(&a.out)
	return m.reload(a.out.place)
}

// report says what a write did, and what it did not.
func (m *Model) report(out *outcome) {
	text := out.text
	if out.back && text != "" {
		text += m.keyed(" ({undo} takes it back)")
	}
	if out.lost != "" {
		text += ". No longer to be brought back: " + out.lost
	}
	m.say(text)
	if len(out.receipt.Conflicts) > 0 {
		m.warn(text + conflictText(out.receipt) + out.kept)
	}
}

// failed tells an error where the reviewer looks: in the dialog that asked, which keeps what was typed, or in the
// message line.
func (m *Model) failed(why string) {
	if f, ok := m.dialog.(dialog.Failer); ok {
		f.Fail(why)
		return
	}
	m.warn(why)
}

// conflictText says who was first, and when.
func conflictText(r review.Receipt) string {
	text := safeText(r.Conflicts[0].Error())
	if n := len(r.Conflicts); n > 1 {
		text += fmt.Sprintf(", and %d more", n-1)
	}
	if r.Decided > 0 {
		return ". Not written: " + text
	}
	return text
}

// release presses the held keys once the result of the write is on screen. A page requested before the write does not show it.
func (m *Model) release() tea.Cmd {
	if !m.writing.done {
		return nil
	}
	held := m.writing.held
	if m.opts.clock.now().Sub(m.writing.since) > patience {
		held = nil
	}
	m.writing = writing{}
	var cmds []tea.Cmd
	for _, key := range held {
		cmds = append(cmds, m.press(key))
	}
	return tea.Batch(cmds...)
}

// counted says how many, in words: 1 URL, 12 URLs.
func counted(n int) string {
	if n == 1 {
		return "1 URL"
	}
	return fmt.Sprintf("%d URLs", n)
}
