package read

import "strconv"

// tree is told of the parts of a document that consists of objects, lists and scalars (JSON, JSONL, YAML), in order.
type tree interface {
	document(prefix string) // a document begins, whose pointers have the prefix
	key(name string)        // of the value that follows, in an object
	open(object bool) error
	close() error
	scalar(scalar) error
}

// scalar is a value that is neither an object nor a list.
type scalar struct {
	kind kind
	text string
	span
	line, column int
	broken       bool // the text holds bytes that are not UTF-8, replaced
	inFlow       bool // inside a flow collection of YAML
	alias        bool // an alias of YAML; the span is that of its anchor
	writing
}

// span is a range of bytes of an input. An empty one is not known.
type span struct{ begin, end int64 }

// kind is the type of a scalar.
type kind string

const (
	kindText   kind = "text"
	kindBool   kind = "true or false"
	kindNumber kind = "a number"
	kindNull   kind = "null"
	kindDate   kind = "a date"
	kindOther  kind = "of a type of its own" // a tag of YAML
)

// cursor is a place in a tree: the open objects and lists, and the pointer of the value that is being read.
type cursor struct {
	pointer []byte
	levels  []level // the first one holds the document
}

// level is an open object or list.
type level struct {
	object bool
	base   int    // length of its own pointer
	name   string // the last key; in a list that of the list
	index  int    // number of values so far, in a list
}

func (c *cursor) document(prefix string) {
	c.pointer = append(c.pointer[:0], prefix...)
	c.levels = append(c.levels[:0], level{object: true, base: len(prefix)})
}

func (c *cursor) key(name string) {
	top := c.top()
	top.name = name
	c.pointer = appendToken(c.pointer[:top.base], name)
}

// value is called at the beginning of each value. It completes the pointer of an element of a list.
func (c *cursor) value() {
	if top := c.top(); !top.object {
		c.pointer = strconv.AppendInt(append(c.pointer[:top.base], '/'), int64(top.index), 10)
		top.index++
	}
}

func (c *cursor) push(object bool) {
	name := ""
	if !object {
		name = c.top().name
	}
	c.levels = append(c.levels, level{object: object, base: len(c.pointer), name: name})
}

func (c *cursor) pop() {
	c.pointer = c.pointer[:c.top().base]
	c.levels = c.levels[:len(c.levels)-1]
}

func (c *cursor) top() *level { return &c.levels[len(c.levels)-1] }

// token returns the key or index under which the current value stands; "" for a document.
func (c *cursor) token() string {
	switch top := c.top(); {
	case !top.object:
		return strconv.Itoa(top.index - 1)
	default:
		return top.name
	}
}

// appendToken appends a key to an RFC 6901 pointer.
func appendToken(pointer []byte, key string) []byte {
	pointer = append(pointer, '/')
	for i := range len(key) {
		switch key[i] {
		case '~':
			pointer = append(pointer, "~0"...)
		case '/':
			pointer = append(pointer, "~1"...)
		default:
			pointer = append(pointer, key[i])
		}
	}
	return pointer
}
