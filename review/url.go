package review

import (
	"slices"
	"strings"

	"visto/canon"
)

// SplitCanonical returns the host of a canonical URL, and the rest after host and port.
func SplitCanonical(canonical string) (host, path string) {
	_, host, _ = strings.Cut(canonical, "://")
	if start := strings.IndexByte(host, '/'); start >= 0 {
		host, path = host[:start], host[start:]
	}
	if port := strings.LastIndexByte(host, ':'); port > strings.IndexByte(host, ']') { // not a colon of an IPv6 address
		host = host[:port]
	}
	return host, path
}

// PathOf returns the path of a canonical URL without trailing slashes, so that it ends where a segment does.
func PathOf(canonical string) string {
	_, path := SplitCanonical(canonical)
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	return strings.TrimRight(path, "/")
}

// PrefixPair returns the path prefixes in which a URL and its Spanish counterpart differ: up to and including the last
// segment that differs. It is empty if no segment differs, or if the numbers of segments do.
func PrefixPair(from, to string) canon.Prefixes {
	a, b := strings.Split(PathOf(from), "/"), strings.Split(PathOf(to), "/")
	if len(a) != len(b) {
		return canon.Prefixes{}
	}
	for i := 1; i < len(a); i++ {
		if a[i] != b[i] && slices.Equal(a[i+1:], b[i+1:]) {
			return canon.Prefixes{From: strings.Join(a[:i+1], "/") + "/", To: strings.Join(b[:i+1], "/") + "/"}
		}
	}
	return canon.Prefixes{}
}

// IsSpanish reports whether a language tag is one of Spanish, of any country.
func IsSpanish(tag string) bool {
	lang, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return lang == "es"
}
