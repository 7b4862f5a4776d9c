package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
)

// columnWidths are the usual widths of the columns in cells, and those where there is less room.
var columnWidths = map[string]struct{ usual, narrow int }{
	"flag": {flagsWidth, narrowFlags}, "record": {usualName, 14}, "field": {fieldWidth, 10}, "host": {24, 14},
	"file": {20, 12}, "": {14, 8}, // an attribute
}

// minURL is the least width of the URL beside other columns.
const minURL = 24

// ColumnWidth returns the usual width of a column.
func ColumnWidth(name string) int { return cmp.Or(columnWidths[name], columnWidths[""]).usual }

// SetColumns sets the columns of the list; none: the usual ones, which follow the width and the items.
func (q *Queue) SetColumns(list []review.Column) { q.chosen = list }

// Attributes returns the names of the attributes of the records that cite the kept items, sorted.
func (q *Queue) Attributes() (names []string) {
	for i := range q.items {
		for _, r := range q.items[i].Records() {
			for _, a := range r.Attributes {
				names = append(names, a.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// layout returns the chosen columns that fit into width cells, with their widths. Columns of the usual width become
// narrow first; then the last one goes, and so on. The URL stays, and takes the room that the others leave; without it
// the last column does.
func (q *Queue) layout(width int) []review.Column {
	kept := slices.Clone(q.chosen)
	for {
		for _, narrow := range []bool{false, true} {
			if cells := q.widths(kept, width, narrow); cells != nil {
				return cells
			}
		}
		at := len(kept) - 1
		if kept[at].Name == "url" && at > 0 {
			at--
		}
		if len(kept) == 1 {
			return []review.Column{{Name: kept[0].Name, Width: width}}
		}
		kept = slices.Delete(kept, at, at+1)
	}
}

// widths returns the columns with their widths, nil if they do not fit.
func (q *Queue) widths(columns []review.Column, room int, narrow bool) []review.Column {
	cells := slices.Clone(columns)
	wide := len(cells) - 1 // the column that takes the rest
	for i := range cells {
		c := &cells[i]
		usual := cmp.Or(columnWidths[c.Name], columnWidths[""])
		if c.Name == "flag" {
			flags := max(q.widest.flags, len(c.Name))
			usual.usual, usual.narrow = min(usual.usual, flags), min(usual.narrow, flags)
		}
		switch {
		case c.Name == "url":
			c.Width, wide = minURL, i
		case c.Width == 0 && narrow:
			c.Width = usual.narrow
		case c.Width == 0:
			c.Width = usual.usual
		}
		room -= c.Width + 1
	}
	if room++; room < 0 {
		return nil
	}
	cells[wide].Width += room
	return cells
}

// columnsHead names the columns, and counts those that found no room.
func (q *Queue) columnsHead(th *theme.Theme, width int) string {
	line, hidden := strings.Repeat(" ", leadWidth), ""
	cells := q.layout(width - leadWidth)
	for i, c := range cells {
		if i > 0 {
			line += " "
		}
		name := strings.TrimPrefix(c.Name, review.AttributeColumn)
		line += term.Pad(safe(name, c.Width), c.Width)
	}
	if n := len(q.chosen) - len(cells); n > 0 {
		hidden = fmt.Sprintf(" +%d", n)
	}
	return th.Dim.Render(term.Pad(strings.TrimRight(line, " "), width-len(hidden)) + hidden)
}

// cells draws the chosen columns of an item behind its lead, each in its own style; in the row under the cursor in one.
func (q *Queue) cells(th *theme.Theme, it *review.Item, lead, styled string, here bool, width int) string {
	text, line := term.Marked{Text: lead}, styled
	for i, c := range q.layout(width - leadWidth) {
		gap := ""
		if i > 0 {
			gap = " "
		}
		cell, look := q.cell(it, c), th.Text
		if c.Name == "flag" {
			look = statusStyle(th, it)
		}
		text = text.Plus(term.Marked{Text: gap}).Plus(cell)
		line += gap + th.Found(look, cell)
	}
	if here {
		return th.SelectedFound(text)
	}
	return line
}

// cell returns the text of a column, as wide as that.
func (q *Queue) cell(it *review.Item, c review.Column) term.Marked {
	var text term.Marked
	switch c.Name {
	case "flag":
		text.Text = flagsText(it, c.Width)
	case "url":
		url := shownURL(q.find, it)
		text = url.MiddleAfter(hostEnd(url.Text), c.Width)
	default:
		text = q.values(ColumnValues(it, c.Name, q.files), c.Width)
	}
	return text.Truncate(c.Width).Pad(c.Width)
}

// values returns the first of some values and the number of the others.
func (q *Queue) values(list []string, width int) term.Marked {
	if len(list) == 0 {
		return term.Marked{}
	}
	more := ""
	if len(list) > 1 {
		more = fmt.Sprintf(" +%d", len(list)-1)
	}
	return marked(q.find, list[0]).Middle(width - len(more)).Plus(term.Marked{Text: more})
}

// ColumnValues returns the values of a column other than flag and url for an item, each once. files are the short names
// of files, as review.ShortNames returns them. The values are untrusted.
func ColumnValues(it *review.Item, column string, files map[string]string) (list []string) {
	add := func(values ...string) {
		for _, v := range values {
			if v != "" && !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	attribute, _ := strings.CutPrefix(column, review.AttributeColumn)
	switch column {
	case "host":
		add(it.Computed.Host)
	case "field":
		for _, o := range it.Citing() {
			add(o.Field)
		}
	case "file":
		for _, o := range it.Citing() {
			add(cmp.Or(files[o.File], o.File))
		}
	case "record":
		for _, r := range it.Records() {
			add(cmp.Or(r.Name, r.ID))
		}
	default:
		for _, r := range it.Records() {
			for _, a := range r.Attributes {
				if a.Name == attribute {
					add(a.Values...)
				}
			}
		}
	}
	return list
}

// shortFiles returns the short names of the files in which some items stand.
func shortFiles(items []review.Item) map[string]string {
	var files []string
	for i := range items {
		for _, o := range items[i].Citing() {
			files = append(files, o.File)
		}
	}
	slices.Sort(files)
	return review.ShortNames(slices.Compact(files))
}
