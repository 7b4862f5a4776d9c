package extract

import (
	"net/url"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mainContent returns the main content of a page: what readability finds or, if it finds nothing, the element that
// the page names as its main one, or the body. The tree is used up. Links in the content are absolute; those that lead
// to no page are text.
func mainContent(tree *html.Node, base *url.URL, simple bool) *html.Node {
	body := element(tree, "main", "article", "body")
	if body == nil {
		body = tree
	}
	content := body
	if !simple {
		if article, err := readability.FromDocument(tree, base); err == nil && article.Node != nil {
			content = article.Node
		}
	}
	fixLinks(content, base)
	return content
}

// fixLinks makes the links absolute, and text of those that lead to no page.
func fixLinks(content *html.Node, base *url.URL) {
	for n := range content.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" {
			continue
		}
		to := resolve(base, attr(n, "href"))
		if n.Attr = nil; to != nil {
			n.Attr = []html.Attribute{{Key: "href", Val: to.String()}}
		} else {
			rename(n, "span")
		}
	}
}

// rename makes an element one with another name, without attributes.
func rename(n *html.Node, name string) {
	n.Data, n.DataAtom, n.Attr = name, atom.Lookup([]byte(name)), nil
}
