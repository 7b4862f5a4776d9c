package canon

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// pathTriggers: bytes and escapes not in normal form, escapes that may not be UTF-8, dot segments, a matrix parameter
// that may hide one, and the ends of path and query. A policy that rewrites whole paths makes every step due, because
// later steps read the new path.
func pathTriggers(r *registrar) {
	doc := &r.policy.doc
	notIn := func(allowed *set) func(byte) bool { return func(x byte) bool { return !allowed[x] && x != '%' } }
	r.onBytes(&r.inPath, notIn(pathSet))
	r.onBytes(&r.inPath, in(";"))
	r.onBytes(&r.inName, notIn(querySet))
	r.onBytes(&r.inValue, notIn(querySet))
	for _, table := range []*[256]stepSet{&r.escapedInPath, &r.escapedInName, &r.escapedInValue} {
		r.onBytes(table, func(x byte) bool { return unreserved[x] || x >= utf8.RuneSelf })
	}
	r.on(&r.oddEscape)
	r.on(&r.dotSegment, &r.slashed, &r.rootlessQuery, &r.emptyQuery)
	r.when(doc.Collapse, &r.emptySegment)
	r.when(doc.TrailingSlash != "never", &r.rootless)
	r.when(doc.TrailingSlash == "always", &r.unslashed)
	if len(r.policy.base.path) > 0 || doc.RemoveIndex || doc.LowerPaths {
		r.always = everyStep
	}
}

// stepPath is step 7, rule 2: percent-encoding in normal form, dot segments resolved, no trailing slash. The switches
// of the policy vary it.
func (r *run) stepPath() {
	r.encode()
	doc := &r.policy.doc
	if doc.Collapse {
		r.setPath(collapseSlashes(r.u.path), "duplicate slashes collapsed")
	}
	if doc.LowerPaths {
		r.u.path = lowerPath(&r.text, r.u.path)
	}
	r.underBase()
	if doc.RemoveIndex {
		r.setPath(r.withoutIndex(r.u.path), "index page removed: the directory shows it")
	}
	r.endPath()
	r.endQuery()
}

// setPath replaces the path, and notes a change of its length.
func (r *run) setPath(path []byte, note string) {
	if r.tracing && len(path) != len(r.u.path) {
		r.note("%s", note)
	}
	r.u.path = path
}

// encode puts path and query into percent-encoding normal form, and then resolves dot segments. The order matters:
// "%2E" is a dot (RFC 3986 section 6.2.2).
func (r *run) encode() {
	asCame, isPlain := r.policy.keepsEscapes(), r.hasPlainPath()
	path, brokenPath := r.u.path, false
	if !isPlain {
		path, brokenPath = normalize(&r.text, path, pathSet, asCame)
	}
	query, brokenQuery := normalize(&r.text, r.u.query, querySet, asCame)
	if r.tracing && (!bytes.Equal(path, r.u.path) || !bytes.Equal(query, r.u.query)) {
		r.note("percent-encoding in normal form")
	}
	r.u.path, r.u.query = path, query
	if r.policy.doc.DotSegments && !isPlain {
		r.setPath(removeDots(path), "dot segments resolved")
	}
	switch {
	case brokenPath:
		r.flag(BrokenEncoding, "the path is not valid percent-encoded UTF-8; check that the page opens, then approve")
	case brokenQuery:
		r.flag(BrokenEncoding, "the query is not valid percent-encoded UTF-8; check that the page opens, then approve")
	}
}

func (p *Policy) keepsEscapes() bool { return p.doc.Encoding == "keep" }

// underBase adds the path of public_base_url to a route without it (seed 004).
func (r *run) underBase() {
	base := r.policy.base.path
	if rest, ok := bytes.CutPrefix(r.u.path, base); len(base) == 0 || ok && (len(rest) == 0 || rest[0] == '/') {
		return
	}
	r.u.path = append(bytes.Clone(base), r.u.path...)
	r.note("%s is the path that routes of this site have", base)
}

