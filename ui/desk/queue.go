package desk

import (
	"context"
	"iter"
	"reflect"
	"slices"

	"visto/review"
	"visto/ui/pane"
)

// Window reads the items around a place: pane.Span of them on each side, or end items from an end of the list.
func Window(ctx context.Context, d Queue, q review.Query, p pane.Place, end int) (pane.Page, error) {
	if p.End {
		return tail(ctx, d, q, end)
	}
	if p.NextOpen {
		next, err := NextOpen(ctx, d, q, p.Anchor)
		if err != nil {
			return pane.Page{}, err
		}
		p.Anchor, p.Jump = next, true
	}
	if p.Anchor == nil {
		items, err := d.Page(ctx, q, nil, end)
		return pane.Page{Items: items, Ends: pane.Ends{Start: true, End: len(items) < end}, Jump: true}, err
	}
	return around(ctx, d, q, p)
}

func around(ctx context.Context, d Queue, q review.Query, p pane.Place) (pane.Page, error) {
	before, err := d.Page(ctx, q, q.Before(p.Anchor), pane.Span)
	if err != nil {
		return pane.Page{}, err
	}
	after, err := PageAfter(ctx, d, q, lastOf(before), pane.Span)
	return pane.Page{
		Items: slices.Concat(before, after), Focus: len(before), Jump: p.Jump,
		Ends: pane.Ends{Start: len(before) < pane.Span, End: len(after) < pane.Span},
	}, err
}

// tail reads the end of the list, as the start of the reversed list.
func tail(ctx context.Context, d Queue, q review.Query, n int) (pane.Page, error) {
	q.Desc = !q.Desc
	items, err := d.Page(ctx, q, nil, n)
	slices.Reverse(items)
	return pane.Page{
		Items: items, Focus: max(0, len(items)-1), Jump: true,
		Ends: pane.Ends{Start: len(items) < n, End: true},
	}, err
}

// NextOpen finds the next item after the anchor that waits for a person. At the end of the list it goes on from the
// start. It returns the anchor if nothing else waits.
func NextOpen(ctx context.Context, d Queue, q review.Query, anchor *review.Item) (*review.Item, error) {
	q.Filter.Open = true
	items, err := PageAfter(ctx, d, q, anchor, 1)
	if err == nil && len(items) == 0 && anchor != nil {
		items, err = d.Page(ctx, q, nil, 1)
	}
	if err != nil || len(items) == 0 {
		return anchor, err
	}
	return &items[0], nil
}

// PageAfter reads n items after the given one, or from the start of the list if that is nil.
func PageAfter(ctx context.Context, d Queue, q review.Query, it *review.Item, n int) ([]review.Item, error) {
	var from *review.Cursor
	if it != nil {
		from = q.After(it)
	}
	return d.Page(ctx, q, from, n)
}

// Walk yields the items after the given one, or all of them if that is nil. It reads them page by page.
func Walk(ctx context.Context, d Queue, q review.Query, it *review.Item) iter.Seq2[*review.Item, error] {
	const page = 500
	return func(yield func(*review.Item, error) bool) {
		for more := true; more; {
			items, err := PageAfter(ctx, d, q, it, page)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range items {
				if it = &items[i]; !yield(it, nil) {
					return
				}
			}
			more = len(items) == page
		}
	}
}

// Targets reads all items that a filter selects, with their present revisions.
func Targets(ctx context.Context, d Queue, f review.Filter) (list []review.Target, err error) {
	err = d.Each(ctx, f, func(it review.Item) error {
		list = append(list, review.Target{ID: it.ID, Rev: it.Rev})
		return nil
	})
	return list, err
}

// Between reads the items from first to last in the order of the query.
func Between(ctx context.Context, d Queue, q review.Query, first, last *review.Item) (list []review.Target, err error) {
	before, err := d.Page(ctx, q, q.Before(first), 1)
	if err != nil {
		return nil, err
	}
	for it, err := range Walk(ctx, d, q, lastOf(before)) {
		if err != nil || q.Compare(it, last) > 0 {
			return list, err
		}
		list = append(list, review.Target{ID: it.ID, Rev: it.Rev})
	}
	return list, nil
}

// lastOf returns the last of the items; nil if there is none.
func lastOf(items []review.Item) *review.Item {
	if len(items) == 0 {
		return nil
	}
	return &items[len(items)-1]
}

// MarkedRows returns the items of a page that the filter of the marks selects, or nil if it selects all of them.
func MarkedRows(ctx context.Context, d Queue, marked *review.Filter, shown review.Filter, items []review.Item) (
	map[int64]bool, error) {
	whole := *marked
	whole.UpTo = 0
	if reflect.DeepEqual(whole, shown) || len(items) == 0 {
		return nil, nil
	}
	rows := map[int64]bool{}
	f := *marked
	f.IDs = []int64{}
	for i := range items {
		if marked.IDs == nil || slices.Contains(marked.IDs, items[i].ID) {
			f.IDs = append(f.IDs, items[i].ID)
		}
	}
	err := d.Each(ctx, f, func(it review.Item) error {
		rows[it.ID] = true
		return nil
	})
	return rows, err
}
