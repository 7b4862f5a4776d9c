package extract

import (
	"net/url"
	"strconv"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mainContent returns the main content of a page. The tree is used up. Links in the content are absolute; those that
// lead to no page are text.
//
// The page is cleaned first, and what it names as its main part is taken alone. Of that readability leaves out the rest
// of the boilerplate. It is made for articles: of a page that is a list of links, forms or short sections it keeps a
// part, or nothing; then the cleaned part counts.
func mainContent(tree *html.Node, base *url.URL, simple bool) *html.Node {
	body := element(tree, "body")
	if body == nil {
		body = tree
	}
	clean(body)
	content, isNamed := mainElement(body)
	if !simple {
		if found := readable(content, base); found != nil && keepsEnough(found, content, isNamed) {
			content = found
		}
	}
	fixLinks(content, base)
	return content
}

// mainElements are the elements that a page may name as its main part, the clearest first.
var mainElements = []func(*html.Node) bool{
	func(n *html.Node) bool { return n.Data == "main" || attr(n, "role") == "main" },
	func(n *html.Node) bool { return attr(n, "itemprop") == "mainContentOfPage" },
	func(n *html.Node) bool { return n.Data == "article" },
	func(n *html.Node) bool {
		for name := range names(n) {
			if mainNames[name] {
				return true
			}
		}
		return false
	},
}

var mainNames = wordSet(`main content main-content maincontent contenido contenidos contenido-principal
	contenidoprincipal principal cuerpo contingut contingut-principal contido edukia page-content content-main
	content-area region-content`)

// mainElement returns the element that the page names as its main part, or the body. It has most of the text: a part
// of a page may bear such a name too.
func mainElement(body *html.Node) (_ *html.Node, isNamed bool) {
	all := proseLen(body)
	for _, is := range mainElements {
		for n := range body.Descendants() {
			if n.Type == html.ElementNode && is(n) && 2*proseLen(n) > all {
				return n, true
			}
		}
	}
	return body, false
}

// readable returns what readability finds in a part of a page, nil if it finds nothing. The part is not changed, but
// moves to a tree of its own. readability takes headings of the first level for titles, and drops them; here they are
// of the second meanwhile.
func readable(part *html.Node, base *url.URL) *html.Node {
	page := &html.Node{Type: html.DocumentNode}
	root := &html.Node{Type: html.ElementNode, Data: "html", DataAtom: atom.Html}
	page.AppendChild(root)
	if part.Parent != nil {
		part.Parent.RemoveChild(part)
	}
	if part.Data == "body" {
		root.AppendChild(part)
	} else {
		body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		root.AppendChild(body)
		body.AppendChild(part)
	}
	for n := range part.Descendants() {
		if n.Data == "h1" {
			n.Data, n.DataAtom = "h2", atom.H2
			n.Attr = append(n.Attr, html.Attribute{Key: levelAttr, Val: "1"})
		}
	}
	article, err := readability.FromDocument(page, base)
	restoreLevels(part)
	if err != nil || article.Node == nil {
		return nil
	}
	restoreLevels(article.Node)
	return article.Node
}

const levelAttr = "data-visto-level"

func restoreLevels(tree *html.Node) {
	for n := range tree.Descendants() {
		if level, err := strconv.Atoi(attr(n, levelAttr)); err == nil && headingLevel(n) > 0 {
			rename(n, "h"+strconv.Itoa(level))
		}
	}
}

// The least part of the text that readability must keep, in percent: of the part that the page names as its main one,
// and of a whole page.
const (
	keptOfMain = 80
	keptOfPage = 40
)

func keepsEnough(found, part *html.Node, isNamed bool) bool {
	kept, all := textLen(found, maxCompared), textLen(part, maxCompared)
	if isNamed {
		return 100*kept >= keptOfMain*all
	}
	return 100*kept >= keptOfPage*all
}

const maxCompared = 1 << 20 // bytes; of a longer text both lengths count as equal

// fixLinks makes the links absolute, and text of those that lead to no page.
func fixLinks(content *html.Node, base *url.URL) {
	for n := range content.Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" {
			continue
		}
		to, ok := linkURL(n, base)
		if !ok {
			rename(n, "span")
			continue
		}
		n.Attr = []html.Attribute{{Key: "href", Val: to}}
	}
}

// rename makes an element one with another name, without attributes.
func rename(n *html.Node, name string) {
	n.Data, n.DataAtom, n.Attr = name, atom.Lookup([]byte(name)), nil
}
