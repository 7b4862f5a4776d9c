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

// NormalizedOf is Normalized for a canonical URL that stands alone, such as one a reviewer typed. Keys and values are
// compared bytewise, percent-decoded; pairs that are equal so, as they are written.
func NormalizedOf(canonical string) string {
	head, query, ok := strings.Cut(canonical, "?")
	if !ok || strings.IndexByte(query, '&') < 0 {
		return canonical
	}
	var pairs []pair
	eachPair([]byte(query), func(p pair) { pairs = append(pairs, p) })
	slices.SortStableFunc(pairs, func(a, b pair) int {
		return cmp.Or(bytes.Compare(decode(nil, a.name), decode(nil, b.name)),
			bytes.Compare(decode(nil, a.value), decode(nil, b.value)), bytes.Compare(a.text, b.text))
	})
	var sorted strings.Builder
	sorted.WriteString(head)
	for i, p := range pairs {
		sorted.WriteByte("?&"[min(i, 1)])
		sorted.Write(p.text)
	}
	return sorted.String()
}
