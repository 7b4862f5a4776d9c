package dialog

import (
	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Correct asks for another canonical URL and shows, while it is typed, what it would be stored as.
type Correct struct {
	from   string // the computed canonical URL, or the original of what has none
	fill   string // the text that it opened with
	key    string // what the text is for
	in     widget.Input
	result *canon.Result // for the text as it is now; nil while not known
	failed string
	submit func(url string) Action
}

// Check asks what the text would be stored as; [CorrectionViewer] takes the answer.
type Check struct{ Text string }

// CorrectionViewer is a dialog that shows what a typed URL would be stored as.
type CorrectionViewer interface {
	SetCorrection(text string, r canon.Result)
}

// NewCorrect returns the dialog, filled with the URL to start from. key is for [Drafter]. submit makes the action of a valid text.
func NewCorrect(from, fill, key string, submit func(url string) Action) *Correct {
	return &Correct{from: from, fill: fill, key: key, in: widget.NewInput(fill), submit: submit}
}

// Draft returns what was typed.
func (c *Correct) Draft() (key, text string, changed bool) {
	return c.key, c.in.Value(), c.in.Value() != c.fill
}

// Typing reports that letters are text.
func (c *Correct) Typing() bool { return true }

// Fail says why it was not done; the text stays.
func (c *Correct) Fail(why string) { c.failed = why }

// First returns the check of the text that the dialog opens with.
func (c *Correct) First() Action { return Check{c.in.Value()} }

// SetCorrection shows what the text would be stored as, unless it has changed since.
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
	switch {
	case c.result == nil:
		s.dim("checking…")
	case c.result.Verdict == canon.Rejected:
		s.add(th.Error.Render("✗ cannot be stored: " + term.Safe(c.result.Reason.String())))
		s.dim(term.Safe(c.result.Detail))
	default:
		drawCorrection(s, c.from, c.result)
	}
	s.fail(c.failed)
	s.keysLine("enter", "approve this URL", "esc", "cancel")
	return s.view("Correct the canonical URL", height, 0, 2)
}

// drawCorrection draws what a correction changes, and what there is to know of it.
func drawCorrection(s *sheet, from string, r *canon.Result) {
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
