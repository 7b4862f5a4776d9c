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

// setsAtOnce is the number of sets with neighbouring IDs that are read at once.
const setsAtOnce = 64

// FieldSets returns the fields of a place set and of its neighbours, by ID. A set never changes.
func FieldSets(each Each, set int64) (map[int64]review.FieldSet, error) {
	first := set / setsAtOnce * setsAtOnce
	names := map[int64][]string{}
	err := each(`SELECT m.set_id, f.name FROM place_set_member m JOIN field f ON f.id = m.field_id
		WHERE m.set_id >= ? AND m.set_id < ?`, []any{first, first + setsAtOnce}, func(scan Scan) error {
		var id int64
		var name string
		err := scan(&id, &name)
		names[id] = append(names[id], name)
		return err
	})
	if err != nil {
		return nil, err
	}
	sets := make(map[int64]review.FieldSet, len(names))
	for id, list := range names {
		sets[id] = review.NewFieldSet(list...)
	}
	return sets, nil
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
