package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/candidate"
	"visto/ui/term"
	"visto/ui/theme"
)

// Candidates offers pages to cite in the place of a URL, best first, and previews the chosen one as a correction. Only
// a previewed page can be cited.
type Candidates struct {
	list []candidate.Candidate
	look func(candidate.Candidate) Action
	at   int
	preview
}

// NewCandidates returns the dialog. from is the computed canonical URL, and there is at least one page. look and cite
// return the actions that show and cite a page.
func NewCandidates(from string, list []candidate.Candidate, look, cite func(candidate.Candidate) Action) *Candidates {
	c := &Candidates{list: list, look: look, preview: preview{from: from}}
	c.submit = func(review.Kind, string) Action { return cite(c.list[c.at]) }
	return c
}

// Typing returns false: digits choose a page.
func (c *Candidates) Typing() bool { return false }

// First returns the check of the best page.
func (c *Candidates) First() Action { return c.check() }

func (c *Candidates) check() Action {
	c.result, c.failed = nil, ""
	return Check{c.list[c.at].URL}
}

// SetCorrection sets the preview of the chosen page and ignores that of any other.
func (c *Candidates) SetCorrection(text string, r review.Correction) {
	if text == c.list[c.at].URL {
		c.result = &r
	}
}

// Update takes a key.
func (c *Candidates) Update(msg tea.Msg) Action {
	key, ok := msg.(tea.KeyPressMsg)
	if ok && len(key.Text) == 1 && key.Text >= "1" && key.Text <= "9" && int(key.Text[0]-'1') < len(c.list) {
		return c.to(int(key.Text[0] - '1'))
	}
	switch {
	case isKey(msg, "esc", "q"):
		return Close{}
	case isKey(msg, "j", "down", "tab"), wheel(msg) > 0:
		return c.to(c.at + 1)
	case isKey(msg, "k", "up", "shift+tab"), wheel(msg) < 0:
		return c.to(c.at - 1)
	case isKey(msg, "l", "right"):
		return c.look(c.list[c.at])
	case isKey(msg, "enter"):
		return c.take(msg)
	}
	return stray(msg, "↑ and ↓ choose, enter cites, esc cancels")
}

func (c *Candidates) to(at int) Action {
	n := len(c.list)
	c.at = (at + n) % n
	return c.check()
}

// View draws the pages with their scores, and below them the reasons for the chosen one and the change that it makes.
func (c *Candidates) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 120)
	for i, one := range c.list {
		line := candidateLine(i, one, s.width-2)
		if i == c.at {
			s.add(th.Selected.Render(term.Pad(term.Truncate("▌ "+line, s.width), s.width)))
		} else {
			s.add(term.Truncate("  "+line, s.width))
		}
	}
	s.add("")
	foot := &sheet{th: th, width: s.width}
	foot.dim(term.Safe(strings.Join(c.list[c.at].Why, "; ")))
	foot.add("")
	c.draw(foot)
	s.append(foot)
	s.fail(c.failed)
	s.keysLine("1-9 ↑↓", "choose", "l", "look at it", "enter", "cite this page", "esc", "cancel")
	return s.view("Pages to cite", height, c.at, len(s.lines)-len(c.list))
}

// titleWidth is the width of a title at most, in columns.
const titleWidth = 44

// candidateLine returns the number of a page, its score, its title and its address, which take width columns.
func candidateLine(i int, c candidate.Candidate, width int) string {
	url := term.Safe(term.Clip(strings.TrimPrefix(c.URL, "https://"), 1024))
	number := " "
	if i < 9 {
		number = fmt.Sprint(i + 1)
	}
	score := ""
	if c.Score > 0 {
		score = fmt.Sprintf("%.2f", c.Score)
	}
	lead := fmt.Sprintf("%s %7s  ", number, score)
	room := max(0, width-term.Width(lead))
	if c.Title == "" {
		return lead + term.Middle(url, room)
	}
	titles := min(titleWidth, room/2)
	title := term.Truncate(term.Safe(term.Clip(c.Title, 300)), titles)
	return lead + term.Pad(title, titles) + "  " + term.Middle(url, max(0, room-titles-2))
}
