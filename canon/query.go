package canon

import "bytes"

// pair is one name=value of a query, as it stands. "a" and "a=" are different pairs.
type pair struct {
	text, name, value []byte
	at                int // where text begins in the query; only from eachPair
}

func pairOf(text []byte, at int) pair {
	name, value, _ := cut(text, '=')
	return pair{text, name, value, at}
}

// valueAt returns where the value begins in the query.
func (p pair) valueAt() int { return p.at + len(p.text) - len(p.value) }

// filterQuery removes the pairs for which keep says no, in place; what remains stays byte for byte, order and
// repetitions included. Empty pairs ("a&&b") are nobody's parameter: they stay, unless nothing else does.
func filterQuery(query []byte, keep func(pair) bool) []byte {
	kept := query[:0]
	first := true
	for len(query) > 0 || !first {
		text, rest, more := cut(query, '&')
		if len(text) == 0 || keep(pairOf(text, 0)) {
			if !first {
				kept = append(kept, '&')
			}
			kept = append(kept, text...)
			first = false
		}
		if query = rest; !more {
			break
		}
	}
	return kept
}

// eachPair calls fn with each pair of the query that is not empty.
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

// cut is bytes.Cut for one byte, which is faster.
func cut(b []byte, at byte) (before, after []byte, found bool) {
	if i := bytes.IndexByte(b, at); i >= 0 {
		return b[:i], b[i+1:], true
	}
	return b, nil, false
}
