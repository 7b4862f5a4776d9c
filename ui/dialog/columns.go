package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Columns chooses the columns of the queue, their order and their widths. Each change is shown at once.
type Columns struct {
	Show  func([]review.Column) Action // shows columns; none: the usual ones
	Done  func([]review.Column) Action // shows columns and closes the dialog
	Usual func(name string) int        // returns the usual width of a column

	before []review.Column
	rows   []columnRow
	list   widget.List
}

// columnRow is a column to choose.
type columnRow struct {
	review.Column
	on bool
}

// NewColumns returns the dialog with the columns on screen, none if these are the usual ones, and the attributes that
// can be columns.
func NewColumns(chosen []review.Column, attributes []string) *Columns {
	c := &Columns{before: chosen}
	if len(chosen) == 0 {
		chosen = []review.Column{{Name: "flag"}, {Name: "url"}, {Name: "record"}}
	}
	for _, one := range chosen {
		c.rows = append(c.rows, columnRow{one, true})
	}
	for _, name := range review.ColumnNames {
		c.offer(name)
	}
	for _, name := range attributes {
		c.offer(review.AttributeColumn + name)
	}
	c.list.Resize(len(c.rows), len(c.rows))
	return c
}

// offer adds a column that is not chosen.
func (c *Columns) offer(name string) {
	if !slices.ContainsFunc(c.rows, func(r columnRow) bool { return r.Name == name }) {
		c.rows = append(c.rows, columnRow{review.Column{Name: name}, false})
	}
}

// Typing returns false: letters are keys.
func (c *Columns) Typing() bool { return false }

// Update takes a key.
func (c *Columns) Update(msg tea.Msg) Action {
	switch {
	case isKey(msg, "esc", "q"):
		return c.Done(c.before)
	case isKey(msg, "enter"):
		return c.Done(c.chosen())
	case isKey(msg, "x", "delete"):
		return c.Done(nil)
	case isKey(msg, "space"):
		return c.Switch(c.list.Cursor)
	case isKey(msg, "J", "shift+down"):
		return c.swap(1)
	case isKey(msg, "K", "shift+up"):
		return c.swap(-1)
	case isKey(msg, "l", "right", "+"):
		return c.resize(2)
	case isKey(msg, "h", "left", "-"):
		return c.resize(-2)
	}
	motion, ok := motionOf(msg)
	switch {
	case isKey(msg, "j"):
		motion = widget.Down
	case isKey(msg, "k"):
		motion = widget.Up
	case !ok:
		return stray(msg, "space shows or hides a column, enter keeps them")
	}
	c.list.Move(motion)
	return nil
}

// Switch moves the cursor to a row and shows or hides its column.
func (c *Columns) Switch(row int) Action {
	c.list.To(row)
	c.rows[row].on = !c.rows[row].on
	return c.Show(c.chosen())
}

// Pick moves the cursor to a row.
func (c *Columns) Pick(row int) Action {
	c.list.To(row)
	return nil
}

// swap moves the column under the cursor by one place.
func (c *Columns) swap(by int) Action {
	at, to := c.list.Cursor, c.list.Cursor+by
	if to < 0 || to >= len(c.rows) {
		return nil
	}
	c.rows[at], c.rows[to] = c.rows[to], c.rows[at]
	c.list.To(to)
	return c.Show(c.chosen())
}

// resize makes the column under the cursor wider or narrower. The URL has the room that the others leave.
func (c *Columns) resize(by int) Action {
	row := &c.rows[c.list.Cursor]
	if row.Name == "url" {
		return nil
	}
	row.Width = max(review.MinColumn, min(c.width(row.Column)+by, review.MaxColumn))
	if row.Width == c.Usual(row.Name) {
		row.Width = 0
	}
	return c.Show(c.chosen())
}

func (c *Columns) width(one review.Column) int {
	if one.Width > 0 {
		return one.Width
	}
	return c.Usual(one.Name)
}

// chosen returns the columns in their order.
func (c *Columns) chosen() (list []review.Column) {
	for _, row := range c.rows {
		if row.on {
			list = append(list, row.Column)
		}
	}
	return list
}

// columnTexts describe the columns.
var columnTexts = map[string]string{
	"flag": "the first flag, or the status", "url": "the canonical URL; it has the room that the others leave",
	"record": "the name of the record that cites the URL", "field": "the field in which it stands",
	"host": "the host of the canonical URL", "file": "the file in which it stands",
}

// View draws the dialog.
func (c *Columns) View(th *theme.Theme, width, height int) View {
	s := newSheet(th, width, 84)
	c.list.Resize(len(c.rows), max(1, min(len(c.rows), height-5)))
	s.list(&c.list, func(i, width int) string {
		y := len(s.lines)
		s.zones = append(s.zones, Zone{Y: y, From: 2, To: 5, Row: i, Box: true}, Zone{Y: y, To: width, Row: i})
		return c.row(th, i, width)
	})
	s.keysLine("space", "show", "J K", "move", "h l", "width", "x", "as usual", "enter", "keep", "esc", "as before")
	return s.view("Columns", height, c.list.Cursor, 2)
}

func (c *Columns) row(th *theme.Theme, i, width int) string {
	row := c.rows[i]
	box, cells, text := boxes[FacetOff], "", columnTexts[row.Name]
	if row.on {
		box = boxes[FacetWith]
	}
	if row.Name != "url" {
		cells = fmt.Sprint(c.width(row.Column))
	}
	if name, ok := strings.CutPrefix(row.Name, review.AttributeColumn); ok {
		text = "the attribute " + term.Safe(term.Clip(name, 200))
	}
	head := fmt.Sprintf("%s%s %4s  ", box, term.Pad(term.Safe(term.Clip(row.Name, 200)), 16), cells)
	if i == c.list.Cursor {
		return th.Selected.Render(term.Pad("▌ "+head+text, width))
	}
	return term.Truncate("  "+head+th.Dim.Render(text), width)
}
