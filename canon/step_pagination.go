package canon

import "strconv"

// paginationTriggers: pagination parameters.
func paginationTriggers(r *registrar) {
	r.onParams(func(kind paramKind) bool { return kind&isPagination != 0 })
}

// stepPagination is step 11, rule 9: the citation is the beginning of a list, and the page number is noted.
func (r *run) stepPagination() {
	if !r.u.hasQuery {
		return
	}
	r.filterQuery(func(p pair) bool { return !r.takePage(p) })
	r.endQuery()
}

// takePage notes the page number and reports whether the pair has one. Other values stay.
func (r *run) takePage(p pair) bool {
	page, ok := pageNumber(p.value)
	if !ok || !r.rules.isPage(r.named(p.name)) {
		return false
	}
	if r.page == nil {
		r.page = r.newPage()
		r.page.Param, r.page.Page = r.named(p.name).spelled, page
		if r.ev != nil {
			r.page.TotalPages = max(r.ev.TotalPages, 0)
		}
	}
	if r.tracing {
		r.note("%s %d of a list; the list begins without it", p.name, page)
	}
	return true
}

// pageNumber reads a page number of at most nine digits. Longer ones are identifiers.
func pageNumber(value []byte) (int, bool) {
	if len(value) == 0 || len(value) > 9 || !isDigits(value) {
		return 0, false
	}
	n, err := strconv.Atoi(string(value))
	return n, err == nil
}
