package postgres

import (
	"strings"

	"visto/review"
)

// where collects the conditions of a query and their arguments.
type where struct {
	conds []string
	args  []any
}

func (w *where) and(cond string, args ...any) {
	w.conds = append(w.conds, cond)
	w.args = append(w.args, args...)
}

// sql returns the WHERE of the conditions.
func (w *where) sql() string {
	if len(w.conds) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conds, " AND ")
}

// filterItems returns the conditions for the items i of a filter.
func filterItems(f review.Filter) *where {
	w := &where{}
	if f.Open {
		w.and("i.open")
	}
	if f.IDs != nil {
		w.and("i.id = ANY(?)", f.IDs)
	}
	return w
}
