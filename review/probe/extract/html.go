package extract

import (
	"net/url"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
)

// pageReader reads HTML pages. It is not safe for concurrent use.
type pageReader struct {
	markdown *converter.Converter
}

func newPageReader() *pageReader { return &pageReader{newMarkdown()} }

// read reads a page, or the beginning of one. address is its URL, to which its links are relative; without a usable
// one it has no links. Whatever the body holds, time and memory are bounded by its size: see parsePage.
func (r *pageReader) read(body []byte, contentType, address string) Document {
	tree, simple := parsePage(UTF8(body, contentType))
	p := &page{tree: tree, base: baseOf(tree, address)}
	p.readMeta()
	p.readLinks()
	content := mainContent(tree, p.doc.Title, p.base, simple)
	p.markMain(content)
	p.keepLinks()
	p.doc.Headings = headings(content)
	p.doc.Text, p.doc.Cut = r.write(content)
	return p.doc
}

// page is a page that is read.
type page struct {
	tree *html.Node
	base *url.URL // nil: not known
	doc  Document
}

// baseOf returns the URL to which the links of a page are relative: that of its first <base> (HTML standard, section
// 4.2.3), or that of the page. It is nil if there is none.
func baseOf(tree *html.Node, address string) *url.URL {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" {
		return nil
	}
	for n := range tree.Descendants() {
		if n.Data == "base" && attr(n, "href") != "" {
			if to := resolve(base, attr(n, "href")); to != nil {
				return to
			}
			break
		}
	}
	return base
}

// resolve returns the http or https URL of a reference, without user and fragment; nil if it has none (RFC 3986
// section 5.2).
func resolve(base *url.URL, reference string) *url.URL {
	reference = strings.TrimSpace(reference)
	if base == nil || len(reference) >= maxURL {
		return nil
	}
	to, err := base.Parse(reference)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	if len(to.String()) >= maxURL {
		return nil
	}
	return to
}

// maxReadLinkBytes bounds the memory for the links of a page, before keepLinks chooses from them: their URLs and texts.
const maxReadLinkBytes = 2 << 20

// readLinks takes the links of the whole page, more than keepLinks keeps. A link within the page leads to no other.
func (p *page) readLinks() {
	at, size := map[string]int{}, 0
	for n := range p.tree.Descendants() {
		address, ok := linkURL(n, p.base)
		if !ok {
			continue
		}
		i, known := at[address]
		switch {
		case known && p.doc.Links[i].Text == "":
			p.doc.Links[i].Text = linkText(n)
			size += len(p.doc.Links[i].Text)
		case !known && size+len(address)+maxLinkText <= maxReadLinkBytes:
			at[address] = len(p.doc.Links)
			link := Link{URL: address, Text: linkText(n)}
			p.doc.Links = append(p.doc.Links, link)
			size += len(link.URL) + len(link.Text)
		}
	}
}

// linkURL returns the URL of a link to another page.
func linkURL(n *html.Node, base *url.URL) (string, bool) {
	if n.Data != "a" && n.Data != "area" {
		return "", false
	}
	reference := strings.TrimSpace(attr(n, "href"))
	if reference == "" || reference[0] == '#' {
		return "", false
	}
	to := resolve(base, reference)
	if to == nil {
		return "", false
	}
	return to.String(), true
}

// linkText returns the text of a link, else that of its images, else its title.
func linkText(n *html.Node) string {
	if text := oneLine(textOf(n, 4*maxLinkText), maxLinkText); text != "" {
		return text
	}
	for child := range n.Descendants() {
		if alt := oneLine(attr(child, "alt"), maxLinkText); alt != "" {
			return alt
		}
	}
	for _, name := range []string{"alt", "title", "aria-label"} {
		if text := oneLine(attr(n, name), maxLinkText); text != "" {
			return text
		}
	}
	return ""
}

// markMain marks the links that stand in the main content, whose addresses are absolute.
func (p *page) markMain(content *html.Node) {
	inMain := map[string]bool{}
	for n := range content.Descendants() {
		if n.Data == "a" {
			inMain[attr(n, "href")] = true
		}
	}
	for i := range p.doc.Links {
		p.doc.Links[i].Main = inMain[p.doc.Links[i].URL]
	}
}

// keepLinks drops the links beyond the bounds of a Document: those of menus and the like first, and then the last.
func (p *page) keepLinks() {
	kept, count, size := make([]bool, len(p.doc.Links)), 0, 0
	for _, isMain := range []bool{true, false} {
		for i, link := range p.doc.Links {
			with := size + len(link.URL) + len(link.Text)
			if link.Main == isMain && count < maxLinks && with <= maxLinkBytes {
				kept[i] = true
				count++
				size = with
			}
		}
	}
	var links []Link
	for i, link := range p.doc.Links {
		if kept[i] {
			links = append(links, link)
		}
	}
	p.doc.Links = links
}

// headings returns the headings of the main content in Markdown.
func headings(content *html.Node) (list []string) {
	size := 0
	for n := range content.Descendants() {
		level := headingLevel(n)
		if level == 0 {
			continue
		}
		text := oneLine(textOf(n, 4*maxLine), maxLine)
		if text == "" {
			continue
		}
		heading := strings.Repeat("#", level) + " " + text
		if size += len(heading) + 2; size > maxHeadings {
			break
		}
		list = append(list, heading)
	}
	return list
}

// headingLevel returns 1 to 6 for h1 to h6, 0 for any other element.
func headingLevel(n *html.Node) int {
	if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && '1' <= n.Data[1] && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}
