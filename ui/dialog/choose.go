package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/ui/term"
	"visto/ui/theme"
)

// Choose offers URLs in the place of the computed one, and shows the chosen one as it would be stored. None is approved before it was
// shown.
type Choose struct {
	From    string // the computed canonical URL
	Options []Option
	Submit  func(url string) Action

	at     int
	result *canon.Result // of the chosen one; nil while not known
	failed string
}

// Option is a URL to choose. What is trusted, URL is not.
type Option struct{ Text, URL string }

// Typing reports that digits choose here.
func (c *Choose) Typing() bool { return false }

// Fail says why it was not done.
func (c *Choose) Fail(why string) { c.failed = why }

// First returns the check of the first one.
func (c *Choose) First() Action { return c.check() }

func (c *Choose) check() Action {
	c.result, c.failed = nil, ""
	return Check{c.Options[c.at].URL}
}

// SetCorrection shows what the chosen URL would be stored as.
func (c *Choose) SetCorrection(text string, r canon.Result) {
	if text == c.Options[c.at].URL {
		c.result = &r
	}
}

// Update takes a key.
func (c *Choose) Update(msg tea.Msg) Action {
	key, ok := msg.(tea.KeyPressMsg)
	if ok && len(key.Text) == 1 && key.Text >= "1" && int(key.Text[0]-'1') < len(c.Options) {
		return c.to(int(key.Text[0] - '1'))
	}
	switch {
	case isKey(msg, "esc", "q"):
		return Close{}
	case isKey(msg, "j", "down", "tab"), wheel(msg) > 0:
		return c.to(c.at + 1)
	case isKey(msg, "k", "up", "shift+tab"), wheel(msg) < 0:
		return c.to(c.at - 1)
	case isKey(msg, "enter") && c.result != nil && c.result.Verdict != canon.Rejected:
		return c.Submit(c.Options[c.at].URL)
	}
	return nil
}

func (c *Choose) to(at int) Action {
	n := len(c.Options)
	c.at = (at + n) % n
	return c.check()
}

// View draws the options, and below them what the chosen one changes.
func (c *Choose) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 110)
	for i, o := range c.Options {
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
	switch {
	case c.result == nil:
		s.dim("checking…")
	case c.result.Verdict == canon.Rejected:
		s.add(th.Error.Render("✗ cannot be stored: " + term.Safe(c.result.Reason.String())))
	default:
		drawCorrection(s, c.From, c.result)
	}
	s.fail(c.failed)
	s.keysLine("1-9 ↑↓", "choose", "enter", "approve this URL", "esc", "cancel")
	return s.view("Another URL", height, c.at, 2)
}
