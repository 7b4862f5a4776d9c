package pane

import (
	"fmt"

	"visto/review"
	"visto/review/candidate"
	"visto/ui/term"
)

// foundPages adds the pages that were found to cite in the place of the item, and the score of the one that leads.
func (p *page) foundPages(d *Detail) {
	best, lead := p.pagesLine(d)
	if lead == 0 {
		return
	}
	p.add(p.th.Dim.Render(term.Truncate(fmt.Sprintf("  %.2f, %.1f times the next  “%s”", best.Score, lead,
		safe(best.Title, p.width)), p.width)))
}

// pagesLine adds the number of the pages that were found, and the one that leads with its key.
func (p *page) pagesLine(d *Detail) (best candidate.Candidate, lead float64) {
	if d.Pages == nil {
		return best, 0
	}
	list := d.Pages(&d.data.Item)
	best, lead = candidate.Leads(list)
	switch {
	case len(list) == 0:
	case lead == 0:
		p.hang(p.th.OK, signPages+" ", foundText(len(list))+d.keyed(": {pages-to-cite} shows them"))
	default:
		text := d.keyed(": {cite-the-best-page} cites the first, {pages-to-cite} shows them")
		p.hang(p.th.OK, signPages+" ", foundText(len(list))+text)
		p.hang(p.th.Text, "  ", term.Safe(term.Clip(best.URL, maxShown)))
	}
	return best, lead
}

func foundText(n int) string {
	if n == 1 {
		return "1 page found"
	}
	return fmt.Sprintf("%d pages found", n)
}

// pagesMark is the sign behind an item for which pages were found, with their number; "" if none were.
func (q *Queue) pagesMark(it *review.Item) string {
	if q.Pages == nil {
		return ""
	}
	if n := len(q.Pages(it)); n > 0 {
		return fmt.Sprintf(" %s%d", signPages, n)
	}
	return ""
}
