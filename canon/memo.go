package canon

// memo keeps what was found out about short texts that come again and again: a list of URLs has far fewer hosts, and names of
// parameters, than URLs.
type memo[T any] struct {
	recent [64]memoEntry[T] // the last one for each slot
	all    map[string]memoEntry[T]
}

type memoEntry[T any] struct {
	text  string
	value *T
}

// maxMemo bounds the memory: when so many texts are known, all are forgotten.
const maxMemo = 4096

// slot spreads texts over recent by their length and three of their bytes; hosts differ before their last label.
func slot(text []byte) int {
	n := uint(len(text))
	if n == 0 {
		return 0
	}
	return int((n + 5*uint(text[n/2]) + 11*uint(text[n/4]) + 23*uint(text[0])) % 64)
}

// get returns what is known of the text, or nil.
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

// put keeps what was found out.
func (m *memo[T]) put(text string, is *T) {
	if m.all == nil || len(m.all) >= maxMemo {
		m.all = map[string]memoEntry[T]{}
	}
	m.all[text] = memoEntry[T]{text, is}
}
