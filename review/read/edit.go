package read

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"visto/canon"
)

// Edit is a value to write into a file: a URL at its place, or a scalar field of a record.
type Edit struct {
	Place  Place   // of a URL, as URLs gave it for the same bytes
	Was    string  // the URL that must stand there, as URLs gave it
	Record *Record // instead of Place and Was: the record
	Field  string  // and the name of its field
	Value  string  // to write
}

// Refusal is the reason why an edit was not made.
type Refusal struct {
	Edit int // index of the edit
	Why  string
}

// Rewrite returns the bytes of a file with the values of the edits written, each in the style that its place has:
// quotes stay, and come where they must. Every other byte stays. The bytes of an alias of YAML are those at its anchor
// and written once. Edits that cannot be written right are refused and leave no trace: the caller decides whether the
// others count. The result is parsed and compared with data: it is the same document but for the edits. An edit after
// which it is not is refused too. Rewrite returns an error if the file as a whole cannot be read or written.
func Rewrite(
	ctx context.Context, name string, data []byte, opt Options, edits []Edit,
) ([]byte, []Refusal, error) {
	w := &rewriter{ctx: ctx, name: name, data: data, fields: opt.fields(), edits: edits, why: make([]string,
		len(edits)),
		bySpan: map[span][]int{}, byKey: map[string][]int{}, repeated: map[string]bool{}}
	if err := w.find(opt); err != nil {
		return nil, nil, err
	}
	if err := w.collect(); err != nil {
		return nil, nil, err
	}
	w.encode()
	for {
		out := w.splice()
		err := w.compare(out)
		if err == nil {
			return out, w.refusals(), nil
		}
		c := w.culprit(err)
		if c == nil {
			return nil, nil, err
		}
		w.refuse(c.edits, "written, %v", err)
		w.changes = slices.DeleteFunc(w.changes, func(o *change) bool { return o == c })
	}
}

// rewriter is the state of one Rewrite.
type rewriter struct {
	ctx      context.Context
	name     string
	data     []byte
	fields   map[string]string
	format   *format
	edits    []Edit
	why      []string         // for each edit, why it is refused; empty: it is not
	bySpan   map[span][]int   // edits by the bytes of their place
	byKey    map[string][]int // edits of fields by the key of their part
	repeated map[string]bool  // keys that stand twice in their object, as pointers
	changes  []*change        // in the order of the file
}

// change replaces the bytes of a span.
type change struct {
	part
	edits []int
	at    []int    // indexes of the parts with the span: several if it has an alias
	keys  []string // of these parts
	value string
	text  string // to write
}

// part is a scalar of a file, or another element that no edit changes, such as the beginning of an object.
type part struct {
	// key is the pointer of a value in a tree. For a cell it is the number of the row and the name of the column. It is
	// empty for a part that no record has.
	key    string
	kind   kind
	text   string // the value
	span          // not compared
	inFlow bool   // as in scalar
	alias  bool
	form   rune // of a cell the separator; of a link how it is written
	among  bool // a URL that is a part of its value
	quote  byte // around that value; 0: none
	latin  bool // of a cell: as in cell
}

const (
	kindObject   kind = "an object"
	kindList     kind = "a list"
	kindEnd      kind = "an end" // of an object or a list
	kindDocument kind = "a document"
	kindRepeated kind = "a key that its object has twice"
)

// refuse keeps the first reason why an edit is refused.
func (w *rewriter) refuse(edits []int, format string, args ...any) {
	for _, i := range edits {
		if w.why[i] == "" {
			w.why[i] = fmt.Sprintf(format, args...)
		}
	}
}

func (w *rewriter) refusals() []Refusal {
	var list []Refusal
	for i, why := range w.why {
		if why != "" {
			list = append(list, Refusal{i, why})
		}
	}
	return list
}

const (
	whyChanged = "it has changed since it was read"
	whyForm    = "it is written in a form that cannot be changed here, such as several lines or a relative link"
)

// find reads the URLs of the file and checks that those of the edits stand where they are said to stand.
func (w *rewriter) find(opt Options) error {
	if bytes.HasPrefix(w.data, gzipMagic) {
		return fmt.Errorf("writing %s: it is compressed with gzip: unpack it first", w.name)
	}
	stands := make([]bool, len(w.edits))
	for i, e := range w.edits {
		switch {
		case e.Record != nil:
			key := string(appendToken([]byte(e.Record.Path), e.Field))
			w.byKey[key], stands[i] = append(w.byKey[key], i), true
		case e.Place.End == 0:
			stands[i] = true
			w.refuse([]int{i}, whyForm)
		default:
			at := span{e.Place.Begin, e.Place.End}
			w.bySpan[at] = append(w.bySpan[at], i)
		}
	}
	summary, err := URLs(w.ctx, w.name, bytes.NewReader(w.data), opt, func(f Found) error {
		w.match(f, stands)
		return nil
	}, func(Skip) {})
	if err != nil {
		return err
	}
	for i := range w.edits {
		if !stands[i] {
			w.why[i] = whyChanged
		}
	}
	if w.format = formatOf(cmp.Or(summary.Format, "list")); w.format == nil { // an empty file has none
		return fmt.Errorf("writing %s: there is no format %q", w.name, summary.Format)
	}
	return nil
}

