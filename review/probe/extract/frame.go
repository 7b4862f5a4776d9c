package extract

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// Kind names the format of a document.
type Kind string

// PDF is a PDF file, whole or cut.
const PDF Kind = "pdf"

const (
	maxHeader   = 2 << 20   // bytes of a header: a Document with MaxText bytes of text, each escaped in JSON
	maxDocument = 128 << 20 // bytes of a document
)

// requestHeader asks for one document, whose bytes follow it.
type requestHeader struct {
	Kind Kind `json:"kind"`
	Size int  `json:"size"` // bytes of the document
	Text int  `json:"text,omitempty"`
}

// request is a document on its way to the child.
type request struct {
	requestHeader
	body []byte
}

// response answers a request. No bytes follow it.
type response struct {
	Document Document `json:"document"`
	Error    string   `json:"error,omitempty"`
}

// writeRequest sends a document.
func writeRequest(w io.Writer, r request) error {
	r.Size = len(r.body)
	if err := writeHeader(w, r.requestHeader); err != nil {
		return err
	}
	_, err := w.Write(r.body)
	return err
}

// readRequest receives a document. It returns io.EOF if there is none any more.
func readRequest(from io.Reader) (r request, err error) {
	if err := readHeader(from, &r.requestHeader); err != nil {
		return r, err
	}
	if r.Size < 0 || r.Size > maxDocument {
		return r, fmt.Errorf("a document of %d bytes", r.Size)
	}
	r.body = make([]byte, r.Size)
	_, err = io.ReadFull(from, r.body)
	return r, err
}

// writeHeader sends a value as JSON, after its length as four bytes in big-endian order.
func writeHeader(w io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// readHeader receives a value that writeHeader sent.
func readHeader(r io.Reader, value any) error {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n > maxHeader {
		return fmt.Errorf("a header of %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}
