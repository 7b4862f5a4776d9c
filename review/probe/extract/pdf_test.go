package extract

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"visto/canon/suite"
)

// deflated is the dictionary entries and the data of a compressed stream.
func deflated(entries, data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return fmt.Sprintf("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", entries, b.Len(), b.String())
}

// packedObjects is an object stream with the objects, the first having the number (ISO 32000-2 section 7.5.7).
func packedObjects(first int, objects ...string) string {
	var index, data string
	for i, o := range objects {
		index += fmt.Sprintf("%d %d ", first+i, len(data))
		data += o + " "
	}
	return deflated(fmt.Sprintf("/Type /ObjStm /N %d /First %d", len(objects), len(index)), index+data)
}

// pdfOf writes a PDF with the objects, numbered from 1, and the rest.
func pdfOf(rest string, objects ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString(rest)
	return b.String()
}

const (
	catalogPDF = "<< /Type /Catalog /Pages 2 0 R >>"
	pagesPDF   = "<< /Type /Pages /Kids [4 0 R 5 0 R] /Count 12 >>"
	infoPDF    = "<< /Title (Gu\\355a) >>"
	trailerPDF = "trailer << /Size 9 /Root 1 0 R /Info 3 0 R >>\nstartxref\n0\n%%EOF\n"
)

var pdfTests = &pdfReader{cacheDir: cacheDir(), maxMemory: maxPDFMemory}

