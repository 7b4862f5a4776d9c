package rows

import (
	"strconv"
	"strings"

	"visto/review"
)

// GoneSet is the set of an item whose occurrences are all gone. The files and fields in which an item is cited are a
// place set, which the item names.
const GoneSet = 0

// Presence returns the presence of an item with that place set.
func Presence(set int64) review.Presence {
	if set == GoneSet {
		return review.Gone
	}
	return review.Cited
}

// Placed is a member of a place set: the IDs of a file and a field.
type Placed struct{ File, Field int64 }

// Compare puts members in the order of setMembers.
func (p Placed) Compare(other Placed) int {
	if p.File != other.File {
		return int(p.File - other.File)
	}
	return int(p.Field - other.Field)
}

// setMembers writes the members of a set as its text.
func setMembers(list []Placed) string {
	var b strings.Builder
	for i, p := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(p.File, 10) + ":" + strconv.FormatInt(p.Field, 10))
	}
	return b.String()
}

// idsOf returns the IDs of the ranges.
func idsOf(list []review.IDRange) (ids []int64) {
	for _, r := range list {
		for id := r.First; id <= r.Last; id++ {
			ids = append(ids, id)
		}
	}
	return ids
}
