package extract

import (
	"encoding/binary"
	"fmt"
	"io"
)

// request is a document on its way to the child. It is sent as a header and the bytes of the document.
type request struct {
	requestHeader
	pdf []byte // a PDF file, whole or cut
}

// requestHeader is sent as two numbers in big-endian order.
type requestHeader struct {
	Size uint32 // bytes of the document
	Text uint32 // bytes of its text that are wanted
}

const maxDocument = 128 << 20 // bytes

func writeRequest(w io.Writer, r request) error {
	r.Size = uint32(len(r.pdf))
	err := binary.Write(w, binary.BigEndian, r.requestHeader)
	if err == nil {
		_, err = w.Write(r.pdf)
	}
	return err
}

// readRequest returns io.EOF if there is no request any more.
func readRequest(from io.Reader) (r request, err error) {
	if err = binary.Read(from, binary.BigEndian, &r.requestHeader); err != nil {
		return r, err
	}
	if r.Size > maxDocument {
		return r, fmt.Errorf("a document of %d bytes", r.Size)
	}
	r.pdf = make([]byte, r.Size)
	_, err = io.ReadFull(from, r.pdf)
	return r, err
}

// response answers a request. It is sent in JSON.
type response struct {
	Document Document
	Error    string // reason why there is no Document
}

// maxResponse is the upper bound of a response in bytes: a Document with MaxText bytes of text, each escaped in JSON.
const maxResponse = 2 << 20
