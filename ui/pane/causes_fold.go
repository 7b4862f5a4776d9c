package pane

import (
	"fmt"

	"visto/review/cause"
)

// rowsOf returns the indices of the causes that are listed: those that match the search, or without one those that fold
// into no other, each with those that fold into it behind it if it is open.
func rowsOf(in []cause.Cause, open map[cause.Cause]bool, search string) []int32 {
	if rows, ok := findCauses(in, search); ok {
		return rows
	}
	inside := map[cause.Cause][]int32{}
	for i := range in {
		if into := in[i].In; len(open) > 0 && into != nil && open[*into] {
			inside[*into] = append(inside[*into], int32(i))
		}
	}
	rows := make([]int32, 0, len(in))
	for i := range in {
		if in[i].In != nil {
			continue
		}
		if rows = append(rows, int32(i)); in[i].Rows > 0 && len(inside) > 0 {
			rows = append(rows, inside[in[i].Identity()]...)
		}
	}
	return rows
}

// Unfold shows the causes that fold into the one under the cursor, or hides them again. It reports whether there are
// any.
func (c *Causes) Unfold() bool {
	if !c.Folds() {
		return false
	}
	row, _ := c.row()
	of := row.Identity()
	if row.In != nil {
		of = *row.In
	}
	if open := c.open; open[of] {
		delete(open, of)
	} else {
		open[of] = true
	}
	c.show(rowsOf(c.all, c.open, c.search))
	if row.In != nil {
		c.widen()
		c.list.To(max(0, c.index(of)))
	}
	return true
}

// Folds reports whether the cause under the cursor folds into another one, or others into it.
func (c *Causes) Folds() bool {
	row, ok := c.row()
	return ok && !c.searching() && (row.In != nil || row.Rows > 0)
}

// folded returns how many rows fold into a cause of the list and are not shown, in words: " +12 rows".
func (c *Causes) folded(one *cause.Cause) string {
	switch {
	case one.Rows == 0 || c.searching() || c.open[one.Identity()]:
		return ""
	case one.Rows == 1:
		return " +1 row"
	}
	return fmt.Sprintf(" +%d rows", one.Rows)
}
