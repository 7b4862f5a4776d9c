package read

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.yaml.in/yaml/v3"
)

const (
	maxWhole = 32 << 20 // bytes of an input of a format that is held in memory as a whole
	maxNodes = 4 << 20  // nodes of a YAML document after the expansion of its aliases
)

// whole returns all bytes of the input. A larger one is refused with the advice.
func (in *input) whole(advice string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in.r, maxWhole+1))
	switch {
	case err != nil:
		return nil, in.failf("%w", err)
	case len(data) > maxWhole:
		return nil, in.failf("it has more than %d MB: %s", maxWhole>>20, advice)
	}
	return data, nil
}

const (
	adviceYAML = "convert it to JSON or JSONL, which are not held in memory"
	adviceLink = "split it" // of HTML and Markdown
)

// yaml reads documents up to the first that cannot be parsed. That is an error for the first document, else a skip.
func (in *input) yaml() error {
	data, err := in.whole(adviceYAML)
	if err != nil {
		return err
	}
	f := &finder{in: in}
	n, err := walkYAML(data, f)
	unread, ok := errors.AsType[*unreadable](err)
	switch {
	case !ok:
		return err
	case n == 0:
		return in.failf("%w", unread)
	}
	in.skipf(0, "nothing can be read from document %d on: %v", n+1, unread)
	return nil
}

// walkYAML tells a tree of the parts of the documents in data. It returns the number of documents before the first
// that cannot be read.
func walkYAML(data []byte, to tree) (n int, err error) {
	w := &yamlWalker{to: to, marks: newMarks(data), spans: map[*yaml.Node]scalar{}}
	text, slashes := plainYAML11(data)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for ; ; n++ {
		var doc yaml.Node
		err := decodeYAML(dec, &doc)
		if err == io.EOF {
			return n, nil
		}
		if err == nil {
			slashes.restore(&doc)
			err = bounded(&doc)
		} else {
			err = &unreadable{err}
		}
		if err != nil {
			return n, err
		}
		prefix := ""
		if n > 0 {
			prefix = strconv.Itoa(n+1) + "#"
		}
		to.document(prefix)
		if err := w.node(&doc); err != nil {
			return n, err
		}
	}
}

// decodeYAML calls Decode and turns its panics on malformed documents into errors.
func decodeYAML(dec *yaml.Decoder, doc *yaml.Node) (err error) {
	defer recovered(&err)
	return dec.Decode(doc)
}

func recovered(err *error) {
	if recover() != nil {
		*err = errors.New("yaml: the document is malformed")
	}
}

// bounded returns an error for a document that would grow beyond all bounds.
func bounded(doc *yaml.Node) error {
	size := expansion{known: map[*yaml.Node]int{}}
	switch n := size.of(doc, 0); {
	case size.deep:
		return &unreadable{errors.New("it is nested too deep, or an alias is inside its own target")}
	case n > maxNodes:
		return &unreadable{fmt.Errorf("its aliases stand for more than %d values: it is refused", maxNodes)}
	}
	return nil
}

// expansion counts the nodes of a document after the expansion of its aliases.
type expansion struct {
	known map[*yaml.Node]int
	deep  bool
}

func (e *expansion) of(n *yaml.Node, depth int) int {
	if depth > maxDepth {
		e.deep = true
		return 0
	}
	if n.Kind == yaml.AliasNode {
		return e.of(n.Alias, depth+1)
	}
	if size, ok := e.known[n]; ok {
		return size
	}
	size := 1
	for _, child := range n.Content {
		if size += e.of(child, depth+1); size > maxNodes || e.deep {
			break
		}
	}
	e.known[n] = size
	return size
}

// yamlWalker walks through documents and tells a tree of their parts.
type yamlWalker struct {
	to    tree
	marks *marks
	spans map[*yaml.Node]scalar // places of the scalars that have an anchor
}

// place is the context of a node.
type place struct {
	flow  bool       // inside a flow collection
	alias *yaml.Node // the alias that stands for the node or for a list around it
}

func (w *yamlWalker) node(doc *yaml.Node) error {
	for _, child := range doc.Content {
		if err := w.value(child, place{}); err != nil {
			return err
		}
	}
	return nil
}

func (w *yamlWalker) value(n *yaml.Node, at place) error {
	switch n.Kind {
	case yaml.ScalarNode:
		return w.to.scalar(w.scalar(n, at))
	case yaml.AliasNode:
		if at.alias == nil {
			at.alias = n
		}
		return w.value(n.Alias, at)
	case yaml.MappingNode:
		if at.alias != nil { // its parts are told of at the anchor alone
			return w.to.scalar(scalar{kind: kindNull, alias: true})
		}
	}
	if err := w.to.open(n.Kind == yaml.MappingNode); err != nil {
		return err
	}
	at.flow = at.flow || n.Style&yaml.FlowStyle != 0
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			w.to.key(keyOf(child, i/2))
			continue
		}
		if err := w.value(child, at); err != nil {
			return err
		}
	}
	return w.to.close()
}

// keyOf returns the key of a pair. A key that is no scalar has the number of the pair.
func keyOf(n *yaml.Node, pair int) string {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "?" + strconv.Itoa(pair)
	}
	return n.Value
}

var yamlKinds = map[string]kind{"!!str": kindText, "!!bool": kindBool, "!!int": kindNumber, "!!float": kindNumber,
	"!!null": kindNull, "!!timestamp": kindDate}

// scalar returns a scalar with its place. The line of an alias is its own, its bytes are those at the anchor.
func (w *yamlWalker) scalar(n *yaml.Node, at place) scalar {
	s, known := w.spans[n]
	if !known {
		if s.span = w.marks.span(n); s.end > 0 {
			s.line, s.column = w.marks.lineOf(int(s.begin))
		} else {
			s.line, s.column = w.marks.at(n)
		}
		s.inFlow = at.flow
		s.writing = writingOf(string(w.marks.data[s.begin:s.end]), n)
		if n.Anchor != "" {
			w.spans[n] = s
		}
	}
	if at.alias != nil {
		s.alias = true
		s.line, s.column = w.marks.at(at.alias)
	}
	s.kind, s.text = cmp.Or(yamlKinds[n.ShortTag()], kindOther), n.Value
	return s
}
