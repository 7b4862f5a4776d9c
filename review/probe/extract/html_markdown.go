package extract

import (
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// newMarkdown returns a converter that keeps headings, lists, tables, code and links, and drops images.
func newMarkdown() *converter.Converter {
	c := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		table.NewTablePlugin(table.WithSkipEmptyRows(true), table.WithHeaderPromotion(true)),
	))
	c.Register.TagType("img", converter.TagTypeRemove, converter.PriorityEarly)
	return c
}

// write returns the content in Markdown, and whether it was cut. The tree is used up.
func (r *pageReader) write(content *html.Node) (text string, cut bool) {
	cut = prune(content)
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
