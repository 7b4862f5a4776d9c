package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Correct asks for another canonical URL. It previews the canonical form and the flags of the text while it is typed.
type Correct struct {
	fill string // the initial text
	key  string // identifies the draft
	in   widget.Input
	preview
}

// Check asks for the result of a text as a correction. [CorrectionViewer] takes the answer.
type Check struct{ Text string }

// CorrectionViewer is a dialog that previews a correction.
type CorrectionViewer interface {
	SetCorrection(text string, c review.Correction)
}

// Corrected returns the action of a correction: its kind, and the URL in the form in which that kind stores it.
type Corrected func(kind review.Kind, url string) Action

// NewCorrect returns the dialog with fill as its initial text. from is the URL to compare with, and key identifies the
// draft (see [Drafter]).
func NewCorrect(from, fill, key string, submit Corrected) *Correct {
	return &Correct{fill: fill, key: key, in: widget.NewInput(fill), preview: preview{from: from, submit: submit}}
}

// Draft returns the typed text. One that is refused is not kept: the next text would be typed behind it.
func (c *Correct) Draft() (key string, draft any, changed bool) {
	text := c.in.Value()
	changed = text != c.fill
	if c.refused() {
		text = ""
	}
	return c.key, text, changed
}

// Typing returns true: letters are text.
func (c *Correct) Typing() bool { return true }

// First returns the check of the initial text.
func (c *Correct) First() Action { return Check{c.in.Value()} }

// SetCorrection sets the preview, unless the text has changed since.
func (c *Correct) SetCorrection(text string, r review.Correction) {
	if text == c.in.Value() {
		c.result = &r
	}
}

// Update takes a key or a paste. A URL that is pasted before anything is typed takes the place of the initial one.
func (c *Correct) Update(msg tea.Msg) Action {
	if paste, ok := msg.(tea.PasteMsg); ok && c.in.Value() == c.fill && hasScheme(paste.Content) {
		c.in = widget.NewInput("")
	}
	switch {
	case isKey(msg, "esc"):
		return Close{}
	case isKey(msg, "enter", "ctrl+o"):
		return c.take(msg)
	}
	if c.in.Update(msg) {
		c.result, c.failed = nil, ""
		return Check{c.in.Value()}
	}
	return nil
}

// hasScheme reports whether a text is a whole URL, and not a part of one.
func hasScheme(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// View draws the input and the preview below it.
func (c *Correct) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 110)
	s.dim("The canonical URL should be")
	s.input(&c.in, "", true)
	s.add("")
	c.draw(s)
	c.keys(s)
	return s.view("Correct the canonical URL", height, 0, 2)
}

// preview is the part of a dialog that shows and submits a correction.
type preview struct {
	from   string             // the computed canonical URL; of an item without one its original
	result *review.Correction // of the current text; nil until known
	failed string
	submit Corrected
}

// Fail shows why the action failed. The text stays.
func (p *preview) Fail(why string) { p.failed = why }

// take submits the previewed correction: the canonical form with enter, the text as typed with ctrl+o.
func (p *preview) take(msg tea.Msg) Action {
	switch {
	case p.result == nil || p.refused():
		return nil
	case isKey(msg, "enter") || p.result.Typed == p.result.Result.Canonical:
		return p.submit(review.Correct, p.result.Result.Canonical)
	}
	if err := p.result.AsTyped(); err != nil {
		p.failed = term.Safe(err.Error())
		return nil
	}
	return p.submit(review.CorrectAsTyped, p.result.Typed)
}

// draw adds the preview: the difference to the computed URL and the flags, or the reason why it cannot be cited.
func (p *preview) draw(s *sheet) {
	if p.result == nil {
		s.dim("checking…")
		return
	}
	r := &p.result.Result
	if p.refused() {
		s.add(s.th.Error.Render("✗ cannot be cited: " + term.Safe(r.Reason.String())))
		s.dim(term.Safe(r.Detail))
		return
	}
	s.add(s.th.Diff(p.from, r.Canonical, s.width)...)
	s.add("")
	if p.from == r.Canonical {
		s.dim("as it is: enter approves it unchanged")
	} else {
		s.add(s.th.OK.Render("✓ valid"))
	}
	for _, f := range r.Flags {
		s.add(s.th.Warn.Render(term.Truncate("! "+f.Code.String()+": "+f.Code.Summary(), s.width)))
	}
	if p.asTyped() {
		s.add(term.Wrap("ctrl+o takes it as typed: "+term.Safe(term.Clip(p.result.Typed, 4096)), s.width)...)
	}
}

// refused reports whether the URL cannot be cited.
func (p *preview) refused() bool { return p.result != nil && p.result.Result.Verdict == canon.Rejected }

// asTyped reports whether the text can be taken as typed, and is not the canonical form.
func (p *preview) asTyped() bool {
	return p.result != nil && p.result.Typed != p.result.Result.Canonical && p.result.AsTyped() == nil
}

// keys adds the last failure and the line of keys, which begins with the given ones.
func (p *preview) keys(s *sheet, pairs ...string) {
	s.fail(p.failed)
	if !p.refused() {
		pairs = append(pairs, "enter", "approve this URL")
	}
	if p.asTyped() {
		pairs = append(pairs, "ctrl+o", "as typed")
	}
	s.keysLine(append(pairs, "esc", "cancel")...)
}
