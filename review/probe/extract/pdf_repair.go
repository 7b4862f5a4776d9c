package extract

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"

	"visto/review/lazyregexp"
)

// rawObject is an indirect object in the bytes of a file.
type rawObject struct {
	number []byte // in decimal; nil: there is no object
	text   []byte // its value; of a stream, the dictionary
	data   []byte // of a stream; nil: it is none
}

// The forms of objects and entries in the bytes of a file.
var (
	headForm       = lazyregexp.New(`\b(\d{1,9})\s+\d{1,5}\s+$`) // before "obj"
	endForm        = lazyregexp.New(`\b(?:endobj|stream)\b`)
	catalogForm    = lazyregexp.New(`/Type\s*/Catalog\b`)
	pagesForm      = lazyregexp.New(`/Pages\s+(\d{1,7})\s+\d{1,5}\s+R\b`)
	metadataForm   = lazyregexp.New(`/Metadata\s+(\d{1,7})\s+\d{1,5}\s+R\b`)
	linearizedForm = lazyregexp.New(`/Linearized\b[^>]*/N\s+(\d{1,6})\b`)
)

const (
	maxRawHead   = 32       // bytes of the numbers before "obj"
	maxRawObject = 64 << 10 // bytes that are looked at of an object
)

// rawObjects yields the objects of a file in their order, without those in compressed object streams.
func rawObjects(body []byte) iter.Seq[rawObject] {
	return func(yield func(rawObject) bool) {
		for rest, more := body, true; more; {
			var before []byte
			before, rest, more = bytes.Cut(rest, []byte("obj"))
			head := headForm().FindSubmatch(before[max(0, len(before)-maxRawHead):])
			if head == nil || !more {
				continue
			}
			o := rawObject{number: head[1], text: rest[:min(len(rest), maxRawObject)]}
			if end := endForm().FindIndex(o.text); end != nil {
				o.text = o.text[:end[0]]
			}
			rest = rest[len(o.text):]
			if after, isStream := bytes.CutPrefix(rest, []byte("stream")); isStream {
				o.data, rest, _ = bytes.Cut(after, []byte("endstream"))
			}
			if !yield(o) {
				return
			}
		}
	}
}

// withTrailer returns the whole objects of a cut file and a trailer that names the only catalog. PDFium opens no file
// without one. If there is no catalog, the file stays unchanged.
func withTrailer(body []byte) []byte {
	catalog := catalogOf(body)
	if catalog.number == nil {
		return body
	}
	return fmt.Appendf(wholeObjects(body), "trailer\n<< /Root %s 0 R >>\nstartxref\n0\n%%%%EOF\n", catalog.number)
}

// withPageTree returns the whole objects of a cut file and a page tree that claims one page and has none. PDFium opens
// no file without a page tree. A file made for page by page loading has its trailer near the beginning, and its page
// tree near the end.
func withPageTree(body []byte) []byte {
	m := pagesForm().FindSubmatch(catalogOf(body).text)
	if m == nil {
		return body
	}
	return fmt.Appendf(wholeObjects(body), "%s 0 obj\n<< /Type /Pages /Kids [] /Count 1 >>\nendobj\n", m[1])
}

// wholeObjects returns a copy of the file up to the end of its last whole object. The rest may hold half a number.
func wholeObjects(body []byte) []byte {
	return append(bytes.Clone(body[:max(0, bytes.LastIndex(body, []byte("endobj")))]), "endobj\n"...)
}

// catalogOf returns the catalog, if there is exactly one. Of objects with the same number the last counts: it replaces
// the others.
func catalogOf(body []byte) (found rawObject) {
	for o := range rawObjects(body) {
		if !catalogForm().Match(o.text) {
			continue
		}
		if found.number != nil && !bytes.Equal(o.number, found.number) {
			return rawObject{}
		}
		found = o
	}
	return found
}

// linearizedPages returns the number of pages that a file made for page by page loading states in its first 1,024 bytes
// (ISO 32000-2 annex F), 0 for any other file.
func linearizedPages(body []byte) int {
	m := linearizedForm().FindSubmatch(body[:min(len(body), 1024)])
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n
}
