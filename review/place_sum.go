package review

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// PlaceSum covers where all occurrences stand: their paths, lines and columns, and the paths of their records. It is
// the sum of the digests of these, modulo 2^256. A place that moves is taken out and added again, so the log needs one
// sum for a file whose lines all moved, and not the old place of each.
//
// It detects every accidental change, and a forged one unless the forger may choose the places of very many rows.
type PlaceSum [4]uint64 // the lowest first

// AddOccurrence adds the place of an occurrence. path is StoredOccurrence.Path.
func (s *PlaceSum) AddOccurrence(id int64, path string, line, column int) {
	s.add(placeDigest(id, path, line, column))
}

// RemoveOccurrence removes a place that AddOccurrence added.
func (s *PlaceSum) RemoveOccurrence(id int64, path string, line, column int) {
	s.remove(placeDigest(id, path, line, column))
}

// AddRecord adds the path of a record; that of a file as a whole is empty.
func (s *PlaceSum) AddRecord(id int64, path string) { s.add(recordPathDigest(id, path)) }

// RemoveRecord removes a path that AddRecord added.
func (s *PlaceSum) RemoveRecord(id int64, path string) { s.remove(recordPathDigest(id, path)) }

func placeDigest(id int64, path string, line, column int) [32]byte {
	return digestOf("place", numbers(id, int64(line), int64(column)), path)
}

func recordPathDigest(id int64, path string) [32]byte {
	return digestOf("record path", numbers(id), path)
}

// numbers returns the text of numbers for digestOf.
func numbers(list ...int64) string {
	b := make([]byte, 0, 24)
	for _, n := range list {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return string(b)
}

func (s *PlaceSum) add(digest [32]byte) { s.Join(sumOf(digest)) }

func (s *PlaceSum) remove(digest [32]byte) {
	var borrow uint64
	for i, n := range sumOf(digest) {
		s[i], borrow = bits.Sub64(s[i], n, borrow)
	}
}

// Join adds the places of another sum.
func (s *PlaceSum) Join(other PlaceSum) {
	var carry uint64
	for i, n := range other {
		s[i], carry = bits.Add64(s[i], n, carry)
	}
}

func sumOf(digest [32]byte) (s PlaceSum) {
	for i := range s {
		s[i] = binary.BigEndian.Uint64(digest[8*(len(s)-1-i):])
	}
	return s
}

// String writes the sum in hexadecimal.
func (s PlaceSum) String() string { return fmt.Sprintf("%016x%016x%016x%016x", s[3], s[2], s[1], s[0]) }

// ParsePlaceSum is the inverse of String.
func ParsePlaceSum(text string) (PlaceSum, error) {
	digest, err := hex.DecodeString(text)
	if err != nil || len(digest) != 32 {
		return PlaceSum{}, fmt.Errorf("the log has the sum of places %q: %w", text, ErrDamaged)
	}
	return sumOf([32]byte(digest)), nil
}
