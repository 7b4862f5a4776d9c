package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"visto/review/probe/extract"
)

// pdfHeaderWithin is the number of bytes within which the header of a PDF must begin (ISO 32000-2 annex I.1).
const pdfHeaderWithin = 1024

// readPDF takes the title, the language, the number of pages and, if it is wanted, the text of a PDF.
func (p *pageReader) readPDF(ctx context.Context) {
	body := p.from.Body
	if !bytes.Contains(body[:min(len(body), pdfHeaderWithin)], []byte("%PDF-")) {
		p.caveat("The answer says that it is a PDF and is none.")
		return
	}
	if p.documents == nil {
		p.caveat("The PDF was not read.")
		return
	}
	text := 0
	if p.wanted {
		text = extract.MaxText
	}
	doc, err := p.documents.PDF(ctx, body, text)
	if err != nil {
		p.caveat("The PDF could not be read: %s.", cleanText(err.Error()))
		return
	}
	p.Title, p.PDFPages, p.Language = cleanText(doc.Title), doc.Pages, languageTag(doc.Language)
	if p.wanted {
		p.Content = &doc
	}
	switch {
	case doc.Locked:
		p.caveat("The PDF is locked with a password: nothing of it can be read.")
	case p.PDFPages == 0 && p.from.Truncated:
		p.caveat("The number of pages stands in the part of the PDF that was not read.")
	case p.PDFPages == 0:
		p.caveat("The PDF is damaged: its number of pages cannot be read.")
	}
}

// jsonKinds names a JSON value by its first byte.
var jsonKinds = map[byte]string{'{': "an object", '[': "a list", '"': "a text", 't': "true or false",
	'f': "true or false", 'n': "null"}

// readJSON names the kind of the data: there is no page to read (seed 003, API/JSON response).
func (p *pageReader) readJSON() {
	text := bytes.TrimSpace(bytes.TrimPrefix(p.from.Body, []byte("\xEF\xBB\xBF")))
	switch {
	case p.from.Truncated:
		p.caveat("The answer is JSON, data for programs and not a page, and too long to be checked.")
	case !json.Valid(text):
		p.caveat("The answer says that it is JSON and is not valid.")
	default:
		kind, ok := jsonKinds[text[0]]
		if !ok {
			kind = "a number"
		}
		p.caveat("The answer is JSON (%s): data for programs, not a page.", kind)
	}
}

// xmlKinds names XML documents by their root element.
var xmlKinds = map[string]string{
	"rss":          "an RSS feed: news for programs, not a page",
	"RDF":          "an RSS feed: news for programs, not a page",
	"feed":         "an Atom feed: news for programs, not a page",
	"urlset":       "a site map: for programs, not a page",
	"sitemapindex": "a site map: for programs, not a page",
}

// readXML reads a feed or any other XML. XHTML, which may come as XML too, is a page.
func (p *pageReader) readXML() {
	f := readXML(p.from.Body, p.from.Header.Get("Content-Type"))
	switch {
	case f.root == "html":
		p.readHTML()
		return
	case f.root == "":
		p.caveat("The answer says that it is XML and is not.")
	case xmlKinds[f.root] != "":
		p.caveat("The answer is %s.", xmlKinds[f.root])
	default:
		p.caveat("The answer is XML (%s): data for programs, not a page.", cleanText(f.root))
	}
	p.Title, p.Language = f.title, languageTag(f.lang)
}

// xmlFacts holds the statements of an XML document about itself.
type xmlFacts struct {
	root  string // the local name of the root element; empty: no XML
	title string // of a feed, or of any document with a <title> near its beginning
	lang  string // xml:lang of the root, <language> of an RSS feed
}

const (
	maxXMLTokens = 2000 // the title stands near the beginning
	maxXMLDepth  = 4    // deeper titles belong to parts of the document
)

// readXML reads the beginning of a document. As for HTML, the charset in the header comes first.
func readXML(body []byte, contentType string) (f xmlFacts) {
	d := xml.NewDecoder(bytes.NewReader(extract.UTF8(body, contentType)))
	d.Strict, d.Entity = false, xml.HTMLEntity
	// the text is in UTF-8 already
	d.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil }
	path := make([]string, 0, maxXMLDepth)
	for range maxXMLTokens {
		token, err := d.Token()
		if err != nil {
			return f
		}
		switch t := token.(type) {
		case xml.StartElement:
			if path = append(path, t.Name.Local); f.root == "" {
				f.root, f.lang = t.Name.Local, xmlLang(t)
			}
		case xml.EndElement:
			path = path[:max(0, len(path)-1)]
		case xml.CharData:
			f.text(path, string(t))
		}
	}
	return f
}

func (f *xmlFacts) text(path []string, text string) {
	if len(path) < 2 || len(path) > maxXMLDepth {
		return
	}
	switch strings.ToLower(path[len(path)-1]) {
	case "title":
		setFirst(&f.title, cleanText(text))
	case "language":
		setFirst(&f.lang, text)
	}
}

// xmlLang returns the value of xml:lang.
func xmlLang(e xml.StartElement) string {
	i := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == "lang" })
	if i < 0 {
		return ""
	}
	return e.Attr[i].Value
}
