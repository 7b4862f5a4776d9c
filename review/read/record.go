package read

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Record is an object that cites: a source of a registry, a procedure, an office; a row of a table; a line of JSONL.
// Of the objects around a URL its record is the nearest with an ID field, else the nearest with a name field, else the
// innermost.
type Record struct {
	Path string // as Place.Path: of the object
	// ID is the value of the first of idFields, else the key, index or number of the row under which the object stands.
	// It is empty for an object that is a document.
	ID         string
	Name       string      // the value of the first of nameFields
	Attributes []Attribute // in the order of the file
}

// Attribute is a field of a record whose value is a scalar or a short list of scalars, and no URL.
type Attribute struct {
	Name   string   `json:"name"`
	Values []string `json:"values"` // of at most maxText bytes each
}

const (
	maxText   = 200      // bytes of a value that are kept
	maxValues = 16       // values of a list; a longer one is no attribute
	maxRecord = 16 << 10 // bytes of all attributes of a record; the rest is left out
)

// idFields and nameFields are the fields with ID and name of a record, the best first. They are compared without case.
var (
	idFields   = []string{"id", "source_id", "tramite"}
	nameFields = []string{"name", "nombre", "title", "titulo", "título", "oficina"}
)

// object collects the fields of a record. Once the record was given to a URL it does not change.
type object struct {
	record   Record
	key      string // under which the object stands
	fields   []ownField
	id, name int // ranks of the ID and the name so far; 0: none
	size     int // of the fields in bytes
	given    bool
}

// ownField is a field of an object, with its rank among idFields or nameFields.
type ownField struct {
	Attribute
	id, name int
}

// rank returns 1 + the index of the name in the list, or 0.
func rank(list []string, name string) int {
	return 1 + slices.IndexFunc(list, func(f string) bool { return strings.EqualFold(f, name) })
}

// better reports whether a rank is better than the best so far.
func better(rank, best int) bool { return rank > 0 && (best == 0 || rank < best) }

// scalar adds a field with one value.
func (o *object) scalar(name, value string) {
	if value = strings.TrimSpace(value); o.given || value == "" {
		return
	}
	field := ownField{Attribute: Attribute{Values: []string{cut(value)}}}
	if len(name) <= maxText {
		field.id, field.name = rank(idFields, name), rank(nameFields, name)
	}
	switch {
	case better(field.id, o.id):
		o.id = field.id
	case better(field.name, o.name):
		o.name = field.name
	case o.size > maxRecord:
		return
	}
	o.add(field, name)
}

// add adds a field under the name.
func (o *object) add(f ownField, name string) {
	f.Name = cut(name)
	o.size += len(f.Name)
	for _, v := range f.Values {
		o.size += len(v)
	}
	o.fields = append(o.fields, f)
}

// list adds a field with a list of values, each cut.
func (o *object) list(name string, values []string) {
	if !o.given && len(values) > 0 && o.size <= maxRecord {
		o.add(ownField{Attribute: Attribute{Values: values}}, name)
	}
}

// give returns the record as far as it is known.
func (o *object) give() *Record {
	if o.given {
		return &o.record
	}
	o.given, o.record.ID = true, cut(o.key)
	for _, f := range o.fields {
		switch {
		case f.id > 0 && f.id == o.id:
			o.record.ID = f.Values[0]
		case f.name > 0 && f.name == o.name:
			o.record.Name = f.Values[0]
		default:
			o.record.Attributes = append(o.record.Attributes, f.Attribute)
		}
	}
	o.fields = nil
	return &o.record
}

// cut returns the first maxText bytes of a text, in memory of their own.
func cut(text string) string {
	if len(text) > maxText {
		end := maxText
		for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.Clone(text)
}
