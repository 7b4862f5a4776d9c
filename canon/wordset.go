package canon

import "strings"

// wordSizes holds, for each first byte, the lengths of the words that begin with it, one bit a length. Most texts that
// are no word fail on it without a map lookup. Lengths of 16 and more count as 15.
type wordSizes [256]uint16

// add adds a word in lower case.
func (s *wordSizes) add(word string) {
	if word != "" {
		size := uint16(1) << min(len(word), 15)
		s[word[0]] |= size
		if x := word[0]; 'a' <= x && x <= 'z' {
			s[x&^0x20] |= size
		}
	}
}

// mayHave reports whether a word, in either case, has the first letter and the length of one of the words.
func (s *wordSizes) mayHave(word []byte) bool {
	return len(word) > 0 && s.of(word)>>min(len(word), 15)&1 != 0
}

// of returns the lengths of the words with the first letter of word, in either case. word is not empty.
func (s *wordSizes) of(word []byte) uint16 { return s[word[0]] }

// wordSet is a set of words in lower case.
type wordSet struct {
	words map[string]bool
	sizes wordSizes
}

func newWordSet(list []string) (s wordSet) {
	s.words = lowerSet(list)
	for word := range s.words {
		s.sizes.add(word)
	}
	return s
}

// has reports whether the set holds the word, in any case. It lowers the word in room.
func (s *wordSet) has(word []byte, room *[]byte) bool {
	if !s.sizes.mayHave(word) {
		return false
	}
	*room = lowerASCII(append((*room)[:0], word...))
	return s.words[string(*room)]
}

// holds reports whether the set holds the word, which is in lower case.
func (s *wordSet) holds(word []byte) bool { return s.sizes.mayHave(word) && s.words[string(word)] }

func lowerSet(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[strings.ToLower(s)] = true
	}
	return set
}