// readPDF reads a file in this process.
func readPDF(t testing.TB, body string, text int) Document {
	t.Helper()
	doc, err := pdfTests.read([]byte(body), text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestReadPDF(t *testing.T) {
	title := func(s string) string { return pdfOf(trailerPDF, catalogPDF, pagesPDF, "<< /Title "+s+" >>") }
	guide := Document{Title: "Guía", Pages: 12}
	tests := []struct {
		name, body string
		want       Document
	}{
		{"the usual", pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF), guide},
		{"something before the header", "\n\n junk" + pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF), guide},
		{"a language", pdfOf(trailerPDF, "<< /Type/Catalog/Pages 2 0 R/Lang(eu-ES)>>", pagesPDF, infoPDF),
			Document{Title: "Guía", Pages: 12, Language: "eu-ES"}},
		{"a language elsewhere", pdfOf(trailerPDF, "<< /Type/Catalog/Pages 2 0 R/Lang 4 0 R>>", pagesPDF, infoPDF,
			"(gl)"),
			Document{Title: "Guía", Pages: 12, Language: "gl"}},
		{"indirect values", pdfOf(trailerPDF, catalogPDF, "<< /Type /Pages /Kids [6 0 R] /Count 4 0 R >>",
			"<< /Title 5 0 R >>", "12", "(Gu\\355a)"), guide},
		{"no title", pdfOf("trailer << /Root 1 0 R >>", catalogPDF, pagesPDF), Document{Pages: 12}},
		{"UTF-16", title("<FEFF 0047 0075 00ED 0061>"), guide},
		{"UTF-16, little end first", title("(\xff\xfeG\x00u\x00\xed\x00a\x00)"), guide},
		{"UTF-8", title("(\xef\xbb\xbfGuía)"), guide},
		{"PDFDocEncoding", title("(\x8dGu\xeda\x8e \\240 \x84)"), Document{Title: "“Guía” € —", Pages: 12}},
		{"escapes", title(`(a \(b\) (c) \
d\n\156\\)`), Document{Title: "a (b) (c) d n\\", Pages: 12}},
		{"odd hex", title("<4>"), Document{Title: "@", Pages: 12}},
		{"a name with a code", strings.Replace(title("(Gu\\355a)"), "/Title", "/T#69tle", 1), guide},
		{"comments", pdfOf(trailerPDF, "<< % no >>\n/Type /Catalog %(\r/Pages 2 0 R >>", pagesPDF, infoPDF), guide},
		{"a long title", title("(" + strings.Repeat("a", 2*maxLine) + ")"),
			Document{Title: strings.Repeat("a", maxLine) + "…", Pages: 12}},

		{"a newer version at the end", pdfOf(trailerPDF+"2 0 obj << /Type /Pages /Kids [4 0 R] /Count 13 >> endobj\n"+
			"6 0 obj << /Title (Nueva) >> endobj trailer << /Root 1 0 R /Info 6 0 R >>", catalogPDF, pagesPDF, infoPDF),
			Document{Title: "Nueva", Pages: 13}},
		{"object streams", pdfOf("", "<< /Type /XRef /Root 7 0 R /Info 9 0 R /Length 0 >>\nstream\n\nendstream",
			packedObjects(7, "<< /Type /Catalog /Pages 8 0 R >>", pagesPDF, infoPDF)), guide},
		{"objects within a stream", pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF,
			"<< /Length 70 >>\nstream\n"+strings.Repeat(" ",
				14)+"2 0 obj << /Type /Pages /Kids [4 0 R] /Count 99 >> endobj\nendstream"), guide},

		{"an unknown handler of encryption",
			pdfOf("trailer << /Root 1 0 R /Info 3 0 R /Encrypt << /Filter /Other /V 9 >> >>", catalogPDF, pagesPDF,
				infoPDF),
			Document{Locked: true}},

		{"cut, with the catalog", pdfOf("", "<< /Type /Catalog /Pages 2 0 R /Lang (ca) >>", pagesPDF, infoPDF,
			"<< /Length 900 >>\nstream\nxx"),
			Document{Pages: 12, Language: "ca"}},
		{"cut, without the catalog", pdfOf("", pagesPDF), Document{}},
		{"cut, with two catalogs", pdfOf("", catalogPDF, pagesPDF, catalogPDF), Document{}},
		{"cut, made for the web", pdfOf("", "<< /Linearized 1 /L 5000000 /H [1 2] /O 9 /E 10 /N 240 /T 4999 >>",
			"<< /Type /XRef /Root 4 0 R /Info 5 0 R /Length 9 >>\nstream\n         \nendstream",
			"<< /Length 9 >>\nstream\n         \nendstream",
			"<< /Type /Catalog /Pages 999 0 R >>", infoPDF), Document{Title: "Guía", Pages: 240}},
		{"cut within packed objects", "%PDF-1.7\n1 0 obj\n" +
			packedObjects(7, "<< /Type /Catalog /Pages 8 0 R >>", pagesPDF, infoPDF)[:90], Document{}},
		{"a dictionary that looks like the information",
			pdfOf("", catalogPDF, pagesPDF, "<< /Title (Dibujo.eps) /Producer (x) >>"), Document{Pages: 12}},

		{"a count that cannot be", pdfOf(trailerPDF, catalogPDF, "<< /Type /Pages /Count 99999999 /Kids [4 0 R] >>",
			infoPDF,
			"<< /Type /Page /Parent 2 0 R >>"), Document{Title: "Guía", Pages: 1}},
		{"a count below nothing", pdfOf(trailerPDF, catalogPDF, "<< /Type /Pages /Count -12 /Kids [4 0 R] >>", infoPDF,
			"<< /Type /Page /Parent 2 0 R >>"), Document{Title: "Guía", Pages: 1}},
		{"references in a circle", pdfOf(trailerPDF, "1 0 R", "2 0 R", "3 0 R"), Document{}},
		{"nothing else", "%PDF-1.4", Document{}},
		{"no PDF", "<html>", Document{}},
		{"nothing", "", Document{}},
	}
	for _, tt := range tests {
		if got := readPDF(t, tt.body, 0); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v; want %+v", tt.name, got, tt.want)
		}
	}
}

