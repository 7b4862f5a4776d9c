package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"visto/canon"
)

// maxDepth is the greatest nesting depth of an input.
const maxDepth = 1000

// json reads one or more documents token by token and holds one token at a time. After a token that cannot be read it
// skips the rest of the input; URLs before it are found.
func (in *input) json() error {
	f := &finder{in: in}
	w := newJSON(in.r, f)
	err := w.walk()
	unread, ok := errors.AsType[*unreadable](err)
	switch {
	case !ok:
		return err
	case w.tokens == 0:
		return in.failf("it is not JSON: %w", unread)
	}
	if err := f.end(); err != nil {
		return err
	}
	in.skipf(w.src.line, "nothing can be read from here on: %v", unread)
	return nil
}

// jsonl reads one document a line.
func (in *input) jsonl() error {
	f := &finder{in: in}
	return in.eachLine(in.unlessLong(func(l line) error { return in.jsonLine(l, f) }))
}

func (in *input) jsonLine(l line, f *finder) error {
	if strings.TrimSpace(l.text) == "" {
		return nil
	}
	if !json.Valid([]byte(l.text)) { // checked first: a broken line yields no URL at all
		in.skipf(l.number, "it is not JSON: %v", json.Unmarshal([]byte(l.text), &json.RawMessage{}))
		return nil
	}
	err := newJSONLine(l, f).walk()
	if unread, ok := errors.AsType[*unreadable](err); ok {
		in.skipf(l.number, "%v", unread)
		return f.end()
	}
	return err
}

// unreadable is an error in the document, as opposed to an error of yield.
type unreadable struct{ error }

func (u *unreadable) Unwrap() error { return u.error }

// jsonWalker walks through documents and tells a tree of their parts.
type jsonWalker struct {
	dec    *json.Decoder
	src    *counted
	to     tree
	line   int // of JSONL; 0: the documents of a JSON file
	tokens int
	docs   int
	open   []bool // for each open object or list: it is an object
	isKey  bool   // the next token is a key
}

func newJSON(r io.Reader, to tree) *jsonWalker {
	src := &counted{r: r, line: 1, between: " \t\r\n,:"}
	return &jsonWalker{dec: json.NewDecoder(src), src: src, to: to}
}

// newJSONLine returns the walker for a line of JSONL.
func newJSONLine(l line, to tree) *jsonWalker {
	w := newJSON(strings.NewReader(l.text), to)
	w.line, w.src.line, w.src.base = l.number, l.number, l.begin
	return w
}

func (w *jsonWalker) walk() error {
	w.dec.UseNumber()
	for {
		token, err := w.dec.Token()
		switch {
		case err == io.EOF && len(w.open) == 0:
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

// prefix returns the prefix of the pointers of the document that begins.
func (w *jsonWalker) prefix() string {
	w.docs++
	switch {
	case w.line > 0:
		return fmt.Sprintf("%d#", w.line)
	case w.docs > 1:
		return fmt.Sprintf("%d#", w.docs)
	}
	return ""
}

func (w *jsonWalker) take(token json.Token) error {
	place := w.src.token(w.dec.InputOffset())
	end := token == json.Delim('}') || token == json.Delim(']')
	if len(w.open) == 0 {
		w.to.document(w.prefix())
	}
	if name, ok := token.(string); ok && w.isKey {
		w.isKey = false
		w.to.key(name)
		return nil
	}
	err := w.value(token, place)
	if d, ok := token.(json.Delim); ok && !end {
		w.open = append(w.open, d == '{')
	}
	if len(w.open) > maxDepth {
		return &unreadable{errors.New("it is nested too deep")}
	}
	w.isKey = len(w.open) > 0 && w.open[len(w.open)-1]
	return err
}

func (w *jsonWalker) value(token json.Token, s scalar) error {
	switch t := token.(type) {
	case json.Delim:
		if t == '{' || t == '[' {
			return w.to.open(t == '{')
		}
		w.open = w.open[:len(w.open)-1]
		return w.to.close()
	case string:
		s.kind, s.text = kindText, t
		s.quote, s.unit = '"', jsonUnit
		s.broken = strings.ContainsRune(t, utf8.RuneError) // the decoder replaces invalid bytes
	case json.Number:
		s.kind, s.text = kindNumber, t.String()
	case bool:
		s.kind, s.text = kindBool, fmt.Sprint(t)
	default:
		s.kind, s.text = kindNull, "null"
	}
	return w.to.scalar(s)
}

// counted gives the places of tokens to a decoder that reads ahead. It stops the decoder at a value longer than
// maxLine.
type counted struct {
	r       io.Reader
	between string // characters that may stand before a token
	base    int64  // of the first byte
	ahead   []byte // the bytes that the decoder has read beyond the last token
	taken   int64  // end of the last token
	line    int    // at taken
	newline int64  // end of the last line before taken
}

func (c *counted) Read(p []byte) (int, error) {
	if len(c.ahead) > maxLine { // the decoder only reads on within one value
		return 0, errLongValue
	}
	n, err := c.r.Read(p)
	c.ahead = append(c.ahead, p[:n]...)
	return n, err
}

var errLongValue = errors.New("a value of more than 1 MB")

// token returns the place of the token that ends at the offset, without the characters before it that stand between
// tokens. Offsets must not decrease.
func (c *counted) token(end int64) scalar {
	text := c.ahead[:end-c.taken]
	c.pass(len(text) - len(bytes.TrimLeft(text, c.between)))
	s := scalar{line: c.line, column: int(c.taken-c.newline) + 1, span: span{c.base + c.taken, c.base + end}}
	if raw := c.ahead[:end-c.taken]; bytes.Count(raw, []byte("http")) > 1 || mayHaveMargin(raw) {
		s.raw = string(raw)
	}
	c.pass(int(end - c.taken))
	return s
}

// mayHaveMargin reports whether a token may be a string with white space, quotes or brackets around its value.
func mayHaveMargin(raw []byte) bool {
	inner := bytes.Trim(raw, `"`)
	return len(inner) > 0 && (len(inner) < len(raw)-2 || bytes.IndexByte(inner, '\\') >= 0 ||
		canon.Trim(string(inner)) != string(inner))
}

// pass takes the next bytes.
func (c *counted) pass(n int) {
	if last := bytes.LastIndexByte(c.ahead[:n], '\n'); last >= 0 {
		c.line += bytes.Count(c.ahead[:n], []byte("\n"))
		c.newline = c.taken + int64(last) + 1
	}
	c.ahead, c.taken = c.ahead[n:], c.taken+int64(n)
}
