package extract

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// kind is the kind of a document.
type kind uint16

const (
	htmlKind kind = iota + 1
	pdfKind
)

// request is a document on its way to the child. It is sent as a header, the type, the URL and the bytes of the
// document.
type request struct {
	requestHeader
	contentType string // of a page: the header field of the answer
	url         string // of a page
	body        []byte // whole or cut
}

// requestHeader is sent as numbers in big-endian order.
type requestHeader struct {
	Kind kind
	Type uint16 // bytes of the type
	URL  uint16 // bytes of the URL
	Size uint32 // bytes of the document
	Text uint32 // of a PDF: bytes of its text that are wanted
}

const (
	maxDocument = 128 << 20 // bytes
	maxField    = 4 << 10   // bytes of a type or a URL; a longer one says nothing
)

func writeRequest(w io.Writer, r request) error {
	if len(r.contentType) > maxField {
		r.contentType = ""
	}
	if len(r.url) > maxField {
		r.url = ""
	}
	r.Type, r.URL, r.Size = uint16(len(r.contentType)), uint16(len(r.url)), uint32(len(r.body))
	head, err := binary.Append(nil, binary.BigEndian, r.requestHeader)
	if err != nil {
		return err
	}
	if _, err = w.Write(append(append(head, r.contentType...), r.url...)); err != nil {
		return err
	}
	_, err = w.Write(r.body)
	return err
}

// readRequest returns io.EOF if there is no request any more.
func readRequest(from io.Reader) (r request, err error) {
	if err = binary.Read(from, binary.BigEndian, &r.requestHeader); err != nil {
		return r, err
	}
	if r.Size > maxDocument || r.Type > maxField || r.URL > maxField {
		return r, fmt.Errorf("a document of %d bytes, with a type of %d and a URL of %d", r.Size, r.Type, r.URL)
	}
	fields := make([]byte, int(r.Type)+int(r.URL))
	if _, err = io.ReadFull(from, fields); err != nil {
		return r, err
	}
	r.contentType, r.url = string(fields[:r.Type]), string(fields[r.Type:])
	r.body = make([]byte, r.Size)
	_, err = io.ReadFull(from, r.body)
	return r, err
}

// response answers a request. It is sent in JSON.
type response struct {
	Document Document
	Error    string // reason why there is no Document
}

func writeResponse(w io.Writer, r response) error {
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	return to.Encode(r)
}

// maxResponse is the upper bound of a response in bytes: that of a Document, whose characters take at most twice their
// bytes in JSON, for it has no control characters but line feeds and tabs.
const maxResponse = 2*(MaxText+maxHeadings+maxLinks*linkOverhead+maxLinkBytes+8*maxField) + 1<<10
