package probe

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Response is an answer of a server, read within the limits.
type Response struct {
	URL       string // of the request
	Method    string // GET or HEAD
	Status    int
	Header    http.Header
	Length    int64  // Content-Length of the encoded body; -1: missing
	Body      []byte // decoded (Content-Encoding), in its original charset; nil after HEAD
	Truncated bool   // the body exceeded the limit
	confirms  bool   // 304: the known content is still valid
	Trouble   string // why the body is missing or incomplete, if not for the limit
	isDrawn   bool   // a browser drew the body from the answer
	bodiless  bool   // the body broke off before it began: the next answer may have one

	certificate time.Time // Exchange.Certificate

	page Page  // of an answer for a page; its body is dropped
	read int64 // bytes of the dropped body
}

// errEncoding is the error of a body whose Content-Encoding was not requested or is wrong.
var errEncoding = errors.New("the body cannot be decoded")

// readBody reads the decoded body up to limit bytes. It inflates nothing beyond, so a bomb ends at the limit. A body
// that breaks off counts as far as it came, unless it is empty.
func (r *Response) readBody(body io.Reader, limit int64) error {
	decoded, err := undo(body, r.Header.Values("Content-Encoding"))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.Grow(int(r.room(limit)) + 1 + bytes.MinRead) // growing by and by would leave as much garbage again
	_, err = b.ReadFrom(io.LimitReader(decoded, limit+1))
	r.Body = b.Bytes()
	if int64(len(r.Body)) > limit {
		r.Body, r.Truncated = r.Body[:limit], true
		return nil
	}
	if err != nil && len(r.Body) > 0 && !isTimeout(err) {
		r.Trouble, err = "the body broke off: "+lastText(err), nil
	}
	return err
}

// undo undoes the Content-Encoding. Of several the last is the outermost.
func undo(body io.Reader, encodings []string) (io.Reader, error) {
	names := strings.Split(strings.ToLower(strings.Join(encodings, ",")), ",")
	if len(names) > 4 {
		return nil, fmt.Errorf("%w: it was encoded %d times", errEncoding, len(names))
	}
	for i := len(names) - 1; i >= 0; i-- {
		var open func(*bufio.Reader) (io.Reader, error)
		switch name := strings.TrimSpace(names[i]); name {
		case "", "identity":
			continue
		case "gzip", "x-gzip":
			open = func(r *bufio.Reader) (io.Reader, error) { return gzip.NewReader(r) }
		case "deflate":
			open = inflate
		default:
			return nil, fmt.Errorf("%w: the encoding %q was not asked for", errEncoding, name)
		}
		encoded := bufio.NewReader(body)
		if _, err := encoded.Peek(1); errors.Is(err, io.EOF) { // an empty body has no header
			return encoded, nil
		} else if err != nil {
			return nil, err
		}
		var err error
		if body, err = open(encoded); err != nil {
			return nil, fmt.Errorf("%w: %w", errEncoding, err)
		}
	}
	return body, nil
}

// inflate reads "deflate": by the standard the zlib format (RFC 9110 section 8.4.1.2), from some servers raw deflate.
func inflate(r *bufio.Reader) (io.Reader, error) {
	head, err := r.Peek(2)
	if err != nil {
		return nil, err
	}
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

// size returns the number of bytes that were read or, after HEAD, announced.
func (r *Response) size() int64 {
	if r.Method == http.MethodHead {
		return max(r.Length, 0)
	}
	return r.read
}

// room returns the number of bytes that the body will have at most.
func (r *Response) room(limit int64) int64 {
	if r.Length < 0 || r.Header.Get("Content-Encoding") != "" {
		return limit
	}
	return min(r.Length, limit)
}
