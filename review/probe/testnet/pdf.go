package testnet

import (
	"bytes"
	"fmt"
	"strings"
)

// PDF returns a PDF file (ISO 32000-1) of empty pages with a title.
func PDF(title string, pages int) []byte {
	var kids []string
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "",
		fmt.Sprintf("<< /Title (%s) /Producer (testnet) >>", latin1(title))}
	for i := range pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", 4+i))
		objects = append(objects, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>")
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), pages)

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