// TestReadPDFMetadata takes the title from the XMP metadata where the information dictionary has none.
func TestReadPDFMetadata(t *testing.T) {
	xmp := func(title string) string {
		return `<?xpacket begin="" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
			<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
			<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">
			<dc:creator><rdf:Seq><rdf:li>Ana</rdf:li></rdf:Seq></dc:creator>
			<dc:title><rdf:Alt>` + title + `</rdf:Alt></dc:title>
			<dc:rights>nada</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`
	}
	plain := func(metadata string) string {
		return fmt.Sprintf("<< /Type /Metadata /Subtype /XML /Length %d >>\nstream\r\n%s\nendstream", len(metadata),
			metadata)
	}
	described := func(trailer, metadata string) string {
		return pdfOf(trailer, "<< /Type /Catalog /Pages 2 0 R /Metadata 3 0 R >>", pagesPDF, metadata,
			"<< /Title (S\\355) >>")
	}
	const trailer = "trailer << /Root 1 0 R >>"
	two := xmp(`<rdf:li xml:lang="en">Guide</rdf:li><rdf:li xml:lang="x-default">Guía</rdf:li>`)
	tests := []struct{ name, body, want string }{
		{"plain", described(trailer, plain(two)), "Guía"},
		{"compressed", described(trailer, deflated("/Type /Metadata", two)), "Guía"},
		{"a catalog in an object stream", pdfOf("", "<< /Type /XRef /Root 7 0 R /Length 0 >>\nstream\n\nendstream",
			packedObjects(7, "<< /Type /Catalog /Pages 8 0 R /Metadata 3 0 R >>", pagesPDF), plain(two)), "Guía"},
		{"cut", described("", plain(two)), "Guía"},
		{"of an image", pdfOf(trailer, catalogPDF, pagesPDF, plain(two), "<< /Type /XObject /Metadata 3 0 R >>"), ""},
		{"without a title", described(trailer, plain(xmp(``))), ""},
		{"after the information", described("trailer << /Root 1 0 R /Info 4 0 R >>", plain(two)), "Sí"},
	}
	for _, tt := range tests {
		if got, want := readPDF(t, tt.body, 0), (Document{Title: tt.want, Pages: 12}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v; want %+v", tt.name, got, want)
		}
	}
}

// writtenPDF returns a file whose pages hold the texts.
func writtenPDF(texts ...string) string {
	objects := []string{catalogPDF, "",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"}
	kids := ""
	for _, text := range texts {
		n := len(objects) + 1
		kids += fmt.Sprintf("%d 0 R ", n)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> "+
				">> /Contents %d 0 R >>", n+1),
			deflated("", "BT /F 10 Tf 50 800 Td ("+text+") Tj ET"))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(texts))
	return pdfOf("trailer << /Root 1 0 R >>", objects...)
}

func TestReadPDFText(t *testing.T) {
	body := writtenPDF("Solicitud de inscripci\xf3n", "", "P\xe1gina tres")
	tests := []struct {
		limit int
		want  string
	}{
		{MaxText, "Solicitud de inscripción\n\nPágina tres"},
		{0, ""},
		{9, "Solicitud"},
		{23, "Solicitud de inscripci"}, // not in the middle of a letter
	}
	for _, tt := range tests {
		if got := readPDF(t, body, tt.limit).Text; got != tt.want {
			t.Errorf("%d bytes: %q, want %q", tt.limit, got, tt.want)
		}
	}
}

// TestReadPDFBomb reads a page whose content unpacks to more than PDFium may use. The next file is read as ever.
func TestReadPDFBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	small := &pdfReader{cacheDir: cacheDir(), maxMemory: 32 << 20}
	content := strings.Repeat(" ", 40<<20) + "BT /F 10 Tf 50 800 Td (Hola) Tj ET"
	for _, tt := range []struct{ content, want string }{{content, ""}, {content[len(content)-100:], "Hola"}} {
		body := pdfOf("trailer << /Root 1 0 R >>", catalogPDF, "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
			"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents "+
				"5 0 R >>",
			deflated("", tt.content))
		doc, err := small.read([]byte(body), MaxText)
		if doc.Text != tt.want {
			t.Errorf("%d bytes of content: text %q, %v", len(tt.content), doc.Text, err)
		}
	}
}

