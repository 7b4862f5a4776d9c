package console

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/dialog"
)

// dialogs holds the open dialog and the drafts of earlier ones.
type dialogs struct {
	dialog dialog.Dialog
	behind dialog.Dialog // the dialog under a question about its answer
	opened time.Time
	zones  []dialog.Zone       // of the dialog, on the screen
	lookup lookup              // of an open search
	drafts map[string]any      // texts and forms, by the keys of [dialog.Drafter]
	recent map[string][]string // the last reasons and notes of this session
	closed func()              // stops the work for a dialog
}

// open opens a dialog in place of the open one.
func (s *session) open(o dialog.Dialog) tea.Cmd {
	s.dialog, s.behind, s.lookup, s.opened = o, nil, nil, s.opts.clock.now()
	return nil
}

// openMenu opens a menu with the cursor in a row; -1 is none.
func (s *session) openMenu(menu *dialog.Menu, at int) tea.Cmd { return s.open(menu.Start(at)) }

// openPrompt opens a prompt with the draft for it.
func (s *session) openPrompt(p *dialog.Prompt) tea.Cmd {
	text, _ := s.drafts[p.Key].(string)
	return s.open(p.With(text))
}

// askReason asks for the reason of a rejection.
func (s *session) askReason(title, about, yes, draft string, do func(reason string) tea.Cmd) tea.Cmd {
	return s.openPrompt(&dialog.Prompt{
		Title: title, About: about, Hint: "the reason, for those who come after", Yes: yes,
		Empty: "a rejection needs a reason", Key: draft, Do: submit(s.remembering("reason", do)),
		Choices: s.opts.Reasons, Recent: s.recent["reason"],
	})
}

// maxRecent is the number of reasons and of notes that are offered again.
const maxRecent = 5

// remembering makes an action on a text that offers the text again later.
func (s *session) remembering(purpose string, do func(text string) tea.Cmd) func(text string) tea.Cmd {
	return func(text string) tea.Cmd {
		others := slices.DeleteFunc(s.recent[purpose], func(r string) bool { return r == text })
		s.recent[purpose] = append([]string{text}, others[:min(len(others), maxRecent-1)]...)
		return do(text)
	}
}

// closeDialog closes the dialog and stops the work for it.
func (s *session) closeDialog() {
	s.dialog, s.behind, s.lookup = nil, nil, nil
	s.closed()
}

// closing is the action that closes the dialog and goes on with do.
func (s *session) closing(do func() tea.Cmd) action {
	return func() tea.Cmd {
		s.closeDialog()
		return do()
	}
}

// draftOf is the key of a text that an action on an item asks for.
func draftOf(action string, item int64) string { return fmt.Sprintf("%s %d", action, item) }

// dropDrafts forgets the reasons and corrections typed for items that are settled, but not where others were first. A
// note is still one, and the form of a rule is about the whole host.
func (s *session) dropDrafts(items []int64, but []review.Conflict) {
	for _, id := range items {
		if slices.ContainsFunc(but, func(c review.Conflict) bool { return c.Item.ID == id }) {
			continue
		}
		for _, action := range []string{"reject", "reject-marked", "correct"} {
			delete(s.drafts, draftOf(action, id))
		}
	}
}

// cancelDialog closes the dialog without an answer. It returns to the dialog behind a question and keeps a typed text.
func (s *session) cancelDialog() {
	if s.behind != nil {
		s.dialog, s.behind = s.behind, nil
		s.fail("")
		return
	}
	s.keepDraft()
	s.closeDialog()
}

// keepDraft keeps the text typed into the dialog, which is not done, and tells the key that goes on with it.
func (s *session) keepDraft() {
	d, ok := s.dialog.(dialog.Drafter)
	if !ok {
		return
	}
	switch key, draft, changed := d.Draft(); {
	case key == "" || !changed:
	case draft == "":
		delete(s.drafts, key)
		s.warn("not done; no text is kept")
	default:
		s.drafts[key] = draft
		action, _, _ := strings.Cut(key, " ")
		s.warn("not done; your text is kept: " + s.keyed("{"+action+"}") + " goes on with it")
	}
}

// updateDraft forgets the typed text once it is written. If others were first it keeps the text and says where.
func (s *session) updateDraft(r review.Receipt) (kept string) {
	drafter, ok := s.dialog.(dialog.Drafter)
	if !ok {
		return ""
	}
	key, draft, _ := drafter.Draft()
	if key == "" || r.Decided > 0 || len(r.Conflicts) == 0 {
		delete(s.drafts, key)
		return ""
	}
	s.drafts[key] = draft
	const format = ". Your text is kept: “go %d” and the same key offer it again"
	return fmt.Sprintf(format, r.Conflicts[0].Item.ID)
}

// fail shows an error in the dialog that asked, which keeps its text, or in the message line.
func (s *session) fail(why string) tea.Cmd {
	if f, ok := s.dialog.(dialog.Failer); ok {
		f.Fail(why)
		return nil
	}
	return s.warn(why)
}
