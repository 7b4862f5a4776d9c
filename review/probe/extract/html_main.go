package extract

import (
	"cmp"
	"net/url"
	"strconv"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mainContent returns the main content of a page with a title. The tree is used up. Links in the content are absolute;
// those that lead to no page are text.
//
// A page that repeats its title as a heading begins there: all before it is about the site. The rest is cleaned, and
// the part under the heading is taken alone. readability leaves out more, but is made for articles: of forms, lists and
// short sections it keeps a part, or nothing; then the cleaned part counts.
func mainContent(tree *html.Node, title string, base *url.URL, simple bool) *html.Node {
	body := cmp.Or(element(tree, "body", "frameset"), tree)
	heading := titleHeading(body, title)
	if heading != nil {
		dropBefore(heading, body)
	}
	clean(body, cmp.Or(heading, firstHeading(body)))
	content := body
	if heading != nil {
		if content = headedPart(heading, body); content == body {
			dropLinkBlocks(body, heading)
		}
	}
	if found := readable(content, base); !simple && found != nil && keepsEnough(found, content, heading != nil) {
		content = found
	} else if heading == nil {
		content = mainElement(body)
	}
	fixLinks(content, base)
	return content
}

// firstHeading returns the first h1 that is no link, as a logo is; nil if there is none.
func firstHeading(body *html.Node) *html.Node {
	for n := range body.Descendants() {
		if n.Data == "h1" && proseLen(n) > 0 {
			return n
		}
	}
	return nil
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
func mainElement(body *html.Node) *html.Node {
	all := proseLen(body)
	for _, is := range mainElements {
		for n := range body.Descendants() {
			if n.Type == html.ElementNode && is(n) && 2*proseLen(n) > all {
				return n
			}
		}
	}
	return body
}

// readable returns the content that readability finds in a part of a page; nil: none. The part is not changed, but
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

const (
	minFound   = 200  // bytes of text that readability must find in a whole page
	shortPart  = 2000 // bytes of text; a shorter part under a heading counts as a whole, unless it has many links
	keptOfPart = 70   // percent of the text of a longer part that it must keep
	longFound  = 1500 // bytes of text; an article is among comments and other articles, and less of the part is enough
	keptOfLong = 10   // percent
)

// keepsEnough reports whether readability has found the content of a part of a page, which is under the heading of the
// page or the whole page. Texts of links do not count.
func keepsEnough(found, part *html.Node, isHeaded bool) bool {
	kept, all := proseLen(found), proseLen(part)
	if !isHeaded {
		return kept >= minFound
	}
	if links := textLen(part, maxCompared) - all; all < shortPart && 3*links < all {
		return false
	}
	return 100*kept >= keptOfPart*all || kept >= longFound && 100*kept >= keptOfLong*all
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
