package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"

	"visto/review/read"
)

// A record is known by its file and its match. The match is a hash of its ID, or if that is only its position in a
// list, of its name, or if it has none, of its path; 0 is the match of a file as a whole. Of several records with one
// ID in a file, the second and later ones have their number in the match too.

// Match returns the match of the nth record, from 0, with that ID or name. It is positive.
func Match(r *read.Record, nth int64) int64 {
	kind, text := "id", r.ID
	last := r.Path[strings.LastIndexAny(r.Path, "/#")+1:]
	if _, err := strconv.Atoi(r.ID); err == nil && r.ID == last || r.ID == "" {
		if kind, text = "name", r.Name; text == "" {
			kind, text = "path", r.Path
		}
	}
	sum := sha256.Sum256([]byte(kind + "\x00" + strconv.FormatInt(nth, 10) + "\x00" + text))
	return max(1, int64(binary.BigEndian.Uint64(sum[:])>>1))
}
