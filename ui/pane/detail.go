package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Detail is one URL whole. It is the preview beside the queue, too.
type Detail struct {
	// Keyed puts the reviewer's keys where a text names actions, as in "{approve}". Nil: their names stand there.
	Keyed func(text string) string

	data   *review.Detail
	around *review.Around // nil while not known
	long   bool           // the trace
	whole  bool           // long URLs are not folded
	view   widget.List

	lines  []string // drawn for the width and theme below
	heads  []int    // the lines at which sections begin
	width  int
	theme  *theme.Theme
	stale  bool
	failed string
	find   *review.Finder

	probe  *Probe // of the item probed, which may be another one than is shown
	probed int64
}

func (d *Detail) keyed(text string) string {
	if d.Keyed == nil {
		return strings.NewReplacer("{", "", "}", "").Replace(text)
	}
	return d.Keyed(text)
}

// ID returns the item shown, 0 for none, and the revision of it that is shown.
func (d *Detail) ID() (id, rev int64) {
	if d.data == nil {
		return 0, 0
	}
	return d.data.Item.ID, d.data.Item.Rev
}

// Data returns what is shown; nil if nothing is.
func (d *Detail) Data() *review.Detail { return d.data }

// Set shows an item. The same item again stays scrolled where it was.
func (d *Detail) Set(data *review.Detail) {
	if id, _ := d.ID(); data == nil || id != data.Item.ID {
		d.view.Top, d.view.Cursor = 0, 0
	}
	d.data, d.around, d.stale, d.failed = data, nil, true, ""
}

// SetAround shows what surrounds the item.
func (d *Detail) SetAround(a *review.Around) { d.around, d.stale = a, true }

// Around returns what surrounds the item, nil while that is not known.
func (d *Detail) Around() *review.Around { return d.around }

// ToggleCollapse switches between long URLs that are folded and whole ones, and reports whether they are folded now.
func (d *Detail) ToggleCollapse() (collapsed bool) {
	d.whole, d.stale = !d.whole, true
	return !d.whole
}

// Section scrolls to the next section, or with by -1 to the one before.
func (d *Detail) Section(by int) {
	to := d.view.Top
	for _, head := range d.heads {
		if by > 0 && head > d.view.Top {
			to = head
			break
		}
		if by < 0 && head < d.view.Top {
			to = head
		}
	}
	if by < 0 && to == d.view.Top {
		to = 0
	}
	d.view.Top, d.view.Cursor = to, to
}

// Fail shows why an item cannot be shown.
func (d *Detail) Fail(why string) {
	d.Set(nil)
	d.failed = why
}

// ToggleTrace switches between the short and the long trace and reports which it is now.
func (d *Detail) ToggleTrace() (long bool) {
	d.long, d.stale = !d.long, true
	return d.long
}

// Scroll moves the text.
func (d *Detail) Scroll(m widget.Motion) { d.view.Scroll(m) }

// View draws the part of the text that is in view.
func (d *Detail) View(th *theme.Theme, width, height int) string {
	if d.data == nil {
		return emptyView(th, true, d.failed, width, height)
	}
	d.layout(th, width)
	d.view.Len, d.view.Height = len(d.lines), max(1, height)
	d.view.Top = max(0, min(d.view.Top, len(d.lines)-height))
	from, to := d.view.Visible()
	return fill(strings.Join(d.lines[from:to], "\n"), height)
}

// Preview draws the most important of it, in a few lines: the URLs, the flags, the steps. Of URLs that would leave no room
// for the flags it draws the start and the end.
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

// More reports whether there is text above and below what is in view.
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
	for _, section := range sections {
		section(&p, d)
	}
	return p.lines, p.heads
}

// Lines is the whole text about a URL, with the long trace and without styling.
func Lines(data *review.Detail, width int) []string {
	d := Detail{data: data, long: true, whole: true}
	lines, _ := d.write(theme.New(theme.Terminal{Profile: colorprofile.NoTTY}), width)
	for i, line := range lines {
		lines[i] = ansi.Strip(line)
	}
	return lines
}
