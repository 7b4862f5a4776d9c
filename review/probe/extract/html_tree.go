package extract

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxElements = 50_000  // of a page that is read as browsers do; a tree takes some 10 MB then
	maxDepths   = 2 << 20 // sum of the depths of all nodes, with which the time of reading a page grows
	maxNesting  = 100     // of wrappers in a simple tree; other elements may nest twice as deep
	maxAttr     = 4 << 10 // bytes of an attribute; longer ones are no URL, name or text
)

// parsePage returns the tree of a page in UTF-8. A page that would take much more memory than its text becomes a simple
// tree: one with many elements, with many that are deep, or nested deeper than the 512 levels that x/net/html permits.
func parsePage(text []byte) (tree *html.Node, simple bool) {
	if !isExcessive(text) {
		if tree, err := html.Parse(bytes.NewReader(text)); err == nil && depths(tree, 0) <= maxDepths {
			openFallbacks(tree)
			dropLongAttrs(tree)
			return tree, false
		}
	}
	return simpleTree(text), true
}

// depths returns the sum of the depths of all nodes below one at a depth.
func depths(n *html.Node, depth int) (sum int) {
	for child := range n.ChildNodes() {
		sum += depth + 1 + depths(child, depth+1)
	}
	return sum
}

const minShown = 200 // bytes of text; a page with less may show hardly anything without scripts or frames

// openFallbacks makes the contents of <noscript> and <noframes> parts of a page that shows hardly anything else.
// Shorter ones only ask for scripts.
func openFallbacks(tree *html.Node) {
	body := element(tree, "body", "frameset")
	if body == nil || textLen(body, minShown) == minShown {
		return
	}
	for _, n := range slices.Collect(body.Descendants()) {
		if n.Data != "noscript" && n.Data != "noframes" || n.FirstChild == nil {
			continue
		}
		if part := parseFallback(n.FirstChild.Data); part != nil && textLen(part, minShown) == minShown {
			n.Parent.InsertBefore(part, n)
			n.Parent.RemoveChild(n)
		}
	}
}

// parseFallback returns a part of a page, nil if it is nested too deep.
func parseFallback(text string) *html.Node {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(text), body)
	if err != nil {
		return nil
	}
	part := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		part.AppendChild(n)
	}
	return part
}

// formatting are the elements that a parser opens again in each block that follows, until they are closed (HTML
// standard, section 13.2.4.3). So a page may have many more elements than tags. <a> and <nobr> close themselves.
var formatting = wordSet("b big code em font i s small strike strong tt u")

// isExcessive reports whether the tree of a page may have more than maxElements.
func isExcessive(text []byte) bool {
	open, elements, inP := 0, 0, false
	z := html.NewTokenizer(bytes.NewReader(text))
	for elements <= maxElements {
		switch z.Next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			if elements++; formatting[string(name)] {
				open++
			} else {
				elements += open
				inP = inP || string(name) == "p"
			}
		case html.EndTagToken:
			switch name, _ := z.TagName(); {
			case formatting[string(name)]:
				open = max(0, open-1)
			case string(name) == "p" && inP:
				inP = false
			case string(name) == "p", string(name) == "br": // it stands for an element of its own
				elements += 1 + open
			}
		}
	}
	return true
}

func dropLongAttrs(tree *html.Node) {
	for n := range tree.Descendants() {
		n.Attr = shortAttrs(n.Attr)
	}
}

// shortAttrs returns the attributes that are not too long, in the same array.
func shortAttrs(attrs []html.Attribute) []html.Attribute {
	kept := attrs[:0]
	for _, a := range attrs {
		if len(a.Val) <= maxAttr && len(a.Key) <= maxAttr && len(kept) < maxAttrs {
			kept = append(kept, a)
		}
	}
	return kept
}

const maxAttrs = 100 // of an element

// void are the elements without contents (HTML standard, section 13.1.2).
var void = wordSet("area base br col embed hr img input link meta source track wbr")

