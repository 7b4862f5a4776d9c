package read

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth is the greatest nesting depth of an input.
const maxDepth = 1000

// json reads one or more documents token by token and holds one token at a time. After a token that cannot be read it
// skips the rest of the input; URLs before it are found.
func (in *input) json() error {
	src := &counted{r: in.r}
	dec := json.NewDecoder(src)
	w := walker{in: in, dec: dec, line: func() int { return src.line(dec.InputOffset()) }}
	err := w.walk()
	unread, ok := errors.AsType[*unreadable](err)
	switch {
	case !ok:
		return err
	case w.tokens == 0:
		return in.failf("it is not JSON: %w", unread)
	}
	in.skipf(w.line(), "nothing can be read from here on: %v", unread)
	return nil
}

// jsonl reads one document a line.
func (in *input) jsonl() error { return in.eachLine(in.unlessLong(in.jsonLine)) }

func (in *input) jsonLine(l line) error {
	if strings.TrimSpace(l.text) == "" {
		return nil
	}
	if !json.Valid([]byte(l.text)) { // checked first: a broken line yields no URL at all
		in.skipf(l.number, "it is not JSON: %v", json.Unmarshal([]byte(l.text), &json.RawMessage{}))
		return nil
	}
	w := walker{in: in, dec: json.NewDecoder(strings.NewReader(l.text)), line: func() int { return l.number }}
	err := w.walk()
	if unread, ok := errors.AsType[*unreadable](err); ok {
		in.skipf(l.number, "%v", unread)
		return nil
	}
	return err
}

// unreadable is an error in the document, as opposed to an error of yield.
type unreadable struct{ error }

func (u *unreadable) Unwrap() error { return u.error }

// walker walks through a document and finds the strings under known fields.
type walker struct {
	in     *input
	dec    *json.Decoder
	line   func() int
	tokens int
	open   []container // the first one holds the documents
}

// container is an open object or list.
type container struct {
	object bool
	key    bool   // the next token is a key
	field  string // the known field that the next value is under, or ""
}

func (w *walker) walk() error {
	w.dec.UseNumber()
	w.open = []container{{}}
	for {
		token, err := w.dec.Token()
		switch {
		case err == io.EOF && len(w.open) == 1:
			return nil
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
			return &unreadable{errors.New("it ends in the middle")}
		case err != nil:
			return &unreadable{err}
		}
		w.tokens++
		if err := w.take(token); err != nil {
			return err
		}
	}
}

func (w *walker) take(token json.Token) error {
	line, top := w.line(), w.top() // line must be called for every token: it advances the count
	switch t := token.(type) {
	case json.Delim:
		return w.delim(t)
	case string:
		if top.key {
			top.key, top.field = false, w.in.field(t)
			return nil
		}
		if f := top.field; f != "" {
			if strings.ContainsRune(t, utf8.RuneError) { // the decoder replaces invalid bytes
				w.in.skipf(line, "%s holds bytes that are not UTF-8", f)
			} else if err := w.in.found(t, "", Place{Field: f, Line: line}); err != nil {
				return err
			}
		}
	case json.Number, bool:
		if f := top.field; f != "" {
			w.in.skipf(line, "%s is %v, not a string", f, t)
		}
	}
	w.done()
	return nil
}

func (w *walker) delim(d json.Delim) error {
	switch d {
	case '{':
		w.open = append(w.open, container{object: true, key: true})
	case '[':
		w.open = append(w.open, container{field: w.top().field})
	default:
		w.open = w.open[:len(w.open)-1]
		w.done()
	}
	if len(w.open) > maxDepth+1 {
		return &unreadable{errors.New("it is nested too deep")}
	}
	return w.in.ctx.Err()
}

func (w *walker) top() *container { return &w.open[len(w.open)-1] }

// done is called after each value. In an object a key follows.
func (w *walker) done() {
	if c := w.top(); c.object {
		c.key, c.field = true, ""
	}
}

// counted counts lines for a decoder that reads ahead. It stops the decoder at a value longer than maxLine.
type counted struct {
	r     io.Reader
	read  int64
	taken int64   // offset of the end of the last token
	ends  []int64 // offsets of line ends after taken
	lines int     // number of line ends before taken
}

func (c *counted) Read(p []byte) (int, error) {
	if c.read-c.taken > maxLine { // the decoder only reads on within one value
		return 0, errLongValue
	}
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.read+int64(i))
		}
	}
	c.read += int64(n)
	return n, err
}

var errLongValue = errors.New("a value of more than 1 MB")

// line returns the line of the token that ends at the offset. Offsets must not decrease.
func (c *counted) line(offset int64) int {
	c.taken = offset
	passed, _ := slices.BinarySearch(c.ends, offset)
	c.lines += passed
	c.ends = c.ends[passed:]
	return c.lines + 1
}
