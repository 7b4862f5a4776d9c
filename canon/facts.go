package canon

import (
	"bytes"
	"hash/maphash"
)

// facts looks up the findings of a policy and of overrides about hosts and parameter names. It keeps them from URL to
// URL.
type facts struct {
	policy       *Policy
	overrides    *Overrides
	hosts        memo[*hostFacts] // by wire form
	names        memo[*nameFacts] // by spelling
	alike        [8]*hostFacts    // those of hosts that no list names, by their three properties
	unlisted     *hostFacts       // those of every host that the lists do not know; nil: they differ
	lastUnlisted []byte           // the last such host; the links of one site often stand together
}

// hostFacts holds the findings about one host, or about many that are alike.
type hostFacts struct {
	allowed, shortener bool
	suspicious         bool         // it may deceive
	blocked            bool         // it is on the blocklist
	prefers            string       // the host that the policy prefers; empty: none
	rules              []*hostRules // overrides for the host
	due                stepSet      // steps with work to do for every URL on it
}

// nameFacts holds the findings about one parameter name.
type nameFacts struct {
	spelled string
	name    string   // percent-decoded
	lower   []byte   // name in lower case, for comparison with all lists
	alone   []string // a list of just this name; never written to
	kind    paramKind
	flagged bool    // the policy flags it as unknown
	number  uint32  // tells it from most other names
	due     stepSet // steps with work to do for every URL with this parameter
}

func newFacts(p *Policy, o *Overrides) facts {
	f := facts{policy: p, overrides: o}
	if o.none() && !p.prefersByForm() {
		f.unlisted = f.judged(p.allowed == nil, false, false)
	}
	return f
}

// ofHost returns the facts about a host in wire form. They are never written to.
func (f *facts) ofHost(ascii []byte) *hostFacts {
	known, key := f.findHost(ascii)
	if known == nil {
		known = f.newHost(ascii, key)
	}
	return known
}

// wireHost is ofHost for a host of plain bytes. It returns nil if the host is not in wire form, or is refused. Only one
// with a hyphen may have a label to be mapped.
func (f *facts) wireHost(host []byte, hasHyphen bool) *hostFacts {
	if len(host) == 0 || host[0] == '.' || host[len(host)-1] == '.' {
		return nil
	}
	known, key := f.findHost(host)
	if known != nil {
		return known
	}
	toWire := mappedHost
	if hasHyphen && bytes.Contains(host, []byte("xn--")) {
		toWire = asciiHost
	}
	if ascii, bad := toWire(host); bad != nil || !bytes.Equal(ascii, host) {
		return nil
	}
	return f.newHost(host, key)
}

// findHost returns the facts about a host if they are known; otherwise the text under which to remember them. The host
// does not begin with a dot.
//
// Most hosts of a long list are new. So hosts share their facts: those without a label that a list may know, and those
// whose text is the same from the dot before the first such label on ("uno.gob.es" and "dos.gob.es"), because no list
// begins with the labels in front of it. A host behind "www." has facts of its own, because the domain map looks it up
// with and without that.
func (f *facts) findHost(host []byte) (known *hostFacts, key []byte) {
	if string(host) == string(f.lastUnlisted) {
		return f.unlisted, nil
	}
	if known := f.hosts.getRecent(host); known != nil {
		return *known, nil
	}
	key = host
	if f.unlisted != nil {
		first := f.policy.listed.first(host)
		if first < 0 {
			f.lastUnlisted = append(f.lastUnlisted[:0], host...)
			return f.unlisted, nil
		}
		if first > 0 && string(host[:first]) != "www." {
			key = host[first-1:]
			if known := f.hosts.getRecent(key); known != nil {
				return *known, nil
			}
		}
	}
	if known := f.hosts.getOlder(key); known != nil {
		return *known, nil
	}
	return nil, key
}

// newHost finds the facts about a host, and remembers them under key.
func (f *facts) newHost(ascii, key []byte) *hostFacts {
	p := f.policy
	host, blocked := f.judged(p.allowed == nil, false, false), false
	if f.unlisted != nil || p.listed.first(ascii) >= 0 { // an unlisted host is no new one
		allowed, why := p.judgeHost(ascii)
		host, blocked = f.judged(allowed, why.kind != notSuspicious, p.shortener.holds(ascii)), p.blocks(ascii) != nil
	}
	if prefers, rules := p.prefers(ascii), f.overrides.of(ascii); blocked || prefers != "" || len(rules) > 0 {
		own := *host
		own.blocked, own.prefers, own.rules = blocked, prefers, rules
		own.due = dueFor(p.triggers.hosts, &own)
		host = &own
	}
	*f.hosts.put(key) = host
	return host
}

// judged returns the facts about all hosts with these properties that no list names. Nearly every new host is one.
func (f *facts) judged(allowed, suspicious, shortener bool) *hostFacts {
	i := 0
	for bit, is := range [...]bool{allowed, suspicious, shortener} {
		if is {
			i |= 1 << bit
		}
	}
	if f.alike[i] == nil {
		host := &hostFacts{allowed: allowed, suspicious: suspicious, shortener: shortener}
		host.due = dueFor(f.policy.triggers.hosts, host)
		f.alike[i] = host
	}
	return f.alike[i]
}

// named returns the facts about a parameter name as spelled.
func (f *facts) named(spelled []byte) *nameFacts {
	if known := f.names.getRecent(spelled); known != nil {
		return *known
	}
	if known := f.names.getOlder(spelled); known != nil {
		return *known
	}
	return f.newName(spelled)
}

