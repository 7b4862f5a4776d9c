package extract

import (
	"strings"

	"golang.org/x/net/html"
)

// extent counts the contents of an element.
type extent struct {
	prose, text int  // bytes outside links and of all text, without white space
	isMain      bool // the heading of the page, or the element that the page names as its main one; or it is that
	hasFields   bool // a form, or fields of one
}

// measure returns the extent of an element, and notes it and those of all within. It takes time in proportion to the
// page, which asking each element anew would not.
func (c *cleaner) measure(n *html.Node) extent {
	e := extent{
		isMain:    n == c.title || n.Data == "main" || attr(n, "role") == "main",
		hasFields: n.Data == "form" || fields[n.Data],
	}
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode && !isRaw(n):
			size := wordBytes(child.Data)
			e.prose, e.text = e.prose+size, e.text+size
		case child.Type == html.ElementNode:
			inner := c.measure(child)
			e.text += inner.text
			if child.Data != "a" {
				e.prose += inner.prose
			}
			e.isMain, e.hasFields = e.isMain || inner.isMain, e.hasFields || inner.hasFields
		}
	}
	c.extent[n] = e
	return e
}

// proseLen returns the number of bytes of a tree outside links, without white space.
func proseLen(n *html.Node) (size int) {
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode && !isRaw(n):
			size += wordBytes(child.Data)
		case child.Type == html.ElementNode && child.Data != "a":
			size += proseLen(child)
		}
	}
	return size
}

// wordBytes returns the number of bytes of a text without white space.
func wordBytes(text string) (size int) {
	for word := range strings.FieldsSeq(text) {
		size += len(word)
	}
	return size
}
