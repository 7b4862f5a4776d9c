package probe_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"visto/review/probe"
	"visto/review/probe/extract"
)

// asReader makes this test binary the child process that reads documents.
const asReader = "VISTO_TEST_READS_DOCUMENTS"

func TestMain(m *testing.M) {
	if os.Getenv(asReader) != "" {
		if err := extract.Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	status := m.Run()
	documents.Close()
	os.Exit(status)
}

// documents reads the PDF files of all tests.
var documents = extract.NewClient(func() (*exec.Cmd, error) {
	self, err := os.Executable()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asReader+"=1")
	return cmd, err
}, 0)

// readPage reads a page, of whatever kind.
func readPage(t testing.TB, r *probe.Response) probe.Page {
	t.Helper()
	page, err := probe.ReadPage(t.Context(), r, documents)
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
		page, err := probe.ReadPage(t.Context(), r, tt.reader)
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
	if _, err := probe.ReadPage(ctx, r, &fakeReader{err: why}); !errors.Is(err, why) {
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
