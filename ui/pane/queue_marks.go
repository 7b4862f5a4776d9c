package pane

import (
	"cmp"
	"maps"
	"slices"

	"visto/review"
	"visto/ui/widget"
)

// marks are what the reviewer has marked: items by ID, each as it was seen, or all that a filter selects but some. Either way they
// stay while the list shows other things.
type marks struct {
	byID        map[int64]int64 // item ID to the revision that was seen
	filter      *review.Filter
	filterCount int            // how many all selects
	excluded    map[int64]bool // of these, not marked
	selected    map[int64]bool // which of the kept items all selects; nil: all of them

	anchor  *review.Item // where a range starts; nil: none is being marked
	compare func(a, b *review.Item) int
}

func newMarks() marks { return marks{byID: map[int64]int64{}} }

// has reports whether an item is marked, cursor being the end of a range under way.
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

// toggle marks an item or takes its mark away. It is false if all of a filter is marked and the item is not of it.
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

// Toggle marks the current item or takes its mark away, and moves on. It is false if that cannot be: all of a filter is marked,
// and the item is not of it.
func (q *Queue) Toggle() bool {
	it := q.Current()
	if it == nil {
		return true
	}
	ok := q.marks.toggle(it)
	q.list.Move(widget.Down)
	return ok
}

// Seen says that an item has another revision by the reviewer's own doing; if it is marked it stays so.
func (q *Queue) Seen(t review.Target) {
	if _, marked := q.marks.byID[t.ID]; marked {
		q.marks.byID[t.ID] = t.Rev
	}
}

// Unmark takes the marks of items away, if they have any.
func (q *Queue) Unmark(ids ...int64) {
	for _, id := range ids {
		delete(q.marks.byID, id)
	}
}

// ClearMarks takes all marks away.
func (q *Queue) ClearMarks() { q.marks = newMarks() }

// AddMarks marks items.
func (q *Queue) AddMarks(targets []review.Target) {
	for _, t := range targets {
		q.marks.byID[t.ID] = t.Rev
	}
}

// MarkAll marks all that a filter selects, n of them, in the place of whatever was marked.
func (q *Queue) MarkAll(f review.Filter, n int) {
	q.marks = newMarks()
	q.marks.filter, q.marks.filterCount, q.marks.excluded = &f, n, map[int64]bool{}
}

// AllMarked returns the filter of which all is marked; nil: none.
func (q *Queue) AllMarked() *review.Filter { return q.marks.filter }

// SetAllCount says how many the filter of which all is marked selects now.
func (q *Queue) SetAllCount(n int) { q.marks.filterCount = n }

// Marked returns what is marked, as it was seen when it was marked. It is empty if all of a filter is.
func (q *Queue) Marked() []review.Target {
	targets := make([]review.Target, 0, len(q.marks.byID))
	for id, rev := range q.marks.byID {
		targets = append(targets, review.Target{ID: id, Rev: rev})
	}
	slices.SortFunc(targets, func(a, b review.Target) int { return cmp.Compare(a.ID, b.ID) })
	return targets
}

// MarkedFilter returns the filter that selects what is marked.
func (q *Queue) MarkedFilter() review.Filter {
	if q.marks.filter == nil {
		return review.Filter{IDs: slices.Sorted(maps.Keys(q.marks.byID))}
	}
	f := *q.marks.filter
	f.NotIDs = slices.Concat(f.NotIDs, slices.Sorted(maps.Keys(q.marks.excluded)))
	return f
}

// Marks returns how many are marked.
func (q *Queue) Marks() int {
	if q.marks.filter != nil {
		return max(0, q.marks.filterCount-len(q.marks.excluded))
	}
	return len(q.marks.byID)
}

// StartRange begins to mark a range at the cursor: it goes from there to wherever the cursor moves in the order that compare says.
func (q *Queue) StartRange(compare func(a, b *review.Item) int) {
	if it := q.Current(); it != nil {
		anchor := *it
		q.marks.anchor, q.marks.compare = &anchor, compare
	}
}

// DropRange ends the range with nothing marked.
func (q *Queue) DropRange() { q.marks.anchor = nil }

// Range returns the ends of the range under way, the one that comes first in the order before the other.
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
