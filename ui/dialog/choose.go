package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
)

// Choose offers alternatives to the computed URL and previews the chosen one as a correction. Only a previewed URL can
// be approved.
type Choose struct {
	options []Option
	at      int
	preview
}

// NewChoose returns the dialog. from is the computed canonical URL, and there is at least one option.
func NewChoose(from string, options []Option, submit Corrected) *Choose {
	return &Choose{options: options, preview: preview{from: from, submit: submit}}
}

// Option is a URL to choose. Text describes it and is trusted; URL is untrusted.
type Option struct{ Text, URL string }

// Typing returns false: digits choose an option.
func (c *Choose) Typing() bool { return false }

// First returns the check of the first option.
func (c *Choose) First() Action { return c.check() }

func (c *Choose) check() Action {
	c.result, c.failed = nil, ""
	return Check{c.options[c.at].URL}
}

// SetCorrection sets the preview of the chosen URL and ignores that of any other.
func (c *Choose) SetCorrection(text string, r review.Correction) {
	if text == c.options[c.at].URL {
		c.result = &r
	}
}

// Update takes a key.
func (c *Choose) Update(msg tea.Msg) Action {
	key, ok := msg.(tea.KeyPressMsg)
	if ok && len(key.Text) == 1 && key.Text >= "1" && int(key.Text[0]-'1') < len(c.options) {
		return c.to(int(key.Text[0] - '1'))
	}
	switch {
	case isKey(msg, "esc", "q"):
		return Close{}
	case isKey(msg, "j", "down", "tab"), wheel(msg) > 0:
		return c.to(c.at + 1)
	case isKey(msg, "k", "up", "shift+tab"), wheel(msg) < 0:
		return c.to(c.at - 1)
	case isKey(msg, "enter", "ctrl+o"):
		return c.take(msg)
	}
	return stray(msg, "↑ and ↓ choose, enter approves, esc cancels")
}

func (c *Choose) to(at int) Action {
	n := len(c.options)
	c.at = (at + n) % n
	return c.check()
}

// View draws the options, and below them the change that the chosen one makes.
func (c *Choose) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 110)
	for i, o := range c.options {
		line := fmt.Sprintf("%d  %s", i+1, o.Text)
		if room := s.width - term.Width(line) - 6; i != c.at && room > 20 {
			line += "  " + th.Dim.Render(term.Middle(term.Safe(term.Clip(o.URL, 1024)), room))
		}
		if i == c.at {
			s.add(th.Selected.Render(term.Pad("▌ "+line, s.width)))
		} else {
			s.add(term.Truncate("  "+line, s.width))
		}
	}
	s.add("")
	if c.refused() { // there is no change that shows the URL
		s.add(term.Wrap(term.Safe(term.Clip(c.options[c.at].URL, 1024)), s.width)...)
	}
	c.draw(s)
	c.keys(s, "1-9 ↑↓", "choose")
	return s.view("Another URL", height, c.at, 2)
}
