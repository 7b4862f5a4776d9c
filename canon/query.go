package canon

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// paramKind holds the lists that name a parameter, as bits.
type paramKind uint8

// The lists of a policy.
const (
	isTracking paramKind = 1 << iota
	isSession
	isPreserved
	isIdentifier
	isPagination
	isLanguage
)

// isUnknown reports whether no list decides on a parameter. One that may state a language (rule 10) stays and is one.
func (k paramKind) isUnknown() bool { return k&^isLanguage == 0 }

// The lists of an override.
const (
	isKept paramKind = 1 << iota
	isDropped
	isPage
	isNoPage
)

// nameTable holds the kinds of parameter names, and of prefixes of names.
type nameTable struct {
	exact    map[string]paramKind
	prefixes []namePrefix
}

type namePrefix struct {
	text string
	kind paramKind
}

// add adds a kind to each name in lower case. A "*" at the end makes a name a prefix.
func (t *nameTable) add(kind paramKind, names []string) {
	for _, name := range names {
		t.addExact(kind, strings.ToLower(name))
	}
}

// addExact adds a kind to each name as it is spelled. A "*" at the end makes a name a prefix.
func (t *nameTable) addExact(kind paramKind, names ...string) {
	if t.exact == nil && len(names) > 0 {
		t.exact = map[string]paramKind{}
	}
	for _, name := range names {
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			t.prefixes = append(t.prefixes, namePrefix{prefix, kind})
		} else {
			t.exact[name] |= kind
		}
	}
}

// kind returns the kinds of a name, which is in lower case if the names of the table are.
func (t *nameTable) kind(name []byte) paramKind {
	kind := t.exact[string(name)]
	for _, prefix := range t.prefixes {
		if len(name) >= len(prefix.text) && string(name[:len(prefix.text)]) == prefix.text {
			kind |= prefix.kind
		}
	}
	return kind
}

// action returns isKept or isDropped if an override orders that for a parameter name in lower case, otherwise 0.
func (l ruleList) action(name []byte) paramKind {
	for _, rule := range l {
		switch kind := rule.params.kind(name); {
		case kind&isKept != 0:
			return isKept
		case kind&isDropped != 0:
			return isDropped
		}
	}
	return 0
}

// page returns isPage or isNoPage if an override says whether a parameter, named in lower case, holds a page number,
// otherwise 0.
func (l ruleList) page(name []byte) paramKind {
	for _, rule := range l {
		switch kind := rule.params.kind(name); {
		case kind&isNoPage != 0:
			return isNoPage
		case kind&isPage != 0:
			return isPage
		}
	}
	return 0
}

// pair is one name=value of a query, as spelled. "a" and "a=" are different pairs.
type pair struct {
	text, name, value []byte
	at                int // index of text in the query; only from eachPair
}

func pairOf(text []byte, at int) pair {
	name, value, _ := cut(text, '=')
	return pair{text, name, value, at}
}

// valueAt returns the index of the value in the query.
func (p pair) valueAt() int { return p.at + len(p.text) - len(p.value) }

// editQuery replaces each pair by the result of edit, which may shorten its text in place; a pair without text goes.
// The rest stays byte for byte, with its order and repetitions. Empty pairs ("a&&b") stay unless nothing else is left.
func editQuery(query []byte, edit func(text []byte) []byte) []byte {
	kept, first := query[:0], true
	for more := len(query) > 0; more; {
		text, rest, isCut := cut(query, '&')
		query, more = rest, isCut
		if len(text) > 0 {
			if text = edit(text); len(text) == 0 {
				continue
			}
		}
		if !first {
			kept = append(kept, '&')
		}
		kept, first = append(kept, text...), false
	}
	return kept
}

// dropEmptyPairs removes empty pairs, in place: "&a&&b" becomes "a&b".
func dropEmptyPairs(query []byte) []byte {
	return slices.CompactFunc(bytes.Trim(query, "&"), func(a, b byte) bool { return a == '&' && b == '&' })
}

// eachPair calls fn with each non-empty pair of the query.
func eachPair(query []byte, fn func(pair)) {
	for at := 0; len(query) > 0; {
		text, rest, _ := cut(query, '&')
		if len(text) > 0 {
			fn(pairOf(text, at))
		}
		at += len(text) + 1
		query = rest
	}
}

// cut is a faster bytes.Cut for one byte.
func cut(b []byte, at byte) (before, after []byte, found bool) {
	if i := bytes.IndexByte(b, at); i >= 0 {
		return b[:i], b[i+1:], true
	}
	return b, nil, false
}

// filterQuery removes the pairs that keep refuses. An emptied query loses its "?" under every policy.
func (a *address) filterQuery(keep func(pair) bool) {
	a.editQuery(func(text []byte) []byte {
		if keep(pairOf(text, 0)) {
			return text
		}
		return nil
	})
}

// editQuery edits the pairs of the query. An emptied query loses its "?" under every policy.
func (a *address) editQuery(edit func(text []byte) []byte) {
	before := len(a.query)
	if a.query = editQuery(a.query, edit); len(a.query) != before {
		a.dropEmptyQuery()
	}
}

// sortQuery returns the query with its pairs sorted by key. With byValue, pairs with the same key are sorted by value,
// then by spelling; without it they keep their order. Keys and values are compared bytewise, percent-decoded. Empty
// pairs are left out.
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

// comparePairs is the order of sortQuery.
func comparePairs(a, b pair, byValue bool) int {
	order := bytes.Compare(decode(nil, a.name), decode(nil, b.name))
	if order != 0 || !byValue {
		return order
	}
	return cmp.Or(bytes.Compare(decode(nil, a.value), decode(nil, b.value)), bytes.Compare(a.text, b.text))
}
