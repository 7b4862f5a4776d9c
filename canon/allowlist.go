package canon

import (
	"bytes"
	"slices"
	"strings"
)

// allowlist holds the hosts that Clara may cite (seed 000 rule 7). Its tables are made for looking up a host by its
// labels, whatever the number of patterns: a list of links has a new host on every second line.
type allowlist struct {
	patterns []string          // in a stable order
	names    map[string]listed // by domain
	likes    map[string]int    // first pattern of a domain, by the domain without look-alikes
	labels   int               // most labels of a domain
	sizes    wordSizes         // of names
	first    wordSet           // first labels of likes and names
}

// listed tells which patterns hold a domain, by their place from 1; 0: none.
type listed struct {
	whole int // "boe.es": the domain and its subdomains
	below int // "*.gob.es": its subdomains alone
}

func newAllowlist(patterns []string) *allowlist {
	a := &allowlist{
		patterns: slices.Sorted(slices.Values(patterns)), names: map[string]listed{}, likes: map[string]int{},
	}
	var first []string
	for i, pattern := range slices.Backward(a.patterns) { // the first of equals stays
		domain, isSuffix := strings.CutPrefix(pattern, "*.")
		l := a.names[domain]
		if isSuffix {
			l.below = i + 1
		} else {
			l.whole = i + 1
			a.likes[string(withoutLookalikes(nil, []byte(domain)))] = i + 1
		}
		a.names[domain] = l
		a.sizes.add(domain)
		a.labels = max(a.labels, 1+strings.Count(domain, "."))
		label, _, _ := strings.Cut(domain, ".")
		first = append(first, string(withoutLookalikes(nil, []byte(label))))
	}
	a.first = newWordSet(first)
	return a
}

// mayKnow reports whether a label of the host, with look-alikes reverted, is the first label of a listed domain. If
// none is, the host is neither allowed nor like an allowed one. The host is in wire form, so it has maxName bytes at
// most. A nil allowlist knows every host.
func (a *allowlist) mayKnow(host []byte) bool {
	if a == nil {
		return true
	}
	var label [maxName]byte // without look-alikes
	n := 0
	for _, x := range host {
		switch to := plainChar[x]; {
		case to < joined:
			label[n] = to
			n++
		case to == dot:
			if a.first.holds(label[:n]) {
				return true
			}
			n = 0
		default:
			n = len(appendPlain(label[:n], x))
		}
	}
	return a.first.holds(label[:n])
}

// find looks up a domain.
func (a *allowlist) find(domain []byte) (l listed) {
	if a.sizes.mayHave(domain) {
		l = a.names[string(domain)]
	}
	return l
}

// has reports whether the ASCII host is allowed. A nil allowlist allows every host.
func (a *allowlist) has(host []byte) bool {
	if a == nil || a.find(host).whole > 0 {
		return true
	}
	for i, x := range host {
		if x == '.' && a.find(host[i+1:]) != (listed{}) {
			return true
		}
	}
	return false
}

// imitated returns the first pattern that a host resembles, or has in front of its own domain ("boe.es.example.com"),
// or "". The host is not allowed itself, and casefolded.
func (a *allowlist) imitated(host []byte) string {
	first := len(a.patterns) + 1
	for begin := 0; begin >= 0; begin = nextLabel(host, begin) {
		end := begin
		for range a.labels {
			end += labelEnd(host[end:])
			l := a.find(host[begin:end])
			if l.whole > 0 {
				first = min(first, l.whole)
			}
			if l.below > 0 && begin > 0 && end < len(host) {
				first = min(first, l.below)
			}
			if end == len(host) {
				break
			}
			end++
		}
	}
	var room [maxName]byte
	plain := withoutLookalikes(room[:0], host)
	for begin := 0; begin >= 0; begin = nextLabel(plain, begin) {
		if place := a.likes[string(plain[begin:])]; place > 0 {
			first = min(first, place)
		}
	}
	if first > len(a.patterns) {
		return ""
	}
	return a.patterns[first-1]
}

// labelEnd returns the index of the first dot, or the length.
func labelEnd(host []byte) int {
	if dot := bytes.IndexByte(host, '.'); dot >= 0 {
		return dot
	}
	return len(host)
}

// nextLabel returns the index at which the label after the one at begin begins, or -1.
func nextLabel(host []byte, begin int) int {
	if dot := bytes.IndexByte(host[begin:], '.'); dot >= 0 {
		return begin + dot + 1
	}
	return -1
}

// withoutLookalikes appends the host to dst with the usual substitutions in ASCII reverted.
func withoutLookalikes(dst, host []byte) []byte {
	for _, x := range host {
		dst = appendPlain(dst, x)
	}
	return dst
}

// appendPlain appends the character for which x stands, alone or together with the one before it.
func appendPlain(dst []byte, x byte) []byte {
	n := len(dst)
	switch to := plainChar[x]; {
	case to < joined:
		return append(dst, to)
	case n > 0 && x == 'n' && dst[n-1] == 'r':
		dst[n-1] = 'm'
		return dst
	case n > 0 && x == 'v' && dst[n-1] == 'v':
		dst[n-1] = 'w'
		return dst
	}
	return append(dst, x)
}

// plainChar holds the character for which each one may stand, or one of the marks behind it.
var plainChar = func() (plain [256]byte) {
	for x := range plain {
		plain[x] = byte(x)
		if x >= joined {
			plain[x] = joined
		}
	}
	plain['0'], plain['1'], plain['3'], plain['5'] = 'o', 'l', 'e', 's'
	plain['n'], plain['v'], plain['.'] = joined, joined, dot
	return plain
}()

const (
	joined = 0x80 + iota // no ASCII character, or one that may make another together with the one before it
	dot                  // ends a label
)
