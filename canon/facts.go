package canon

import "bytes"

// facts looks up the findings of a policy and of overrides about hosts and parameter names. It keeps them from URL to
// URL.
type facts struct {
	policy    *Policy
	overrides *Overrides
	hosts     memo[hostFacts] // by wire form
	names     memo[nameFacts] // by spelling
}

// hostFacts holds the findings about one host.
type hostFacts struct {
	name               string
	allowed, shortener bool
	suspect            string   // why it may deceive; empty: not suspicious
	prefers            string   // the host that the policy prefers; empty: none
	rules              ruleList // overrides for the host, whatever their path
	due                stepSet  // steps with work to do for every URL on it
}

// nameFacts holds the findings about one parameter name.
type nameFacts struct {
	spelled string
	name    string   // percent-decoded
	lower   []byte   // name in lower case, for comparison with all lists
	alone   []string // a list of just this name; never written to
	kind    paramKind
	due     stepSet // steps with work to do for every URL with this parameter
}

// ofHost returns the facts about a host in wire form.
func (f *facts) ofHost(ascii []byte) *hostFacts {
	if known := f.hosts.get(ascii); known != nil {
		return known
	}
	return f.newHost(ascii)
}

// wireHost is ofHost for any text. It returns nil if the host is not in wire form, or is refused.
func (f *facts) wireHost(host []byte) *hostFacts {
	if known := f.hosts.get(host); known != nil {
		return known
	}
	if ascii, bad := asciiHost(host); bad != nil || !bytes.Equal(ascii, host) {
		return nil
	}
	return f.newHost(host)
}

func (f *facts) newHost(ascii []byte) *hostFacts {
	p := f.policy
	host := &hostFacts{
		name: string(ascii), allowed: p.allowed.has(ascii), shortener: p.shortener[string(ascii)],
		suspect: p.suspect(ascii), prefers: p.prefers(ascii), rules: f.overrides.of(string(ascii)),
	}
	host.due = dueFor(p.triggers.hosts, host)
	f.hosts.put(host.name, host)
	return host
}

// named returns the facts about a parameter name as spelled.
func (f *facts) named(spelled []byte) *nameFacts {
	if known := f.names.get(spelled); known != nil {
		return known
	}
	return f.newName(spelled)
}

func (f *facts) newName(spelled []byte) *nameFacts {
	name := &nameFacts{spelled: string(spelled), lower: decode(nil, spelled)}
	name.name = string(name.lower)
	name.alone = []string{name.name}
	lowerASCII(name.lower)
	name.kind = f.policy.kind(name.lower)
	name.due = dueFor(f.policy.triggers.params, name.kind)
	f.names.put(name.spelled, name)
	return name
}

// memo holds findings about short texts that recur: a list of URLs has far fewer hosts and parameter names than URLs.
type memo[T any] struct {
	recent [64]memoEntry[T] // the last one of each slot
	all    map[string]memoEntry[T]
}

type memoEntry[T any] struct {
	text  string
	value *T
}

// maxMemo bounds the memory. When all holds this many texts, it starts anew.
const maxMemo = 4096

// slot spreads texts by their length and three of their bytes, because hosts differ before their last label.
func slot(text []byte) int {
	n := uint(len(text))
	if n == 0 {
		return 0
	}
	return int((n + 5*uint(text[n/2]) + 11*uint(text[n/4]) + 23*uint(text[0])) % 64)
}

// get returns the value put under the text, or nil.
func (m *memo[T]) get(text []byte) *T {
	last := &m.recent[slot(text)]
	if last.text == string(text) && last.value != nil {
		return last.value
	}
	if known, ok := m.all[string(text)]; ok {
		*last = known
		return known.value
	}
	return nil
}

// put stores a value under the text.
func (m *memo[T]) put(text string, is *T) {
	if m.all == nil || len(m.all) >= maxMemo {
		m.all = map[string]memoEntry[T]{}
	}
	m.all[text] = memoEntry[T]{text, is}
}
