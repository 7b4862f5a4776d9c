package dialog

import (
	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Correct asks for another canonical URL and previews, while it is typed, the URL that would be stored.
type Correct struct {
	from   string // the computed canonical URL; of an item without one its original
	fill   string // the initial text
	key    string // identifies the draft
	in     widget.Input
	result *canon.Result // of the current text; nil until known
	failed string
	submit func(url string) Action
}

// Check asks for the URL that would be stored for a text. [CorrectionViewer] takes the answer.
type Check struct{ Text string }

// CorrectionViewer is a dialog that previews the canonicalization of a URL.
type CorrectionViewer interface {
	SetCorrection(text string, r canon.Result)
}

// NewCorrect returns the dialog with fill as its initial text. from is the URL to compare with, key identifies the
// draft (see [Drafter]), and submit returns the action for a valid URL.
func NewCorrect(from, fill, key string, submit func(url string) Action) *Correct {
	return &Correct{from: from, fill: fill, key: key, in: widget.NewInput(fill), submit: submit}
}

// Draft returns the typed text.
func (c *Correct) Draft() (key, text string, changed bool) {
	return c.key, c.in.Value(), c.in.Value() != c.fill
}

// Typing returns true: letters are text.
func (c *Correct) Typing() bool { return true }

// Fail shows why the action failed. The text stays.
func (c *Correct) Fail(why string) { c.failed = why }

// First returns the check of the initial text.
func (c *Correct) First() Action { return Check{c.in.Value()} }

// SetCorrection sets the preview, unless the text has changed since.
func (c *Correct) SetCorrection(text string, r canon.Result) {
	if text == c.in.Value() {
		c.result = &r
	}
}

// Update takes a key or a paste.
func (c *Correct) Update(msg tea.Msg) Action {
	switch {
	case isKey(msg, "esc"):
		return Close{}
	case isKey(msg, "enter"):
		return c.enter()
	}
	if c.in.Update(msg) {
		c.result, c.failed = nil, ""
		return Check{c.in.Value()}
	}
	return nil
}

func (c *Correct) enter() Action {
	if c.result == nil || c.result.Verdict == canon.Rejected {
		return nil
	}
	return c.submit(c.in.Value())
}

// View draws the input and the diff below it.
func (c *Correct) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 110)
	s.dim("The canonical URL should be")
	s.input(&c.in, "", true)
	s.add("")
	drawCorrection(s, c.from, c.result)
	if c.result != nil && c.result.Verdict == canon.Rejected {
		s.dim(term.Safe(c.result.Detail))
	}
	s.fail(c.failed)
	s.keysLine("enter", "approve this URL", "esc", "cancel")
	return s.view("Correct the canonical URL", height, 0, 2)
}

// drawCorrection draws the difference between a URL and its correction, and the flags of the correction or the reason
// why it cannot be stored. r is nil until known.
func drawCorrection(s *sheet, from string, r *canon.Result) {
	switch {
	case r == nil:
		s.dim("checking…")
		return
	case r.Verdict == canon.Rejected:
		s.add(s.th.Error.Render("✗ cannot be stored: " + term.Safe(r.Reason.String())))
		return
	}
	s.add(s.th.Diff(from, r.Canonical, s.width)...)
	s.add("")
	if from == r.Canonical {
		s.dim("as it is: enter approves it unchanged")
		return
	}
	s.add(s.th.OK.Render("✓ valid"))
	for _, f := range r.Flags {
		s.add(s.th.Warn.Render(term.Truncate("! "+f.Code.String()+": "+f.Code.Summary(), s.width)))
	}
}
