package canon

import (
	"crypto/sha256"
	"strings"
)

// Normalized returns the canonical URL with its query sorted by key, then value. It is the text of the comparison key:
// canonical URLs that differ only in the order of their parameters share it.
func (r *Result) Normalized() string { return NormalizedOf(r.Canonical) }

// Hash returns the SHA-256 of Normalized (seed 001, canonical_hash).
func (r *Result) Hash() [sha256.Size]byte { return HashOf(r.Canonical) }

// HashOf returns the SHA-256 of NormalizedOf(canonical).
func HashOf(canonical string) [sha256.Size]byte {
	return sha256.Sum256([]byte(NormalizedOf(canonical)))
}

// NormalizedOf is Normalized for a canonical URL without a Result, such as one that a reviewer typed.
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
