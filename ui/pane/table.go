package pane

import (
	"slices"

	"visto/review"
	"visto/ui/term"
	"visto/ui/theme"
	"visto/ui/widget"
)

// Table is a list kept whole in memory: overrides, the loaded part of the log.
type Table[T any] struct {
	Head  func(width int) string
	Row   func(row T, width int) string // safe text
	Same  func(a, b T) bool             // reports whether two rows stand for the same thing, after a reload
	Empty string
	Total func(rows []T) int // the number of all rows if not all are loaded; -1: unknown. nil: all are
	Find  *review.Finder     // marks its finds in the rows; nil: none

	rows   []T
	list   widget.List
	loaded bool
}

// Set replaces the rows. The cursor stays on its row if that is still there.
func (t *Table[T]) Set(rows []T) {
	at := t.list.Cursor
	if cur, ok := t.Current(); ok {
		if i := slices.IndexFunc(rows, func(row T) bool { return t.Same(cur, row) }); i >= 0 {
			at = i
		}
	}
	t.rows, t.loaded = rows, true
	t.list.Len = len(rows)
	t.list.To(at)
}

// Append adds rows at the end.
func (t *Table[T]) Append(rows []T) {
	t.rows = append(t.rows, rows...)
	t.list.Len = len(t.rows)
}

// Current returns the row under the cursor.
func (t *Table[T]) Current() (row T, ok bool) {
	if t.list.Cursor >= len(t.rows) {
		return row, false
	}
	return t.rows[t.list.Cursor], true
}

// Last returns the last row.
func (t *Table[T]) Last() (row T, ok bool) {
	if len(t.rows) == 0 {
		return row, false
	}
	return t.rows[len(t.rows)-1], true
}

// Len returns the number of rows.
func (t *Table[T]) Len() int { return len(t.rows) }

// Move moves the cursor and reports whether it is less than a page away from the last row.
func (t *Table[T]) Move(m widget.Motion) (nearEnd bool) {
	t.list.Move(m)
	return t.list.Cursor >= len(t.rows)-t.list.Height
}

// Click moves the cursor to the row in line y, below the head; see [widget.List.Click].
func (t *Table[T]) Click(y int) (again, hit bool) { return t.list.Click(y - 1) }

// extent is the place of the visible rows among all, loaded or not.
func (t *Table[T]) extent() widget.Extent {
	e := t.list.Extent()
	if t.Total != nil && len(t.rows) > 0 {
		e.Total = t.Total(t.rows)
		e.Below = e.Below || e.Total != len(t.rows)
	}
	return e
}

// View draws the head and the visible rows.
func (t *Table[T]) View(th *theme.Theme, width, height int) string {
	t.list.Resize(len(t.rows), height-1)
	lines := scrolled(th, &t.list, t.extent(), width, height-1, func(i, width int) string {
		line := marked(t.Find, t.Row(t.rows[i], width-2)).Truncate(width - 2).Pad(width - 2)
		if i == t.list.Cursor {
			return th.SelectedFound(term.Marked{Text: "▌ "}.Plus(line))
		}
		return "  " + th.Found(th.Text, line)
	})
	if len(t.rows) == 0 {
		return emptyView(th, t.loaded, t.Empty, width, height)
	}
	return fill(th.Dim.Render(term.Pad("  "+t.Head(width-2), width))+"\n"+lines, height)
}
