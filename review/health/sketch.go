package health

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
)

// Sketch stands for a page's main text and title. Two of them tell how much these changed. It has fullSize bytes,
// whatever the length of the text; older ones have sketchSize. It is immutable, and the same on every machine. Equal
// texts have equal sketches. The zero Sketch is that of no text.
//
// It holds the number of the text's shingles, hashes of its title and of its figures, and a vector of counters to
// which each shingle adds or takes one, as its hash says: the count sketch of Charikar, Chen and Farach-Colton
// (2002). The squares of the difference of two vectors add up to about the number of shingles that only one text has.
// A sample of the shingles, such as MinHash, would miss one new sentence of a long text.
type Sketch []byte

// The form of a Sketch: the version, the number of shingles, the hash of the title, 0 for none, the hash of the
// figures (big-endian, 32 bits each), the counters, modulo 256, and the hash of the numbers that name something. Such a
// number is no change of a page, but it may tell two pages apart: forms, articles, offices.
const (
	sketchVersion = 1
	counters      = 256
	headerSize    = 1 + 3*4
	sketchSize    = headerSize + counters
	fullSize      = sketchSize + 4
)

// shingleWords is the number of words of a shingle. Of two, a word that is replaced changes four shingles, and a new
// sentence of nine words eleven; longer ones bring the two closer together.
const shingleWords = 2

// SketchOf returns the sketch of a page of this title and main text in Markdown. It leaves out what changes without
// substance: case, accents and blanks, addresses of links, dates but those of terms, times of day and weekdays,
// counters, codes of sessions, and notices that come and go.
func SketchOf(title, text string) Sketch {
	content := contentOf(text)
	if len(content.words) == 0 {
		return nil
	}
	shingles := shinglesOf(content.words)
	s := make(Sketch, headerSize, fullSize)
	s[0] = sketchVersion
	binary.BigEndian.PutUint32(s[1:], uint32(len(shingles)))
	binary.BigEndian.PutUint32(s[5:], hashList(titleOf(title)))
	slices.Sort(content.figures)
	binary.BigEndian.PutUint32(s[9:], hashList(content.figures))
	s = s[:sketchSize]
	for _, h := range shingles {
		s[headerSize+int(h>>56)] += byte(h&1)*2 - 1
	}
	slices.Sort(content.names)
	return binary.BigEndian.AppendUint32(s, hashList(content.names))
}

// shinglesOf returns the hashes of the shingles of a text, each once.
func shinglesOf(words []uint64) []uint64 {
	list := make([]uint64, 0, len(words))
	for i := range max(1, len(words)-shingleWords+1) {
		var h uint64
		for _, w := range words[i:min(i+shingleWords, len(words))] {
			h = mix(h ^ w)
		}
		list = append(list, h)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// The parameters of FNV-1a of 64 bits (RFC 9923, section 5).
const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

// hashWord returns the FNV-1a hash of a word, without the allocations of hash/fnv.
func hashWord(word string) uint64 {
	h := fnvOffset
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * fnvPrime
	}
	return h
}

// mix spreads a hash over all its bits: the last step of MurmurHash3. FNV-1a alone hardly moves its high bits for the
// last bytes of a word.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// hashList returns the hash of a list, 0 for an empty one.
func hashList(list []string) uint32 {
	if len(list) == 0 {
		return 0
	}
	h := fnv.New32a()
	for _, word := range list {
		h.Write([]byte(word))
		h.Write([]byte{0xFF})
	}
	return max(h.Sum32(), 1)
}

// Difference is the difference of two texts of a page.
type Difference struct {
	Similarity float64 // of the texts, 0 to 1: the shingles that both have, of all; estimated
	Local      float64 // the same if all that changed stood in one passage of a long text; see passage
	Title      bool    // both have a title, and they differ
	Figures    bool    // amounts, percentages, durations, counts or dates of terms differ
	None       bool    // one side has no text: they cannot be compared
}

// passage is the length in shingles of the longest text whose changes are weighed by its length. In a longer one they
// weigh as much as in one of this length: a new requirement is one on a long page, too.
const passage = 150

// oneWord is the number of shingles that the replacement of one word changes. They do not count for the local
// similarity: a slip of the pen is corrected, a link is named otherwise. Words that are added or removed do.
const oneWord = 2 * shingleWords

// Compare reports how a page changed from a to b. It is symmetric.
func Compare(a, b Sketch) Difference {
	if !a.isWhole() || !b.isWhole() {
		return Difference{None: true}
	}
	sizeA, sizeB := a.number(1), b.number(1)
	changed := min(changedShingles(a, b), sizeA+sizeB)
	union := (sizeA + sizeB + changed) / 2
	weighed := max(math.Abs(sizeA-sizeB), changed-oneWord)
	titleA, titleB := a.number(5), b.number(5)
	return Difference{
		Similarity: (sizeA + sizeB - changed) / 2 / union,
		Local:      1 - min(1, weighed/min(union, passage)),
		Title:      titleA != titleB && titleA != 0 && titleB != 0,
		Figures:    a.number(9) != b.number(9),
	}
}

// isWhole reports whether a sketch has a text, in the form of this version.
func (s Sketch) isWhole() bool {
	return (len(s) == sketchSize || len(s) == fullSize) && s[0] == sketchVersion && s.number(1) > 0
}

func (s Sketch) number(at int) float64 { return float64(binary.BigEndian.Uint32(s[at:])) }

// changedShingles estimates how many shingles only one of two texts has. The standard error of many is 9 %; the number
// of a few is mostly exact, for each has a counter of its own.
func changedShingles(a, b Sketch) (sum float64) {
	for i := headerSize; i < sketchSize; i++ {
		d := float64(int8(a[i] - b[i]))
		sum += d * d
	}
	return sum
}

// DefaultThreshold is the similarity below which a text has changed in substance. testdata/drift/REPORT.md shows how
// others fare.
const DefaultThreshold = 0.97

// Substantial reports whether the difference is more than that of dates, counters and banners: another title, other
// figures, or a local similarity below the threshold. Texts that cannot be compared have no substantial difference.
func (d Difference) Substantial(threshold float64) bool {
	return !d.None && (d.Title || d.Figures || d.Local < threshold)
}
