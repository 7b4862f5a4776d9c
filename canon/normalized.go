package canon

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
)

// Normalized returns the canonical URL with its query sorted by key, then value: the text of the comparison key. Two
// canonical URLs that differ only in the order of their parameters have one.
func (r *Result) Normalized() string { return NormalizedOf(r.Canonical) }

// Hash returns the SHA-256 of Normalized (seed 001, canonical_hash).
func (r *Result) Hash() [sha256.Size]byte { return HashOf(r.Canonical) }

// HashOf returns the SHA-256 of NormalizedOf(canonical).
func HashOf(canonical string) [sha256.Size]byte {
	return sha256.Sum256([]byte(NormalizedOf(canonical)))
}

// NormalizedOf is Normalized for a canonical URL that stands alone, such as one a reviewer typed.
func NormalizedOf(canonical string) string {
	rest, fragment, hasFragment := strings.Cut(canonical, "#")
	head, query, ok := strings.Cut(rest, "?")
	if !ok || strings.IndexByte(query, '&') < 0 {
		return canonical
	}
	sorted := head + "?" + string(sortQuery([]byte(query), true))
	if hasFragment {
		sorted += "#" + fragment
	}
	return sorted
}

// comparePairs is the order of sortQuery.
func comparePairs(a, b pair, byValue bool) int {
	order := bytes.Compare(decode(nil, a.name), decode(nil, b.name))
	if order != 0 || !byValue {
		return order
	}
	return cmp.Or(bytes.Compare(decode(nil, a.value), decode(nil, b.value)), bytes.Compare(a.text, b.text))
}

// sortQuery returns the query with its pairs in the order of their keys, and byValue those with one key in the order of their
// values. Both are compared bytewise, percent-decoded; what is equal so, as it is written, or where values do not count as it
// came. Empty pairs are left out.
func sortQuery(query []byte, byValue bool) []byte {
	var pairs []pair
	eachPair(query, func(p pair) { pairs = append(pairs, p) })
	slices.SortStableFunc(pairs, func(a, b pair) int { return comparePairs(a, b, byValue) })
	sorted := make([]byte, 0, len(query))
	for i, p := range pairs {
		if i > 0 {
			sorted = append(sorted, '&')
		}
		sorted = append(sorted, p.text...)
	}
	return sorted
}