// TestReadPDFCut cuts a file at every byte, or at each seventh unless all tests run: the numbers and texts of the rest
// are right or absent.
func TestReadPDFCut(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	body := pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF, packedObjects(6, "<< /A 1 >>"))
	for i := 0; i < len(body); i += suite.Rounds(7, 1) {
		got := readPDF(t, body[:i], 0)
		if got.Pages != 0 && got.Pages != 12 || got.Title != "" && got.Title != "Guía" {
			t.Errorf("%d bytes: %+v", i, got)
		}
	}
}

// TestReadPDFEncrypted reads files that another program has encrypted: testnet.PDF("Guía de la prestación", 3), by
// qpdf 11.3.0, with the empty user password or, where they are locked, with one that is not empty. In the packed ones
// the objects stand in object streams.
func TestReadPDFEncrypted(t *testing.T) {
	open := Document{Title: "Guía de la prestación", Pages: 3}
	tests := map[string]Document{
		"r2-rc4-40": open, "r3-rc4-128": open, "r4-aes-128": open, "r4-aes-128-packed": open, "r5-aes-256": open,
		"r6-aes-256": open, "r6-aes-256-packed": open, "r6-locked": {Locked: true}, "r4-locked": {Locked: true},
	}
	for name, want := range tests {
		body, err := os.ReadFile("testdata/" + name + ".pdf")
		if err != nil {
			t.Fatal(err)
		}
		if got := readPDF(t, string(body), 0); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v; want %+v", name, got, want)
		}
		for i := 0; i < len(body); i += 397 { // damaged in any place, it is read as it is, or not
			body[i] ^= 0x20
			got, err := pdfTests.read(body, 0)
			if err != nil || got.Pages < 0 || !utf8.ValidString(got.Title) {
				t.Errorf("%s, byte %d: %+v, %v", name, i, got, err)
			}
			body[i] ^= 0x20
		}
	}
}

// TestReadPDFWithoutCache starts PDFium where no file can be kept.
func TestReadPDFWithoutCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles PDFium, which takes seconds")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := &pdfReader{cacheDir: filepath.Join(file, "visto"), maxMemory: maxPDFMemory}
	doc, err := r.read([]byte(pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF)), 0)
	if err != nil || doc.Pages != 12 {
		t.Errorf("%+v, %v", doc, err)
	}
}

// FuzzRepairPDF reads files that PDFium refuses, by our own means.
func FuzzRepairPDF(f *testing.F) {
	f.Add([]byte(pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF)))
	f.Add([]byte(pdfOf("", "<< /Linearized 1 /N 9 >>", "<< /Type /Pages /Count 7 >>",
		"<< /Length 4 >>\nstream\nx\nendstream")))
	f.Fuzz(func(t *testing.T, body []byte) {
		if n := linearizedPages(body); n < 0 || n > maxPages {
			t.Errorf("%d pages", n)
		}
		if repaired := withPageTree(withTrailer(body)); len(repaired) > len(body)+5000 {
			t.Errorf("%d bytes became %d", len(body), len(repaired))
		}
		if data := streamData(body, []byte("3")); len(data) > max(maxXMP, len(body)) {
			t.Errorf("%d bytes of data", len(data))
		}
	})
}

// TestFailureInWords has no stack of WebAssembly in the words for people.
func TestFailureInWords(t *testing.T) {
	trap := errors.New("wasm error: unreachable\nwasm stack trace:\n\t.abort()\n\t.FPDF_LoadPage(i32,i32) i32")
	if err := inWords(fmt.Errorf("reading a page: %w", trap)); err.Error() !=
		"PDFium broke off: the file is damaged, or needs more than 256 MB" {
		t.Error(err)
	}
	other := errors.New("another one")
	if inWords(other) != other || inWords(nil) != nil {
		t.Error("other errors changed")
	}
}
