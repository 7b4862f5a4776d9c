package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Prompt asks for a line of text.
type Prompt struct {
	Title string
	About string // the subject, such as a URL; untrusted
	Hint  string
	Empty string // the error for an empty text; "" allows it
	Yes   string // names the effect of enter
	Key   string // identifies the draft; "": the text is not kept
	Do    func(text string) Action

	in     widget.Input
	from   string // the initial text
	failed string
}

// With sets the initial text and returns the prompt.
func (p *Prompt) With(text string) *Prompt {
	p.in, p.from = widget.NewInput(text), text
	return p
}

// Draft returns the typed text.
func (p *Prompt) Draft() (key, text string, changed bool) {
	return p.Key, p.in.Value(), p.in.Value() != p.from
}

// Typing returns true: letters are text.
func (p *Prompt) Typing() bool { return true }

// Fail shows why the action failed. The text stays.
func (p *Prompt) Fail(why string) { p.failed = why }

// Update takes a key or a paste.
func (p *Prompt) Update(msg tea.Msg) Action {
	switch {
	case isKey(msg, "esc"):
		return Close{}
	case isKey(msg, "enter"):
		text := strings.TrimSpace(p.in.Value())
		if text == "" && p.Empty != "" {
			p.failed = p.Empty
			return nil
		}
		return p.Do(text)
	}
	if p.in.Update(msg) {
		p.failed = ""
	}
	return nil
}

// View draws the prompt.
func (p *Prompt) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 76)
	if p.About != "" {
		about := term.Wrap(term.Safe(term.Clip(p.About, 1024)), s.width)
		s.add(about[:min(len(about), 4)]...)
		s.add("")
	}
	s.input(&p.in, "", true)
	if p.Hint != "" {
		s.dim(p.Hint)
	}
	s.fail(p.failed)
	s.keysLine("enter", p.Yes, "esc", "cancel")
	return s.view(p.Title, height, 0, 2)
}
