package canon

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// nameFacts is what the policy says of a parameter name.
type nameFacts struct {
	spelled string
	name    string   // percent-decoded
	lower   []byte   // and in lower case, as all lists compare it
	alone   []string // the list of this name; never written to
	kind    paramKind
	due     stepSet // rows that have something to do for a URL with such a parameter
}

// named returns what is known of a parameter name as it is spelled.
func (r *run) named(spelled []byte) *nameFacts {
	facts := r.names.get(spelled)
	if facts == nil {
		facts = r.lookAtName(spelled)
	}
	return facts
}

func (r *run) lookAtName(spelled []byte) *nameFacts {
	facts := &nameFacts{spelled: string(spelled), lower: decode(nil, spelled)}
	facts.name = string(facts.lower)
	facts.alone = []string{facts.name}
	lowerASCII(facts.lower)
	facts.kind = r.policy.kind(facts.lower)
	facts.due = r.policy.demand.ofKind(r.policy, facts.kind)
	r.names.put(facts.spelled, facts)
	return facts
}

// say is what the overrides say of a parameter: the most specific one that names it is followed.
type say uint8

const (
	nothingSaid say = iota
	keepIt
	dropIt
)

func (r *run) overrideSays(name []byte) say {
	for _, rule := range r.rules {
		switch {
		case rule.keep.has(name):
			return keepIt
		case rule.drop.has(name):
			return dropIt
		}
	}
	return nothingSaid
}

// stepSession is step 4, rule 8: session identifiers in path segments and in the query.
func (r *run) stepSession() {
	r.u.path = r.dropSessionSegments(r.u.path)
	if r.u.hasQuery {
		r.filterQuery(func(p pair) bool { return !r.isSession(p.name) })
	}
}

func (r *run) isSession(spelled []byte) bool {
	name := r.named(spelled)
	if name.kind&isSession == 0 || name.kind&isPreserved != 0 || r.overrideSays(name.lower) != nothingSaid {
		return false
	}
	if r.tracing {
		r.note("%s is a session identifier", name.lower)
	}
	return true
}

// dropSessionSegments removes ";name=value" of sessions from each segment, and ASP.NET's cookieless "(S(…))" segments,
// in place. Other matrix parameters stay.
func (r *run) dropSessionSegments(path []byte) []byte {
	if bytes.IndexByte(path, ';') < 0 && !r.mayHaveSessionSegment(path) {
		return path
	}
	kept := path[:0]
	segments(path, func(segment []byte) {
		begin := len(kept)
		kept = r.appendSegment(append(kept, '/'), segment)
		if bare := kept[begin+1:]; r.isSessionSegment(bare) { // also one that had a parameter behind it
			r.note("%s is a session identifier", bare)
			kept = kept[:begin]
		}
	})
	return kept
}

func (r *run) appendSegment(dst, segment []byte) []byte {
	for i := 0; ; i++ {
		part, rest, more := cut(segment, ';')
		name, _, _ := cut(part, '=')
		if i == 0 || !r.isSession(name) {
			if i > 0 {
				dst = append(dst, ';')
			}
			dst = append(dst, part...)
		}
		if !more {
			return dst
		}
		segment = rest
	}
}

func (r *run) mayHaveSessionSegment(path []byte) bool {
	return r.policy.doc.SessionSegments && (bytes.Contains(path, []byte("/(")) || bytes.IndexByte(path, '%') >= 0)
}

// isSessionSegment recognizes "(S(abc123))" and its relatives "(A(…)S(…)F(…))" that ASP.NET puts into paths.
func (r *run) isSessionSegment(segment []byte) bool {
	if !r.policy.doc.SessionSegments || len(segment) < 5 {
		return false
	}
	r.name = lowerASCII(decode(r.name[:0], segment))
	s := string(r.name)
	if s[0] != '(' || s[len(s)-1] != ')' {
		return false
	}
	for inner := s[1 : len(s)-1]; inner != ""; {
		closing := strings.IndexByte(inner, ')')
		if closing < 3 || inner[1] != '(' || strings.IndexByte("asfx", inner[0]) < 0 {
			return false
		}
		inner = inner[closing+1:]
	}
	return true
}

// stepTracking is step 5, rule 3: tracking parameters go, preserved ones stay, and what no list knows stays and is
// flagged. Preserve beats strip; an override beats both.
func (r *run) stepTracking() {
	if !r.u.hasQuery {
		return
	}
	r.filterQuery(r.keepParam)
	if len(r.unknown) > 0 && r.raise(UnknownParam) {
		r.flag(UnknownParam, "%s", unknownDetail(r.unknown))
	}
}

func (r *run) keepParam(p pair) bool {
	name := r.named(p.name)
	switch said := r.overrideSays(name.lower); {
	case said == keepIt:
		return true
	case said == dropIt:
		if r.tracing {
			r.note("%s dropped: the override for this host says so", name.lower)
		}
		return false
	case name.kind&isTracking != 0 && name.kind&isPreserved == 0:
		if r.tracing {
			r.note("%s is a tracking parameter", name.lower)
		}
		return false
	case r.policy.doc.FlagUnknown && name.kind == 0 && !r.isPage(name):
		r.addUnknown(name)
	}
	return true
}

