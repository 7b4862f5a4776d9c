package read

import (
	"slices"
	"strings"
)

// finder finds the URLs of trees: the strings under known fields. It holds each back until its record is known, that
// is until the end of the object, and passes them on in the order of the file. It holds at most maxHeld of them, or
// maxHeldBytes: after that it gives the record as far as it is known, so that its memory is bounded.
type finder struct {
	cursor
	in      *input
	nodes   []node // of the levels of the cursor
	held    []held
	gone    int // URLs before held
	bytes   int // of held
	objects int // open objects that may yet become a record
}

const (
	maxHeld      = 4096
	maxHeldBytes = 4 << 20
)

// node is the state of a finder in an open object or list.
type node struct {
	field  string   // the known field that the next value is under, or ""
	object *object  // nil for a list
	values []string // of a list of scalars so far
	mixed  bool     // the list holds more than a few scalars: it is no attribute
	first  int      // number of URLs before it
}

// held is a URL whose record is not known yet.
type held struct {
	Found
	inner *object // the innermost of the objects that have ended
	named *object // the nearest of them with a name
}

func (f *finder) document(prefix string) {
	f.cursor.document(prefix)
	f.top().name = strings.TrimSuffix(prefix, "#")
	f.nodes = append(f.nodes[:0], node{})
}

func (f *finder) node() *node { return &f.nodes[len(f.nodes)-1] }

func (f *finder) key(name string) {
	f.cursor.key(name)
	f.node().field = f.in.field(name)
}

func (f *finder) open(isObject bool) error {
	f.value()
	n := node{first: f.gone + len(f.held)}
	if isObject {
		n.object = &object{key: f.token(), record: Record{Path: string(f.pointer)}}
		f.objects++
	} else {
		n.field = f.node().field
	}
	f.node().mixed = true
	f.push(isObject)
	f.nodes = append(f.nodes, n)
	return f.in.ctx.Err()
}

func (f *finder) close() error {
	ended := *f.node()
	f.pop()
	f.nodes = f.nodes[:len(f.nodes)-1]
	if ended.object == nil {
		if owner := f.node().object; owner != nil && !ended.mixed {
			owner.list(f.top().name, ended.values)
		}
		return nil
	}
	if !ended.object.given {
		f.objects--
	}
	first := max(0, ended.first-f.gone)
	for i := first; i < len(f.held); i++ {
		f.held[i].leave(ended.object)
	}
	if len(f.held) > first {
		f.bytes += ended.object.size
	}
	if f.objects == 0 || len(f.held) > maxHeld || f.bytes > maxHeldBytes {
		f.giveAll()
	}
	return f.flush()
}

// leave is called when an object around the URL ends.
func (h *held) leave(o *object) {
	switch {
	case h.Record != nil:
		return
	case o.id > 0:
		h.Record = o.give()
		return
	case o.name > 0 && h.named == nil:
		h.named = o
	}
	if h.inner == nil {
		h.inner = o
	}
}

// giveAll gives every URL its record as far as it is known. The objects that are open change no more.
func (f *finder) giveAll() {
	for i := range f.held {
		h := &f.held[i]
		for _, n := range slices.Backward(f.nodes) {
			if n.object != nil && n.first <= f.gone+i {
				h.leave(n.object)
			}
		}
		switch {
		case h.Record != nil:
		case h.named != nil:
			h.Record = h.named.give()
		default:
			h.Record = h.inner.give()
		}
	}
	for _, n := range f.nodes {
		if n.object != nil {
			n.object.give()
		}
	}
	f.objects = 0
}

// flush passes on the URLs whose records are known, up to the first whose record is not.
func (f *finder) flush() error {
	n := 0
	for n < len(f.held) && f.held[n].Record != nil {
		if err := f.in.found(f.held[n].Found); err != nil {
			return err
		}
		n++
	}
	f.gone += n
	if n == len(f.held) {
		f.bytes = 0
	}
	f.held = slices.Delete(f.held, 0, n)
	return nil
}

// end passes on all URLs of a tree that ends in the middle.
func (f *finder) end() error {
	f.giveAll()
	return f.flush()
}

func (f *finder) scalar(s scalar) error {
	f.value()
	n, name := f.node(), f.top().name
	switch {
	case n.field != "":
		return f.url(s, n.field)
	case s.kind == kindNull:
	case s.kind == kindText && isURL(s.text):
		f.in.untaken.add(name)
		n.mixed = true
	case n.object != nil:
		n.object.scalar(name, s.text)
	case len(n.values) == maxValues:
		n.mixed = true
	default:
		n.values = append(n.values, cut(s.text))
	}
	return nil
}

// url holds the URLs of a value back until their record is known.
func (f *finder) url(s scalar, field string) error {
	switch {
	case s.kind == kindNull:
		return nil
	case s.kind != kindText:
		f.in.skipf(s.line, "%s is %.40s, not a string", field, s.text)
		return nil
	case s.broken:
		f.in.skipf(s.line, "%s holds bytes that are not UTF-8", field)
		return nil
	}
	pieces := s.pieces()
	if pieces == nil {
		pieces = []piece{{s.text, 0, s.span, s.line, s.column}}
	}
	for _, p := range pieces {
		url := f.in.value(p.text, p.line)
		if url == "" {
			continue
		}
		place := Place{Field: field, Path: string(f.pointer), Part: p.number, Line: p.line, Column: p.column,
			Begin: p.begin, End: p.end}
		f.held = append(f.held, held{Found: Found{URL: url, Place: place}})
		f.bytes += len(url)
	}
	if len(f.held) <= 2*maxHeld && f.bytes <= 2*maxHeldBytes {
		return nil
	}
	return f.end()
}