func (f *facts) newName(spelled []byte) *nameFacts {
	name := &nameFacts{spelled: string(spelled), lower: decode(nil, spelled)}
	name.name = string(name.lower)
	name.alone = []string{name.name}
	lowerASCII(name.lower)
	name.kind = f.policy.kind(name.lower)
	name.flagged = f.policy.doc.FlagUnknown && name.kind.isUnknown() && !f.policy.decidesOn(name.lower)
	name.due = dueFor(f.policy.triggers.params, name.kind)
	name.number = f.names.clock
	*f.names.put(spelled) = name
	return name
}

// memo holds findings about short texts that recur. It consists of sets of four texts. A new text replaces the least
// recently used one of its set. So the size is bounded, texts that recur stay, and a full memo allocates nothing.
type memo[T any] struct {
	sets   []memoSet[T] // a power of two of them; none: empty
	seed   maphash.Seed
	clock  uint32                  // advances with each call
	recent [recents]recentEntry[T] // the last ones found or put, by place
	place  uint                    // of the text of the last getRecent
	hash   uint64                  // of the text of the last getOlder

	spare T // room for the value of a text that is too long
}

type memoSet[T any] struct {
	hashes  [memoWays]uint64 // 0: a free entry
	asked   [memoWays]uint32 // the time of the last call for it
	entries [memoWays]memoEntry[T]
}

// recentEntry is an entry, nil for none, and its place in asked.
type recentEntry[T any] struct {
	entry *memoEntry[T]
	asked *uint32
}

type memoEntry[T any] struct {
	length uint8
	text   [maxMemoText]byte
	value  T
}

// The bounds of a memo: the entries of a set, the number of sets at first and in the end, the bytes of a text that it
// keeps at most, and the number of recent texts. Nearly all hosts and names are shorter.
const (
	memoWays    = 4
	minMemoSets = 2
	maxMemoSets = 512
	maxMemoText = 63
	recents     = 128
)

// getRecent is the first half of a look-up, for the few texts that most URLs share. It returns the value put under the
// text, or nil. The value is valid until the next put.
func (m *memo[T]) getRecent(text []byte) *T {
	m.place = place(text)
	recent := &m.recent[m.place]
	if recent.entry == nil || !recent.entry.holds(text) {
		return nil
	}
	m.clock++
	*recent.asked = m.clock
	return &recent.entry.value
}

// getOlder is the second half, which finds all texts. It follows the first if that returned nil.
func (m *memo[T]) getOlder(text []byte) *T {
	m.hash = m.hashOf(text)
	set := m.set(m.hash)
	for i, known := range set.hashes {
		if known != m.hash {
			continue
		}
		if e := &set.entries[i]; e.holds(text) {
			m.clock++
			set.asked[i], m.recent[m.place] = m.clock, recentEntry[T]{e, &set.asked[i]}
			return &e.value
		}
	}
	return nil
}

// hashOf returns the hash of a text, which is not 0.
func (m *memo[T]) hashOf(text []byte) uint64 {
	if m.sets == nil {
		m.sets, m.seed = make([]memoSet[T], minMemoSets), maphash.MakeSeed()
	}
	return maphash.Bytes(m.seed, text) | 1
}

// place returns the place of a text among the recent ones. It saves hashing the few texts that most URLs share.
func place(text []byte) uint {
	n := uint(len(text))
	if n == 0 {
		return 0
	}
	return (n + 5*uint(text[n/2]) + 11*uint(text[n/4])) % recents
}

func (m *memo[T]) set(hash uint64) *memoSet[T] { return &m.sets[hash>>32&uint64(len(m.sets)-1)] }

func (e *memoEntry[T]) holds(text []byte) bool { return string(e.text[:e.length]) == string(text) }

// put returns the zero value, for the caller to fill, under the text of the last look-up, which found nothing. It is
// valid until the next put.
func (m *memo[T]) put(text []byte) *T {
	if len(text) > maxMemoText {
		m.spare = *new(T)
		return &m.spare
	}
	set := m.set(m.hash)
	i := set.oldest()
	for set.hashes[i] != 0 && len(m.sets) < maxMemoSets {
		m.grow()
		set = m.set(m.hash)
		i = set.oldest()
	}
	e := &set.entries[i]
	e.length, e.value = uint8(copy(e.text[:], text)), *new(T)
	m.clock++
	set.hashes[i], set.asked[i], m.recent[m.place] = m.hash, m.clock, recentEntry[T]{e, &set.asked[i]}
	return &e.value
}

// oldest returns a free entry, or the least recently used one.
func (s *memoSet[T]) oldest() (oldest int) {
	for i, hash := range s.hashes {
		if hash == 0 {
			return i
		}
		if s.asked[i] < s.asked[oldest] {
			oldest = i
		}
	}
	return oldest
}

// grow doubles the number of sets.
func (m *memo[T]) grow() {
	old := m.sets
	m.sets = make([]memoSet[T], 2*len(old))
	clear(m.recent[:])
	for s := range old {
		for i, hash := range old[s].hashes {
			if hash != 0 {
				to := m.set(hash)
				at := to.oldest()
				to.hashes[at], to.asked[at], to.entries[at] = hash, old[s].asked[i], old[s].entries[i]
			}
		}
	}
}
