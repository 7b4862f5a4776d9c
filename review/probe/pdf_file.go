package probe

import (
	"bytes"
	"compress/zlib"
	"io"
)

const (
	pdfMaxInflated = 8 << 20  // bytes of compressed objects and metadata that are unpacked, in all
	pdfMaxObjects  = 200_000  // objects that are kept
	pdfWork        = 16 << 20 // bytes that are read for a file of any size, counted each time they are read
)

// pdfFile is a PDF as far as it was read.
type pdfFile struct {
	body     []byte
	budget   *int
	inflated int // bytes unpacked so far

	objects    map[int]pdfObject // by number; of two with one number, the later in the file is the newer
	packed     []pdfObject       // the object streams
	trailer    pdfDict           // of all trailers: where they differ, the later one counts
	linearized pdfDict           // the first object of a file made for page by page loading
	crypt      *pdfCrypt         // how the file is encrypted; nil: it is not
	locked     bool              // it is, and cannot be decrypted
}

// pdfObject is an indirect object: its value and, of a stream, the data as it stands in the file.
type pdfObject struct {
	number, generation int
	at                 int // where it stands in the file
	value              any
	data               []byte
	plain              bool // its strings are not encrypted, because it is a part of a stream that is
}

func newPDFFile(body []byte) *pdfFile {
	budget := pdfWork
	f := &pdfFile{body: body, budget: &budget, objects: map[int]pdfObject{}, trailer: pdfDict{}}
	f.scan()
	if encrypt := f.trailer["Encrypt"]; encrypt != nil {
		f.crypt, f.locked = newPDFCrypt(f.resolve(encrypt).dict(), f.trailer["ID"])
	}
	for _, stream := range f.packed {
		f.unpack(stream)
	}
	return f
}

func (o pdfObject) dict() pdfDict {
	dict, _ := o.value.(pdfDict)
	return dict
}

// scan finds the objects and trailers of the file.
func (f *pdfFile) scan() {
	l := pdfLexer{text: f.body, budget: f.budget}
	for *f.budget > 0 && len(f.objects) < pdfMaxObjects {
		o := f.nextObject(l.pos)
		f.scanTrailers(l.pos, o.at)
		if o.at < 0 {
			return
		}
		l.pos = o.at
		value, ok := l.value(0)
		if !ok {
			l.pos = o.at
			continue
		}
		o.value, o.data = value, f.stream(&l, value)
		f.add(o)
	}
}

// nextObject finds the next "12 0 obj". It stands where the value begins, at -1 if there is none.
func (f *pdfFile) nextObject(from int) pdfObject {
	for {
		i := bytes.Index(f.body[from:], []byte("obj"))
		if i < 0 {
			return pdfObject{at: -1}
		}
		at := from + i
		from = at + len("obj")
		if number, generation, ok := numbersBefore(f.body[:at]); ok {
			return pdfObject{number: number, generation: generation, at: from}
		}
	}
}

// numbersBefore reads the number and the generation that stand at the end of the text.
func numbersBefore(text []byte) (number, generation int, ok bool) {
	text = text[max(0, len(text)-24):]
	rest, generation, ok := numberBefore(text)
	if !ok || len(rest) == 0 || !isPDFSpace(rest[len(rest)-1]) {
		return 0, 0, false
	}
	_, number, ok = numberBefore(rest)
	return number, generation, ok
}

// numberBefore reads the number at the end of the text, and returns what stands before it.
func numberBefore(text []byte) (rest []byte, n int, ok bool) {
	text = bytes.TrimRight(text, "\x00\t\n\f\r ")
	rest = bytes.TrimRight(text, "0123456789")
	digits := text[len(rest):]
	for _, d := range digits {
		n = n*10 + int(d-'0')
	}
	return rest, n, 0 < len(digits) && len(digits) <= 9
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
	for _, key := range []pdfName{"Root", "Info", "Encrypt", "ID"} {
		if value, ok := trailer[key]; ok {
			f.trailer[key] = value
		}
	}
}

// add keeps an object, if it has anything to say and is the newest with its number.
func (f *pdfFile) add(o pdfObject) {
	if f.objects[o.number].at > o.at {
		return
	}
	dict, isDict := o.value.(pdfDict)
	switch {
	case isDict && dict["Linearized"] != nil && f.linearized == nil:
		f.linearized = dict
	case dict["Type"] == pdfName("XRef"):
		f.addTrailer(dict)
		return
	case dict["Type"] == pdfName("ObjStm"):
		f.packed = append(f.packed, o)
		return
	case isDict && len(dict) == 0:
		delete(f.objects, o.number)
		return
	}
	f.objects[o.number] = o
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
	if length, ok := dict["Length"].(int); ok && 0 <= length && length <= len(f.body)-begin {
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
		f.unpackOne(data, first+offset, pdfObject{number: number, at: stream.at, plain: true})
	}
}

// unpackOne takes the object that stands at a place in the data.
func (f *pdfFile) unpackOne(data []byte, at int, o pdfObject) {
	if at < 0 || at >= len(data) {
		return
	}
	l := pdfLexer{text: data, pos: at, budget: f.budget}
	value, ok := l.value(0)
	if dict, _ := value.(pdfDict); !ok || dict["Type"] == pdfName("ObjStm") { // streams do not stand in streams
		return
	}
	o.value = value
	f.add(o)
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

// data decrypts and unpacks a stream. Of a broken or cut one, as much as can be had; of a filter other than Flate, nothing.
func (f *pdfFile) data(o pdfObject) []byte {
	raw, ok := f.decryptStream(o)
	filter := o.dict()["Filter"]
	if list, isList := filter.(pdfArray); isList && len(list) == 1 {
		filter = list[0]
	}
	switch {
	case !ok:
		return nil
	case filter == nil:
		return raw
	case filter != pdfName("FlateDecode") && filter != pdfName("Fl") || o.dict()["DecodeParms"] != nil:
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(raw))
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
	return pdfObject{value: value, plain: true}
}
