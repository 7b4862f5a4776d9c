package probe_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"visto/canon"
	"visto/review/probe"
	"visto/review/probe/extract"
	"visto/review/probe/extract/extracttest"
	"visto/review/probe/testnet"
)

func TestMain(m *testing.M) { extracttest.Main(m, documents) }

// documents reads the PDF files of all tests.
var documents = extracttest.NewClient()

// readPage reads a page, of whatever kind.
func readPage(t testing.TB, r *probe.Response) probe.Page {
	t.Helper()
	page, err := probe.ReadPage(t.Context(), r, builtin(t, canon.DefaultPolicy), documents, false)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// fakeReader is a reader of documents with a fixed answer.
type fakeReader struct {
	doc    extract.Document
	err    error
	closed int
}

func (f *fakeReader) HTML(context.Context, []byte, string, string) (extract.Document, error) {
	return f.doc, f.err
}

func (f *fakeReader) PDF(context.Context, []byte, int) (extract.Document, error) { return f.doc, f.err }

func (f *fakeReader) Close() error {
	f.closed++
	return nil
}

// TestPagePDF reads PDF files by all kinds of readers.
func TestPagePDF(t *testing.T) {
	var none probe.DocumentReader
	tests := []struct {
		name   string
		reader probe.DocumentReader
		cut    bool
		want   string
	}{
		{"read", &fakeReader{doc: extract.Document{Title: "a\n b", Language: "es_es", Pages: 3}}, true,
			`"a b" es-ES 3`},
		{"locked", &fakeReader{doc: extract.Document{Locked: true}}, false,
			`""  0 The PDF is locked with a password: nothing of it can be read.`},
		{"cut", &fakeReader{doc: extract.Document{Title: "a"}}, true,
			`"a"  0 The number of pages stands in the part of the PDF that was not read.`},
		{"damaged", &fakeReader{}, false, `""  0 The PDF is damaged: its number of pages cannot be read.`},
		{"refused", &fakeReader{err: errors.New("it took\ntoo long")}, false,
			`""  0 The PDF could not be read: it took too long.`},
		{"no reader", none, false, `""  0 The PDF was not read.`},
	}
	for _, tt := range tests {
		r := answer("application/pdf", "%PDF-1.4")
		r.Truncated = tt.cut
		page, err := probe.ReadPage(t.Context(), r, builtin(t, canon.DefaultPolicy), tt.reader, false)
		if err != nil {
			t.Fatal(err)
		}
		caveats := page.Caveats
		if tt.cut {
			caveats = caveats[1:] // the first is about the cut
		}
		got := strings.TrimSpace(fmt.Sprintf("%q %s %d %s", page.Title, page.Language, page.PDFPages,
			strings.Join(caveats, " ")))
		if got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
	}
}

// TestPagePDFCancelled returns no page if the context ends while a document is read.
func TestPagePDFCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	r := answer("application/pdf", "%PDF-1.4")
	policy := builtin(t, canon.DefaultPolicy)
	if _, err := probe.ReadPage(ctx, r, policy, &fakeReader{err: why}, true); !errors.Is(err, why) {
		t.Errorf("ReadPage: %v", err)
	}
}

func TestProberClosesDocuments(t *testing.T) {
	reader := &fakeReader{}
	p, err := probe.New(probe.Config{Policy: builtin(t, "clara"), Documents: reader})
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if reader.closed != 1 {
		t.Errorf("closed %d times", reader.closed)
	}
}

// TestPageContent reads the contents of pages, and of nothing else (spec section 15).
func TestPageContent(t *testing.T) {
	const page = "<title>Ayuda</title><main><p>La ayuda es para quienes alquilan una casa.</p></main>"
	const text = "La ayuda es para quienes alquilan una casa."
	tests := []struct {
		name, contentType, body, want string
		status                        int
	}{
		{"a page", "text/html", page, text, 200},
		{"XHTML", "application/xml", `<html xmlns="http://www.w3.org/1999/xhtml">` + page + "</html>", text, 200},
		{"JSON", "application/json", `{"a": 1}`, `{"a": 1}`, 200},
		{"a PDF", "application/pdf", string(testnet.PDF("Guía", 2)), "", 200},
		{"an error page", "text/html", page, "nil", 404},
		{"an error in JSON", "application/json", `{"a": 1}`, "nil", 500},
		{"a wall", "text/html", page, "nil", 402},
		{"a login", "text/html", `<title>Acceso</title><input type=password>`, "nil", 200},
		{"a feed", "application/rss+xml", "<rss><channel><title>x</title></channel></rss>", "nil", 200},
		{"an image", "image/png", "x", "nil", 200},
		{"nothing", "text/html", "", "nil", 200},
		{"a page without text", "text/html", "<title>Ayuda</title><div id=root></div><script></script>", "nil", 200},
	}
	for _, tt := range tests {
		r := answer(tt.contentType, tt.body)
		r.Status = tt.status
		for _, wanted := range []bool{true, false} {
			page, err := probe.ReadPage(t.Context(), r, builtin(t, canon.DefaultPolicy), documents, wanted)
			if err != nil {
				t.Fatal(err)
			}
			got, want := "nil", "nil"
			if page.Content != nil {
				got = page.Content.Text
			}
			if wanted {
				want = tt.want
			}
			if got != want {
				t.Errorf("%s, wanted %t: %q, want %q", tt.name, wanted, got, want)
			}
		}
	}
}

