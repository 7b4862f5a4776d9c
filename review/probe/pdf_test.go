package probe

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
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

func TestReadPDF(t *testing.T) {
	title := func(s string) string { return pdfOf(trailerPDF, catalogPDF, pagesPDF, "<< /Title "+s+" >>") }
	xmp := func(title string) string {
		return `<?xpacket begin="" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
			<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq><rdf:li>Ana</rdf:li></rdf:Seq></dc:creator>
			<dc:title><rdf:Alt>` + title + `</rdf:Alt></dc:title><dc:rights>nada</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`
	}
	described := func(metadata string) string {
		return pdfOf("trailer << /Root 1 0 R >>", "<< /Type /Catalog /Pages 2 0 R /Metadata 3 0 R >>", pagesPDF, metadata)
	}
	plain := func(metadata string) string {
		return fmt.Sprintf("<< /Type /Metadata /Subtype /XML /Length %d >>\nstream\r\n%s\nendstream", len(metadata), metadata)
	}
	linearized := "<< /Linearized 1 /L 5000000 /H [1 2] /O 9 /E 10 /N 240 /T 4999 >>"
	tests := []struct {
		name, body string
		want       pdfFacts
	}{
		{"the usual", pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF), pdfFacts{title: "Guía", pages: 12}},
		{"something before the header", "\n\n junk" + pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF), pdfFacts{title: "Guía", pages: 12}},
		{"a language", pdfOf(trailerPDF, "<< /Type/Catalog/Pages 2 0 R/Lang(eu-ES)>>", pagesPDF, infoPDF), pdfFacts{title: "Guía", pages: 12, language: "eu-ES"}},
		{"a language elsewhere", pdfOf(trailerPDF, "<< /Type/Catalog/Pages 2 0 R/Lang 4 0 R>>", pagesPDF, infoPDF, "(gl)"), pdfFacts{title: "Guía", pages: 12, language: "gl"}},
		{"indirect values", pdfOf(trailerPDF, catalogPDF, "<< /Type /Pages /Count 4 0 R >>", "<< /Title 5 0 R >>", "12", "(Gu\\355a)"), pdfFacts{title: "Guía", pages: 12}},
		{"no title", pdfOf("trailer << /Root 1 0 R >>", catalogPDF, pagesPDF), pdfFacts{pages: 12}},
		{"UTF-16", title("<FEFF 0047 0075 00ED 0061>"), pdfFacts{title: "Guía", pages: 12}},
		{"UTF-16, little end first", title("(\xff\xfeG\x00u\x00\xed\x00a\x00)"), pdfFacts{title: "Guía", pages: 12}},
		{"UTF-8", title("(\xef\xbb\xbfGuía)"), pdfFacts{title: "Guía", pages: 12}},
		{"PDFDocEncoding", title("(\x8dGu\xeda\x8e \\240 \x84)"), pdfFacts{title: "“Guía” € —", pages: 12}},
		{"escapes", title(`(a \(b\) (c) \
d\n\156\\)`), pdfFacts{title: `a (b) (c) d n\`, pages: 12}},
		{"odd hex", title("<4>"), pdfFacts{title: "@", pages: 12}},
		{"a name with a code", strings.Replace(title("(Gu\\355a)"), "/Title", "/T#69tle", 1), pdfFacts{title: "Guía", pages: 12}},
		{"comments", pdfOf(trailerPDF, "<< % no >>\n/Type /Catalog %(\r/Pages 2 0 R >>", pagesPDF, infoPDF), pdfFacts{title: "Guía", pages: 12}},

		{"a newer version at the end", pdfOf(trailerPDF+"2 0 obj << /Type /Pages /Count 13 >> endobj\n6 0 obj << /Title (Nueva) >> endobj trailer << /Root 1 0 R /Info 6 0 R >>",
			catalogPDF, pagesPDF, infoPDF), pdfFacts{title: "Nueva", pages: 13}},
		{"object streams", pdfOf("", "<< /Type /XRef /Root 7 0 R /Info 9 0 R /Length 0 >>\nstream\n\nendstream", packedObjects(7, "<< /Type /Catalog /Pages 8 0 R >>", pagesPDF, infoPDF)),
			pdfFacts{title: "Guía", pages: 12}},
		{"an object newer than its stream", pdfOf("8 0 obj << /Type /Pages /Count 13 >> endobj", "<< /Type /XRef /Root 7 0 R >>", packedObjects(7, "<< /Type /Catalog /Pages 8 0 R >>", pagesPDF)),
			pdfFacts{pages: 13}},
		{"objects within a stream are none", pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF, plain("2 0 obj << /Type /Pages /Count 99 >> endobj trailer << /Root 9 0 R >>")),
			pdfFacts{title: "Guía", pages: 12}},
		{"a stream of another length than it says", pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF, "<< /Length 3 >>\nstream\n2 0 obj << /Type /Pages /Count 99 >> endobj\nendstream"),
			pdfFacts{title: "Guía", pages: 12}},

		{"XMP", described(plain(xmp(`<rdf:li xml:lang="en">Guide</rdf:li><rdf:li xml:lang="x-default">Guía</rdf:li>`))), pdfFacts{title: "Guía", pages: 12}},
		{"XMP, packed", described(deflated("/Type /Metadata", xmp(`<rdf:li xml:lang="es">Guía</rdf:li>`))), pdfFacts{title: "Guía", pages: 12}},
		{"XMP without a title", described(plain(xmp(``))), pdfFacts{pages: 12}},
		{"XMP after the usual", strings.Replace(described(plain(xmp(`<rdf:li>No</rdf:li>`))), "/Root 1 0 R", "/Root 1 0 R /Info << /Title (S\\355) >>", 1), pdfFacts{title: "Sí", pages: 12}},
		{"encrypted", pdfOf("trailer << /Root 1 0 R /Info 3 0 R /Encrypt 4 0 R >>", catalogPDF, pagesPDF, infoPDF), pdfFacts{pages: 12, locked: true}},
		{"encrypted but for the metadata", strings.Replace(described(plain(xmp(`<rdf:li>Guía</rdf:li>`))), "/Root 1 0 R", "/Root 1 0 R /Encrypt << /EncryptMetadata false >>", 1), pdfFacts{title: "Guía", pages: 12, locked: true}},

		{"cut, with the catalog", pdfOf("", catalogPDF, pagesPDF, infoPDF, "<< /Length 900 >>\nstream\nxx"), pdfFacts{pages: 12}},
		{"cut, with the root of the pages", pdfOf("", "<< /Type /Pages /Parent 2 0 R /Count 6 >>", pagesPDF), pdfFacts{pages: 12}},
		{"cut, with a part of the pages", pdfOf("", "<< /Type /Pages /Parent 2 0 R /Count 6 >>"), pdfFacts{}},
		{"cut, with two roots", pdfOf("", pagesPDF, pagesPDF), pdfFacts{}},
		{"cut, made for the web", pdfOf("", linearized, "<< /Type /XRef /Root 4 0 R /Info 5 0 R >>", "<< /Length 9 >>\nstream\n         \nendstream", "<< /Type /Catalog /Pages 999 0 R >>", infoPDF),
			pdfFacts{title: "Guía", pages: 240}},
		{"cut within packed objects", packedObjects(7, "<< /Type /Catalog /Pages 8 0 R >>", pagesPDF, infoPDF)[:90], pdfFacts{}},
		{"a dictionary that looks like the information", pdfOf("", catalogPDF, pagesPDF, "<< /Title (Dibujo.eps) /Producer (x) >>"), pdfFacts{pages: 12}},

		{"a count that cannot be", pdfOf(trailerPDF, catalogPDF, "<< /Type /Pages /Count 99999999 >>", infoPDF), pdfFacts{title: "Guía"}},
		{"a count below nothing", pdfOf(trailerPDF, catalogPDF, "<< /Type /Pages /Count -12 >>", infoPDF), pdfFacts{title: "Guía"}},
		{"a catalog that is no dictionary", pdfOf(trailerPDF, "(x)", pagesPDF, infoPDF), pdfFacts{title: "Guía", pages: 12}},
		{"references in a circle", pdfOf(trailerPDF, "1 0 R", "2 0 R", "3 0 R"), pdfFacts{}},
		{"a stream shorter than nothing", pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF, "<< /Length -9 >>\nstream\n2 0 obj << /Type /Pages /Count 99 >> endobj\nendstream"),
			pdfFacts{title: "Guía", pages: 12}},
		{"nothing else", "%PDF-1.4", pdfFacts{}},
	}
	for _, tt := range tests {
		body := tt.body
		if !strings.Contains(body, "%PDF-") {
			body = "%PDF-1.7\n1 0 obj\n" + body
		}
		if got, ok := readPDF([]byte(body)); got != tt.want || !ok {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, got, ok, tt.want)
		}
	}
	for _, body := range []string{"", "<html>", strings.Repeat(" ", pdfHeaderWithin) + "%PDF-1.4"} {
		if got, ok := readPDF([]byte(body)); ok {
			t.Errorf("%.10q is no PDF: %+v", body, got)
		}
	}
}

// TestReadPDFCut cuts a file at every byte: what is read of it is right, or nothing.
func TestReadPDFCut(t *testing.T) {
	body := pdfOf(trailerPDF, catalogPDF, pagesPDF, infoPDF, packedObjects(6, "<< /A 1 >>"))
	for i := range len(body) {
		got, _ := readPDF([]byte(body[:i]))
		if got.pages != 0 && got.pages != 12 || got.title != "" && got.title != "Guía" {
			t.Errorf("%d bytes: %+v", i, got)
		}
	}
}

// TestReadPDFBomb unpacks no more than the limit, however often it is asked to.
func TestReadPDFBomb(t *testing.T) {
	zeros := strings.Repeat(" ", 4<<20)
	one := deflated("/Type /ObjStm /N 1 /First 0", zeros)
	f := newPDFFile([]byte(pdfOf("", one, one, one, one)))
	if f.inflated != pdfMaxInflated {
		t.Errorf("%d bytes were unpacked, the limit is %d", f.inflated, pdfMaxInflated)
	}
}

// TestReadPDFEncrypted reads files that another program has encrypted: testnet.PDF("Guía de la prestación", 3), by qpdf 11.3.0, with
// the empty user password or, where they are locked, with one that is not empty. In the packed ones the objects stand in object streams.
func TestReadPDFEncrypted(t *testing.T) {
	open := pdfFacts{title: "Guía de la prestación", pages: 3}
	tests := map[string]pdfFacts{
		"r2-rc4-40": open, "r3-rc4-128": open, "r4-aes-128": open, "r4-aes-128-packed": open, "r5-aes-256": open,
		"r6-aes-256": open, "r6-aes-256-packed": open, "r6-locked": {pages: 3, locked: true}, "r4-locked": {locked: true},
	}
	for name, want := range tests {
		body, err := os.ReadFile("testdata/pdf/" + name + ".pdf")
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := readPDF(body); got != want || !ok {
			t.Errorf("%s: %+v, %v; want %+v", name, got, ok, want)
		}
		for i := 0; i < len(body); i += 17 { // damaged in any place, it is read as it is, or not
			body[i] ^= 0x20
			got, _ := readPDF(body)
			if got.pages < 0 || !utf8.ValidString(got.title) {
				t.Errorf("%s, byte %d: %+v", name, i, got)
			}
			body[i] ^= 0x20
		}
	}
}
