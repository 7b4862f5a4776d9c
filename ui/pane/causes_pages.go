package pane

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"visto/review"
	"visto/review/candidate"
	"visto/review/cause"
	"visto/ui/term"
)

// PageFor is the page to cite in the place of a URL of a cause, or the reason why the URL stays.
type PageFor struct {
	Item  review.Item
	Page  candidate.Candidate
	Found []candidate.Candidate // all pages that were found, best first
	Stays string                // for people, untrusted; empty: the page fits clearly best
}

// AddPages adds the pages that were found for URLs of a cause to those of other causes.
func (c *Causes) AddPages(list []PageFor) {
	if c.pages == nil {
		c.pages = map[int64]PageFor{}
	}
	for _, f := range list {
		c.pages[f.Item.ID] = f
	}
}

// PagesFound returns the pages that can be cited in the place of URLs of the cause under the cursor, in the order of
// the URLs, and how many URLs stay. Without a search, and for URLs that have changed since, there are none.
func (c *Causes) PagesFound() (list []PageFor, stay int) {
	if !c.HasSamples() {
		return nil, 0
	}
	for i := range c.samples.urls.items {
		switch f, ok := c.pageFor(&c.samples.urls.items[i]); {
		case ok && f.Stays == "":
			list = append(list, f)
		case ok:
			stay++
		}
	}
	return list, stay
}

// Asked returns the IDs of the items for which pages were looked for, sorted.
func (c *Causes) Asked() []int64 { return slices.Sorted(maps.Keys(c.pages)) }

// pageFor returns the page that was found for an item as it is now.
func (c *Causes) pageFor(it *review.Item) (PageFor, bool) {
	f, ok := c.pages[it.ID]
	return f, ok && f.Item.Rev == it.Rev
}

// pagesFix draws the key that looks for pages, or that cites those found. Before a search of many URLs it needs room.
func (p *page) pagesFix(one cause.Cause, c *Causes, keys CauseKeys, roomy bool) {
	list, stay := c.PagesFound()
	if !one.WantsPages() || !roomy && one.N > cause.PagesAtOnce && len(list)+stay == 0 {
		return
	}
	text := ""
	switch unasked := one.N - len(list) - stay; {
	case len(list) == 1:
		text = "cite the page found"
	case len(list) > 1:
		text = fmt.Sprintf("cite the %d pages found", len(list))
	case one.N == 1:
		text = "look for the page to cite in its place"
	case stay > 0 && unasked > 0:
		text = fmt.Sprintf("look for the pages to cite in the place of %d more", min(unasked, cause.PagesAtOnce))
	case unasked > cause.PagesAtOnce:
		text = fmt.Sprintf("look for the pages to cite in the place of the first %d", cause.PagesAtOnce)
	default:
		text = "look for the pages to cite in their place"
	}
	switch {
	case stay > 0 && len(list) == 0 && one.N == stay:
		text += " again"
	case stay > 0:
		text += "; " + staying(stay)
	}
	p.key(keys.Pages, p.th.Text, text)
}

func staying(n int) string {
	if n == 1 {
		return "1 URL stays"
	}
	return fmt.Sprintf("%d URLs stay", n)
}

// found draws a URL and below it the page to cite in its place, with its score, the reasons, and the record that cites.
func (p *page) found(f PageFor) []string {
	one := page{th: p.th, width: p.width}
	by := CitedIn(&f.Item, nil)
	if by != "" {
		by = "  " + safe(by, p.width)
	}
	url := urlLine(Shown(&f.Item), p.width*2/3)
	one.add("  " + url + p.th.Dim.Render(term.Truncate(by, p.width-term.Width(url)-2)))
	if f.Stays != "" {
		one.hang(p.th.Warn, "    stays: ", safe(f.Stays, 2*p.width))
		return one.lines
	}
	one.add("  → " + urlLine(term.Clip(f.Page.URL, 4096), p.width-4))
	title := "“" + safe(f.Page.Title, p.width/2) + "”  "
	if f.Page.Title == "" {
		title = ""
	}
	why := fmt.Sprintf("%.2f  %s", f.Page.Score, title) + safe(strings.Join(f.Page.Why, "; "), 2*p.width)
	one.add(p.th.Dim.Render(term.Truncate("    "+why, p.width)))
	return one.lines
}
