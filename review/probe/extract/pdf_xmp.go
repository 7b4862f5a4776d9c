package extract

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/requests"
)

const maxXMP = 1 << 20 // bytes of metadata that are unpacked

// xmpTitle returns the title in the metadata of the catalog. PDFium does not offer the metadata itself, but writes a
// copy of the file that is neither encrypted nor packed into object streams.
func (f *pdfFile) xmpTitle() string {
	if !bytes.Contains(f.body, []byte("/Metadata")) && !bytes.Contains(f.body, []byte("/ObjStm")) {
		return ""
	}
	var plain bytes.Buffer
	_, err := f.pdfium.FPDF_SaveAsCopy(&requests.FPDF_SaveAsCopy{
		Document: f.ref, Flags: requests.SaveFlagRemoveSecurity, FileWriter: &plain,
	})
	if err != nil {
		return ""
	}
	m := metadataForm().FindSubmatch(catalogOf(plain.Bytes()).text)
	if m == nil {
		return ""
	}
	return readXMPTitle(streamData(plain.Bytes(), m[1]))
}

// streamData returns the unpacked data of the stream with a number, nil if there is none or its filter is not Flate.
func streamData(body, number []byte) []byte {
	var stream rawObject
	for o := range rawObjects(body) {
		if bytes.Equal(o.number, number) {
			stream = o
		}
	}
	data := bytes.TrimPrefix(bytes.TrimPrefix(stream.data, []byte("\r")), []byte("\n"))
	if !bytes.Contains(stream.text, []byte("/Filter")) {
		return data
	}
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	data, _ = io.ReadAll(io.LimitReader(r, maxXMP))
	return data
}

// readXMPTitle returns the first text of dc:title, or the one in the default language (XMP specification part 1,
// section 8.2.2.4).
func readXMPTitle(metadata []byte) (title string) {
	dcTitle := xml.Name{Space: "http://purl.org/dc/elements/1.1/", Local: "title"}
	d := xml.NewDecoder(bytes.NewReader(metadata))
	within, isDefault := false, false
	for {
		token, err := d.Token()
		if err != nil {
			return title
		}
		switch t := token.(type) {
		case xml.StartElement:
			within = within || t.Name == dcTitle
			isDefault = slices.ContainsFunc(t.Attr, func(a xml.Attr) bool {
				return a.Name.Local == "lang" && a.Value == "x-default"
			})
		case xml.EndElement:
			if t.Name == dcTitle {
				return title
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); within && text != "" && (title == "" || isDefault) {
				title = text
			}
		}
	}
}
