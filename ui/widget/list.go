package widget

// Motion is a movement of a cursor or a view.
type Motion uint8

// The motions.
const (
	Down Motion = iota
	Up
	Top
	Bottom
	HalfDown
	HalfUp
	PageDown
	PageUp
)

// List is a cursor in a list of Len rows, of which Height are visible from Top on.
type List struct {
	Len, Height int
	Cursor, Top int
}

// Resize sets the length and the height, and keeps the cursor in the list and in view.
func (l *List) Resize(length, height int) {
	l.Len, l.Height = length, max(1, height)
	l.To(l.Cursor)
}

// To moves the cursor to the nearest existing row and scrolls it into view.
func (l *List) To(row int) {
	l.Cursor = max(0, min(row, l.Len-1))
	l.Top = max(0, min(l.Top, l.Cursor, l.Len-l.Height))
	if l.Cursor >= l.Top+l.Height {
		l.Top = l.Cursor - l.Height + 1
	}
}

// Click moves the cursor to the row in line y. It reports whether the cursor was there before and whether there is a
// row.
func (l *List) Click(y int) (again, hit bool) {
	row := l.Top + y
	if from, to := l.Visible(); y < 0 || row < from || row >= to {
		return false, false
	}
	again = row == l.Cursor
	l.To(row)
	return again, true
}

// Move moves the cursor. A page, or half of one, moves the view as far, so that other rows come into it.
func (l *List) Move(m Motion) {
	to := target(m, l.Cursor, l.Len-1, l.Height)
	if m >= HalfDown {
		l.Top += to - l.Cursor
	}
	l.To(to)
}

// Scroll moves the view and the cursor with it, for text without a row to choose.
func (l *List) Scroll(m Motion) {
	last := max(0, l.Len-l.Height)
	l.Top = max(0, min(target(m, l.Top, last, l.Height), last))
	l.Cursor = l.Top
}

// target returns the row that a motion from row at leads to. It may lie outside of the list.
func target(m Motion, at, last, height int) int {
	switch m {
	case Top:
		return 0
	case Bottom:
		return last
	}
	half := height / 2
	return at + [...]int{Down: 1, Up: -1, HalfDown: half, HalfUp: -half, PageDown: height, PageUp: -height}[m]
}

// Window returns the lines in view at a height, and scrolls back if they end before it.
func (l *List) Window(lines []string, height int) []string {
	from, to := l.Fit(len(lines), height)
	return lines[from:to]
}

// Fit returns the range [from, to) of the lines of a text in view at a height, and scrolls back if it ends before it.
func (l *List) Fit(length, height int) (from, to int) {
	l.Len, l.Height = length, max(1, height)
	l.Top = max(0, min(l.Top, l.Len-l.Height))
	return l.Visible()
}

// Visible returns the range [from, to) of visible rows.
func (l *List) Visible() (from, to int) {
	return l.Top, min(l.Len, l.Top+l.Height)
}