// withoutIndex removes index pages at the end, because the directory shows the same page (seed 002, "Removing directory
// index"). A slash that endPath will remove hides none.
func (j *judge) withoutIndex(path []byte) []byte {
	for {
		end := path
		if j.dropsSlash() {
			end = trimSlashes(path)
		}
		slash := bytes.LastIndexByte(end, '/')
		if slash < 0 || !j.policy.isIndexPage(end[slash+1:], &j.name) {
			return path
		}
		path = path[:slash+1]
	}
}

// dropsSlash reports whether the policy removes the trailing slash, and no override keeps it.
func (j *judge) dropsSlash() bool {
	mode := j.policy.doc.TrailingSlash
	return (mode == "never" || mode == "never-but-root") && !j.rules.keepSlash()
}

// endPath applies the policy's rule for the trailing slash. An override or the server may keep the slash.
func (r *run) endPath() {
	if r.policy.doc.TrailingSlash != "never" && len(r.u.path) == 0 {
		r.setPath(root, "the root has its slash")
	}
	switch {
	case r.dropsSlash() && (r.keepPath == "" || r.keepPath != string(r.u.path)):
		r.setPath(trimSlashes(r.u.path), "slash at the end removed")
	case r.policy.doc.TrailingSlash == "always" && r.u.path[len(r.u.path)-1] != '/':
		r.setPath(append(bytes.Clone(r.u.path), '/'), "slash at the end added")
	}
}

// endQuery drops an empty query if the policy says so, and sets the slash of a bare root.
func (r *run) endQuery() {
	had := r.u.hasQuery
	if r.policy.doc.EmptyQuery == "drop" {
		r.u.dropEmptyQuery()
	}
	if had && !r.u.hasQuery {
		r.note("empty query dropped")
	}
	root := len(r.u.path)
	if r.policy.doc.TrailingSlash == "never" {
		r.u.bareRoot()
	}
	switch {
	case len(r.u.path) < root:
		r.note("the root without its slash")
	case len(r.u.path) > root:
		r.note("the root with a slash before the query")
	}
}

// collapseSlashes reduces slashes in a row to one, in place.
func collapseSlashes(path []byte) []byte {
	if !bytes.Contains(path, []byte("//")) {
		return path
	}
	return slices.CompactFunc(path, func(a, b byte) bool { return a == '/' && b == '/' })
}

// lowerPath returns the path with its letters in lower case, the escaped ones too ("/%C3%81rea"). All other text keeps
// its spelling. It appends a path that changes to room.
func lowerPath(room *[]byte, path []byte) []byte {
	start := len(*room)
	for rest := path; len(rest) > 0; {
		c, n := decodeRune(rest)
		if lower := unicode.ToLower(c); lower == c {
			*room = append(*room, rest[:n]...)
		} else {
			*room, _ = appendNormal(*room, utf8.AppendRune(nil, lower), unreserved, asTheyCame)
		}
		rest = rest[n:]
	}
	if lowered := (*room)[start:]; !bytes.Equal(lowered, path) {
		return lowered[:len(lowered):len(lowered)]
	}
	*room = (*room)[:start]
	return path
}

// keepSlash reports whether an override keeps the trailing slash.
func (l ruleList) keepSlash() bool {
	return slices.ContainsFunc(l, func(o *rule) bool { return o.TrailingSlash == "keep" })
}

// trimSlashes removes all trailing slashes. The root keeps one, for endQuery to judge.
func trimSlashes(path []byte) []byte {
	trimmed := bytes.TrimRight(path, "/")
	if len(trimmed) == 0 && len(path) > 0 {
		return path[:1]
	}
	return trimmed
}

// removeDots resolves "." and ".." in place (RFC 3986 section 5.2.4). If the last segment is one of them, the result
// ends in a slash.
func removeDots(path []byte) []byte {
	if !bytes.Contains(path, []byte("/.")) {
		return path
	}
	kept := path[:0]
	slash := false // the last segment was a dot segment
	segments(path, func(segment []byte) {
		switch string(segment) {
		case ".":
			slash = true
		case "..":
			kept = kept[:max(bytes.LastIndexByte(kept, '/'), 0)]
			slash = true
		default:
			kept = append(append(kept, '/'), segment...)
			slash = false
		}
	})
	if slash {
		kept = append(kept, '/')
	}
	return kept
}
