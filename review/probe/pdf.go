package probe

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"io"
)

// pdfFacts is what a PDF says of itself.
type pdfFacts struct {
	title     string // empty: none, or encrypted
	language  string // /Lang of the catalog
	pages     int    // 0: not known
	encrypted bool
}

const (
	pdfHeaderWithin = 1024     // where the header may stand (ISO 32000-2 annex I.1)
	pdfMaxInflated  = 8 << 20  // bytes of compressed objects and metadata that are unpacked, in all
	pdfMaxObjects   = 200_000  // objects that are kept
	pdfMaxPages     = 1 << 20  // a larger count is a broken one
	pdfWork         = 16 << 20 // bytes that are read for a file of any size, counted each time they are read
)

// readPDF reads a PDF, or the beginning of one. It does not follow the cross-reference table, which stands at the end and so is
// missing from a body that was cut: it goes through the file once and takes each object that it meets, as readers do to repair a
// damaged file. What it reports is false where there is no PDF.
func readPDF(body []byte) (pdfFacts, bool) {
	if !isPDF(body) {
		return pdfFacts{}, false
	}
	budget := pdfWork
	f := &pdfFile{body: body, budget: &budget, objects: map[int]pdfObject{}, trailer: pdfDict{}}
	f.scan()
	catalog := f.catalog()
	facts := pdfFacts{pages: f.pages(catalog), encrypted: f.trailer["Encrypt"] != nil}
	if !facts.encrypted {
		facts.title = f.infoTitle()
		lang, _ := f.resolve(catalog["Lang"]).value.(pdfString)
		facts.language = lang.text()
	}
	if facts.title == "" {
		facts.title = f.xmpTitle(catalog)
	}
	return facts, true
}

func isPDF(body []byte) bool {
	return bytes.Contains(body[:min(len(body), pdfHeaderWithin)], []byte("%PDF-"))
}

// pdfFile is a PDF as far as it was read.
type pdfFile struct {
	body     []byte
	budget   *int
	inflated int // bytes unpacked so far

	objects    map[int]pdfObject // by number; of two with one number, the later in the file is the newer
	trailer    pdfDict           // of all trailers: where they differ, the later one counts
	linearized pdfDict           // the first object of a file made for page by page loading
}

// pdfObject is an indirect object: its value and, of a stream, the data as it stands in the file.
type pdfObject struct {
	value any
	data  []byte
}

func (o pdfObject) dict() pdfDict {
	dict, _ := o.value.(pdfDict)
	return dict
}

// scan finds the objects and trailers of the file.
func (f *pdfFile) scan() {
	l := pdfLexer{text: f.body, budget: f.budget}
	for *f.budget > 0 && len(f.objects) < pdfMaxObjects {
		at, number := f.nextObject(l.pos)
		f.scanTrailers(l.pos, at)
		if at < 0 {
			return
		}
		l.pos = at
		value, ok := l.value(0)
		if !ok {
			l.pos = at
			continue
		}
		f.add(number, pdfObject{value, f.stream(&l, value)})
	}
}

// nextObject finds the next "12 0 obj", and returns where what follows it begins, or -1, and the number.
func (f *pdfFile) nextObject(from int) (at, number int) {
	for {
		i := bytes.Index(f.body[from:], []byte("obj"))
		if i < 0 {
			return -1, 0
		}
		at, from = from+i, from+i+len("obj")
		if number, ok := numberBefore(f.body[:at]); ok {
			return from, number
		}
	}
}

// numberBefore reads the number and the generation that stand at the end of the text.
func numberBefore(text []byte) (number int, ok bool) {
	text = text[max(0, len(text)-24):]
	text = bytes.TrimRight(text, "\x00\t\n\f\r ")
	rest := bytes.TrimRight(text, "0123456789")
	text = bytes.TrimRight(rest, "\x00\t\n\f\r ")
	if len(text) == len(rest) {
		return 0, false
	}
	digits := text[len(bytes.TrimRight(text, "0123456789")):]
	for _, d := range digits {
		number = number*10 + int(d-'0')
	}
	return number, 0 < len(digits) && len(digits) <= 9
}

// scanTrailers takes the trailer dictionaries between two objects. to is -1 for the end of the file.
func (f *pdfFile) scanTrailers(from, to int) {
	if to < 0 {
		to = len(f.body)
	}
	for {
		i := bytes.Index(f.body[from:to], []byte("trailer"))
		if i < 0 {
			return
		}
		from += i + len("trailer")
		l := pdfLexer{text: f.body, pos: from, budget: f.budget}
		if value, ok := l.value(0); ok {
			f.addTrailer(pdfObject{value: value}.dict())
		}
	}
}

func (f *pdfFile) addTrailer(trailer pdfDict) {
	for _, key := range []pdfName{"Root", "Info", "Encrypt"} {
		if value, ok := trailer[key]; ok {
			f.trailer[key] = value
		}
	}
}

