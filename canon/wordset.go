package canon

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// wordSizes holds, for each first byte, the lengths and the second bytes of the words that begin with it. Most texts
// that are no word fail on it without a map lookup.
type wordSizes struct {
	lengths [256]uint32 // one bit a length; those over maxSize count as maxSize
	seconds [256]uint32 // one bit for the second bytes that agree in five bits, as both cases of a letter do
}

// maxSize is the greatest length that wordSizes tells from greater ones.
const maxSize = 31

// add adds a word in lower case.
func (s *wordSizes) add(word string) {
	if word == "" {
		return
	}
	second := ^uint32(0) // any
	if len(word) > 1 {
		second = 1 << (word[1] & 31)
	}
	first := word[0]
	s.lengths[first] |= 1 << min(len(word), maxSize)
	s.seconds[first] |= second
	if 'a' <= first && first <= 'z' {
		s.lengths[first&^0x20], s.seconds[first&^0x20] = s.lengths[first], s.seconds[first]
	}
}

// mayHave reports whether a word, in either case, has the first two letters and the length of one of the words.
func (s *wordSizes) mayHave(word []byte) bool {
	return len(word) > 0 && s.of(word)>>min(len(word), maxSize)&1 != 0
}

// of returns the lengths of words with the first letter of word, in either case: of none if no word has its second
// letter. word is not empty.
func (s *wordSizes) of(word []byte) uint32 {
	if len(word) > 1 && s.seconds[word[0]]>>(word[1]&31)&1 == 0 {
		return 0
	}
	return s.lengths[word[0]]
}

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

// labelSet tells which labels may be the first ones of listed hosts. A host without any of these is on no list, and
// like no host of one.
type labelSet []uint64 // one bit for the place of each spelling

func newLabelSet(labels []string) labelSet {
	s := make(labelSet, 8*max(8, len(labels))) // so many that few other labels share a bit
	for _, label := range labels {
		s.addSpellings(string(withoutLookalikes(nil, []byte(label))))
	}
	return s
}

// addSpellings adds the texts that withoutLookalikes reads as label.
func (s labelSet) addSpellings(label string) {
	n := min(3, len(label))
	longer := strings.Count(label[n:], "m") + strings.Count(label[n:], "w") // as "rn" and "vv"
	for _, begin := range spellings(label[:n]) {
		for more := range longer + 1 {
			if text := begin + strings.Repeat("-", len(label)-n+more); text != "" {
				i, bit := s.place(looksOf([]byte(text+"    "), 0, len(text)))
				s[i] |= bit
			}
		}
	}
}

// looksOf returns the length and the first three bytes of the label of host from begin to end. In the place of a byte
// that it lacks is 0. host has four bytes or more.
func looksOf(host []byte, begin, end int) uint32 {
	at := min(begin, len(host)-4)
	text := binary.LittleEndian.Uint32(host[at:]) >> (8 * (begin - at) & 31)
	n := end - begin
	return text&(1<<(8*min(3, n)&31)-1) | uint32(n)<<24
}

// place returns the bit for labels with these looks, and its index.
func (s labelSet) place(looks uint32) (index, bit uint64) {
	const spread = 0x9e3779b1 // 2^32 divided by the golden ratio
	at := uint64(looks*spread) * uint64(len(s))
	return at >> 32, 1 << (at >> 26 & 63)
}

// first returns the index of the first label of the host that the set may have, in any spelling or in other letters
// ("xn--"). It returns 0 for an address, for no name at all, and for an unusually short or long name; -1 if there is no
// such label.
func (s labelSet) first(host []byte) int {
	const mapped, start = 'x' | 'n'<<8 | '-'<<16, 1<<24 - 1
	if len(host) < 4 || len(host) > maxLabel {
		return 0
	}
	begin, isAddress := 0, false
	for ends := dotsOf(host) | 1<<len(host); ends != 0; ends &= ends - 1 {
		end := bits.TrailingZeros64(ends)
		if begin == end {
			return 0
		}
		looks := looksOf(host, begin, end)
		if i, bit := s.place(looks); s[i]&bit != 0 {
			return begin
		}
		if looks&start == mapped {
			return 0
		}
		isAddress = isDigit(byte(looks)) // if it is the last label
		begin = end + 1
	}
	if isAddress {
		return 0
	}
	return -1
}

// dotsOf returns bit n for a dot at index n, for a host of 63 bytes at most. It takes eight bytes at once, because the
// processor cannot foresee where a label ends.
func dotsOf(host []byte) (dots uint64) {
	if len(host) < 8 {
		for i, x := range host {
			if x == '.' {
				dots |= 1 << i
			}
		}
		return dots
	}
	for i := 0; i < len(host)-8; i += 8 {
		dots |= dotsOf8(binary.LittleEndian.Uint64(host[i:])) << i
	}
	i := len(host) - 8 // some of these may have been read
	return dots | dotsOf8(binary.LittleEndian.Uint64(host[i:]))<<i
}

// dotsOf8 returns bit n for a dot in byte n of a word.
func dotsOf8(word uint64) uint64 {
	const ones, low7 = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
	rest := word ^ '.'*ones                     // 0 in the place of a dot
	high := ^((rest&low7 + low7) | rest | low7) // the high bit of each byte that is 0
	return high >> 7 * 0x0102040810204080 >> 56 // gathered
}
