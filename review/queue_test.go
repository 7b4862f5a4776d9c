package review_test

import (
	"slices"
	"testing"

	"visto/review"
)

// Compare orders items as the pages of the store do, and After and Before find the neighbours of each item.
func TestQueueOrders(t *testing.T) {
	d := town(t)
	d.decide(review.Defer, "https://a.ejemplo.gob.es/Sede")
	for _, sort := range review.Sorts() {
		for _, desc := range []bool{false, true} {
			q := review.Query{Sort: sort, Desc: desc}
			page := func(from *review.Cursor, n int) []review.Item {
				items, err := d.Page(t.Context(), q, from, n)
				d.must(err)
				return items
			}
			all := page(nil, 100)
			if !slices.IsSortedFunc(all, func(a, b review.Item) int { return q.Compare(&a, &b) }) {
				t.Errorf("%s, %v: another order", sort, desc)
			}
			for i := range all[1:] {
				first, second := all[i], all[i+1]
				after, before := page(q.After(&first), 1), page(q.Before(&second), 1)
				if len(after) != 1 || after[0].ID != second.ID || len(before) != 1 || before[0].ID != first.ID {
					t.Errorf("%s, %v: URL %d and URL %d are no neighbours", sort, desc, first.ID, second.ID)
				}
			}
		}
	}
}
