package desk_test

import (
	"testing"

	"visto/review"
	"visto/ui/desk"
)

// The menu has each order once in both directions, and the name of an order is that of the menu.
func TestOrders(t *testing.T) {
	directions := map[review.Sort][2]int{}
	for _, o := range desk.Orders {
		n := directions[o.Sort]
		if o.Desc {
			n[1]++
		} else {
			n[0]++
		}
		directions[o.Sort] = n
		want := o.Name
		if o.Sort == review.ByID && !o.Desc {
			want = ""
		}
		if got := desk.OrderName(review.Query{Sort: o.Sort, Desc: o.Desc}); got != want {
			t.Errorf("%q is shown as %q", o.Name, got)
		}
	}
	for _, sort := range review.Sorts() {
		if directions[sort] != [2]int{1, 1} {
			t.Errorf("%v stands %d times upwards and downwards", sort, directions[sort])
		}
	}
}
