package cause

import (
	"cmp"
	"strings"

	"visto/review"
)

// change is the part of a URL that its canonical form changes.
type change uint8

// The changes, the greatest last.
const (
	unchanged change = iota
	ofSlash
	ofQuery // and of the fragment
	ofPath
	ofScheme
	ofHost
)

// changeOf returns the greatest change between a URL and its canonical form.
func changeOf(it *review.Item) change {
	before, after := split(it.Original), split(cmp.Or(it.Canonical(), it.Original))
	switch {
	case before.host != after.host:
		return ofHost
	case before.scheme != after.scheme:
		return ofScheme
	case strings.TrimRight(before.path, "/") != strings.TrimRight(after.path, "/"):
		return ofPath
	case before.query != after.query:
		return ofQuery
	case before.path != after.path:
		return ofSlash
	}
	return unchanged
}

// SameChange reports whether the canonical forms of two items change the same part of their URLs.
func SameChange(a, b *review.Item) bool { return changeOf(a) == changeOf(b) }

// urlParts are the parts of a URL as text. The query has the fragment too.
type urlParts struct{ scheme, host, path, query string }

func split(url string) (p urlParts) {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url, p.query = url[:i], url[i:]
	}
	if scheme, rest, ok := strings.Cut(url, "://"); ok {
		p.scheme, url = scheme, rest
	}
	p.host = url
	if i := strings.IndexByte(url, '/'); i >= 0 {
		p.host, p.path = url[:i], url[i:]
	}
	return p
}

// pickSamples returns an item for each kind of change, and at least maxSamples evenly spread over the list, if there are
// so many.
func pickSamples(items []review.Item) []review.Item {
	if len(items) <= maxSamples {
		return items
	}
	var list []review.Item
	for i := range maxSamples {
		list = append(list, items[i*(len(items)-1)/(maxSamples-1)])
	}
	known := map[change]bool{}
	for i := range list {
		known[changeOf(&list[i])] = true
	}
	for i := range items {
		if kind := changeOf(&items[i]); !known[kind] {
			known[kind] = true
			list = append(list, items[i])
		}
	}
	return list
}