// TestPageContentFails says why the text of a page is missing. The statements of the page are there all the same.
func TestPageContentFails(t *testing.T) {
	r := answer("text/html", "<title>Ayuda</title><p>Texto.</p>")
	reader := &fakeReader{err: errors.New("it took\ntoo long")}
	page, err := probe.ReadPage(t.Context(), r, builtin(t, canon.DefaultPolicy), reader, true)
	if err != nil || page.Title != "Ayuda" || page.Content != nil ||
		!slices.Contains(page.Caveats, "The text of the page could not be read: it took too long.") {
		t.Errorf("%+v, %v", page, err)
	}
}

// TestReportContent hands over the content of a page, unless it is not of that page, or not new; also one that is not
// to be stored, for its sketch is (spec 16: "by word shingles").
func TestReportContent(t *testing.T) {
	w := newWorld(t, testnet.Sites())
	text := func(url string) string {
		if content := w.probe(url)[url].Content; content != nil {
			return content.Title
		}
		return "nil"
	}
	const page = "https://plain.gob.es/tramites/otra-ayuda"
	if got := text(page); got == "nil" || got == "" {
		t.Errorf("a page: %q", got)
	}
	for _, url := range []string{
		"https://gone.gob.es/tramites/ayuda-alquiler",       // the archive has a copy
		"https://login-wall.gob.es/tramites/ayuda-alquiler", // redirects to a login
		"https://robots-blocked.gob.es/tramites/ayuda-alquiler",
	} {
		if got := text(url); got != "nil" {
			t.Errorf("%s: %q", url, got)
		}
	}
	w.config.NoContent = true
	if report := w.probe(page)[page]; report.Content == nil || !report.NoContent {
		t.Errorf("not to be stored: %+v", report)
	}
}

// stored is a cache with one page, whose content it has or not.
type stored struct {
	probe.Cache
	page       *canon.Evidence
	hasContent bool
	err        error
}

func (s stored) Earlier(context.Context, probe.Target) (*canon.Evidence, error) { return s.page, nil }

func (s stored) HasContent(context.Context, probe.Target) (bool, error) { return s.hasContent, s.err }

// TestContentOfKnownPage asks for a page as a whole, not for its confirmation, if its content is wanted and not stored:
// spec section 15, "probe keeps what a person would look at".
func TestContentOfKnownPage(t *testing.T) {
	const url = "https://etag.gob.es/tramites/ayuda-alquiler"
	conditional := false
	site := testnet.Site{Host: "etag.gob.es", Pages: map[string]http.Handler{
		"/tramites/ayuda-alquiler": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conditional = r.Header.Get("If-None-Match") != ""
			w.Header().Set("ETag", `"1"`)
			if conditional {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			testnet.Data("text/html", []byte("<title>Ayuda</title><p>La ayuda es para el alquiler.")).ServeHTTP(w, r)
		}),
	}}
	tests := []struct {
		name   string
		change func(*probe.Config, *stored)
		want   bool // a conditional request
	}{
		{"not stored", func(*probe.Config, *stored) {}, false},
		{"stored", func(_ *probe.Config, s *stored) { s.hasContent = true }, true},
		{"not to be stored", func(c *probe.Config, _ *stored) { c.NoContent = true }, true},
		{"nobody reads it", func(c *probe.Config, _ *stored) { c.Documents = nil }, true},
		{"a type without content", func(_ *probe.Config, s *stored) { s.page.ContentType = "image/png" }, true},
		{"a page without text", func(_ *probe.Config, s *stored) { s.page.NoContent = true }, true},
	}
	for _, tt := range tests {
		w := newWorld(t, []testnet.Site{site})
		known := stored{Cache: w.config.Cache, page: w.probe(url)[url].Evidence}
		tt.change(&w.config, &known)
		w.config.Cache = known
		report := w.probe(url)[url]
		if conditional != tt.want || (report.Content == nil) != tt.want || !report.Unchanged {
			t.Errorf("%s: conditional %t; %+v", tt.name, conditional, report)
		}
	}
	w := newWorld(t, []testnet.Site{site})
	broken := errors.New("damaged")
	w.config.Cache = stored{Cache: w.config.Cache, page: w.probe(url)[url].Evidence, err: broken}
	p, err := probe.New(w.config)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Probe(t.Context(), probe.Target{URL: url}); !errors.Is(err, broken) {
		t.Errorf("with a broken cache: %v", err)
	}
}
