package console

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/canon"
	"visto/review"
	"visto/ui/desk"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
	"visto/ui/wording"
)

// pageTab is the page behind a URL as a probe stored it, beside the facts about the URL or in their place. It follows
// the URL that keys are about, and has the text of that one alone.
type pageTab struct {
	*session
	desk    desk.Items
	detail  *detailTab
	pane    pane.Content
	from    scope  // where the page was opened
	changes bool   // the difference between the two versions is on screen, in place of the text
	search  string // the text of the last search

	id      int64          // the item whose page this is; 0: none
	facts   *review.Detail // the detail of the item when the page was read; nil: it was not
	reading bool

	rendered  rendering
	rendering bool
}

// rendering tells renderings of pages apart.
type rendering struct {
	newest  *review.StoredContent
	theme   *theme.Theme
	width   int
	changes bool
}

func newPageTab(s *session, d desk.Items, t *detailTab) *pageTab {
	return &pageTab{session: s, desk: d, detail: t, pane: pane.Content{Keyed: s.keyed}}
}

// follow reads the page of the URL that keys are about and renders it, unless that has been done. The root calls it
// after every message.
func (p *pageTab) follow(c canvas) tea.Cmd {
	if p.scope&(inPage|inLinks) == 0 {
		return nil
	}
	var id int64
	if it := p.detail.subject(); it != nil {
		id = it.ID
	}
	if p.id != id {
		p.id, p.facts, p.changes, p.scope = id, nil, false, inPage
		p.pane.Clear()
	}
	return tea.Batch(p.read(), p.render(c))
}

// read reads the page once the detail of its URL has been read, which it is again after every change.
func (p *pageTab) read() tea.Cmd {
	facts, id := p.detail.data(), p.id
	if p.reading || facts == nil || facts == p.facts {
		return nil
	}
	p.reading = true
	return ask(func() ([]review.StoredContent, error) { return p.desk.Contents(p.ctx, id) },
		func(contents []review.StoredContent, err error) tea.Cmd {
			p.reading = false
			switch {
			case p.id != id: // another URL is on screen by now
				return nil
			case err != nil:
				p.pane.Fail(wording.Error(err))
			default:
				p.pane.Set(contents)
				p.changes = p.changes && len(contents) > 1
			}
			p.facts = facts
			return nil
		})
}

// render renders the page for the screen in a command, one at a time.
func (p *pageTab) render(c canvas) tea.Cmd {
	contents := p.pane.Contents()
	if p.rendering || len(contents) == 0 || c.width == 0 {
		return nil
	}
	_, width := pageRoom(c)
	want := rendering{&contents[0], c.th, width, p.changes}
	if want == p.rendered {
		return nil
	}
	p.rendering = true
	look := pane.ContentLook{Theme: c.th, Width: width, Markdown: isMarkdown(p.facts.Evidence), Changes: p.changes}
	return func() tea.Msg {
		text := pane.RenderContent(contents, look, p.keyed)
		return answer(func() tea.Cmd {
			p.rendering = false
			return p.show(text, want)
		})
	}
}

// show shows a rendered page, unless another page is on screen by now.
func (p *pageTab) show(text *pane.ContentText, made rendering) tea.Cmd {
	if now := p.pane.Contents(); len(now) > 0 && &now[0] == made.newest {
		p.pane.SetText(text, p.rendered.newest == made.newest && p.rendered.changes == made.changes)
		p.rendered = made
	}
	return nil
}

// isMarkdown reports whether the text of a page is Markdown: it is for HTML.
func isMarkdown(ev *canon.Evidence) bool {
	return ev == nil || ev.ContentType == "" || strings.Contains(ev.ContentType, "html")
}

func (p *pageTab) load() tea.Cmd { return nil }

func (p *pageTab) move(motion widget.Motion) tea.Cmd {
	p.pane.Scroll(motion)
	return nil
}

func (p *pageTab) click(int) (again bool, cmd tea.Cmd) { return false, nil }

func (p *pageTab) view(c canvas, height int) string {
	return p.beside(c, height, func(width int) string {
		text := p.pane.View(c.th, width, height)
		above, below := p.pane.More()
		return margins(c.th, text, above, below)
	})
}

const (
	pageBesideWidth = 140 // the width of the screen from which the page is beside the facts
	maxPageWidth    = 100 // longer lines are hard to read
)

