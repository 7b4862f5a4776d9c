package cause

import (
	"slices"
	"strconv"
	"strings"
)

// Names are names of fields or of parameters as one text, so that a Cause can be compared.
type Names string

// NamesOf returns the names as one text.
func NamesOf(names ...string) Names {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(strconv.Quote(name))
	}
	return Names(b.String())
}

// List returns the names.
func (n Names) List() (names []string) {
	for rest := string(n); rest != ""; {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return names
		}
		name, _ := strconv.Unquote(quoted) // cannot fail: it is quoted
		names, rest = append(names, name), rest[len(quoted):]
	}
	return names
}

// String returns the names for people.
func (n Names) String() string { return strings.Join(n.List(), ", ") }

func (n Names) sorted() Names {
	if n == "" {
		return n
	}
	return NamesOf(slices.Sorted(slices.Values(n.List()))...)
}

// any reports whether one of the names is among the others.
func (n Names) any(others []string) bool {
	return slices.ContainsFunc(n.List(), func(name string) bool { return slices.Contains(others, name) })
}

// Within reports whether all names are among the others.
func (n Names) Within(others []string) bool {
	return !slices.ContainsFunc(n.List(), func(name string) bool { return !slices.Contains(others, name) })
}

// narrow returns a name, or those that are not the one behind allBut.
func (n Names) narrow(to string) Names {
	names := n.List()
	if but, ok := strings.CutPrefix(to, allBut); ok && !slices.Contains(names, to) {
		return NamesOf(slices.DeleteFunc(names, func(name string) bool { return name == but })...)
	}
	return NamesOf(to)
}

func union(a, b Names) Names {
	names := append(a.List(), b.List()...)
	slices.Sort(names)
	return NamesOf(slices.Compact(names)...)
}

// nameTable numbers names, and lists of them.
type nameTable struct {
	ids    map[string]int32 // of single names
	joined map[Names]int32
	lists  []Names // by ID
}

func newNameTable() nameTable { return nameTable{ids: map[string]int32{}, joined: map[Names]int32{}} }

// id returns the number of a single name.
func (t *nameTable) id(name string) int32 {
	id, ok := t.ids[name]
	if !ok {
		id = int32(len(t.lists))
		t.ids[strings.Clone(name)] = id
		t.lists = append(t.lists, NamesOf(name))
	}
	return id
}

// join returns the number of the sorted list of names with these numbers.
func (t *nameTable) join(ids []int32) int32 {
	var list []string
	for _, id := range ids {
		list = append(list, t.lists[id].List()...)
	}
	slices.Sort(list)
	names := NamesOf(list...)
	id, ok := t.joined[names]
	if !ok {
		id = int32(len(t.lists))
		t.joined[names] = id
		t.lists = append(t.lists, names)
	}
	return id
}
