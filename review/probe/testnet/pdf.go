package testnet

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// PDF returns a PDF file (ISO 32000-1) of empty pages with a title.
func PDF(title string, pages int) []byte {
	return pdfFile(title, pages, slices.Repeat([]string{pdfPage + " >>"}, pages)...)
}

// PDFText returns a PDF file with a title and the text of each page, of Latin-1 letters.
func PDFText(title string, pages ...string) []byte {
	const font = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding " +
		"/WinAnsiEncoding >> >> >>"
	var leaves, contents []string
	for i, text := range pages {
		leaves = append(leaves, fmt.Sprintf("%s %s /Contents %d 0 R >>", pdfPage, font, 4+len(pages)+i))
		stream := "BT /F1 11 Tf 14 TL 50 790 Td\n"
		for line := range strings.Lines(text) {
			stream += fmt.Sprintf("(%s) Tj T*\n", pdfString(strings.TrimSpace(line)))
		}
		stream += "ET"
		contents = append(contents, fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream))
	}
	return pdfFile(title, len(pages), append(leaves, contents...)...)
}

// pdfPage begins the dictionary of a page.
const pdfPage = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]"

// pdfFile returns a file with the objects, from number 4 on. The first ones are its pages.
func pdfFile(title string, pages int, more ...string) []byte {
	var kids []string
	for i := range pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", 4+i))
	}
	objects := append([]string{"<< /Type /Catalog /Pages 2 0 R >>",
		fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), pages),
		fmt.Sprintf("<< /Title (%s) /Producer (testnet) >>", pdfString(title))}, more...)

	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	table := "0000000000 65535 f \n"
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	begin, size := b.Len(), len(objects)+1
	fmt.Fprintf(&b, "xref\n0 %d\n%strailer\n<< /Size %d /Root 1 0 R /Info 3 0 R >>\nstartxref\n%d\n%%%%EOF\n", size,
		table, size, begin)
	return b.Bytes()
}

// pdfString returns the bytes of a literal string, without its parentheses.
func pdfString(text string) string {
	return string(latin1(strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)))
}