// pageRoom returns the widths of the facts, 0 where there is no room for them, and of the page, in cells.
func pageRoom(c canvas) (facts, width int) {
	if c.width < pageBesideWidth {
		return 0, max(1, min(c.width-4, maxPageWidth))
	}
	width = min(c.width*11/20, maxPageWidth)
	return c.width - width - 3, width
}

// beside draws something of the page beside the facts, or alone. It has a margin of two cells.
func (p *pageTab) beside(c canvas, height int, draw func(width int) string) string {
	facts, width := pageRoom(c)
	text := draw(width)
	if facts == 0 {
		return text
	}
	left := strings.Split(p.detail.view(canvas{c.th, facts, c.height}, height), "\n")
	for i, line := range strings.Split(text, "\n") {
		left[i] = term.Pad(left[i], facts) + c.th.Border.Render("│") + line
	}
	return strings.Join(left, "\n")
}

// toggle opens the page of the URL that keys are about, or closes it.
func (p *pageTab) toggle() tea.Cmd {
	switch {
	case p.scope == inPage:
		return p.leave()
	case p.detail.subject() == nil:
		return p.warn(p.detail.noSubject())
	}
	if p.from = p.scope; p.from == inQueue {
		p.detail.visited, p.detail.walk = nil, nil
	}
	p.scope = inPage
	return p.detail.loadAround()
}

// back ends the search, or closes the page.
func (p *pageTab) back() tea.Cmd {
	if p.pane.Searching() {
		p.pane.Search(nil)
		return nil
	}
	return p.leave()
}

// leave returns to where the page was opened.
func (p *pageTab) leave() tea.Cmd {
	if p.scope = p.from; p.from == inQueue {
		p.detail.pane.Scroll(widget.Top)
	}
	return nil
}

func (p *pageTab) section(by int) tea.Cmd {
	p.pane.Section(by)
	return nil
}

// toggleChanges switches between the page and the difference between its two versions.
func (p *pageTab) toggleChanges() tea.Cmd {
	contents := p.pane.Contents()
	if len(contents) < 2 {
		return p.warn("there is no other version of the page to compare with")
	}
	if p.changes = !p.changes; p.changes {
		return p.say("the changes since " + pane.Stamp(contents[1].At))
	}
	return p.say("the page of " + pane.Stamp(contents[0].At))
}

// possible reports whether an action on the page can do anything.
func (p *pageTab) possible(name string) bool {
	contents := p.pane.Contents()
	switch name {
	case "Links":
		return len(contents) > 0 && len(contents[0].Document.Links) > 0
	case "Changes":
		return len(contents) > 1
	}
	return true
}

// next goes to the next match of the search, or with by -1 to the one before.
func (p *pageTab) next(by int) tea.Cmd {
	if !p.pane.Searching() {
		return p.warn(p.keyed("nothing is searched for: {search-the-page} searches the page"))
	}
	p.pane.Next(by)
	return p.say(p.matched())
}

// matched tells the number of the match that the search went to.
func (p *pageTab) matched() string {
	at, all := p.pane.Match()
	if all == 0 {
		return foundText(0)
	}
	return fmt.Sprintf("%d of %d", at, all)
}

// pageLookup is the search in the page.
type pageLookup struct {
	*pageTab
	top  int    // where the page was scrolled to before the search
	text string // of the search before
}

func (p *pageTab) askSearch() tea.Cmd {
	line := &dialog.Search{Hint: "in the page; " + review.PatternMark + "… for a regexp", Check: checkSearch}
	text := ""
	if p.pane.Searching() {
		text = p.search
	}
	return p.openSearch(&pageLookup{p, p.pane.Top(), text}, line, text)
}

func (l *pageLookup) look(text string) tea.Cmd {
	find, err := finderOf(text)
	if err != nil { // the field has told it
		return nil
	}
	l.search = text
	l.pane.To(l.top)
	l.pane.Search(find)
	return nil
}

// finderOf returns the finder of a text that was typed to be searched for in a page; nil for none.
func finderOf(text string) (*review.Finder, error) {
	var f review.Filter
	f.Search, f.Regexp = review.ParseSearch(text)
	find, err := f.Finder()
	return find, err
}

func (l *pageLookup) keep() tea.Cmd { return nil }

func (l *pageLookup) restore() tea.Cmd {
	l.look(l.text)
	l.pane.To(l.top)
	return nil
}

func (l *pageLookup) found() string {
	if !l.pane.Searching() {
		return ""
	}
	return l.matched()
}
