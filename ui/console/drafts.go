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

// settleDraft forgets what was typed, now that it is done; or keeps it, when nothing was written because somebody else was
// first, and says where it is.
func (m *Model) settleDraft(out *outcome) {
	d, ok := m.dialog.(dialog.Drafter)
	if !ok {
		return
	}
	key, text, _ := d.Draft()
	if key == "" || out.receipt.Decided > 0 || len(out.receipt.Conflicts) == 0 {
		delete(m.drafts, key)
		return
	}
	m.drafts[key] = text
	out.kept = fmt.Sprintf(". What you typed is kept: “go %d” and the same key offer it again", out.receipt.Conflicts[0].Item.ID)
}