func (r *run) addUnknown(name *nameFacts) {
	if len(r.unknown) == 0 {
		r.unknown = name.alone
		return
	}
	for _, known := range r.unknown {
		if strings.EqualFold(known, name.name) {
			return
		}
	}
	if need := len(r.unknown) + 1; cap(r.unknowns)-len(r.unknowns) < need {
		r.unknowns = make([]string, 0, max(32, need))
	}
	begin := len(r.unknowns)
	r.unknowns = append(append(r.unknowns, r.unknown...), name.name)
	r.unknown = r.unknowns[begin:len(r.unknowns):len(r.unknowns)]
}

func unknownDetail(names []string) string {
	quoted := make([]string, len(names))
	escaped := false
	for i, name := range names {
		quoted[i] = `"` + name + `"`
		escaped = escaped || strings.HasPrefix(name, "amp;")
	}
	detail := fmt.Sprintf("no list knows %s: keep it or drop it on this host", strings.Join(quoted, ", "))
	if escaped {
		detail += "; \"amp;\" is left over from HTML, so the link itself is broken: correct it"
	}
	return detail
}

// isPage reports whether the parameter is a page number here: the overrides say so, or else the policy does.
func (r *run) isPage(name *nameFacts) bool {
	for _, rule := range r.rules {
		switch {
		case rule.notPage.has(name.lower):
			return false
		case rule.page.has(name.lower):
			return true
		}
	}
	return name.kind&isPagination != 0
}

// filterQuery removes the pairs that keep refuses. A query of which nothing is left loses its "?" under every policy.
func (r *run) filterQuery(keep func(pair) bool) {
	before := len(r.u.query)
	if r.u.query = filterQuery(r.u.query, keep); len(r.u.query) != before {
		r.u.dropEmptyQuery()
	}
}

// stepPagination is step 11, rule 9: cite the beginning of a list, and note which page it was.
func (r *run) stepPagination() {
	if !r.u.hasQuery {
		return
	}
	r.filterQuery(func(p pair) bool { return !r.takePage(p) })
	r.endQuery()
}

// takePage notes the page number and reports whether the pair was one. Other values stay: they are no page.
func (r *run) takePage(p pair) bool {
	page, ok := pageNumber(p.value)
	if !ok || !r.isPage(r.named(p.name)) {
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

// newPage returns room for a page number. Rooms are made in dozens, for a list of URLs has many.
func (r *run) newPage() *Pagination {
	if len(r.pages) == 0 {
		r.pages = make([]Pagination, 12)
	}
	page := &r.pages[0]
	r.pages = r.pages[1:]
	return page
}

// stepQuery is what policies for one site, and policies that sort, do to the parameters that are left.
func (r *run) stepQuery() {
	if !r.u.hasQuery {
		return
	}
	doc := &r.policy.doc
	if len(doc.Allowed) > 0 || len(doc.Defaults) > 0 {
		r.filterQuery(r.isWanted)
	}
	if doc.EscapeValues {
		r.u.query = escapeValues(r.u.query)
	}
	if doc.Sort != "none" {
		r.u.query = sortQuery(r.u.query, doc.Sort == "key-value")
	}
	r.endQuery()
}

// isWanted reports whether the pair is one of those allowed, and says something (seed 002, "Removing arbitrary" and "default
// querystring variables"; seed 004, step 5). An override that keeps a parameter is followed.
func (r *run) isWanted(p pair) bool {
	name := r.named(p.name).lower
	if r.overrideSays(name) == keepIt {
		return true
	}
	if len(r.policy.doc.Allowed) > 0 && !r.policy.keepOnly.has(name) {
		if r.tracing {
			r.note("%s is not one of the parameters of this site", name)
		}
		return false
	}
	if value, ok := r.policy.defaults[string(name)]; ok && value == string(decode(nil, p.value)) {
		if r.tracing {
			r.note("%s has its default value", name)
		}
		return false
	}
	return true
}

// escapeValues encodes what is reserved in values (seed 002, "Standardizing character encoding"): "foo/bar+baz" becomes
// "foo%2Fbar%2Bbaz".
func escapeValues(query []byte) []byte {
	escaped := make([]byte, 0, len(query)+16)
	for i, text := range bytes.Split(query, []byte{'&'}) {
		if i > 0 {
			escaped = append(escaped, '&')
		}
		name, value, ok := cut(text, '=')
		escaped = append(escaped, name...)
		if ok {
			value, _ = normalize(new([]byte), value, unreserved, asTheyCame)
			escaped = append(append(escaped, '='), value...)
		}
	}
	return escaped
}

// pageNumber reads a page number: digits only, and not so many that it is an identifier.
func pageNumber(value []byte) (int, bool) {
	if len(value) == 0 || len(value) > 9 {
		return 0, false
	}
	for _, x := range value {
		if !isDigit(x) {
			return 0, false
		}
	}
	n, err := strconv.Atoi(string(value))
	return n, err == nil
}
