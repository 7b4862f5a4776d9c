package review_test

import (
	"slices"
	"testing"

	"visto/canon"
	"visto/review"
)

// Every flag is in one class of doubt. A second flag makes an item more doubtful, but less than the next class does.
func TestDoubt(t *testing.T) {
	var all canon.CodeSet
	for i, class := range review.DoubtClasses() {
		if all&class.Flags != 0 || i > 0 && class.Flags == 0 || class.Why == "" {
			t.Errorf("class %d: %+v", i, class)
		}
		all |= class.Flags
	}
	if want := canon.SetOf(canon.Codes()...); all != want {
		t.Errorf("without a class: %v", (want &^ all).Codes())
	}
	surest := []canon.CodeSet{0, canon.SetOf(canon.TrailingSlash), canon.SetOf(canon.TrailingSlash, canon.HTTPOnly),
		canon.SetOf(canon.HomePage), canon.SetOf(canon.HomePage, canon.TrailingSlash), canon.SetOf(canon.NoSpanish),
		canon.SetOf(canon.OffAllowlist), canon.SetOf(canon.OffAllowlist, canon.HomePage),
		canon.SetOf(canon.SuspiciousHost)}
	for i := range surest[1:] {
		if review.Doubt(surest[i]) >= review.Doubt(surest[i+1]) {
			t.Errorf("%v are not surer than %v", surest[i].Codes(), surest[i+1].Codes())
		}
	}
	of := review.DoubtOf(canon.SetOf(canon.OffAllowlist, canon.HomePage))
	if of.Flags != canon.SetOf(canon.OffAllowlist) || of.Why == "" {
		t.Errorf("%+v", of)
	}
}

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
