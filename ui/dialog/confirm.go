package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Confirm asks for confirmation of an action. The default answer is no.
type Confirm struct {
	Title string
	Text  []string // trusted paragraphs
	Lines []string // untrusted, below them, such as a URL or a summary
	Yes   string   // names the action
	Do    Action

	optionalEffect
	list   widget.List // the visible lines of the effect's rules and samples
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
	case scroll(&c.list, msg):
		return nil
	}
	return stray(msg, fmt.Sprintf("y: %s, n: cancel", c.Yes))
}

func (c *Confirm) do() Action {
	if c.busy || c.effect != nil && !c.effect.ready() {
		return nil
	}
	c.busy, c.failed = true, ""
	return c.Do
}

// View draws the question in the longest form that fits. The counts of an effect and the answers are always in view;
// the rules and samples scroll.
func (c *Confirm) View(th *theme.Theme, width, height int) View {
	for _, roomy := range []bool{true, false} {
		s := newSheet(th, width, c.widest())
		if c.draw(s, height-2, roomy) {
			return s.view(c.Title, height, 0, 3)
		}
	}
	s := newSheet(th, width, c.widest())
	c.compact(s, height-2)
	return s.view(c.Title, height, len(s.lines), 1)
}

func (c *Confirm) widest() int {
	if c.effect != nil || len(c.Lines) > 0 {
		return 100
	}
	return 64
}

// draw draws the question, if roomy with blank lines and keys, and reports whether it fits into room lines.
func (c *Confirm) draw(s *sheet, room int, roomy bool) bool {
	gap := func(s *sheet) {
		if roomy {
			s.add("")
		}
	}
	c.about(s)
	foot := &sheet{th: s.th, width: s.width}
	foot.fail(c.failed)
	gap(foot)
	c.buttons(foot)
	var lines []string
	var ends []int
	if c.effect != nil {
		if len(s.lines) > 0 {
			gap(s)
		}
		height := 0
		if roomy {
			height = max(4, room-len(s.lines)-6)
		}
		c.effect.head(s, height)
		lines, ends = c.effect.all(s.th, s.width)
	}
	keys := 0
	if roomy {
		keys = 2
	}
	left := room - len(s.lines) - len(foot.lines) - keys
	if left < min(len(lines), 2) {
		return false
	}
	scrolls := c.window(s, lines, ends, left)
	s.append(foot)
	if roomy {
		pairs := []string{"y", c.Yes, "n esc", "cancel"}
		if scrolls {
			pairs = append(pairs, "k j", "scroll", "G", "end")
		}
		s.keysLine(pairs...)
	}
	return true
}

// window adds the lines in view, up to height of them. If not all are, it reports so, and the last line says how many
// URLs follow.
func (c *Confirm) window(s *sheet, lines []string, ends []int, height int) (scrolls bool) {
	more := 0
	if len(ends) > 0 {
		more = c.effect.state.Effect.Affected - len(ends)
	}
	if len(lines) <= height && more <= 0 {
		s.add(c.list.Window(lines, len(lines))...)
		return false
	}
	s.add(c.list.Window(lines, min(height-1, len(lines)))...)
	_, to := c.list.Visible()
	below := 0
	for _, end := range ends {
		below += count(end > to)
	}
	s.add(s.th.Dim.Render(term.Truncate(moreURLs(below, more), s.width)))
	return len(lines) > height-1
}

// moreURLs says how many URLs follow: those to scroll to, and those that the effect only counts.
func moreURLs(below, counted int) string {
	switch {
	case below > 0 && counted > 0:
		return fmt.Sprintf("↓ %s more, and %s that are not listed", thousands(below), urls(counted))
	case below > 0:
		return fmt.Sprintf("↓ %s more", thousands(below))
	case counted > 0:
		return fmt.Sprintf("and %s that are not listed", urls(counted))
	}
	return "↑ these are all"
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
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

// about draws the text and the lines of the question.
func (c *Confirm) about(s *sheet) {
	for _, text := range c.Text {
		s.para(text)
	}
	for _, line := range c.Lines {
		s.add(term.Wrap(term.Safe(line), s.width)...)
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
