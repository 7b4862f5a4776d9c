package read

import (
	"errors"
	"io"

	"go.yaml.in/yaml/v3"
)

const (
	maxYAML  = 32 << 20 // bytes of a YAML file, which is held in memory as a whole
	maxNodes = 4 << 20  // nodes of a document after the expansion of its aliases
)

// yaml reads documents up to the first that cannot be parsed. That is an error for the first document, else a skip.
func (in *input) yaml() error {
	src := &io.LimitedReader{R: in.r, N: maxYAML + 1}
	dec := yaml.NewDecoder(src)
	for n := 0; ; n++ {
		var doc yaml.Node
		err := decodeYAML(dec, &doc)
		switch {
		case err == io.EOF:
			return nil
		case src.N <= 0:
			return in.failf("it has more than %d MB: convert it to JSON or JSONL, which are not held in memory",
				maxYAML>>20)
		case err != nil && n == 0:
			return in.failf("%w", err)
		case err != nil:
			in.skipf(0, "nothing can be read from document %d on: %v", n+1, err)
			return nil
		}
		if err := in.document(&doc); err != nil {
			return err
		}
	}
}

// decodeYAML calls Decode and turns its panics on malformed documents into errors.
func decodeYAML(dec *yaml.Decoder, doc *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("yaml: the document is malformed")
		}
	}()
	return dec.Decode(doc)
}

// document reads a document. It first refuses one that would grow beyond all bounds.
func (in *input) document(doc *yaml.Node) error {
	size := expansion{known: map[*yaml.Node]int{}}
	switch n := size.of(doc, 0); {
	case size.deep:
		return in.failf("it is nested too deep, or an alias is inside its own target")
	case n > maxNodes:
		return in.failf("its aliases stand for more than %d values: it is refused", maxNodes)
	}
	return in.node(doc, "")
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

// node finds the strings at and below n. field is the known field of n, or "".
func (in *input) node(n *yaml.Node, field string) error {
	switch n.Kind {
	case yaml.ScalarNode:
		return in.scalar(n, field)
	case yaml.AliasNode:
		return in.alias(n, field)
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 { // a key
				continue
			}
			field = in.field(n.Content[i-1].Value)
		}
		if err := in.node(child, field); err != nil {
			return err
		}
	}
	return nil
}

// alias finds the strings of the target of an alias, unless node finds them at the target itself.
func (in *input) alias(n *yaml.Node, field string) error {
	if field == "" || n.Alias.Kind == yaml.MappingNode {
		return nil
	}
	target := *n.Alias
	target.Line = n.Line
	return in.node(&target, field)
}

func (in *input) scalar(n *yaml.Node, field string) error {
	if field == "" || n.ShortTag() == "!!null" {
		return nil
	}
	if n.ShortTag() != "!!str" {
		in.skipf(n.Line, "%s is %.40s, not a string", field, n.Value)
		return nil
	}
	return in.found(n.Value, "", Place{Field: field, Line: n.Line})
}
