package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"visto/canon"
	"visto/review/read"
)

// Occurrence is a place where a URL stands.
type Occurrence struct {
	ID           int64
	File         string  // an absolute path, or another name of an input, such as stdin
	Citer        int64   // the number of its record or, if it has none, of the file as a whole
	Record       *Record // nil: none, as in plain text
	Field        string  // such as portal_url; empty in plain text
	Path         string  // as read.Place.Path
	Part         int     // as read.Place.Part
	Line, Column int     // from 1; 0: not known
	Gone         bool    // it was not there when its file was read again, or the file was forgotten
}

// Record is an object of a file that cites URLs.
type Record struct {
	Number     int64  // of the store
	ID, Name   string // as the file has them
	Path       string // as read.Record.Path
	Attributes []read.Attribute
}

// String returns the ID and the name of a record.
func (r *Record) String() string {
	if r.ID == "" || r.Name == "" {
		return r.ID + r.Name
	}
	return r.ID + ": " + r.Name
}

// Citing returns the occurrences that are there; of an item that is gone, those that were.
func (it *Item) Citing() []Occurrence {
	if it.Presence == Gone {
		return it.Occurrences
	}
	return slices.DeleteFunc(slices.Clone(it.Occurrences), func(o Occurrence) bool { return o.Gone })
}

// firstCiting returns the occurrence of Citing that was found first.
func (it *Item) firstCiting() (first Occurrence) {
	for _, o := range it.Citing() {
		if first.ID == 0 || o.ID < first.ID {
			first = o
		}
	}
	return first
}

// Records returns the records that cite the item, each once, in the order of its occurrences. Several records with one
// URL are often a mistake in the data.
func (it *Item) Records() (list []*Record) {
	for _, o := range it.Citing() {
		known := func(r *Record) bool { return r.Number == o.Record.Number }
		if o.Record != nil && !slices.ContainsFunc(list, known) {
			list = append(list, o.Record)
		}
	}
	return list
}

// Citer is a record that cites an item, or a file as a whole where that has no records.
type Citer struct {
	Number int64   // Occurrence.Citer
	Record *Record // nil: a file as a whole
	Name   string  // that tells it from the others of the item
}

// Citers returns the records and files of Citing, each once and in the order of its occurrences. files are as
// Desk.Files returns them; without names a file has the shortest tail that tells it from the other files of the item.
func (it *Item) Citers(files map[string]string) (list []Citer) {
	var places []string
	if files == nil {
		files = it.files()
	}
	for _, o := range it.Citing() {
		if slices.ContainsFunc(list, func(c Citer) bool { return c.Number == o.Citer }) {
			continue
		}
		file := cmp.Or(files[o.File], path.Base(o.File))
		c, place := Citer{o.Citer, o.Record, file}, file
		if o.Record != nil {
			c.Name, place = cmp.Or(o.Record.String(), o.Record.Path), file+" "+o.Record.Path
		}
		list, places = append(list, c), append(places, place)
	}
	names := map[string]int{}
	for _, c := range list {
		names[c.Name]++
	}
	for i := range list {
		if c := &list[i]; names[c.Name] > 1 {
			c.Name += " (" + places[i] + ")"
		}
	}
	return list
}

// files returns the ShortNames of the files of Citing; nil for a single file.
func (it *Item) files() map[string]string {
	var names []string
	for _, o := range it.Citing() {
		if !slices.Contains(names, o.File) {
			names = append(names, o.File)
		}
	}
	if len(names) < 2 {
		return nil
	}
	return ShortNames(names)
}

// CiterName returns the name of the record or file that cites, or cited, the item; "" for none.
func (it *Item) CiterName(citer int64, files map[string]string) string {
	all := Item{Occurrences: it.Occurrences, Presence: Gone}
	for _, c := range all.Citers(files) {
		if c.Number == citer {
			return c.Name
		}
	}
	return ""
}

// Is reports whether the text is the ID or the name of the citer.
func (c *Citer) Is(text string) bool {
	return text != "" && (text == c.Name || c.Record != nil && (text == c.Record.ID || text == c.Record.Name))
}

// NewOccurrence is the place of an item to add, and the record that it stands in.
type NewOccurrence struct {
	Place  read.Place
	Record *read.Record // shared by the URLs of one record; nil: none
}

// AttributeFacet counts the items by the values of an attribute. An item with two of them counts under both.
type AttributeFacet struct {
	Name   string
	Values []Bucket
}

// MaxAttributeValues is the largest number of values of an attribute by which items are counted.
const MaxAttributeValues = 50

