package pane

import (
	"cmp"
	"fmt"
	"strings"

	"visto/review/cause"
	"visto/review/suggest"
	"visto/ui/term"
	"visto/ui/widget"
)

// suggested returns the words for a suggested rule, with a star if it is recommended.
func suggested(s *suggest.Suggestion) string {
	if s.Recommended {
		return "* suggested rule"
	}
	return "suggested rule"
}

// suggestion draws a suggested rule in height lines: its effect, the reasons for and against it, the pairs of URLs
// behind them, and its keys.
func (p *page) suggestion(study *cause.Study, c *Causes, keys CauseKeys, height int) {
	s := study.Cause.Suggestion
	yes, no := s.Reasons()
	p.para(p.th.Text, 0, changes(s))
	p.para(p.th.Dim, 0, keys.Mined)
	p.hang(p.th.OK, "+ ", fmt.Sprintf("%s for it: %s", pages(s.For), strings.Join(yes, ", ")))
	if s.Against == 0 {
		p.hang(p.th.Text, "- ", "no page against it")
	} else {
		p.hang(p.th.Warn, "- ", fmt.Sprintf("%s against it: %s", pages(s.Against), strings.Join(no, ", ")))
	}
	if study.Warning != "" {
		p.hang(p.th.Warn, "! ", term.Safe(study.Warning))
	}
	rest := page{th: p.th, width: p.width}
	for _, f := range study.Fixes {
		rest.key(keys.Fixes[f.Kind], p.th.Bold, term.Safe(f.Title))
	}
	rest.key(keys.Dismiss, p.th.Text, "dismiss it until twice as many pages are for it")
	rest.asking(study, keys)
	rest.key(keys.Form, p.th.Text, "another rule, in the form")
	p.pairs(c, s, keys, max(1, height-len(p.lines)-len(rest.lines)-1))
	p.add(rest.lines...)
}

// changes says how many URLs a suggested rule would change.
func changes(s *suggest.Suggestion) string {
	if s.Reach == 0 {
		return "would change no URL that is stored now, but those that come later"
	}
	return "would change " + urls(s.Reach) + ", settled ones too"
}

// pageCounts writes the numbers of pages for and against a suggested rule.
func pageCounts(s *suggest.Suggestion) string {
	if s.Against == 0 {
		return fmt.Sprintf("+%d", s.For)
	}
	return fmt.Sprintf("+%d-%d", s.For, s.Against)
}

func pages(n int) string {
	if n == 1 {
		return "1 page"
	}
	return fmt.Sprintf("%d pages", n)
}

// pairs draws the pairs of URLs behind the numbers, from the scrolled one on, below a line with the keys that show more
// of them.
func (p *page) pairs(c *Causes, s *suggest.Suggestion, keys CauseKeys, room int) {
	c.pairs.Len, c.pairs.Height = len(s.Votes), max(1, room/2)
	c.pairs.To(c.pairs.Cursor)
	from := min(c.pairs.Cursor, max(0, len(s.Votes)-c.pairs.Height))
	way := keys.Read + " reads them in full"
	if c.expanded {
		way = keys.Read + " brings the list back"
	}
	to := min(from+c.pairs.Height, len(s.Votes))
	way = fmt.Sprintf("%d to %d of %d pairs: %s %s scroll, %s", min(from+1, to), to, len(s.Votes), keys.More,
		keys.Less, way)
	p.add(p.th.Dim.Render(term.Truncate(way, p.width)))
	for _, v := range s.Votes[from:to] {
		look, sign := p.th.Warn, "- "
		if v.For {
			look, sign = p.th.OK, "+ "
		}
		p.add(look.Render(sign) + urlLine(v.URL, p.width-2))
		p.add(p.th.Dim.Render("  "+term.Pad(v.Signal.String(), 14)+" ") + urlLine(cmp.Or(v.Other, "-"), p.width-17))
	}
}

// ScrollPairs scrolls the pairs of the suggestion under the cursor, and reports whether there is one.
func (c *Causes) ScrollPairs(m widget.Motion) bool {
	here, ok := c.Current()
	if !ok || here.Suggestion == nil {
		return false
	}
	c.pairs.Move(m)
	return true
}