// add keeps an object, if it has anything to say.
func (f *pdfFile) add(number int, o pdfObject) {
	dict, isDict := o.value.(pdfDict)
	switch {
	case isDict && dict["Linearized"] != nil && f.linearized == nil:
		f.linearized = dict
	case dict["Type"] == pdfName("XRef"):
		f.addTrailer(dict)
		return
	case dict["Type"] == pdfName("ObjStm"):
		f.unpack(o)
		return
	case isDict && len(dict) == 0:
		delete(f.objects, number)
		return
	}
	f.objects[number] = o
}

// stream returns the data of a stream whose dictionary was just read, nil if it is none, and puts the lexer behind it.
func (f *pdfFile) stream(l *pdfLexer, value any) []byte {
	dict, ok := value.(pdfDict)
	if !ok {
		return nil
	}
	if l.space(); !l.take("stream") {
		return nil
	}
	_ = l.take("\r")
	_ = l.take("\n")
	begin := l.pos
	if length, ok := dict["Length"].(int); ok && length <= len(f.body)-begin {
		l.pos = begin + length
		if l.space(); l.take("endstream") {
			return f.body[begin : begin+length]
		}
	}
	end := bytes.Index(f.body[begin:], []byte("endstream"))
	if end < 0 { // cut off: there is nothing behind it
		l.pos = len(f.body)
		return f.body[begin:]
	}
	l.pos = begin + end
	return f.body[begin:l.pos]
}

// unpack takes the objects out of an object stream (ISO 32000-2 section 7.5.7).
func (f *pdfFile) unpack(stream pdfObject) {
	count, _ := stream.dict()["N"].(int)
	first, _ := stream.dict()["First"].(int)
	data := f.data(stream)
	index := pdfLexer{text: data, budget: f.budget}
	for range count {
		number, ok := index.integer()
		offset, ok2 := index.integer()
		if !ok || !ok2 || len(f.objects) >= pdfMaxObjects {
			return
		}
		f.unpackOne(data, number, first+offset)
	}
}

func (f *pdfFile) unpackOne(data []byte, number, at int) {
	if at < 0 || at >= len(data) {
		return
	}
	l := pdfLexer{text: data, pos: at, budget: f.budget}
	if value, ok := l.value(0); ok {
		f.add(number, pdfObject{value: value})
	}
}

// integer reads one of the numbers before the objects of an object stream: there are no references among them.
func (l *pdfLexer) integer() (n int, ok bool) {
	l.space()
	word := l.word()
	for _, d := range word {
		n = n*10 + int(d-'0')
	}
	return n, 0 < len(word) && len(word) <= 9 && isDigits(word)
}

// data unpacks a stream. Of a broken or cut one, as much as can be had; of a filter other than Flate, nothing.
func (f *pdfFile) data(o pdfObject) []byte {
	filter := o.dict()["Filter"]
	if list, ok := filter.(pdfArray); ok && len(list) == 1 {
		filter = list[0]
	}
	if filter == nil {
		return o.data
	}
	if filter != pdfName("FlateDecode") && filter != pdfName("Fl") || o.dict()["DecodeParms"] != nil {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(o.data))
	if err != nil {
		return nil
	}
	data, _ := io.ReadAll(io.LimitReader(r, int64(pdfMaxInflated-f.inflated)))
	f.inflated += len(data)
	return data
}

// resolve follows a reference; anything else is returned as it is.
func (f *pdfFile) resolve(value any) pdfObject {
	if ref, ok := value.(pdfRef); ok {
		return f.objects[int(ref)]
	}
	return pdfObject{value: value}
}

// catalog returns the catalog: the one that the trailer names or, where that is cut off, the only one there is.
func (f *pdfFile) catalog() pdfDict {
	if root := f.resolve(f.trailer["Root"]).dict(); root["Pages"] != nil {
		return root
	}
	return f.only(func(d pdfDict) bool { return d["Type"] == pdfName("Catalog") })
}

// only returns the dictionary that has the property, if there is exactly one.
func (f *pdfFile) only(property func(pdfDict) bool) (found pdfDict) {
	for _, o := range f.objects {
		if d := o.dict(); d != nil && property(d) {
			if found != nil {
				return nil
			}
			found = d
		}
	}
	return found
}

// pages returns the count of the root of the page tree, or what a linearized file says at its beginning.
func (f *pdfFile) pages(catalog pdfDict) int {
	root := f.resolve(catalog["Pages"]).dict()
	if root == nil {
		root = f.only(func(d pdfDict) bool { return d["Type"] == pdfName("Pages") && d["Parent"] == nil })
	}
	count, _ := f.resolve(root["Count"]).value.(int)
	if count == 0 {
		count, _ = f.linearized["N"].(int)
	}
	if count > pdfMaxPages {
		return 0
	}
	return count
}

// infoTitle returns the title in the information dictionary that the trailer names. Where that is cut off, none is looked for:
// drawings that were put into the file bring dictionaries like it, with titles of their own.
func (f *pdfFile) infoTitle() string {
	title, _ := f.resolve(f.resolve(f.trailer["Info"]).dict()["Title"]).value.(pdfString)
	return cleanText(title.text())
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
