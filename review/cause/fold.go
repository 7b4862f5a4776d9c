package cause

import (
	"slices"

	"visto/canon"
	"visto/review"
)

// A cause of one host folds into a cause of fields, of a path, of advertising or of all parameters of the host with the
// same flag if the fix of that one would settle each of its URLs, with the same result as its own. None folds into a cause of another flag, which
// would not settle it: so a row about a risk of the host never disappears behind one about the form.

// changed are the flags that a fix of a host settles by another URL to cite: the Spanish page, http or the slash. No
// cause with one of these folds into one of fields, whose rules only accept.
var changed = canon.SetOf(canon.NoSpanish, canon.HTTPOnly, canon.TrailingSlash)

// fieldSets numbers sets of the fields that cite URLs.
type fieldSets struct {
	ids    map[Names]int32
	lists  []Names // by ID
	places map[*review.FileField]int32
	unions map[[2]int32]int32
}

// Instead of a number of fieldSets.
const (
	noField = -1 - iota // of no URL so far
	unnamed             // a URL is cited outside of fields, or nowhere: no rule for fields settles it
)

func newFieldSets() fieldSets {
	return fieldSets{ids: map[Names]int32{}, places: map[*review.FileField]int32{}, unions: map[[2]int32]int32{}}
}

func (s *fieldSets) id(fields Names) int32 {
	id, ok := s.ids[fields]
	if !ok {
		id = int32(len(s.lists))
		s.ids[fields] = id
		s.lists = append(s.lists, fields)
	}
	return id
}

// of returns the set of the fields of places. Groups share the lists of places.
func (s *fieldSets) of(places []review.FileField) int32 {
	if !areNamed(places) {
		return unnamed
	}
	id, ok := s.places[&places[0]]
	if !ok {
		id = s.id(fieldsOf(places))
		s.places[&places[0]] = id
	}
	return id
}

// union returns the set of the fields of both sets.
func (s *fieldSets) union(a, b int32) int32 {
	switch {
	case a == b || b == noField:
		return a
	case a == noField:
		return b
	case a == unnamed || b == unnamed:
		return unnamed
	}
	key := [2]int32{a, b}
	id, ok := s.unions[key]
	if !ok {
		id = s.id(union(s.lists[a], s.lists[b]))
		s.unions[key] = id
	}
	return id
}

// areNamed reports whether there are places, all of them fields.
func areNamed(places []review.FileField) bool {
	return len(places) > 0 && !slices.ContainsFunc(places, func(p review.FileField) bool { return p.Field == "" })
}

// folder finds the cause into which a count on a host folds.
type folder struct {
	*counter
	rows    []Cause // of fields, of paths and of advertising
	fields  map[canon.Code][]int32
	nodes   map[int32]int32 // of the tree of the paths, to their rows
	adverts int32           // the row of advertising; none: there is none
	inField map[flagSet]int32
}

// flagSet is a flag and a number in fieldSets.
type flagSet struct {
	flag canon.Code
	set  int32
}

// fold sets the row of each count on a host that folds into one of the rows. The indices of nodes are in the tree of
// the paths.
func (c *counter) fold(rows []Cause, nodes map[int32]int32) {
	f := &folder{counter: c, rows: rows, fields: map[canon.Code][]int32{}, nodes: nodes, adverts: none,
		inField: map[flagSet]int32{}}
	for i, row := range rows {
		switch row.Kind {
		case ByField:
			f.fields[row.Flag] = append(f.fields[row.Flag], int32(i))
		case ByAdvertising:
			f.adverts = int32(i)
		}
	}
	for i := range c.onHosts {
		h := &c.onHosts[i]
		if h.row = f.rowOf(h); h.row != none {
			rows[h.row].Rows++
		}
	}
}

// rowOf returns the row into which a count folds. One that its own fix does not settle whole folds nowhere.
func (f *folder) rowOf(h *hostCount) int32 {
	switch {
	case h.sole < h.n || changed.Has(h.flag):
		return none
	case h.params == none:
		return f.field(h)
	case f.adverts != none && !slices.ContainsFunc(f.params.lists[h.params].List(), isNotAdvertising):
		return f.adverts
	}
	return f.path(h)
}

func isNotAdvertising(param string) bool { return !isAdvertising(param) }

// field returns the row of the fields that cite all URLs of a count.
func (f *folder) field(h *hostCount) int32 {
	key := flagSet{h.flag, h.fields}
	at, known := f.inField[key]
	if known {
		return at
	}
	at = none
	decided := Cause{Kind: ByHost, Flag: h.flag}.decided()
	for _, i := range f.fields[h.flag] {
		if row := &f.rows[i]; at == none && row.decided() == decided && h.fields >= 0 && f.covers(row, h.fields) {
			at = i
		}
	}
	f.inField[key] = at
	return at
}

// covers reports whether the rules of a row, with those that there are, settle URLs in these fields.
func (f *folder) covers(row *Cause, set int32) bool {
	return f.sets.lists[set].Within(append(row.Fields.List(), f.ruled[row.Flag]...))
}

// path returns the row of the same parameters at the common path of a count, or above it.
func (f *folder) path(h *hostCount) int32 {
	for node := h.path; node >= 0; node = f.paths.nodes[node].from {
		if i, ok := f.nodes[node]; ok && f.rows[i].Params == f.params.lists[h.params] {
			return i
		}
	}
	return none
}
