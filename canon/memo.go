package canon

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