// ParseWhere reads a condition on an attribute, NAME=VALUE,... A value with a comma stands in double quotes.
func ParseWhere(text string) (a read.Attribute, err error) {
	name, values, ok := strings.Cut(text, "=")
	if a.Name = strings.TrimSpace(name); !ok || a.Name == "" {
		return a, fmt.Errorf("%q is not NAME=VALUE", text)
	}
	if values = strings.TrimSpace(values); values == "" {
		a.Values = []string{""}
		return a, nil
	}
	list := csv.NewReader(strings.NewReader(values))
	list.LazyQuotes = true
	if a.Values, err = list.Read(); err != nil {
		return a, fmt.Errorf("%q: %w", text, err)
	}
	for i, value := range a.Values {
		a.Values[i] = strings.TrimSpace(value)
	}
	return a, nil
}

// Attributes counts the items of the filter by attributes; see Store.
func (d itemDesk) Attributes(ctx context.Context, f Filter) ([]AttributeFacet, error) {
	return d.store.Attributes(ctx, f)
}

// MissingAttribute returns the first of the names that no attribute of a record has, with the names that there are. It
// is "" if each of them is there; not all records are read then.
func (d *Desk) MissingAttribute(ctx context.Context, names []string) (missing string, known []string, err error) {
	seen, stop := map[string]bool{}, errors.New("each is there")
	left := func() int { return slices.IndexFunc(names, func(name string) bool { return !seen[name] }) }
	if left() < 0 {
		return "", nil, nil
	}
	err = d.store.EachRecord(ctx, func(r StoredRecord) error {
		if r.Record == nil {
			return nil
		}
		for _, a := range r.Record.Attributes {
			seen[a.Name] = true
		}
		if left() < 0 {
			return stop
		}
		return nil
	})
	if err != nil {
		if errors.Is(err, stop) {
			err = nil
		}
		return "", nil, err
	}
	return names[left()], slices.Sorted(maps.Keys(seen)), nil
}

// Presence tells whether an input still cites an item.
type Presence uint8

// The presences. AnyPresence is for filters alone.
const (
	Cited Presence = iota
	Gone           // nothing cites the item any more
	AnyPresence
)

// IDSet is a set of IDs, as a field of bits.
type IDSet []uint64

