package probe

import (
	"bytes"
	"encoding/xml"
)

// pdfFacts is what a PDF says of itself.
type pdfFacts struct {
	title    string // empty: none, or none that can be read
	language string // /Lang of the catalog
	pages    int    // 0: not known
	locked   bool   // a password is needed to read it
}

const (
	pdfHeaderWithin = 1024    // where the header may stand (ISO 32000-2 annex I.1)
	pdfMaxPages     = 1 << 20 // a larger count is a broken one
)

// readPDF reads a PDF, or the beginning of one. It does not follow the cross-reference table, which stands at the end and so is
// missing from a body that was cut: it goes through the file once and takes each object that it meets, as readers do to repair a
// damaged file. What it reports is false where there is no PDF.
func readPDF(body []byte) (pdfFacts, bool) {
	if !isPDF(body) {
		return pdfFacts{}, false
	}
	f := newPDFFile(body)
	catalog := f.catalog()
	facts := pdfFacts{pages: f.pages(catalog.dict()), locked: f.locked, title: f.infoTitle(), language: f.text(catalog, catalog.dict()["Lang"])}
	if facts.title == "" {
		facts.title = f.xmpTitle(catalog.dict())
	}
	return facts, true
}

func isPDF(body []byte) bool {
	return bytes.Contains(body[:min(len(body), pdfHeaderWithin)], []byte("%PDF-"))
}

// catalog returns the catalog: the one that the trailer names or, where that is cut off, the only one there is.
func (f *pdfFile) catalog() pdfObject {
	if root := f.resolve(f.trailer["Root"]); root.dict()["Pages"] != nil {
		return root
	}
	return f.only(func(d pdfDict) bool { return d["Type"] == pdfName("Catalog") })
}

// only returns the object whose dictionary has the property, if there is exactly one.
func (f *pdfFile) only(property func(pdfDict) bool) (found pdfObject) {
	for _, o := range f.objects {
		if d := o.dict(); d != nil && property(d) {
			if found.value != nil {
				return pdfObject{}
			}
			found = o
		}
	}
	return found
}

// pages returns the count of the root of the page tree, or what a linearized file says at its beginning.
func (f *pdfFile) pages(catalog pdfDict) int {
	root := f.resolve(catalog["Pages"]).dict()
	if root == nil {
		root = f.only(func(d pdfDict) bool { return d["Type"] == pdfName("Pages") && d["Parent"] == nil }).dict()
	}
	count, _ := f.resolve(root["Count"]).value.(int)
	if count == 0 {
		count, _ = f.linearized["N"].(int)
	}
	if count < 0 || count > pdfMaxPages {
		return 0
	}
	return count
}

// infoTitle returns the title in the information dictionary that the trailer names. Where that is cut off, none is looked for:
// drawings that were put into the file bring dictionaries like it, with titles of their own.
func (f *pdfFile) infoTitle() string {
	info := f.resolve(f.trailer["Info"])
	return f.text(info, info.dict()["Title"])
}

// text returns the text that is a value of an object, in plain.
func (f *pdfFile) text(of pdfObject, value any) string {
	if ref, ok := value.(pdfRef); ok {
		of = f.objects[int(ref)]
		value = of.value
	}
	s, ok := value.(pdfString)
	if !ok {
		return ""
	}
	return cleanText(f.decryptString(of, s).text())
}

// xmpTitle returns the title in the XMP metadata, which may be readable in an encrypted file.
func (f *pdfFile) xmpTitle(catalog pdfDict) string {
	metadata := f.data(f.resolve(catalog["Metadata"]))
	return cleanText(readXMPTitle(metadata))
}

// readXMPTitle returns the first text of dc:title, or the one in the default language (XMP specification part 1, section 8.2.2.4).
func readXMPTitle(metadata []byte) (title string) {
	const dublinCore = "http://purl.org/dc/elements/1.1/"
	d := xml.NewDecoder(bytes.NewReader(metadata))
	within, standard := false, false
	for {
		token, err := d.Token()
		if err != nil {
			return title
		}
		switch t := token.(type) {
		case xml.StartElement:
			within = within || t.Name == xml.Name{Space: dublinCore, Local: "title"}
			standard = hasAttr(t, "lang", "x-default")
		case xml.EndElement:
			if t.Name == (xml.Name{Space: dublinCore, Local: "title"}) {
				return title
			}
		case xml.CharData:
			if text := cleanText(string(t)); within && text != "" && (title == "" || standard) {
				title = text
			}
		}
	}
}

func hasAttr(e xml.StartElement, local, value string) bool {
	for _, a := range e.Attr {
		if a.Name.Local == local && a.Value == value {
			return true
		}
	}
	return false
}
