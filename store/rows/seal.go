package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"

	"visto/review"
	"visto/review/read"
)

// Seal returns the seal of texts: the CRC-32C over each text behind its length. It detects every change of one bit,
// and of up to 32 bits in a row. It is no guard against forgery; the chain of the log is.
func Seal(texts ...string) int64 {
	table := crc32.MakeTable(crc32.Castagnoli)
	var sum uint32
	for _, text := range texts {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		sum = crc32.Update(sum, table, length[:])
		sum = crc32.Update(sum, table, []byte(text))
	}
	return int64(sum)
}

// TitleSeal returns the seal of a title. Most URLs come without one: its seal 0 takes no room.
func TitleSeal(title string) int64 {
	if title == "" {
		return 0
	}
	return Seal(title)
}

// Key returns the key of an original: the first 16 bytes of its SHA-256.
func Key(original string) review.Key {
	sum := sha256.Sum256([]byte(original))
	return review.Key(sum[:16])
}

// recordSeal returns the seal of a record's texts; that of a file as a whole, which has none, is 0.
func recordSeal(r *read.Record, attributes string) int64 {
	if r == nil {
		return 0
	}
	return Seal(r.Path, r.ID, r.Name, attributes)
}
