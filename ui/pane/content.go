package pane

import (
	"slices"
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Content shows the stored content of one URL as a reader sees it, or the changes between its two versions. It draws
// lines that [RenderContent] made before: that takes too long for a frame.
type Content struct {
	// Keyed is as in [Detail].
	Keyed func(text string) string

	contents []review.StoredContent // newest first
	loaded   bool
	failed   string
	text     *ContentText // nil until rendered
	view     widget.List

	find  *review.Finder
	found [][]int // the matches of the search in the text
	match int     // the one that the search went to last
}

// ContentText is a rendered page.
type ContentText struct {
	lines []contentLine
	text  string // that of all lines, for the search: a space where one ends
}

// contentLine is a line of a page. Its text without the indent begins at byte from of the page's.
type contentLine struct {
	styled       string
	from, indent int
}

// newContentText returns the text of styled lines.
func newContentText(lines []string) *ContentText {
	t := &ContentText{lines: make([]contentLine, len(lines))}
	var b strings.Builder
	for i, line := range lines {
		plain := ansi.Strip(line)
		rest := strings.TrimLeft(plain, " ")
		t.lines[i] = contentLine{line, b.Len(), len(plain) - len(rest)}
		b.WriteString(rest + " ")
	}
	t.text = b.String()
	return t
}

// Lines returns the styled lines.
func (t *ContentText) Lines() []string {
	lines := make([]string, len(t.lines))
	for i, line := range t.lines {
		lines[i] = line.styled
	}
	return lines
}

// end returns the end of a line's text in the page's.
func (t *ContentText) end(line int) int {
	if line+1 < len(t.lines) {
		return t.lines[line+1].from - 1
	}
	return len(t.text) - 1
}

// lineAt returns the line of a byte of the text.
func (t *ContentText) lineAt(at int) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i].from > at }) - 1
}

// isHeading reports whether a line is a heading.
func (t *ContentText) isHeading(line int) bool {
	text := t.text[t.lines[line].from:t.end(line)]
	rest := strings.TrimLeft(text, "#")
	return t.lines[line].indent == 0 && len(rest) < len(text) && strings.HasPrefix(rest, " ")
}

// Set sets the versions of the content, newest first. None says that no page is stored. If they are those that it has,
// nothing changes.
func (p *Content) Set(contents []review.StoredContent) {
	same := func(a, b review.StoredContent) bool { return a.At.Equal(b.At) }
	if p.loaded && slices.EqualFunc(contents, p.contents, same) {
		return
	}
	*p = Content{Keyed: p.Keyed, contents: contents, loaded: true}
}

// Clear forgets the page: the next one is being loaded.
func (p *Content) Clear() { *p = Content{Keyed: p.Keyed} }

// Fail shows why the page cannot be read.
func (p *Content) Fail(why string) { *p = Content{Keyed: p.Keyed, failed: why} }

// Contents returns the versions of the content, newest first.
func (p *Content) Contents() []review.StoredContent { return p.contents }

// SetText shows a rendered page. If it is the same text for another width, it stays where it was scrolled to.
func (p *Content) SetText(text *ContentText, same bool) {
	top := 0
	if p.text != nil && same {
		top = p.view.Top * len(text.lines) / max(1, len(p.text.lines))
	}
	p.text = text
	p.view.Len, p.view.Top, p.view.Cursor = len(text.lines), top, top
	p.found = p.find.Find(text.text)
	p.match = min(p.match, max(0, len(p.found)-1))
}

// Scroll scrolls the text.
func (p *Content) Scroll(m widget.Motion) { p.view.Scroll(m) }

// Top returns the first visible line, which [Content.To] goes to.
func (p *Content) Top() int { return p.view.Top }

// To scrolls to a line.
func (p *Content) To(line int) { p.view.Top, p.view.Cursor = line, line }

// Section scrolls to the next heading, or with by -1 to the one before or the start.
func (p *Content) Section(by int) {
	if p.text == nil {
		return
	}
	for at := p.view.Top + by; at >= 0 && at < len(p.text.lines); at += by {
		if p.text.isHeading(at) {
			p.To(at)
			return
		}
	}
	if by < 0 {
		p.To(0)
	}
}

// Search marks the matches of a search, and goes to the first one that is in view or below it. nil ends the search.
func (p *Content) Search(find *review.Finder) {
	p.find, p.found, p.match = find, nil, 0
	if p.text == nil || find == nil {
		return
	}
	p.found = find.Find(p.text.text)
	from := p.text.lines[min(p.view.Top, len(p.text.lines)-1)].from
	p.match = max(0, slices.IndexFunc(p.found, func(m []int) bool { return m[0] >= from }))
	p.showMatch()
}

// Searching reports whether a search is on.
func (p *Content) Searching() bool { return p.find != nil }

// Match returns the number of the present match and that of all of them.
func (p *Content) Match() (at, all int) { return p.match + 1, len(p.found) }

// Next goes to the next match, or with by -1 to the one before. After the last one comes the first.
func (p *Content) Next(by int) {
	if n := len(p.found); n > 0 {
		p.match = (p.match + by + n) % n
		p.showMatch()
	}
}

// showMatch scrolls to the present match if it is out of view.
func (p *Content) showMatch() {
	if len(p.found) == 0 {
		return
	}
	line := p.text.lineAt(p.found[p.match][0])
	if from, to := p.view.Visible(); line < from || line >= to {
		p.To(max(0, line-p.view.Height/3))
	}
}

// View draws the visible part of the page.
func (p *Content) View(th *theme.Theme, width, height int) string {
	switch {
	case p.failed != "":
		return emptyView(th, true, p.failed, width, height)
	case p.loaded && len(p.contents) == 0:
		const none = "No page is stored for this URL. {probe} asks the network and keeps the page; " +
			"{open-in-browser} opens it in the browser."
		return emptyView(th, true, p.Keyed(none), width, height)
	case p.text == nil:
		return emptyView(th, false, "", width, height)
	}
	from, to := p.view.Fit(len(p.text.lines), height)
	var lines []string
	for at := from; at < to; at++ {
		lines = append(lines, term.Truncate(p.line(th, at), width))
	}
	return fill(strings.Join(lines, "\n"), height)
}

// line draws a line with the matches in it.
func (p *Content) line(th *theme.Theme, at int) string {
	line := p.text.lines[at]
	found := shiftSpans(p.found, line.from, p.text.end(at), line.indent-line.from)
	if len(found) == 0 {
		return line.styled
	}
	return th.FoundIn(line.styled, found)
}

// More reports whether there is text above and below the visible part.
func (p *Content) More() (above, below bool) {
	_, to := p.view.Visible()
	return p.view.Top > 0, p.text != nil && to < p.view.Len
}
