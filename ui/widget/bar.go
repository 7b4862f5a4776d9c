package widget

import (
	"strings"

	"visto/ui/theme"
)

// Extent is the place of the visible rows in a list.
type Extent struct {
	// First is the number of rows above the visible ones, Total that of all rows. Total is -1 if either is unknown,
	// as in a long list of which only a part is read.
	First, Total int

	// Above and Below report whether there are rows out of view.
	Above, Below bool
}

// Extent returns the place of the visible rows.
func (l *List) Extent() Extent {
	from, to := l.Visible()
	return Extent{First: from, Total: l.Len, Above: from > 0, Below: to < l.Len}
}

// ScrollBar returns the signs behind the lines of a list of the given height; nil if all rows are visible. The thumb
// touches an end of the track only if the list does. If the place is unknown there is no thumb, and arrows tell where
// other rows are.
func ScrollBar(th *theme.Theme, e Extent, height int) []string {
	if !e.Above && !e.Below || height < 2 {
		return nil
	}
	bar := strings.Split(strings.Repeat(th.Dim.Render("│")+"\n", height-1)+th.Dim.Render("│"), "\n")
	if e.Total < 0 {
		if e.Above {
			bar[0] = th.Dim.Render("↑")
		}
		if e.Below {
			bar[height-1] = th.Dim.Render("↓")
		}
		return bar
	}
	from, to := thumb(e, height)
	for i := from; i < to; i++ {
		bar[i] = th.Accent.Render("█")
	}
	return bar
}

// thumb returns the range [from, to) of the lines of the thumb.
func thumb(e Extent, height int) (from, to int) {
	size := min(height-1, max(1, height*height/max(1, e.Total))) // rows that are not read yet may find room
	free := height - size
	if hidden := e.Total - height; hidden > 0 {
		from = min(free, free*e.First/hidden)
	}
	if e.Below {
		from = min(from, free-1)
	}
	if e.Above {
		from = max(from, 1)
	}
	return from, min(height, from+size)
}
