package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"visto/review/lazyregexp"
)

// titleHeading returns the heading of the page, nil if there is none: the one that repeats the most of the title, else
// an h1 that resembles the title, else the last text that is the title. A heading of the site is none.
func titleHeading(body *html.Node, title string) *html.Node {
	var best, similar, text *html.Node
	most := 0
	t := newTitleWords(title)
	for n := range body.Descendants() {
		level := headingLevel(n)
		if n.Type != html.ElementNode || level == 0 && textLen(n, len(title)+1) > len(title) || level > 4 {
			continue
		}
		words := wordsOf(textOf(n, maxLine))
		switch {
		case level == 0:
			if len(words) > 1 && slices.Equal(words, t.all) && !isOfSite(n) && !within(n, "a") {
				text = n
			}
		case len(words) > most && t.contain(words) && !isOfSite(n):
			best, most = n, len(words)
		case level == 1 && similar == nil && t.resemble(words) && !isOfSite(n):
			similar = n
		}
	}
	return cmp.Or(best, similar, text)
}

// titleWords are the words of a title.
type titleWords struct {
	all   []string
	parts [][]string // between marks: one is the name of the page, another that of the site
}

var titleMark = lazyregexp.New(`\s[|·•»/<>–—-]+\s|\s*:+\s|\.\s|\s*\|\s*`)

func newTitleWords(title string) titleWords {
	t := titleWords{all: wordsOf(title)}
	for _, part := range titleMark().Split(title, -1) {
		t.parts = append(t.parts, wordsOf(part))
	}
	return t
}

func wordsOf(text string) []string {
	isGap := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.FieldsFunc(strings.ToLower(text), isGap)
}

// contain reports whether words are a part of the title, or stand in it and are too many for chance.
func (t titleWords) contain(words []string) bool {
	if len(words) == 0 {
		return false
	}
	isPart := func(part []string) bool { return slices.Equal(part, words) }
	if slices.ContainsFunc(t.parts, isPart) {
		return true
	}
	for i := range t.all {
		if rest := t.all[i:]; len(words) > 2 && len(rest) >= len(words) && slices.Equal(rest[:len(words)], words) {
			return true
		}
	}
	return false
}

// resemble reports whether most of the words stand in the title, in any order.
func (t titleWords) resemble(words []string) bool {
	common := 0
	for _, w := range words {
		if slices.Contains(t.all, w) {
			common++
		}
	}
	return common > 2 && 2*common > len(words)
}

// isOfSite reports whether a heading is about the site: it leads to the home page, or stands in a part of the site.
func isOfSite(heading *html.Node) bool {
	inMain := false
	for up := range heading.Ancestors() {
		switch up.Data {
		case "main", "article", "section":
			inMain = true
		case "nav", "footer", "aside", "dialog":
			return true
		case "header":
			if !inMain {
				return true
			}
		}
		if landmarks[attr(up, "role")] || isInvisible(up) {
			return true
		}
	}
	link := element(heading, "a")
	return link != nil && strings.Trim(attr(link, "href"), "/") == ""
}

// dropBefore removes all that stands before a heading.
func dropBefore(heading, body *html.Node) {
	for n := heading; n != body; n = n.Parent {
		for n.PrevSibling != nil {
			n.Parent.RemoveChild(n.PrevSibling)
		}
	}
}

const (
	headedProse = 80  // bytes of text outside links under a heading; a part with less may be a frame of the title
	headedText  = 300 // bytes of text, with links
)

// headedPart returns the part of a page under its heading: the innermost element around it that has text, or one
// further out that adds much text, and few links beside it.
func headedPart(heading, body *html.Node) *html.Node {
	part, prose, all := heading, 0, 0
	own := textLen(heading, maxCompared)
	for up := range heading.Ancestors() {
		upProse, upAll := proseLen(up)-own, textLen(up, maxCompared)-own
		more, moreLinks := upProse-prose, (upAll-all)-(upProse-prose)
		if prose < headedProse && all < headedText || 10*more >= 3*prose && 10*moreLinks <= 3*more {
			part, prose, all = up, upProse, upAll
		}
		if up == body {
			break
		}
	}
	return part
}

// dropLinkBlocks removes from a body its blocks that are lists of links, except the one around the heading.
func dropLinkBlocks(body, heading *html.Node) {
	for n := body.FirstChild; n != nil; {
		next := n.NextSibling
		all := textLen(n, maxCompared)
		isHeaded := slices.Contains(slices.Collect(heading.Ancestors()), n)
		if n.Type == html.ElementNode && all > minLabel && 4*proseLen(n) < all && !isHeaded {
			body.RemoveChild(n)
		}
		n = next
	}
}
