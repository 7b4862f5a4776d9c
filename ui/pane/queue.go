package pane

import (
	"slices"

	"visto/review"
	"visto/review/candidate"
	"visto/ui/presence"
	"visto/ui/widget"
)

const (
	// Span is the number of items that the queue keeps on each side of its cursor.
	Span = 200
	// margin is the distance in items from the edge of the kept items at which more are requested.
	margin = 80
)

// Queue is a window onto a list of items of any length. It keeps only the items around the cursor.
type Queue struct {
	items     []review.Item
	list      widget.List
	ends      Ends
	loaded    bool
	requested bool // a page was requested and has not arrived
	jumping   bool // that page moves the cursor
	marks     marks
	total     int // -1: not counted yet
	find      *review.Finder
	named     bool // some of the items are cited by a record
	widest    widest

	Pages func(it *review.Item) []candidate.Candidate // found to cite in the place of an item; nil: none are

	others []presence.Here // who else is here

	chosen []review.Column   // none: the usual ones
	files  map[string]string // the short names of the files of the items
}

// Place is the position around which a page is loaded: the item Anchor, or the next one if it is gone, or the end of
// the list, or its start if both are unset.
type Place struct {
	Anchor   *review.Item
	End      bool
	NextOpen bool // the next open item after the anchor, wrapping around at the end
	Jump     bool // move the cursor there; else it stays on its item if the page has it
}

// Ends reports which ends of the list a page reaches.
type Ends struct{ Start, End bool }

// Page is the part of the list around a [Place]. Focus is the index of the place.
type Page struct {
	Items []review.Item
	Focus int
	Ends  Ends
	Jump  bool
	All   map[int64]bool // the items that the marked filter selects; nil: all of them
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

// Listed returns the item with an ID; nil: it is not among the kept ones.
func (q *Queue) Listed(id int64) *review.Item {
	if i := slices.IndexFunc(q.items, func(it review.Item) bool { return it.ID == id }); i >= 0 {
		return &q.items[i]
	}
	return nil
}

// Here returns the place of the cursor.
func (q *Queue) Here() Place {
	it := q.Current()
	if it == nil {
		return Place{}
	}
	anchor := *it
	return Place{Anchor: &anchor}
}

// Move moves the cursor. It returns the place to load if the kept items do not suffice, or if a page of the other end
// is on its way: that page must not win over the newer key.
func (q *Queue) Move(m widget.Motion) (Place, bool) {
	if m == widget.Top && (!q.ends.Start || q.jumping) {
		return q.request(Place{Jump: true})
	}
	if m == widget.Bottom && (!q.ends.End || q.jumping) {
		return q.request(Place{End: true, Jump: true})
	}
	q.list.Move(m)
	return q.Wants()
}

// Click moves the cursor to the row in line y, below the head if there is one; see [widget.List.Click].
func (q *Queue) Click(y int) (again, hit bool) { return q.list.Click(y - q.headLines()) }

// headLines returns the number of lines above the rows. The usual columns have no head.
func (q *Queue) headLines() int { return min(1, len(q.chosen)) }

// Wants returns the place to load if the cursor is near the edge of the kept items.
func (q *Queue) Wants() (Place, bool) {
	at := q.list.Cursor
	return q.requestHere(at < margin && !q.ends.Start || at >= len(q.items)-margin && !q.ends.End)
}

// Fill returns the place to load if the kept items do not fill the given number of rows.
func (q *Queue) Fill(rows int) (Place, bool) {
	return q.requestHere(len(q.items) < rows && !(q.ends.Start && q.ends.End))
}

// requestHere requests the page around the cursor if it is needed and none is on its way.
func (q *Queue) requestHere(needed bool) (Place, bool) {
	if !needed || q.requested || !q.loaded {
		return Place{}, false
	}
	return q.request(q.Here())
}

func (q *Queue) request(p Place) (Place, bool) {
	q.requested, q.jumping = true, p.Jump
	return p, true
}

// SetPage replaces the kept items. If possible, the cursor keeps its item, or the next one that is still there, and its
// line on the screen.
func (q *Queue) SetPage(p Page) {
	row := q.list.Cursor - q.list.Top
	at := p.Focus
	if i := q.kept(p.Items); i >= 0 && !p.Jump {
		at = i
	}
	q.items, q.ends, q.loaded, q.requested, q.jumping = p.Items, p.Ends, true, false, false
	q.marks.selected = p.All
	q.named = slices.ContainsFunc(p.Items, func(it review.Item) bool { return recordName(&it) != "" })
	q.widest = widestOf(p.Items)
	q.files = shortFiles(p.Items)
	q.list.Len = len(q.items)
	q.list.Top = max(0, at-row)
	q.list.To(at)
}

// kept returns the index in a page of the item under the cursor, or of the next one that the page has, or -1. The
// cursor may have moved since the page was requested, and its item may have left the list.
func (q *Queue) kept(page []review.Item) int {
	for i := min(q.list.Cursor, len(q.items)); i < len(q.items); i++ {
		same := func(it review.Item) bool { return it.ID == q.items[i].ID }
		if at := slices.IndexFunc(page, same); at >= 0 {
			return at
		}
	}
	return -1
}

// Restore returns to a copy of the queue. The current marks stay, with the range of the copy.
func (q *Queue) Restore(was Queue) {
	now := q.marks
	now.anchor, now.compare, now.selected = was.marks.anchor, was.marks.compare, was.marks.selected
	*q = was
	q.marks = now
}

// Failed allows another request after one that failed.
func (q *Queue) Failed() { q.requested, q.jumping = false, false }

// Kept returns the number of items in memory.
func (q *Queue) Kept() int { return len(q.items) }

// SetOthers sets who else is here, and on which items.
func (q *Queue) SetOthers(list []presence.Here) { q.others = list }

// SetTotal sets the number of items in the list; -1: unknown.
func (q *Queue) SetTotal(n int) { q.total = n }

// Total returns the number of items in the list; -1: unknown.
func (q *Queue) Total() int { return q.total }

// Position returns the 1-based position of the cursor in the list; 0: unknown.
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

// extent returns the place of the visible items in the list. In the middle of a long list only the items around the
// cursor are known, and before they are counted not their number.
func (q *Queue) extent() widget.Extent {
	e := q.list.Extent()
	e.Above, e.Below = e.Above || !q.ends.Start, e.Below || !q.ends.End
	switch more := q.total > len(q.items); {
	case q.ends.Start && q.ends.End:
	case q.ends.Start && more:
		e.Total = q.total
	case q.ends.End && more:
		e.First, e.Total = e.First+q.total-len(q.items), q.total
	default:
		e.Total = -1
	}
	return e
}
