package dialog

import (
	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
)

// Confirm asks for confirmation of an action. The default answer is no.
type Confirm struct {
	Title string
	Text  []string // trusted paragraphs
	URLs  []string // untrusted lines below them
	Yes   string   // names the action
	Do    Action

	optionalEffect
	yes    bool
	busy   bool
	failed string
}

// WithEffect makes the dialog show the effect of a rule change. The answer yes waits until the effect is known.
func (c *Confirm) WithEffect() *Confirm {
	c.effect = &effectView{}
	return c
}

// Typing returns false: letters answer the question.
func (c *Confirm) Typing() bool { return false }

// Fail shows why the action failed and allows another try.
func (c *Confirm) Fail(why string) { c.failed, c.busy = why, false }

// Update takes a key.
func (c *Confirm) Update(msg tea.Msg) Action {
	switch {
	case isKey(msg, "esc", "n", "q"):
		return Close{}
	case isKey(msg, "left", "right", "tab", "shift+tab", "h", "l"):
		c.yes = !c.yes
	case isKey(msg, "y"):
		return c.do()
	case isKey(msg, "enter") && !c.yes:
		return Close{}
	case isKey(msg, "enter"):
		return c.do()
	}
	return nil
}

func (c *Confirm) do() Action {
	if c.busy || c.effect != nil && !c.effect.ready() {
		return nil
	}
	c.busy, c.failed = true, ""
	return c.Do
}

// View draws the question in the longest form that fits. The counts of an effect and the answers are always in view.
func (c *Confirm) View(th *theme.Theme, width, height int) View {
	for _, roomy := range []bool{true, false} {
		s := newSheet(th, width, c.widest())
		if c.draw(s, height-2, roomy); len(s.lines) <= height-2 {
			return s.view(c.Title, height, 0, 3)
		}
	}
	s := newSheet(th, width, c.widest())
	c.compact(s, height-2)
	return s.view(c.Title, height, len(s.lines), 1)
}

func (c *Confirm) widest() int {
	if c.effect != nil || len(c.URLs) > 0 {
		return 100
	}
	return 64
}

// draw draws the question, if roomy with blank lines, samples and keys.
func (c *Confirm) draw(s *sheet, room int, roomy bool) {
	c.about(s)
	gap := func() {
		if roomy && len(s.lines) > 0 {
			s.add("")
		}
	}
	switch {
	case c.effect != nil && roomy:
		gap()
		c.effect.draw(s, max(4, room-len(s.lines)-6))
	case c.effect != nil:
		c.effect.draw(s, 0)
	}
	s.fail(c.failed)
	gap()
	c.buttons(s)
	if roomy {
		s.keysLine("y", c.Yes, "n esc", "cancel")
	}
}

// compact draws the question in room lines: the answers, the counts or the error always, the text as far as it fits.
func (c *Confirm) compact(s *sheet, room int) {
	about, must := &sheet{th: s.th, width: s.width}, &sheet{th: s.th, width: s.width}
	c.about(about)
	if c.effect != nil {
		c.effect.compact(must)
	}
	if c.failed != "" {
		must.add(s.th.Error.Render(term.Truncate("! "+c.failed, s.width)))
	}
	maxLines := room - 1 - len(must.lines)
	s.add(about.lines[:max(0, min(maxLines, len(about.lines)))]...)
	s.add(must.lines...)
	c.buttons(s)
}

// about draws the text and the URLs of the question.
func (c *Confirm) about(s *sheet) {
	for _, text := range c.Text {
		s.para(text)
	}
	for _, url := range c.URLs {
		s.add(term.Wrap(term.Safe(url), s.width)...)
	}
}

// buttons adds the two answers. Brackets mark the chosen one, since colour alone must not.
func (c *Confirm) buttons(s *sheet) {
	if c.busy {
		s.add(s.th.Dim.Render("working…"))
		return
	}
	draw := func(text string, chosen bool) string {
		if chosen {
			return s.th.ActiveButton.Render("[" + text + "]")
		}
		return s.th.Button.Render(" " + text + " ")
	}
	no, yes := draw("Cancel", !c.yes), draw(c.Yes, c.yes)
	s.zone(s.zone(0, no, "esc")+2, yes, "y")
	s.add(no + "  " + yes)
}
