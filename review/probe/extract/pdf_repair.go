package extract

import (
	"bytes"
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// rawObject is an indirect object in the bytes of a file.
type rawObject struct {
	number int
	text   []byte // its value; of a stream, the dictionary
	data   []byte // of a stream; nil: it is none
}

const maxRawObject = 64 << 10 // bytes that are looked at of an object

// pdfForms find objects and entries in the bytes of a file.
type pdfForms struct {
	object, end *regexp.Regexp // the beginning and the end of an object

	catalog, pages, xref  *regexp.Regexp // types of objects
	parent, root, trailer *regexp.Regexp // entries; trailer: those of a trailer that PDFium needs
	count, linearized     *regexp.Regexp // numbers
	pagesObject, metadata *regexp.Regexp // numbers of objects that a catalog refers to
}

// forms compiles the forms on first use: only broken files, and those without a title, need them.
var forms = sync.OnceValue(func() *pdfForms {
	space := strings.NewReplacer(" ", `[\x00\t\n\f\r ]+`, "~", `[\x00\t\n\f\r ]*`)
	compile := func(form string) *regexp.Regexp {
		form = strings.ReplaceAll(form, "REF", ` (\d{1,7}) \d{1,5} R\b`)
		return regexp.MustCompile(space.Replace(form))
	}
	return &pdfForms{
		object: compile(`\b(\d{1,9}) \d{1,5} obj\b`), end: compile(`\b(?:endobj|stream)\b`),
		catalog: compile(`/Type~/Catalog\b`), pages: compile(`/Type~/Pages\b`), xref: compile(`/Type~/XRef\b`),
		parent: compile(`/Parent\b`), root: compile(`/Root\b`),
		trailer: compile(`/(?:Root|Info|Encrypt)REF|/ID~\[[^]]*\]`),
		count:   compile(`/Count (\d{1,7})\b`), linearized: compile(`/Linearized\b[^>]*/N (\d{1,7})\b`),
		pagesObject: compile(`/PagesREF`), metadata: compile(`/MetadataREF`),
	}
})

// rawObjects yields the objects of a file in their order, without those in compressed object streams.
func rawObjects(body []byte) iter.Seq[rawObject] {
	return func(yield func(rawObject) bool) {
		for {
			at := forms().object.FindSubmatchIndex(body)
			if at == nil {
				return
			}
			number, _ := strconv.Atoi(string(body[at[2]:at[3]]))
			body = body[at[1]:]
			o := rawObject{number: number, text: body[:min(len(body), maxRawObject)]}
			if end := forms().end.FindIndex(o.text); end != nil {
				o.text = o.text[:end[0]]
			}
			body = body[len(o.text):]
			if after, isStream := bytes.CutPrefix(body, []byte("stream")); isStream {
				o.data, body, _ = bytes.Cut(after, []byte("endstream"))
			}
			if !yield(o) {
				return
			}
		}
	}
}

// withTrailer returns the whole objects of a cut file and a trailer, without which PDFium opens no file. The trailer
// repeats the entries of an earlier trailer, or names the only catalog. Without a catalog the file stays unchanged.
func withTrailer(body []byte) []byte {
	entries := trailerEntries(body)
	if !forms().root.Match(entries) {
		catalog, ok := only(body, forms().catalog, nil)
		if !ok {
			return body
		}
		entries = fmt.Appendf(entries, " /Root %d 0 R", catalog.number)
	}
	return fmt.Appendf(wholeObjects(body), "\ntrailer\n<<%s >>\nstartxref\n0\n%%%%EOF\n", entries)
}

// trailerEntries returns the entries that PDFium needs of the last trailer or cross-reference stream.
func trailerEntries(body []byte) (entries []byte) {
	var texts [][]byte
	for _, text := range bytes.Split(body, []byte("trailer"))[1:] {
		text, _, _ = bytes.Cut(text[:min(len(text), maxRawObject)], []byte("startxref"))
		texts = append(texts, text)
	}
	for o := range rawObjects(body) {
		if forms().xref.Match(o.text) {
			texts = append(texts, o.text)
		}
	}
	for _, text := range texts {
		if found := forms().trailer.FindAll(text, -1); forms().root.Match(text) {
			entries = append([]byte(" "), bytes.Join(found, []byte(" "))...)
		}
	}
	return entries
}

// wholeObjects returns a copy of the file up to the end of its last whole object. The rest may hold half a number.
func wholeObjects(body []byte) []byte {
	return append(bytes.Clone(body[:max(0, bytes.LastIndex(body, []byte("endobj")))]), "endobj"...)
}

// withPageTree adds a page tree that claims one page and has none. PDFium opens no file without a page tree, and in a
// file made for page by page loading it is near the end.
func withPageTree(body []byte) []byte {
	catalog, _ := only(body, forms().catalog, nil)
	number := numberOf(forms().pagesObject, catalog.text)
	if number == 0 {
		return body
	}
	tree := fmt.Appendf(nil, "\n%d 0 obj\n<< /Type /Pages /Kids [] /Count 1 >>\nendobj\ntrailer\n", number)
	i := bytes.LastIndex(body, []byte("\ntrailer\n"))
	if i < 0 {
		return body
	}
	return append(append(bytes.Clone(body[:i]), tree...), body[i+len("\ntrailer\n"):]...)
}

// only returns the one object that matches has and not lacks, if there is exactly one. Of objects with the same number
// the last counts: it replaces the others.
func only(body []byte, has, lacks *regexp.Regexp) (found rawObject, ok bool) {
	for o := range rawObjects(body) {
		if !has.Match(o.text) || lacks != nil && lacks.Match(o.text) {
			continue
		}
		if ok && o.number != found.number {
			return rawObject{}, false
		}
		found, ok = o, true
	}
	return found, ok
}

// pagesOf returns the number of pages of a file that PDFium cannot count, 0 if it is not known. A file made for page
// by page loading states it at its beginning (ISO 32000-2 annex F), others in the root of the page tree.
func pagesOf(body []byte) int {
	for o := range rawObjects(body) {
		if n := numberOf(forms().linearized, o.text); n > 0 {
			return n
		}
		break
	}
	root, _ := only(body, forms().pages, forms().parent)
	return numberOf(forms().count, root.text)
}

// numberOf returns the number that a form finds in a text, 0 if there is none or it is too large.
func numberOf(form *regexp.Regexp, text []byte) int {
	m := form.FindSubmatch(text)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil || n > maxPages {
		return 0
	}
	return n
}

// withoutEncryption hides the encryption of a file. PDFium then opens it and reads its structure and numbers, which
// are never encrypted; strings and streams are noise.
func withoutEncryption(body []byte) []byte {
	return bytes.ReplaceAll(body, []byte("/Encrypt"), []byte("/encrypT"))
}
