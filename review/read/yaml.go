package read

import (
	"errors"
	"io"

	"go.yaml.in/yaml/v3"
)

const (
	maxYAML  = 32 << 20 // bytes of a YAML file: it is held in memory whole
	maxNodes = 4 << 20  // nodes of a document once its aliases are written out
)

// yaml reads documents. One that cannot be parsed ends the reading: the first as an error, a later one as a skip.
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
			return in.failf("it has more than %d MB: convert it to JSON or JSONL, which are not held in memory", maxYAML>>20)
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

// decodeYAML is Decode, which panics on some malformed documents.
func decodeYAML(dec *yaml.Decoder, doc *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("yaml: the document is malformed")
		}
	}()
	return dec.Decode(doc)
}

// document refuses what would grow beyond all bounds before anything is taken from it.
func (in *input) document(doc *yaml.Node) error {
	size := expansion{known: map[*yaml.Node]int{}}
	switch n := size.of(doc, 0); {
	case size.deep:
		return in.failf("it is nested too deep, or an alias stands inside what it stands for")
	case n > maxNodes:
		return in.failf("its aliases stand for more than %d values: it is refused", maxNodes)
	}
	return in.node(doc, "")
}

// expansion counts the nodes that a document has when each alias is replaced by what it stands for.
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

// node takes the strings at and below n. field is the known field that n stands under, or "".
func (in *input) node(n *yaml.Node, field string) error {
	switch n.Kind {
	case yaml.ScalarNode:
		return in.scalar(n, field)
	case yaml.AliasNode:
		return in.alias(n, field)
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if err := in.node(n.Content[i+1], in.field(n.Content[i].Value)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, child := range n.Content {
		if err := in.node(child, field); err != nil {
			return err
		}
	}
	return nil
}

// alias takes what the alias stands for, unless that has been taken where it stands.
func (in *input) alias(n *yaml.Node, field string) error {
	if field == "" || n.Alias.Kind == yaml.MappingNode {
		return nil
	}
	target := *n.Alias
	target.Line = n.Line
	return in.node(&target, field)
}

func (in *input) scalar(n *yaml.Node, field string) error {
	switch {
	case field == "" || n.ShortTag() == "!!null":
		return nil
	case n.ShortTag() != "!!str":
		in.skipf(n.Line, "%s is %.40s, not a string", field, n.Value)
		return nil
	}
	return in.found(n.Value, "", field, n.Line)
}
