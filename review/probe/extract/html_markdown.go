package extract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// newMarkdown returns a converter that keeps headings, lists, tables, code and links, and drops images.
func newMarkdown() *converter.Converter {
	c := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		table.NewTablePlugin(table.WithSkipEmptyRows(true), table.WithHeaderPromotion(true),
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
	))
	c.Register.TagType("img", converter.TagTypeRemove, converter.PriorityEarly)
	return c
}

// write returns the content in Markdown, and whether it was cut. The tree is used up.
func (r *pageReader) write(content *html.Node) (text string, cut bool) {
	cut = prune(content)
	normalize(content, 0)
	markdown, err := r.markdown.ConvertNode(content)
	if err != nil { // a plugin is missing
		return "", false
	}
	text, cutAgain := cutText(plainText(string(markdown)), MaxText)
	return text, cut || cutAgain
}

// prune removes all that follows the first MaxText bytes of text, and reports whether there was more text: a converter
// has no limit of its own.
func prune(content *html.Node) (more bool) {
	var beyond []*html.Node
	size := 0
	for n := range content.Descendants() {
		if size > MaxText {
			beyond = append(beyond, n)
			more = more || n.Type == html.TextNode
		} else if n.Type == html.TextNode {
			for word := range strings.FieldsSeq(n.Data) {
				size += len(word)
			}
		}
	}
	for _, n := range beyond {
		n.Parent.RemoveChild(n)
	}
	return more
}

// maxIndented is the number of lists and quotes within each other that Markdown shows. Each level makes all its lines
// longer.
const maxIndented = 8

// normalize makes elements that Markdown lacks others that it has. depth counts the lists and quotes around.
func normalize(parent *html.Node, depth int) {
	for n := range parent.ChildNodes() {
		if n.Type != html.ElementNode {
			continue
		}
		inner := depth
		switch n.Data {
		case "ul", "ol", "blockquote":
			if inner++; inner > maxIndented {
				rename(n, "div")
			}
		case "li":
			if depth > maxIndented {
				rename(n, "div")
			}
		case "dt":
			rename(n, "p")
			wrapContents(n, "strong")
		case "dl", "dd":
			rename(n, "div")
		case "table":
			normalizeTable(n)
		}
		normalize(n, inner)
	}
}

// wrapContents puts an inline element around the contents of another, unless they hold a block.
func wrapContents(n *html.Node, name string) {
	for inner := range n.Descendants() {
		if inner.Type == html.ElementNode && !inline[inner.Data] {
			return
		}
	}
	wrap := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	for child := n.FirstChild; child != nil; child = n.FirstChild {
		n.RemoveChild(child)
		wrap.AppendChild(child)
	}
	n.AppendChild(wrap)
}

// normalizeTable makes the cells of a table of data single lines, and a table that only places its parts a sequence of
// them.
func normalizeTable(t *html.Node) {
	isData := isDataTable(t)
	spans := hasSpans(t)
	for _, n := range slices.Collect(t.Descendants()) {
		switch {
		case n.Type != html.ElementNode:
		case !isData && tableParts[n.Data]:
			if tableOf(n) == t {
				rename(n, "div")
			}
		case isData && tableParts[n.Data]:
			if !spans {
				n.Attr = nil
			}
		case isData && (n.Data == "br" || n.Data == "hr"):
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, n)
			n.Parent.RemoveChild(n)
		case isData && !inline[n.Data]:
			if n.Data == "li" && n.PrevSibling != nil {
				n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: "; "}, n)
			} else {
				n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, n)
			}
			rename(n, "span")
		}
	}
	if !isData {
		rename(t, "div")
	}
}

// tableOf returns the innermost table around a part of one.
func tableOf(n *html.Node) *html.Node {
	for up := range n.Ancestors() {
		if up.Data == "table" {
			return up
		}
	}
	return nil
}

var tableParts = wordSet("caption colgroup col thead tbody tfoot tr th td")

const (
	maxCell    = 1000 // bytes of a cell of a table of data
	maxColumns = 50   // of a table of data
	maxSpan    = 50   // columns or rows of a cell
)

// hasSpans reports whether cells cover several columns or rows in a way that may be: the converter makes a cell for
// each place that they cover.
func hasSpans(t *html.Node) bool {
	count, covered := 0, 0
	for n := range t.Descendants() {
		if n.Data == "td" || n.Data == "th" {
			columns, rows := span(n, "colspan"), span(n, "rowspan")
			if columns > maxSpan || rows > maxSpan {
				return false
			}
			count++
			covered += columns * rows
		}
	}
	return covered <= 5*count+maxCell
}

func span(cell *html.Node, name string) int {
	n, err := strconv.Atoi(strings.TrimSpace(attr(cell, name)))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// isDataTable tells a table of data from one that places the parts of a page.
func isDataTable(t *html.Node) bool {
	rows, wide, heads := 0, 0, 0
	for n := range t.Descendants() {
		switch n.Data {
		case "table", "h1", "h2", "h3", "h4", "h5", "h6", "pre":
			return false
		case "th", "caption":
			heads++
		case "td":
			if textLen(n, maxCell) == maxCell {
				return false
			}
		case "tr":
			count := cells(n)
			if count > maxColumns {
				return false
			}
			if rows++; count > 1 {
				wide++
			}
		}
	}
	return wide > 1 || heads > 0 && rows > 0
}

func cells(row *html.Node) (count int) {
	for n := range row.ChildNodes() {
		if n.Data == "td" || n.Data == "th" {
			count++
		}
	}
	return count
}
