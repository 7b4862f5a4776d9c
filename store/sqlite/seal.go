package sqlite

import (
	"encoding/binary"
	"hash/crc32"
)

// sealOf returns the seal of texts: their CRC-32C, each behind its length. It finds every change of one bit, and of up to 32
// bits in a row; it is no guard against a forger, who is what the log's chain is for.
func sealOf(texts ...string) int64 {
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

// titleSeal returns the seal of a title. Most URLs come without one, whose seal takes no room.
func titleSeal(title string) int64 {
	if title == "" {
		return 0
	}
	return sealOf(title)
}
