package console

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/review/probe/extract"
	"visto/ui/dialog"
	"visto/ui/pane"
	"visto/ui/widget"
)

// linksTab is the list of the links of a page, in the place of the page. A link can be cited in place of the URL.
type linksTab struct {
	*session
	page   *pageTab
	finder *finder
	pane   pane.Links
	search string // the text of the last search
}

// showLinks lists the links of the page on screen.
func (l *linksTab) showLinks() tea.Cmd {
	contents := l.page.pane.Contents()
	if len(contents) == 0 || len(contents[0].Document.Links) == 0 {
		return l.warn("no links of this page are stored")
	}
	l.pane.Set(contents[0].Document.Links, l.page.facts.Item.Computed.Host)
	l.scope = inLinks
	return nil
}

func (l *linksTab) load() tea.Cmd { return nil }

func (l *linksTab) move(motion widget.Motion) tea.Cmd {
	l.pane.Move(motion)
	return nil
}

func (l *linksTab) click(y int) (again bool, cmd tea.Cmd) { return l.pane.Click(y), nil }

func (l *linksTab) view(c canvas, height int) string {
	return l.page.beside(c, height, func(width int) string {
		return margins(c.th, l.pane.View(c.th, width, height), false, false)
	})
}

// back ends the search, or returns to the page.
func (l *linksTab) back() tea.Cmd {
	if l.pane.Searching() {
		l.pane.Search(nil)
		return nil
	}
	l.scope = inPage
	return nil
}

// onLink runs fn on the link under the cursor, or says that there is none.
func (l *linksTab) onLink(fn func(link extract.Link) tea.Cmd) tea.Cmd {
	link, ok := l.pane.Current()
	if !ok {
		return l.warn("there is no link here")
	}
	return fn(link)
}

// cite opens the link as a candidate. Without a network it opens the correction of the URL with the link in it.
func (l *linksTab) cite() tea.Cmd {
	return l.onLink(func(link extract.Link) tea.Cmd {
		if l.opts.Prober == nil {
			return l.finder.decider.correctTo(link.URL)
		}
		return l.finder.askFor(link)
	})
}

func (l *linksTab) browse() tea.Cmd {
	return l.onLink(func(link extract.Link) tea.Cmd { return l.browseURL(link.URL) })
}

func (l *linksTab) copyLink() tea.Cmd {
	return l.onLink(func(link extract.Link) tea.Cmd { return l.copy("link", link.URL) })
}

// linksLookup is the search among the links.
type linksLookup struct {
	*linksTab
	text string // of the search before
}

func (l *linksTab) askSearch() tea.Cmd {
	line := &dialog.Search{Hint: "in the links; " + review.PatternMark + "… for a regexp", Check: checkSearch}
	text := ""
	if l.pane.Searching() {
		text = l.search
	}
	return l.openSearch(&linksLookup{l, text}, line, text)
}

func (l *linksLookup) look(text string) tea.Cmd {
	if find, err := finderOf(text); err == nil {
		l.search = text
		l.pane.Search(find)
	}
	return nil
}

func (l *linksLookup) keep() tea.Cmd    { return nil }
func (l *linksLookup) restore() tea.Cmd { return l.look(l.text) }

func (l *linksLookup) found() string {
	if !l.pane.Searching() {
		return fmt.Sprintf("%d in all", l.pane.Len())
	}
	return foundText(l.pane.Len())
}
