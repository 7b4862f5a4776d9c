package pane

import (
	"fmt"
	"slices"
	"strings"

	"visto/review"
	"visto/review/cause"
	"visto/ui/term"
	"visto/ui/widget"
)

// samples are the URLs of a cause. They scroll URL by URL: the cursor of the window is the first one in view.
type samples struct {
	of    cause.Cause // its identity; none: no page of them has been read
	urls  *Queue
	shown int // how many URLs the last view had room for, whole
	apart int // how many others it had, for kinds of change that those in view lack
}

// SetSamples sets a page of the URLs of the cause under the cursor.
func (c *Causes) SetSamples(p Page) {
	here, _ := c.Current()
	if id := here.Identity(); c.samples.urls == nil || c.samples.of != id {
		c.samples = samples{of: id, urls: NewQueue()}
	}
	c.samples.urls.SetPage(p)
}

// FailSamples allows another request after one for a page of the URLs that failed.
func (c *Causes) FailSamples() {
	if c.samples.urls != nil {
		c.samples.urls.Failed()
	}
}

// HasSamples reports whether URLs of the cause under the cursor have been read.
func (c *Causes) HasSamples() bool {
	here, ok := c.Current()
	return ok && c.samples.urls != nil && c.samples.of == here.Identity()
}

// Scroll scrolls the URLs of the cause under the cursor. It returns the place to load as [Queue.Move] does.
func (c *Causes) Scroll(m widget.Motion) (Place, bool) {
	if !c.HasSamples() {
		return Place{}, false
	}
	c.samples.urls.list.Height = max(1, c.samples.shown)
	return c.samples.urls.Move(m)
}

// ShowsSamples reports whether there was room for URLs of the cause.
func (c *Causes) ShowsSamples() bool { return c.HasSamples() && c.samples.shown > 0 }

// MoreSamples reports whether there are URLs of the cause above and below those in view.
func (c *Causes) MoreSamples() (above, below bool) {
	if !c.HasSamples() {
		return false, false
	}
	q := c.samples.urls
	return q.list.Cursor > 0 || !q.ends.Start, q.list.Cursor+c.samples.shown < len(q.items) || !q.ends.End
}

// Expand gives the study the whole body in the place of the list, or brings the list back.
func (c *Causes) Expand() { c.expanded = !c.expanded }

// Expanded reports whether the study has the whole body.
func (c *Causes) Expanded() bool { return c.expanded }

// view draws the URLs from the cursor on in height lines, each with draw. The first ones are followed by one for each
// kind of change that none of these has, as far as these fit whole.
func (s *samples) view(height int, kinds []review.Item, draw func(it *review.Item) []string) []string {
	lines := s.window(height, draw)
	if s.apart = 0; s.urls.list.Cursor > 0 {
		return lines
	}
	first := 1
	if len(s.urls.items) > 0 {
		first = min(height, len(draw(&s.urls.items[0])))
	}
	for n := -1; n != s.shown; { // fewer URLs may have fewer kinds
		n = s.shown
		var others []string
		others, s.apart = s.others(height-first, kinds, draw)
		lines = append(s.window(height-len(others), draw), others...)
	}
	return lines[:min(len(lines), height)]
}

// others draws in at most height lines an item for each kind of change that no URL in view has, and counts them.
func (s *samples) others(
	height int, kinds []review.Item, draw func(it *review.Item) []string,
) (lines []string, n int) {
	in := s.urls.items[:s.shown]
	for i := range kinds {
		alike := func(it review.Item) bool { return cause.SameChange(&it, &kinds[i]) }
		if text := draw(&kinds[i]); !slices.ContainsFunc(in, alike) && len(lines)+len(text) <= height {
			lines, in = append(lines, text...), append(in[:len(in):len(in)], kinds[i])
			n++
		}
	}
	return lines, n
}

// window draws the URLs from the cursor on in height lines. At the end of the list it begins earlier, so that the screen
// is full.
func (s *samples) window(height int, draw func(it *review.Item) []string) (lines []string) {
	items, list := s.urls.items, &s.urls.list
	block := func(i int) []string {
		text := draw(&items[i])
		return text[max(0, len(text)-height):] // the URL after rather than that before
	}
	s.shown = 0
	for i := list.Cursor; i < len(items) && len(lines) < height; i++ {
		if lines = append(lines, block(i)...); len(lines) <= height {
			s.shown++
		}
	}
	for list.Cursor > 0 {
		before := block(list.Cursor - 1)
		if len(before)+len(lines) > height {
			break
		}
		lines = slices.Concat(before, lines)
		list.Cursor--
		s.shown++
	}
	return lines[:min(len(lines), height)]
}

// place says which of n URLs are in view.
func (s *samples) place(n int) string {
	from := s.urls.list.Cursor
	to := from + s.shown
	switch {
	case s.urls.ends.Start:
	case s.urls.ends.End:
		from, to = from+n-len(s.urls.items), to+n-len(s.urls.items)
	default:
		return fmt.Sprintf("of %s", urls(n))
	}
	if from == 0 && to >= n {
		return ""
	}
	text := fmt.Sprintf("%d to %d of %s", from+1, to, urls(n))
	if to == from+1 {
		text = fmt.Sprintf("%d of %s", to, urls(n))
	}
	switch s.apart {
	case 0:
		return text
	case 1:
		return text + ", then 1 that changes otherwise"
	}
	return fmt.Sprintf("%s, then %d that change otherwise", text, s.apart)
}

// sample draws a URL before and after in one line where one shows them, else in two. If detailed, a line with its title
// and the records and fields that cite it follows, else these stand behind it where there is room.
func (p *page) sample(it *review.Item, detailed bool) []string {
	one := page{th: p.th, width: p.width, collapse: true, keyed: p.keyed}
	line, single := p.th.DiffLine(term.Safe(term.Clip(it.Original, maxShown)),
		term.Safe(term.Clip(it.Canonical(), maxShown)), p.width)
	if !single && !detailed && it.Original == it.Canonical() {
		line, single = "  "+urlLine(it.Original, p.width-2), true
	}
	if single {
		one.add(line)
	} else {
		one.diff(term.Clip(it.Original, maxShown), it.Canonical())
	}
	var facts []string
	if it.Title != "" {
		facts = append(facts, "“"+safe(it.Title, p.width/2)+"”")
	}
	if by := CitedIn(it, nil); by != "" {
		facts = append(facts, safe(by, p.width))
	}
	text := strings.Join(facts, "  ")
	switch room := p.width - term.Width(line) - 2; {
	case text == "":
	case detailed:
		one.add(p.th.Dim.Render(term.Truncate("    "+text, p.width)))
	case single && room >= minFacts:
		one.lines[0] += "  " + p.th.Dim.Render(term.Truncate(text, room))
	}
	return one.lines
}

// minFacts is the least room for the title and the citers of a URL behind it.
const minFacts = 16

// CitedIn names the records that cite an item, each with its fields, and the fields of the places without a record.
// files are as for [review.Item.Citers]. The text is untrusted.
func CitedIn(it *review.Item, files map[string]string) string {
	type citer struct {
		name   string
		fields []string
	}
	var list []citer
	for _, by := range it.Citers(files) {
		c := citer{name: by.Name}
		for _, o := range it.Citing() {
			if o.Citer == by.Number && o.Field != "" && !slices.Contains(c.fields, o.Field) {
				c.fields = append(c.fields, o.Field)
			}
		}
		list = append(list, c)
	}
	var parts []string
	for _, c := range list {
		text := c.name
		if len(c.fields) > 0 {
			text += " (" + strings.Join(c.fields, ", ") + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