// match marks the edit of a URL that stands in the file. Without one, no edit may change its bytes.
func (w *rewriter) match(f Found, stands []bool) {
	edits := w.bySpan[span{f.Place.Begin, f.Place.End}]
	for _, i := range edits {
		if e := w.edits[i]; e.Place.Path == f.Place.Path {
			stands[i] = e.Was == f.URL
			return
		}
	}
	w.refuse(edits, "its bytes also stand for the URL at %s, which is not to change alike", f.Place.Path)
}

// parts returns the parts of a file.
func (w *rewriter) parts(data []byte) iter.Seq2[part, error] {
	return func(yield func(part, error) bool) {
		stop := errors.New("stop")
		in := &input{ctx: w.ctx, name: w.name, fields: w.fields, r: bufio.NewReaderSize(bytes.NewReader(data),
			sniffSize)}
		_, err := in.head()
		if err == nil {
			err = w.format.parts(in, func(p part) error {
				if p.end > 0 {
					p.begin, p.end = p.begin+in.base, p.end+in.base
				}
				if !yield(p, w.ctx.Err()) {
					return stop
				}
				return nil
			})
		}
		if err != nil && err != stop {
			yield(part{}, fmt.Errorf("writing %s: %w", w.name, err))
		}
	}
}

// resolve finds the bytes of the fields of records.
func (w *rewriter) resolve() error {
	found := map[string]bool{}
	for p, err := range w.parts(w.data) {
		if err != nil {
			return err
		}
		edits := w.byKey[p.key]
		switch {
		case len(edits) == 0 || p.kind == kindRepeated || p.kind == kindEnd:
			continue
		case found[p.key]:
			w.refuse(edits, "its record has the field %s twice", w.edits[edits[0]].Field)
		case p.kind == kindObject || p.kind == kindList || p.alias:
			w.refuse(edits, "%s is no scalar of its own in the record", w.edits[edits[0]].Field)
		case p.end == 0 && p.kind == kindNull:
			w.refuse(edits, "%s is empty: write null there first", w.edits[edits[0]].Field)
		case p.end == 0:
			w.refuse(edits, whyForm)
		default:
			w.bySpan[p.span] = append(w.bySpan[p.span], edits...)
		}
		found[p.key] = true
	}
	for key, edits := range w.byKey {
		if !found[key] {
			w.refuse(edits, "its record has no field %s", w.edits[edits[0]].Field)
		}
	}
	return nil
}

// collect finds the parts that the edits change.
func (w *rewriter) collect() error {
	if len(w.byKey) > 0 {
		if err := w.resolve(); err != nil {
			return err
		}
	}
	bySpan := map[span]*change{}
	n := -1
	for p, err := range w.parts(w.data) {
		if err != nil {
			return err
		}
		n++
		if p.kind == kindRepeated {
			w.repeated[p.key] = true
		}
		edits := w.bySpan[p.span]
		if p.end == 0 || len(edits) == 0 {
			continue
		}
		c := bySpan[p.span]
		if c == nil {
			c = &change{part: p, edits: edits, value: w.edits[edits[0]].Value}
			bySpan[p.span] = c
			w.changes = append(w.changes, c)
		}
		c.at, c.keys = append(c.at, n), append(c.keys, p.key)
	}
	for at, edits := range w.bySpan {
		if bySpan[at] == nil {
			w.refuse(edits, whyChanged)
		}
	}
	slices.SortFunc(w.changes, func(a, b *change) int { return cmp.Compare(a.begin, b.begin) })
	return nil
}

// encode sets the texts of the changes, and drops those that are refused or change nothing.
func (w *rewriter) encode() {
	w.changes = slices.DeleteFunc(w.changes, func(c *change) bool {
		w.check(c)
		for _, i := range c.edits {
			if why := w.why[i]; why != "" {
				w.refuse(c.edits, "%s", why)
				return true
			}
		}
		if c.value == c.part.text {
			return true
		}
		var err error
		if c.text, err = w.format.write(c.part, string(w.data[c.begin:c.end]), c.value); err != nil {
			w.refuse(c.edits, "%v", err)
		}
		return err != nil
	})
}

// check refuses the edits of a change that contradict each other or the form of the file.
func (w *rewriter) check(c *change) {
	for _, i := range c.edits {
		switch e := w.edits[i]; {
		case e.Value != c.value:
			w.refuse(c.edits, "its bytes stand in several places, which are not to change alike")
		case e.Record != nil && len(c.at) > 1:
			w.refuse(c.edits, "its bytes also stand at %s", c.keys[1])
		case e.Record == nil && (e.Value == "" || canon.Trim(e.Value) != e.Value):
			w.refuse(c.edits, "the new URL is blank, or begins or ends with characters that are no part of a URL")
		}
	}
	if strings.ContainsFunc(c.value, unicode.IsControl) || !utf8.ValidString(c.value) {
		w.refuse(c.edits, "the new value holds control characters or bytes that are not UTF-8")
	}
	for _, key := range c.keys {
		for end := range len(key) {
			if end++; (end == len(key) || key[end] == '/') && w.repeated[key[:end]] {
				w.refuse(c.edits, "the key %s stands twice in its object", key[:end])
			}
		}
	}
}

// splice returns the file with the changes.
func (w *rewriter) splice() []byte {
	var out []byte
	at := int64(0)
	for _, c := range w.changes {
		out = append(append(out, w.data[at:c.begin]...), c.text...)
		at = c.end
	}
	return append(out, w.data[at:]...)
}
