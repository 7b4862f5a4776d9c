package canon

import (
	"bytes"
	"maps"
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
	}
	return a
}

// spellings returns the texts that withoutLookalikes reads as text.
func spellings(text string) []string {
	list := []string{""}
	for _, x := range []byte(text) {
		ways := []string{string(x)}
		for like, plain := range plainChar {
			if plain == x && byte(like) != x {
				ways = append(ways, string(byte(like)))
			}
		}
		switch x {
		case 'm':
			ways = append(ways, "rn")
		case 'w':
			ways = append(ways, "vv")
		}
		var longer []string
		for _, begin := range list {
			for _, way := range ways {
				longer = append(longer, begin+way)
			}
		}
		list = longer
	}
	return list
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

// plainChar holds the character for which each one may stand, or joined.
var plainChar = func() (plain [256]byte) {
	for x := range plain {
		plain[x] = byte(x)
		if x >= joined {
			plain[x] = joined
		}
	}
	plain['0'], plain['1'], plain['3'], plain['5'] = 'o', 'l', 'e', 's'
	plain['n'], plain['v'] = joined, joined
	return plain
}()

// joined marks a byte that is no ASCII character, or may make another one together with the one before it.
const joined = 0x80

// blocklist holds the hosts that are never cited, whatever the allowlist says, with the reasons. A host is looked up by
// its labels.
type blocklist struct {
	whole map[string]string // "forum.es": the domain and its subdomains
	below map[string]string // "*.blog.es": its subdomains alone
}

// newBlocklist returns nil for an empty list.
func newBlocklist(reasons map[string]string) *blocklist {
	if len(reasons) == 0 {
		return nil
	}
	b := &blocklist{map[string]string{}, map[string]string{}}
	for pattern, reason := range reasons {
		if domain, isSuffix := strings.CutPrefix(pattern, "*."); isSuffix {
			b.below[domain] = reason
		} else {
			b.whole[pattern] = reason
		}
	}
	return b
}

// find returns the reason to block an ASCII host, that of the longest domain. A nil blocklist blocks no host.
func (b *blocklist) find(host []byte) (reason string, found bool) {
	if b == nil {
		return "", false
	}
	if reason, found = b.whole[string(host)]; found {
		return reason, true
	}
	for i, x := range host {
		if x != '.' {
			continue
		}
		if reason, found = b.below[string(host[i+1:])]; found {
			return reason, true
		}
		if reason, found = b.whole[string(host[i+1:])]; found {
			return reason, true
		}
	}
	return "", false
}

// blocks returns the rejection of a blocked ASCII host, or nil.
func (p *Policy) blocks(host []byte) *rejection {
	reason, found := p.blocked.find(host)
	switch {
	case !found:
		return nil
	case reason == "":
		return &rejection{Blocked, string(host) + " is on the blocklist"}
	}
	return &rejection{Blocked, string(host) + " is on the blocklist: " + reason}
}

// listedLabels returns the first label of each host that the policy lists.
func (p *Policy) listedLabels() (labels []string) {
	blocked, mapped := slices.Collect(maps.Keys(p.doc.Blocklist)), slices.Collect(maps.Keys(p.domains))
	for _, host := range slices.Concat(p.doc.Allowlist, p.doc.Shorteners, blocked, mapped) {
		label, _, _ := strings.Cut(strings.TrimPrefix(host, "*."), ".")
		labels = append(labels, strings.ToLower(label))
	}
	return append(labels, "http", "https", "localhost") // hosts that parse refuses
}

// mayCite reports whether the ASCII host is on the allowlist, and not on the blocklist.
func (p *Policy) mayCite(host []byte) bool { return p.allowed.has(host) && p.blocks(host) == nil }

// BlockedAllowed returns the entries of the allowlist and the blocklist that the other list holds, sorted. They are
// blocked.
func (p *Policy) BlockedAllowed() (both []string) {
	if p.allowed == nil {
		return nil
	}
	for _, entry := range p.allowed.patterns {
		if p.blocks(anyHost(entry)) != nil {
			both = append(both, entry)
		}
	}
	for entry := range maps.Keys(p.doc.Blocklist) {
		if p.allowed.has(anyHost(entry)) && !slices.Contains(both, entry) {
			both = append(both, entry)
		}
	}
	slices.Sort(both)
	return both
}

// anyHost returns a host that an entry of a list holds: the domain, or a subdomain of "*.gob.es".
func anyHost(entry string) []byte {
	if domain, isSuffix := strings.CutPrefix(entry, "*."); isSuffix {
		return []byte("any." + domain)
	}
	return []byte(entry)
}
