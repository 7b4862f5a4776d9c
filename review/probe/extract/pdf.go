package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

const (
	maxPDFMemory = 256 << 20 // bytes that PDFium may use for one document
	wasmPage     = 64 << 10  // bytes
	maxPages     = 1 << 20   // a larger number is a broken one
	maxTextPages = 50        // whose text is read
)

// pdfReader reads PDF files with PDFium. It is not safe for concurrent use.
type pdfReader struct {
	cacheDir  string      // of compiled code; empty: there is no place for it
	maxMemory uint32      // bytes that PDFium may use for one document
	pool      pdfium.Pool // nil: PDFium was not started yet
}

// start compiles PDFium, or loads the compiled code from the cache. Without a usable cache it compiles.
func (r *pdfReader) start() (err error) {
	if r.pool != nil {
		return nil
	}
	if r.cacheDir != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(r.cacheDir); err == nil {
			if r.pool, err = newPool(r.runtimeConfig().WithCompilationCache(cache)); err == nil {
				return nil
			}
		}
	}
	r.pool, err = newPool(r.runtimeConfig())
	return err
}

// runtimeConfig makes compiled code interruptible. Otherwise a document that keeps PDFium in a loop could block the
// whole process at the next garbage collection, and Serve would not notice the end of its input. Interruptible code
// takes twice the time.
func (r *pdfReader) runtimeConfig() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfig().WithMemoryLimitPages(r.maxMemory / wasmPage).WithCloseOnContextDone(true)
}

// newPool returns instances of PDFium without files and without output.
func newPool(config wazero.RuntimeConfig) (pdfium.Pool, error) {
	return webassembly.Init(webassembly.Config{
		MaxIdle: 1, MaxTotal: 1, RuntimeConfig: config,
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
}

// read reads a PDF, or the beginning of one, with up to maxText bytes of its text. Of a locked
// file it knows no more than that, of a broken one at most the number of pages. It fails only if PDFium does.
func (r *pdfReader) read(body []byte, maxText int) (doc Document, err error) {
	if err := r.start(); err != nil {
		return doc, fmt.Errorf("starting PDFium: %w", err)
	}
	instance, err := r.pool.GetInstanceWithContext(context.Background())
	if err != nil {
		return doc, fmt.Errorf("starting PDFium: %w", err)
	}
	defer instance.Close()
	f := &pdfFile{pdfium: instance}
	if err = f.open(body); errors.Is(err, pdferrors.ErrFormat) {
		err = f.open(withTrailer(body))
	}
	treeless := errors.Is(err, pdferrors.ErrFormat)
	if treeless {
		err = f.open(withPageTree(body))
	}
	switch {
	case err == nil:
		doc, err = f.document(maxText)
	case errors.Is(err, pdferrors.ErrPassword) || errors.Is(err, pdferrors.ErrSecurity):
		return Document{Locked: true}, nil
	case errors.Is(err, pdferrors.ErrFormat):
		err = nil
	}
	if treeless {
		doc.Pages = linearizedPages(body)
	}
	return doc, inWords(err)
}

// errBroke is the failure of a file over which the code of PDFium broke off. It has a limit of memory, and is left at a
// fault; both end in an error of WebAssembly with a stack that tells readers nothing.
var errBroke = fmt.Errorf("PDFium broke off: the file is damaged, or needs more than %d MB", maxPDFMemory>>20)

// inWords returns errBroke in the place of an error of WebAssembly.
func inWords(err error) error {
	if err != nil && strings.Contains(err.Error(), "wasm") {
		return errBroke
	}
	return err
}

// pdfFile is an open PDF file.
type pdfFile struct {
	pdfium pdfium.Pdfium
	body   []byte
	ref    references.FPDF_DOCUMENT
}

func (f *pdfFile) open(body []byte) error {
	opened, err := f.pdfium.OpenDocument(&requests.OpenDocument{File: &body})
	if err == nil {
		f.body, f.ref = body, opened.Document
	}
	return err
}

func (f *pdfFile) document(maxText int) (doc Document, err error) {
	count, err := f.pdfium.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: f.ref})
	if err != nil {
		return doc, err
	}
	if 0 <= count.PageCount && count.PageCount <= maxPages {
		doc.Pages = count.PageCount
	}
	catalog, err := f.pdfium.FPDFCatalog_GetLanguage(&requests.FPDFCatalog_GetLanguage{Document: f.ref})
	if err == nil {
		doc.Language = oneLine(catalog.Language, maxLine)
	}
	if doc.Title = f.info("Title"); doc.Title == "" {
		doc.Title = oneLine(f.xmpTitle(), maxLine)
	}
	doc.Author, doc.Description = f.info("Author"), f.info("Subject")
	doc.Published, doc.Modified = pdfDate(f.info("CreationDate")), pdfDate(f.info("ModDate"))
	doc.Text, doc.Cut = f.text(doc.Pages, maxText)
	return doc, nil
}

// info returns an entry of the information dictionary.
func (f *pdfFile) info(name string) string {
	entry, err := f.pdfium.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: f.ref, Tag: name})
	if err != nil {
		return ""
	}
	return oneLine(entry.Value, maxLine)
}

// text returns the text of the first pages, up to limit bytes, and whether there is more. It ends at the first page
// that cannot be read.
func (f *pdfFile) text(pages, limit int) (_ string, more bool) {
	if limit == 0 {
		return "", false
	}
	var text strings.Builder
	for i := 0; i < min(pages, maxTextPages) && text.Len() <= limit; i++ {
		page, err := f.pageText(i)
		if err != nil {
			break
		}
		text.WriteString(plainText(page))
		text.WriteByte('\n')
	}
	head, cut := cutText(strings.TrimSpace(text.String()), limit)
	return head, cut || pages > maxTextPages
}

// pageText returns the text of a page, counted from 0.
func (f *pdfFile) pageText(index int) (string, error) {
	page, err := f.pdfium.FPDFText_LoadPage(&requests.FPDFText_LoadPage{
		Page: requests.Page{ByIndex: &requests.PageByIndex{Document: f.ref, Index: index}},
	})
	if err != nil {
		return "", err
	}
	defer f.pdfium.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: page.TextPage})
	chars, err := f.pdfium.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: page.TextPage})
	if err != nil || chars.Count <= 0 {
		return "", err
	}
	text, err := f.pdfium.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: page.TextPage, Count: chars.Count})
	if err != nil {
		return "", err
	}
	return text.Text, nil
}
