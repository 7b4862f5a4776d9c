package extract

import (
	"bytes"
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"sync"
)

// rawObject is an indirect object in the bytes of a file.
type rawObject struct {
	number []byte // in decimal; nil: there is no object
	text   []byte // its value; of a stream, the dictionary
	data   []byte // of a stream; nil: it is none
}

// The forms of objects and entries in the bytes of a file.
var (
	objectForm     = form(`(?s)\b(\d{1,9})\s+\d{1,5}\s+obj\b(.*?)\b(endobj|stream)\b`)
	catalogForm    = form(`/Type\s*/Catalog\b`)
	pagesForm      = form(`/Pages\s+(\d{1,7})\s+\d{1,5}\s+R\b`)
	metadataForm   = form(`/Metadata\s+(\d{1,7})\s+\d{1,5}\s+R\b`)
	linearizedForm = form(`/Linearized\b[^>]*/N\s+(\d{1,6})\b`)
)

// form returns a regular expression that is compiled on first use: only broken files, and those without a title, need
// one.
func form(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// rawObjects yields the objects of a file in their order, without those in compressed object streams.
func rawObjects(body []byte) iter.Seq[rawObject] {
	return func(yield func(rawObject) bool) {
		for at := objectForm().FindSubmatchIndex(body); at != nil; at = objectForm().FindSubmatchIndex(body) {
			o := rawObject{number: body[at[2]:at[3]], text: body[at[4]:at[5]]}
			isStream := body[at[6]] == 's'
			if body = body[at[1]:]; isStream {
				o.data, body, _ = bytes.Cut(body, []byte("endstream"))
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
