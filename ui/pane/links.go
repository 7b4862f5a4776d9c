package pane

import (
	"fmt"
	"strings"

	"visto/review"
	"visto/review/probe/extract"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Links shows the links of a page, all or those that a search finds.
type Links struct {
	all  []extract.Link
	hits []int // the links on screen
	host string
	list widget.List
	find *review.Finder
}

// Set sets the links of a page on a host.
func (l *Links) Set(links []extract.Link, host string) {
	*l = Links{all: links, host: host}
	l.Search(nil)
}

// Len returns the number of links on screen.
func (l *Links) Len() int { return len(l.hits) }

// Current returns the link under the cursor.
func (l *Links) Current() (link extract.Link, ok bool) {
	if l.list.Cursor >= len(l.hits) {
		return link, false
	}
	return l.all[l.hits[l.list.Cursor]], true
}

// Move moves the cursor.
func (l *Links) Move(m widget.Motion) { l.list.Move(m) }

// Click moves the cursor to the row in line y, and reports whether it was there before.
func (l *Links) Click(y int) (again bool) {
	again, _ = l.list.Click(y - 1) // below the heading
	return again
}

// Search shows only the links with a text in their words or their address. nil shows all.
func (l *Links) Search(find *review.Finder) {
	l.find, l.hits = find, l.hits[:0:0]
	for i, link := range l.all {
		if find == nil || len(find.Find(link.Text)) > 0 || len(find.Find(link.URL)) > 0 {
			l.hits = append(l.hits, i)
		}
	}
	l.list.Len = len(l.hits)
	l.list.To(0)
}

// Searching reports whether a search is on.
func (l *Links) Searching() bool { return l.find != nil }

// View draws the number of the links and those in view: the text of each, then the address. A sign tells a link of the
// main text.
func (l *Links) View(th *theme.Theme, width, height int) string {
	head := th.Heading.Render(term.Truncate(l.heading(), width))
	list := rows(th, &l.list, len(l.hits), width, height-1, func(i, width int) string {
		return l.row(th, &l.all[l.hits[i]], i == l.list.Cursor, width)
	})
	return head + "\n" + list
}

func (l *Links) heading() string {
	switch n := len(l.all); {
	case n == 0:
		return "The page has no links"
	case l.find != nil:
		return fmt.Sprintf("%d of %d links", len(l.hits), n)
	case n == 1:
		return "1 link"
	default:
		return fmt.Sprintf("%d links, • in the text of the page", n)
	}
}

// row draws a link: a sign, its text, and its address.
func (l *Links) row(th *theme.Theme, link *extract.Link, here bool, width int) string {
	sign, name := "  ", marked(l.find, strings.Join(strings.Fields(link.Text), " "))
	if link.Main {
		sign = "• "
	}
	lead, room := "  "+sign, max(0, width-4)
	line := l.address(link.URL).Middle(room)
	if name.Text != "" {
		names := room * 2 / 5
		gap := term.Marked{Text: "  "}
		line = name.Truncate(names).Pad(names).Plus(gap).Plus(l.address(link.URL).Middle(room - names - 2))
	}
	if here {
		return th.SelectedFound(term.Marked{Text: "▌ " + sign}.Plus(line.Pad(room)))
	}
	return lead + th.Found(th.Text, line)
}

// address returns the address of a link: on the host of the page its path, else without the scheme https.
func (l *Links) address(url string) term.Marked {
	found, cut := l.find.Find(url[:runeStart(url, maxShown)]), 0
	if path, ok := strings.CutPrefix(url, "https://"+l.host); ok && strings.HasPrefix(path, "/") {
		cut = len(url) - len(path)
	} else {
		cut = len(url) - len(strings.TrimPrefix(url, "https://"))
	}
	return term.Mark(shorten(url[cut:], shiftSpans(found, cut, len(url), -cut), urlEnds))
}
