package canon

import "bytes"

// address is the URL in its present form. Its parts are slices of the run's scratch memory and are edited in place. Its
// text is scheme "://" host [":" port] path ["?" query] ["#" fragment].
//
// Invariants after parse: scheme is http or https in any case; host is not empty; path is empty or begins with "/"; an
// absent part is empty and its has… is false.
type address struct {
	scheme, host, port    []byte
	path, query, fragment []byte
	hasPort               bool
	hasQuery, hasFragment bool
	ascii                 []byte // the wire form of host
}

// appendTo appends the text of the URL to dst.
func (a *address) appendTo(dst []byte) []byte {
	dst = append(append(append(dst, a.scheme...), "://"...), a.host...)
	if a.hasPort {
		dst = append(append(dst, ':'), a.port...)
	}
	dst = append(dst, a.path...)
	if a.hasQuery {
		dst = append(append(dst, '?'), a.query...)
	}
	if a.hasFragment {
		dst = append(append(dst, '#'), a.fragment...)
	}
	return dst
}

func (a *address) String() string { return string(a.appendTo(nil)) }

// secure reports whether the scheme is https.
func (a *address) secure() bool { return len(a.scheme) == 5 }

// dropEmptyQuery drops the "?" of a query without parameters.
func (a *address) dropEmptyQuery() {
	if a.hasQuery && (len(a.query) == 0 || a.query[0] == '&' && len(bytes.TrimLeft(a.query, "&")) == 0) {
		a.query, a.hasQuery = nil, false
	}
}

// bareRoot sets the slash of the root: "https://boe.es" has none, "https://boe.es/?id=1" has one (seed 000 rule 2).
func (a *address) bareRoot() {
	switch {
	case len(a.path) == 0 && a.hasQuery:
		a.path = root
	case len(a.path) == 1 && !a.hasQuery:
		a.path = nil
	}
}

// root is the path of a root. It is never written to.
var root = []byte{'/'}

// segments calls fn with each segment of a path, in order: "/a/b" has "a" and "b", "/a/" has "a" and "".
func segments(path []byte, fn func(segment []byte)) {
	for len(path) > 0 {
		path = path[1:]
		end := bytes.IndexByte(path, '/')
		if end < 0 {
			end = len(path)
		}
		fn(path[:end])
		path = path[end:]
	}
}

// lowerASCII lowers the ASCII letters of b in place.
func lowerASCII(b []byte) []byte {
	for i, x := range b {
		if isCapital(x) {
			b[i] = x | 0x20
		}
	}
	return b
}