// Add adds an ID, which is not negative.
func (s *IDSet) Add(id int64) {
	if at := int(id / 64); at >= len(*s) {
		*s = append(*s, make([]uint64, at+1+at/4-len(*s))...)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

// Has reports whether the ID is in the set.
func (s IDSet) Has(id int64) bool { return id/64 < int64(len(s)) && s[id/64]&(1<<(id%64)) != 0 }

// cleanRecord returns a record as it is stored: in valid UTF-8, with users and passwords of URLs masked, and without
// the separators of attributes.
func cleanRecord(r *read.Record) *read.Record {
	if r == nil {
		return nil
	}
	clean := &read.Record{Path: r.Path, ID: cleanText(r.ID), Name: cleanText(r.Name)}
	for _, a := range r.Attributes {
		clean.Attributes = append(clean.Attributes, read.Attribute{Name: cleanAttribute(a.Name),
			Values: mapped(a.Values, cleanAttribute)})
	}
	return clean
}

func cleanAttribute(text string) string { return unseparated.Replace(cleanText(text)) }

// The separators of attributes in their text: one before each attribute and behind the last, one between its name and
// its value. A list has several attributes with one name.
const (
	attributeMark = "\x1e"
	valueMark     = "\x1f"
)

var unseparated = strings.NewReplacer(attributeMark, " ", valueMark, " ")

// JoinAttributes returns attributes as one text. AttributeText finds each in it.
func JoinAttributes(list []read.Attribute) string {
	var b strings.Builder
	for _, a := range list {
		for _, value := range a.Values {
			b.WriteString(attributeMark + a.Name + valueMark + value)
		}
	}
	if b.Len() > 0 {
		b.WriteString(attributeMark)
	}
	return b.String()
}

// AttributeText is the part of the text of JoinAttributes for a name and a value.
func AttributeText(name, value string) string {
	return attributeMark + name + valueMark + value + attributeMark
}

// attributeValues returns the values of an attribute in the text of JoinAttributes.
func attributeValues(text, name string) (values []string) {
	for mark := attributeMark + name + valueMark; ; {
		_, rest, found := strings.Cut(text, mark)
		if !found {
			return values
		}
		value, _, _ := strings.Cut(rest, attributeMark)
		values, text = append(values, value), rest[len(value):]
	}
}

// SplitAttributes reads the text of JoinAttributes.
func SplitAttributes(text string) (list []read.Attribute) {
	for part := range strings.SplitSeq(strings.Trim(text, attributeMark), attributeMark) {
		name, value, ok := strings.Cut(part, valueMark)
		if n := len(list); n > 0 && list[n-1].Name == name {
			list[n-1].Values = append(list[n-1].Values, value)
		} else if ok {
			list = append(list, read.Attribute{Name: name, Values: []string{value}})
		}
	}
	return list
}

// RecordDigest returns the digest of a record's text in a file: the SHA-256 of its parts, each behind its length. Its
// path is left out, for it may move. A nil record stands for the file as a whole.
func RecordDigest(file string, r *read.Record) [32]byte {
	if r == nil {
		return digestOf("file", file)
	}
	return digestOf("record", file, r.ID, r.Name, JoinAttributes(r.Attributes))
}

// OccurrenceDigest returns the digest of an occurrence: of its item, its record and its field. Path, line and column
// may move.
func OccurrenceDigest(item, record int64, field string) [32]byte {
	var ids [16]byte
	binary.BigEndian.PutUint64(ids[:8], uint64(item))
	binary.BigEndian.PutUint64(ids[8:], uint64(record))
	return digestOf("occurrence", string(ids[:]), field)
}

func digestOf(texts ...string) [32]byte {
	b := make([]byte, 0, 512)
	for _, text := range texts {
		b = binary.BigEndian.AppendUint64(b, uint64(len(text)))
		b = append(b, text...)
	}
	return sha256.Sum256(b)
}

// maskedOccurrences returns stored occurrences without user and password of any URL.
func maskedOccurrences(list []Occurrence) []Occurrence {
	list = slices.Clone(list)
	for i := range list {
		if r := list[i].Record; r != nil {
			clean := *r
			clean.ID, clean.Name = canon.MaskUsers(r.ID), canon.MaskUsers(r.Name)
			list[i].Record = &clean
		}
	}
	return list
}

// Files returns the names of all input files with the shortest tails that tell them apart.
func (d itemDesk) Files(ctx context.Context) (map[string]string, error) {
	files, err := d.store.Files(ctx)
	return ShortNames(files), err
}

// ShortNames returns the shortest tail of each file's path, from a slash on, that tells it from the others.
func ShortNames(files []string) map[string]string {
	count := map[string]int{} // the files with a tail
	for _, file := range files {
		for tail := file; ; {
			count[tail]++
			_, rest, ok := strings.Cut(tail, "/")
			if !ok {
				break
			}
			tail = rest
		}
	}
	short := make(map[string]string, len(files))
	for _, file := range files {
		short[file] = shortestTail(file, count)
	}
	return short
}

// shortestTail returns the shortest tail of a path that no other path has.
func shortestTail(path string, count map[string]int) string {
	for end := len(path); ; {
		slash := strings.LastIndexByte(path[:end], '/')
		if tail := path[slash+1:]; slash < 0 || tail != "" && count[tail] == 1 {
			return tail
		}
		end = slash
	}
}

// Cites returns the numbers of occurrences in a file that are there, and of the items that nothing else cites.
func (d itemDesk) Cites(ctx context.Context, file string) (occurrences, items int, err error) {
	err = d.store.EachCited(ctx, Filter{Files: []string{file}}, func(it Item, _ *canon.Evidence) error {
		elsewhere := false
		for _, o := range it.Occurrences {
			if o.File == file && !o.Gone {
				occurrences++
			}
			elsewhere = elsewhere || o.File != file && !o.Gone
		}
		if !elsewhere {
			items++
		}
		return nil
	})
	annotate(&err, "reading the places in a file")
	return occurrences, items, err
}

// forgetting is the summary of a batch that forgets a file.
func forgetting(file string) string { return "forget " + cleanText(file) }

// Forget marks all occurrences in a file as gone, as if the file were read again and empty. It is one batch. The file
// has its name of Files. After an error the receipt has the batch of the occurrences that are gone, if any. Error:
// ErrNotFound if nothing in the file cites a URL.
func (d *Desk) Forget(ctx context.Context, file string) (receipt Receipt, err error) {
	defer annotate(&err, "forgetting a file")
	files, err := d.Files(ctx)
	if err != nil {
		return receipt, err
	}
	err = whileStale(func() error {
		r, err := d.rules(ctx)
		if err != nil {
			return err
		}
		written, err := d.store.Commit(ctx, Forget{Reviewer: d.reviewer, Summary: forgetting(files[file]), File: file,
			Rest: receipt.Batch, Computing: r.computing()})
		if written.Batch > 0 {
			receipt = written
		}
		return err
	})
	if err == nil && receipt.Batch == 0 {
		summary := forgetting(files[file])
		err = d.Done(ctx, func(e *EntryInfo) bool { return e.Action == ActForget && e.Summary == summary }, ErrNotFound)
	}
	return receipt, err
}
