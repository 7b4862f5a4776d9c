package pane

import (
	"maps"
	"slices"

	"visto/review"
	"visto/ui/widget"
)

// marks are the marked items: either items by ID, or all items that a filter selects except some. They do not depend on
// the listed items.
type marks struct {
	byID        map[int64]int64 // item ID to the revision that the reviewer saw
	filter      *review.Filter
	filterCount int            // how many items filter selects
	excluded    map[int64]bool // items that filter selects but that are not marked
	selected    map[int64]bool // the kept items that filter selects; nil: all of them

	anchor  *review.Item // the start of the range; nil: no range is being marked
	compare func(a, b *review.Item) int
}

func newMarks() marks { return marks{byID: map[int64]int64{}} }

// has reports whether an item is marked. cursor is the end of the current range.
func (m *marks) has(it, cursor *review.Item) bool {
	if m.anchor != nil && cursor != nil && m.compare(m.anchor, it)*m.compare(it, cursor) >= 0 {
		return true
	}
	if m.filter != nil {
		return it.ID <= m.filter.UpTo && !m.excluded[it.ID] && (m.selected == nil || m.selected[it.ID])
	}
	_, marked := m.byID[it.ID]
	return marked
}

// toggle marks or unmarks an item. It returns false if a filter is marked that does not select the item.
func (m *marks) toggle(it *review.Item) bool {
	switch _, marked := m.byID[it.ID]; {
	case m.filter != nil && (it.ID > m.filter.UpTo || m.selected != nil && !m.selected[it.ID]):
		return false
	case m.filter != nil && m.excluded[it.ID]:
		delete(m.excluded, it.ID)
	case m.filter != nil:
		m.excluded[it.ID] = true
	case marked:
		delete(m.byID, it.ID)
	default:
		m.byID[it.ID] = it.Rev
	}
	return true
}

// Toggle marks or unmarks the current item and moves down. It returns false if a filter is marked that does not select
// the item.
func (q *Queue) Toggle() bool {
	it := q.Current()
	if it == nil {
		return true
	}
	ok := q.marks.toggle(it)
	q.list.Move(widget.Down)
	return ok
}

// Seen updates the revision of a marked item after the reviewer's own change.
func (q *Queue) Seen(t review.Target) {
	if _, marked := q.marks.byID[t.ID]; marked {
		q.marks.byID[t.ID] = t.Rev
	}
}

// Unmark removes the marks of items.
func (q *Queue) Unmark(ids ...int64) {
	for _, id := range ids {
		delete(q.marks.byID, id)
	}
}

// ClearMarks removes all marks.
func (q *Queue) ClearMarks() { q.marks = newMarks() }

// AddMarks marks items.
func (q *Queue) AddMarks(targets []review.Target) {
	for _, t := range targets {
		q.marks.byID[t.ID] = t.Rev
	}
}

// MarkAll replaces the marks by all n items that a filter selects.
func (q *Queue) MarkAll(f review.Filter, n int) {
	q.marks = newMarks()
	q.marks.filter, q.marks.filterCount, q.marks.excluded = &f, n, map[int64]bool{}
}

// AllMarked returns the marked filter; nil: items are marked one by one.
func (q *Queue) AllMarked() *review.Filter { return q.marks.filter }

// SetAllCount sets the number of items that the marked filter selects now.
func (q *Queue) SetAllCount(n int) { q.marks.filterCount = n }

// Marked returns the marked items with the revisions seen, by ID; none if a filter is marked.
func (q *Queue) Marked() []review.Target {
	targets := make([]review.Target, 0, len(q.marks.byID))
	for _, id := range slices.Sorted(maps.Keys(q.marks.byID)) {
		targets = append(targets, review.Target{ID: id, Rev: q.marks.byID[id]})
	}
	return targets
}

// MarkedFilter returns a filter that selects the marked items.
func (q *Queue) MarkedFilter() review.Filter {
	if q.marks.filter == nil {
		return review.Filter{IDs: slices.Sorted(maps.Keys(q.marks.byID))}
	}
	f := *q.marks.filter
	f.NotIDs = slices.Concat(f.NotIDs, slices.Sorted(maps.Keys(q.marks.excluded)))
	return f
}

// Marks returns the number of marked items.
func (q *Queue) Marks() int {
	if q.marks.filter != nil {
		return max(0, q.marks.filterCount-len(q.marks.excluded))
	}
	return len(q.marks.byID)
}

// MarksBesides returns the number of marked items without the given one.
func (q *Queue) MarksBesides(id int64) int {
	n := q.Marks()
	if _, marked := q.marks.byID[id]; marked || q.marks.filter != nil && n > 0 && !q.marks.excluded[id] {
		n--
	}
	return n
}

// StartRange starts a range at the cursor. It extends to wherever the cursor moves, in the order of compare.
func (q *Queue) StartRange(compare func(a, b *review.Item) int) {
	if it := q.Current(); it != nil {
		anchor := *it
		q.marks.anchor, q.marks.compare = &anchor, compare
	}
}

// DropRange ends the range without marking it.
func (q *Queue) DropRange() { q.marks.anchor = nil }

// Range returns the ends of the current range in its order.
func (q *Queue) Range() (first, last *review.Item, ok bool) {
	anchor, cursor := q.marks.anchor, q.Current()
	if anchor == nil || cursor == nil {
		return nil, nil, false
	}
	end := *cursor
	if q.marks.compare(anchor, &end) > 0 {
		return &end, anchor, true
	}
	return anchor, &end, true
}

// InRange returns the number of kept items in the current range, and whether these are all of it.
func (q *Queue) InRange() (n int, all bool) {
	first, last, ok := q.Range()
	if !ok {
		return 0, true
	}
	compare := q.marks.compare
	for i := range q.items {
		if it := &q.items[i]; compare(first, it) <= 0 && compare(it, last) <= 0 {
			n++
		}
	}
	fromStart := q.ends.Start || compare(&q.items[0], first) <= 0
	toEnd := q.ends.End || compare(last, &q.items[len(q.items)-1]) <= 0
	return n, fromStart && toEnd
}
