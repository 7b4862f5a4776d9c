package canon

import "bytes"

// stepPath is step 7, rule 2: percent-encoding in normal form, dot segments resolved, no slash at the end.
func (r *run) stepPath() {
	r.encode()
	if !r.keepsSlash() {
		r.u.path = trimSlashes(r.u.path)
	}
	r.u.dropEmptyQuery()
	r.u.bareRoot()
}

// encode puts path and query into percent-encoding normal form and resolves dot segments, in this order, for "%2E" is
// a dot (RFC 3986 section 6.2.2).
func (r *run) encode() {
	path, brokenPath := normalize(r.u.path, pathSet)
	query, brokenQuery := normalize(r.u.query, querySet)
	r.u.path, r.u.query = removeDots(path), query
	switch {
	case brokenPath:
		r.flag(BrokenEncoding, "the path is not valid percent-encoded UTF-8; check that the page opens, then approve")
	case brokenQuery:
		r.flag(BrokenEncoding, "the query is not valid percent-encoded UTF-8; check that the page opens, then approve")
	}
}

// keepsSlash reports whether an override, or what the server answered, wants the slash to stay.
func (r *run) keepsSlash() bool {
	return r.overrideKeepsSlash() || r.keepPath != "" && r.keepPath == string(r.u.path)
}

func (r *run) overrideKeepsSlash() bool {
	for _, rule := range r.rules {
		if rule.TrailingSlash != "" {
			return true
		}
	}
	return false
}

// trimSlashes takes all slashes off the end; of the root it leaves one, which dropEmptyQuery judges.
func trimSlashes(path []byte) []byte {
	trimmed := bytes.TrimRight(path, "/")
	if len(trimmed) == 0 && len(path) > 0 {
		return path[:1]
	}
	return trimmed
}

// removeDots resolves "." and ".." (RFC 3986 section 5.2.4), in place. A path that ends in one ends in a slash after it.
func removeDots(path []byte) []byte {
	if !bytes.Contains(path, []byte("/.")) {
		return path
	}
	kept := path[:0]
	slash := false // whether the last segment was a dot segment, which leaves its slash
	segments(path, func(segment []byte) {
		switch string(segment) {
		case ".":
			slash = true
		case "..":
			kept = kept[:max(bytes.LastIndexByte(kept, '/'), 0)]
			slash = true
		default:
			kept = append(kept, '/')
			kept = append(kept, segment...)
			slash = false
		}
	})
	if slash {
		kept = append(kept, '/')
	}
	return kept
}