// simpleTree returns a tree made from the tags alone, in which deep elements are siblings and those over maxElements
// and maxDepths are missing; all text is there.
func simpleTree(text []byte) *html.Node {
	tree := &html.Node{Type: html.DocumentNode}
	b := &treeBuilder{open: []*html.Node{tree}, skipped: map[string]int{}}
	b.start(html.Token{Data: "html"})
	b.start(html.Token{Data: "body"})
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			b.endText()
			return tree
		case html.TextToken:
			b.text = append(b.text, z.Text()...)
		case html.StartTagToken, html.SelfClosingTagToken:
			if t := z.Token(); t.Data == "html" {
				b.open[1].Attr = shortAttrs(t.Attr)
			} else {
				b.start(t)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			b.end(string(name))
		}
	}
}

// treeBuilder builds a simple tree.
type treeBuilder struct {
	open     []*html.Node   // elements, the deepest last
	skipped  map[string]int // open wrappers that are not in the tree, by name
	elements int
	depths   int    // sum of those of the elements
	text     []byte // since the last tag that is in the tree
}

func (b *treeBuilder) top() *html.Node { return b.open[len(b.open)-1] }

// endText adds the text since the last tag to the tree.
func (b *treeBuilder) endText() {
	if len(b.text) > 0 {
		b.top().AppendChild(&html.Node{Type: html.TextNode, Data: string(b.text)})
		b.text = b.text[:0]
	}
}

func (b *treeBuilder) start(t html.Token) {
	b.elements++
	b.depths += len(b.open)
	if b.elements > maxElements || b.depths > maxDepths {
		return
	}
	if len(b.open) >= maxNesting && wrappers[t.Data] {
		b.skipped[t.Data]++
		return
	}
	n := &html.Node{Type: html.ElementNode, Data: t.Data, DataAtom: t.DataAtom, Attr: shortAttrs(t.Attr)}
	b.endText()
	b.top().AppendChild(n)
	if t.Type != html.SelfClosingTagToken && !void[t.Data] && len(b.open) < 2*maxNesting {
		b.open = append(b.open, n)
	}
}

// end closes the deepest open element with a name, and those within. html and body stay open.
func (b *treeBuilder) end(name string) {
	if b.skipped[name] > 0 {
		b.skipped[name]--
		return
	}
	for i := len(b.open) - 1; i > 2; i-- {
		if b.open[i].Data == name {
			b.endText()
			b.open = b.open[:i]
			return
		}
	}
}

// wrappers are elements that say nothing about their contents.
var wrappers = wordSet("center div font section span")

// attr returns the value of an attribute, nothing if the node has none.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// element returns the first element with one of the names, nil if there is none.
func element(tree *html.Node, names ...string) *html.Node {
	for _, name := range names {
		for n := range tree.Descendants() {
			if n.Type == html.ElementNode && n.Data == name {
				return n
			}
		}
	}
	return nil
}

// textOf returns the text of a tree as it is, with spaces between blocks. It ends after limit bytes and the rest of
// that text node.
func textOf(tree *html.Node, limit int) string {
	var b strings.Builder
	for n := range tree.Descendants() {
		switch {
		case n.Type == html.ElementNode && !inline[n.Data]:
			b.WriteByte(' ')
		case n.Type == html.TextNode && !isRaw(n.Parent):
			if last := n.PrevSibling; last != nil && last.Type == html.ElementNode && !inline[last.Data] {
				b.WriteByte(' ')
			}
			b.WriteString(n.Data)
		}
		if b.Len() > limit {
			break
		}
	}
	return b.String()
}

// textLen returns the number of bytes of the text of a tree without white space, at most limit.
func textLen(tree *html.Node, limit int) (size int) {
	for n := range tree.Descendants() {
		if n.Type == html.TextNode && !isRaw(n.Parent) {
			for word := range strings.FieldsSeq(n.Data) {
				size += len(word)
			}
		}
		if size >= limit {
			return limit
		}
	}
	return size
}

// isRaw reports whether the text of an element is none for people.
func isRaw(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "noscript", "template", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

// inline are the elements that end no word.
var inline = wordSet("a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span " +
	"strike strong sub sup time tt u var wbr")

// wordSet returns the set of the words in a text.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
