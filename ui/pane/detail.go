package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"visto/review"
	"visto/review/candidate"
	"visto/ui/presence"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Detail shows everything about one URL. It also draws the preview beside the queue.
type Detail struct {
	// Keyed replaces the actions in a text, such as "{approve}", by their keys. Nil: by their names.
	Keyed func(text string) string

	Pages func(it *review.Item) []candidate.Candidate // found to cite in the place of an item; nil: none are

	data   *review.Detail
	around *review.Surroundings // nil until known
	long   bool                 // the trace is long
	whole  bool                 // long URLs are not collapsed
	words  bool                 // no drawings of checks
	view   widget.List

	lines  []string // drawn for width and theme
	heads  []int    // lines at which sections begin
	width  int
	theme  *theme.Theme
	stale  bool
	failed string
	find   *review.Finder

	probe  *Probe // of the item probed, which may not be the shown one
	probed int64

	here string // who else is at the shown item, in safe words; "": nobody
}

func (d *Detail) keyed(text string) string {
	if d.Keyed == nil {
		return strings.NewReplacer("{", "", "}", "").Replace(text)
	}
	return d.Keyed(text)
}

// SetOthers sets who else is here, and on which items.
func (d *Detail) SetOthers(list []presence.Here) {
	id, _ := d.ID()
	if text := hereText(list, id); text != d.here {
		d.here, d.stale = text, true
	}
}

// hereText says who is on an item, in safe words; "" if nobody is.
func hereText(list []presence.Here, id int64) string {
	names := presence.Names(list, id)
	if id == 0 || len(names) == 0 {
		return ""
	}
	for i := range names {
		names[i] = safe(names[i], maxPerson)
	}
	if n := len(names); n > 3 {
		names = append(names[:2], fmt.Sprintf("%d others", n-2))
	}
	last := len(names) - 1
	if last == 0 {
		return "● " + names[0] + " is here"
	}
	return "● " + strings.Join(names[:last], ", ") + " and " + names[last] + " are here"
}

// maxPerson is the most cells of the name of somebody who is here.
const maxPerson = 24

// ID returns the ID and the revision of the shown item, 0 for none.
func (d *Detail) ID() (id, rev int64) {
	if d.data == nil {
		return 0, 0
	}
	return d.data.Item.ID, d.data.Item.Rev
}

// Data returns the shown item; nil if there is none.
func (d *Detail) Data() *review.Detail { return d.data }

// Set shows an item. The same item keeps its scroll position.
func (d *Detail) Set(data *review.Detail) {
	if id, _ := d.ID(); data == nil || id != data.Item.ID {
		d.view.Top, d.view.Cursor = 0, 0
	}
	d.data, d.around, d.stale, d.failed = data, nil, true, ""
}

// Redraw draws the text anew, after other pages were found for the item.
func (d *Detail) Redraw() { d.stale = true }

// SetAround sets the surroundings of the item.
func (d *Detail) SetAround(a *review.Surroundings) { d.around, d.stale = a, true }

// Around returns the surroundings of the item; nil until known.
func (d *Detail) Around() *review.Surroundings { return d.around }

// ToggleCollapse collapses long URLs or shows them whole, and reports whether they are collapsed now.
func (d *Detail) ToggleCollapse() (collapsed bool) {
	d.whole, d.stale = !d.whole, true
	return !d.whole
}

// Section scrolls to the next section, or with by -1 to the previous one.
func (d *Detail) Section(by int) {
	top, to := d.view.Top, 0
	if by > 0 {
		to = top
	}
	for _, head := range d.heads {
		if by < 0 && head < top || by > 0 && head > top && to == top {
			to = head
		}
	}
	d.view.Top, d.view.Cursor = to, to
}

// Fail shows why the item cannot be loaded.
func (d *Detail) Fail(why string) {
	d.Set(nil)
	d.failed = why
}

// ToggleTrace switches between the short and the long trace and reports whether it is long now.
func (d *Detail) ToggleTrace() (long bool) {
	d.long, d.stale = !d.long, true
	return d.long
}

// Scroll scrolls the text.
func (d *Detail) Scroll(m widget.Motion) { d.view.Scroll(m) }

// View draws the visible part of the text.
func (d *Detail) View(th *theme.Theme, width, height int) string {
	if d.data == nil {
		return emptyView(th, true, d.failed, width, height)
	}
	d.layout(th, width)
	return fill(strings.Join(d.view.Window(d.lines, height), "\n"), height)
}

// Preview draws the URLs, the flags and the steps in a few lines. It cuts long URLs in the middle so that the flags
// have room.
func (d *Detail) Preview(th *theme.Theme, width, height int) string {
	if d.data == nil {
		return d.View(th, width, height)
	}
	p := page{th: th, width: width, collapse: !d.whole, keyed: d.keyed, find: d.find}
	p.urls(d)
	if limit := max(height-3, 3); len(p.lines) > limit {
		more := fmt.Sprintf(d.keyed("  ⋯ %d more lines: {open} shows all"), len(p.lines)-limit+1)
		p.lines = slices.Replace(p.lines, limit-2, len(p.lines)-1, th.Dim.Render(term.Truncate(more, width)))
	}
	p.summary(d)
	return fill(strings.Join(p.lines, "\n"), height)
}

// More reports whether there is text above and below the visible part.
func (d *Detail) More() (above, below bool) {
	_, to := d.view.Visible()
	return d.view.Top > 0, to < d.view.Len
}

func (d *Detail) layout(th *theme.Theme, width int) {
	if !d.stale && d.width == width && d.theme == th {
		return
	}
	d.width, d.theme, d.stale = width, th, false
	d.lines, d.heads = d.write(th, width)
}

func (d *Detail) write(th *theme.Theme, width int) (lines []string, heads []int) {
	p := page{th: th, width: width, collapse: !d.whole, keyed: d.keyed, find: d.find}
	p.write(d, subject)
	if d.words || width < columnsWidth {
		p.write(d, doubts)
		p.write(d, facts)
		return p.lines, p.heads
	}
	left, right := p.column(), p.column()
	left.write(d, doubts)
	right.write(d, facts)
	p.beside(left, right)
	return p.lines, p.heads
}

// Lines returns the whole text about a URL, with the long trace and without styles.
func Lines(data *review.Detail, width int) []string {
	d := Detail{data: data, long: true, whole: true, words: true}
	lines, _ := d.write(theme.New(theme.Terminal{Profile: colorprofile.NoTTY}), width)
	for i, line := range lines {
		lines[i] = ansi.Strip(line)
	}
	return lines
}
