package pane

import (
	"visto/review"
	"visto/ui/widget"
)

// Span is how many items the queue keeps on each side of its cursor, and margin how near the cursor may
// come to the edge of what is kept before more is asked for.
const (
	Span   = 200
	margin = 80
)

// Queue is a window onto a list of items of any length. It keeps the items around the cursor only.
type Queue struct {
	items     []review.Item
	list      widget.List
	ends      Ends
	loaded    bool
	requested bool // a page was asked for
	marks     marks
	total     int // -1: not counted yet
	find      *review.Finder
}

// Place names what a page is loaded around: the item Anchor, what follows it if it is gone, or the end, or the start of
// the list when both are unset.
type Place struct {
	Anchor   *review.Item
	End      bool
	NextOpen bool // instead of the anchor, the next item after it that waits for a person, from the start again at the end
	Jump     bool // the cursor goes there; otherwise it stays with the item it is on if the page has it
}

// Ends says whether a page reaches the ends of the list.
type Ends struct{ Start, End bool }

// Page is a stretch of the list, as it was asked for with a Place. Focus is the index that belongs to the place.
type Page struct {
	Items []review.Item
	Focus int
	Ends  Ends
	Jump  bool
	All   map[int64]bool // which of the items are among all of the filter that are marked; nil: all of them
}

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{marks: newMarks(), total: -1} }

// Current returns the item under the cursor, nil if there is none.
func (q *Queue) Current() *review.Item {
	if q.list.Cursor >= len(q.items) {
		return nil
	}
	return &q.items[q.list.Cursor]
}

// Here is the place of the cursor.
func (q *Queue) Here() Place {
	it := q.Current()
	if it == nil {
		return Place{}
	}
	anchor := *it
	return Place{Anchor: &anchor}
}

// Move moves the cursor and returns the place to load if the kept items do not reach there.
func (q *Queue) Move(m widget.Motion) (Place, bool) {
	if m == widget.Top && !q.ends.Start {
		return q.request(Place{Jump: true})
	}
	if m == widget.Bottom && !q.ends.End {
		return q.request(Place{End: true, Jump: true})
	}
	q.list.Move(m)
	return q.Wants()
}

// Click moves the cursor to the row in line y; see [widget.List.Click].
func (q *Queue) Click(y int) (again, hit bool) { return q.list.Click(y) }

// Wants returns the place to load when the cursor has come near the edge of what is kept.
func (q *Queue) Wants() (Place, bool) {
	near := q.list.Cursor < margin && !q.ends.Start || q.list.Cursor >= len(q.items)-margin && !q.ends.End
	if q.requested || !q.loaded || !near {
		return Place{}, false
	}
	return q.request(q.Here())
}

// Fill returns the place to load when what is kept would not fill so many rows.
func (q *Queue) Fill(rows int) (Place, bool) {
	if q.requested || !q.loaded || len(q.items) >= rows || q.ends.Start && q.ends.End {
		return Place{}, false
	}
	return q.request(q.Here())
}

func (q *Queue) request(p Place) (Place, bool) {
	q.requested = true
	return p, true
}

// SetPage takes a page and keeps the cursor's item and its height on the screen where that can be.
func (q *Queue) SetPage(p Page) {
	row := q.list.Cursor - q.list.Top
	at := p.Focus
	if it := q.Current(); it != nil && !p.Jump {
		if i, ok := index(p.Items, it.ID); ok {
			at = i
		}
	}
	q.items, q.ends, q.loaded, q.requested = p.Items, p.Ends, true, false
	q.marks.selected = p.All
	q.list.Len = len(q.items)
	q.list.Top = max(0, at-row)
	q.list.To(at)
}

func index(items []review.Item, id int64) (int, bool) {
	for i := range items {
		if items[i].ID == id {
			return i, true
		}
	}
	return 0, false
}

// Restore shows again what a copy of the queue holds. The marks are those that there are now, with the copy's range.
func (q *Queue) Restore(was Queue) {
	now := q.marks
	now.anchor, now.compare, now.selected = was.marks.anchor, was.marks.compare, was.marks.selected
	*q = was
	q.marks = now
}

// Failed says that the page asked for did not come.
func (q *Queue) Failed() { q.requested = false }

// Kept returns how many items are kept in memory.
func (q *Queue) Kept() int { return len(q.items) }

// SetTotal says how many items the list has in all; -1: not known.
func (q *Queue) SetTotal(n int) { q.total = n }

// Total returns how many items the list has in all; -1: not known.
func (q *Queue) Total() int { return q.total }

// Position returns the 1-based place of the cursor in the whole list, and 0 where it is not known.
func (q *Queue) Position() int {
	switch {
	case len(q.items) == 0:
		return 0
	case q.ends.Start:
		return q.list.Cursor + 1
	case q.ends.End && q.total >= 0:
		return q.total - (len(q.items) - 1 - q.list.Cursor)
	}
	return 0
}
