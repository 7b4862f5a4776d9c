package canon

import (
	"bytes"
	"encoding/json"
	"strings"
)

// paginationTriggers: pagination parameters.
func paginationTriggers(r *registrar) {
	r.onParams(func(kind paramKind) bool { return kind&isPagination != 0 })
}

// stepPagination is step 11, rule 9: the citation is the beginning of a list. The page number and the number of pages
// are noted.
func (r *run) stepPagination() {
	if r.u.hasQuery {
		r.u.filterQuery(func(p pair) bool { return !r.takePage(p) })
		r.endQuery()
	}
	if r.ev != nil && r.ev.TotalPages > 0 {
		r.noteTotal(r.ev.TotalPages)
	}
}

// takePage notes the page number and reports whether the pair has one. Other values stay.
func (r *run) takePage(p pair) bool {
	if len(p.value) == 0 || !isDigits(p.value) || !r.isPage(r.named(p.name)) {
		return false
	}
	page := pageNumber(p.value, r.raw)
	if r.page == nil || r.page.Param == "" { // an earlier pass may have found the total alone
		r.page = r.newPage()
		r.page.Param, r.page.Page = r.named(p.name).spelled, page
	}
	if r.tracing {
		r.note("%s %s of a list; the list begins without it", p.name, page)
	}
	return true
}

// isPage reports whether the parameter holds a page number here. "p" at the root selects a page, as in WordPress,
// unless an override says otherwise.
func (r *run) isPage(name *nameFacts) bool {
	if kind := r.rules.page(name.lower); kind != 0 {
		return kind == isPage
	}
	return name.kind&isPagination != 0 && (string(name.lower) != "p" || !r.isAtRoot())
}

// isAtRoot reports whether the path is the root, an index page of it, or either behind a language.
func (r *run) isAtRoot() bool {
	path := bytes.Trim(r.u.path, "/")
	first, rest, _ := cut(path, '/')
	if r.policy.languages.ofSegment(first, true, &r.name) != "" {
		path = rest
	}
	return len(path) == 0 || bytes.IndexByte(path, '/') < 0 && r.policy.isIndexPage(path, &r.name)
}

// pageNumber returns digits without leading zeros: as a part of raw if they stand there, without an allocation.
func pageNumber(digits []byte, raw string) json.Number {
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	if i := strings.Index(raw, string(digits)); i >= 0 {
		return json.Number(raw[i : i+len(digits)])
	}
	return json.Number(digits)
}

// noteTotal notes the number of pages. A list at its beginning has no page number; one page alone is no list.
func (r *run) noteTotal(total int) {
	if r.page == nil && (total == 1 || len(r.policy.doc.Pagination) == 0) {
		return
	}
	if r.page == nil {
		r.page = r.newPage()
		r.note("the first of %d pages", total)
	}
	r.page.TotalPages = total
}
