package console

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/ui/term"
	"visto/ui/wording"
)

// queuePage is the tab of the queue as it is drawn: the list with the detail beside it, below it, or alone.
type queuePage struct {
	*queueTab
	detail *detailTab
}

const (
	besideWidth   = 110 // the width of the screen from which the detail is beside the list
	belowHeight   = 16  // the height of the body from which a preview is below the list
	previewHeight = 8
)

func (p queuePage) click(y int) (again bool, cmd tea.Cmd) {
	again, hit := p.pane.Click(y)
	if !hit || again {
		return again, nil
	}
	return false, p.readIf(p.pane.Wants())
}

func (p queuePage) view(c canvas, height int) string {
	switch {
	case c.width >= besideWidth:
		return p.beside(c, height)
	case height >= belowHeight:
		rule := c.th.Border.Render(strings.Repeat("─", c.width))
		return p.pane.View(c.th, c.width, height-previewHeight, p.emptyText()) + "\n" + rule + "\n" +
			p.detail.pane.Preview(c.th, c.width, previewHeight-1)
	}
	return p.pane.View(c.th, c.width, height, p.emptyText())
}

func (p queuePage) beside(c canvas, height int) string {
	left := c.width / 2
	right := c.width - left - 3
	list := strings.Split(p.pane.View(c.th, left, height, p.emptyText()), "\n")
	text := strings.Split(p.detail.pane.View(c.th, right, height), "\n")
	for i := range list {
		list[i] = term.Pad(list[i], left) + c.th.Border.Render(" │ ") + text[i]
	}
	return strings.Join(list, "\n")
}

// place is the position of the cursor in the queue.
func (q *queueTab) place() string {
	if q.reading.waiting {
		return "searching… "
	}
	var text string
	total := q.pane.Total()
	if at := q.pane.Position(); at > 0 && total >= 0 {
		text = fmt.Sprintf("%d of %d ", at, total)
	} else if total >= 0 {
		text = wording.URLs(total) + " "
	}
	if n := q.pane.Marks(); n > 0 {
		text = fmt.Sprintf("%d marked  ", n) + text
	}
	return text
}

// emptyText says why the queue is empty, and how to go on.
func (q *queueTab) emptyText() string {
	switch {
	case q.narrowed():
		return q.keyed("Nothing matches this filter. {clear} shows what waits for a person again.")
	case q.totals != nil && q.totals.Items == 0:
		return q.keyed("There are no URLs yet. Leave with {quit} and add some: visto add FILE.")
	}
	return q.keyed("Nothing waits for a person any more. {facets} shows the other URLs, {stats} the counts; " +
		"visto export writes the registry.")
}
