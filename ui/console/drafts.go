package console

import (
	"fmt"

	"visto/review"
	"visto/ui/dialog"
)

// draftOf names what a text is typed for: a reason, a note or a correction, of one item or of several.
func draftOf(what string, targets ...review.Target) string {
	if len(targets) == 1 {
		return fmt.Sprintf("%s %d", what, targets[0].ID)
	}
	return what
}

// leaveDialog closes the dialog with nothing done, and goes back to the one that it was a question about. What was typed is
// kept for the next time.
func (m *Model) leaveDialog() {
	if m.behind != nil {
		m.dialog, m.behind = m.behind, nil
		m.failed("")
		return
	}
	if d, ok := m.dialog.(dialog.Drafter); ok {
		if key, text, changed := d.Draft(); key != "" && changed {
			m.drafts[key] = text
			m.say("not done; what you typed is kept and offered again")
		}
	}
	m.closeDialog()
}

// dropDraft forgets what was typed, now that it is done.
func (m *Model) dropDraft() {
	if d, ok := m.dialog.(dialog.Drafter); ok {
		key, _, _ := d.Draft()
		delete(m.drafts, key)
	}
}

// retry keeps a dialog with a typed text open when nothing was written because somebody else was first: it says who, and
// enter does it over that.
func (m *Model) retry(out *outcome) bool {
	d, ok := m.dialog.(dialog.Drafter)
	if !ok || out.receipt.Decided > 0 || len(out.receipt.Conflicts) == 0 {
		return false
	}
	m.writing = writing{}
	m.again = map[int64]int64{}
	for _, c := range out.receipt.Conflicts {
		m.again[c.Item.ID] = c.Item.Rev
	}
	d.Fail(conflictText(out.receipt) + ". Nothing was written: enter does it all the same, esc leaves it so")
	m.opened = m.opts.clock.now()
	return true
}

// meant are the targets as the reviewer has seen them by now: those of which the dialog said that they changed, as it said.
func (m *Model) meant(targets []review.Target) []review.Target {
	list := make([]review.Target, len(targets))
	for i, t := range targets {
		if rev, told := m.again[t.ID]; told {
			t.Rev = rev
		}
		list[i] = t
	}
	return list
}
