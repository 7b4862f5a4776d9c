package probe

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"
	"testing"
)

// packed returns the text compressed by pack.
func packed(t *testing.T, text string, pack func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pack(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func toGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func toZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func toFlate(w io.Writer) io.WriteCloser {
	f, err := flate.NewWriter(w, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	return f
}

func TestReadBody(t *testing.T) {
	const text = "<title>Ayuda</title>"
	zipped := packed(t, text, toGzip)
	for _, test := range []struct {
		name, encoding string
		sent           []byte
		limit          int64
		body, trouble  string
		truncated      bool
		err            error
	}{
		{name: "plain", sent: []byte(text), limit: 100, body: text},
		{name: "exactly the limit", sent: []byte(text), limit: int64(len(text)), body: text},
		{name: "one more than the limit", sent: []byte(text), limit: int64(len(text)) - 1, body: text[:len(text)-1],
			truncated: true},
		{name: "gzip", encoding: "gzip", sent: zipped, limit: 100, body: text},
		{name: "gzip by its old name", encoding: " X-GZip ", sent: zipped, limit: 100, body: text},
		{name: "deflate", encoding: "deflate", sent: packed(t, text, toZlib), limit: 100, body: text},
		{name: "deflate without a header", encoding: "deflate", sent: packed(t, text, toFlate), limit: 100, body: text},
		{name: "both", encoding: "deflate, gzip", sent: packed(t, string(packed(t, text, toZlib)), toGzip),
			limit: 100, body: text},
		{name: "empty", encoding: "gzip", limit: 100},
		{name: "identity", encoding: "identity", sent: []byte(text), limit: 100, body: text},
		{name: "not what was asked for", encoding: "br", sent: []byte(text), limit: 100, err: errEncoding},
		{name: "not gzip", encoding: "gzip", sent: []byte(text), limit: 100, err: errEncoding},
		{name: "wrapped over and over", encoding: "gzip,gzip,gzip,gzip,gzip", sent: zipped, limit: 100,
			err: errEncoding},
		{name: "broken off", encoding: "gzip", sent: zipped[:len(zipped)-8], limit: 100, body: text,
			trouble: "broke off"},
	} {
		var r Response
		var encodings []string
		if test.encoding != "" {
			encodings = []string{test.encoding}
		}
		r.Header = map[string][]string{"Content-Encoding": encodings}
		err := r.readBody(bytes.NewReader(test.sent), test.limit)
		if !errors.Is(err, test.err) || string(r.Body) != test.body || r.Truncated != test.truncated ||
			!strings.Contains(r.Trouble, test.trouble) {
			t.Errorf("%s: %q, truncated %t, trouble %q, error %v", test.name, r.Body, r.Truncated, r.Trouble, err)
		}
	}
}

// TestBomb stops at the limit: of a body of 1 GB, no more is inflated than is kept.
func TestBomb(t *testing.T) {
	zeros := packed(t, strings.Repeat("\x00", 16<<20), toGzip)
	bomb := io.MultiReader(bytes.NewReader(zeros), &endless{zeros})
	counted := &counter{from: bomb}
	r := Response{Header: map[string][]string{"Content-Encoding": {"gzip"}}}
	if err := r.readBody(counted, 1<<20); err != nil || len(r.Body) != 1<<20 || !r.Truncated {
		t.Errorf("%d bytes, truncated %t, %v", len(r.Body), r.Truncated, err)
	}
	if counted.n > 64<<10 {
		t.Errorf("%d bytes were taken off the network", counted.n)
	}
	twice := packed(t, string(zeros), toGzip)
	r = Response{Header: map[string][]string{"Content-Encoding": {"gzip, gzip"}}}
	if err := r.readBody(bytes.NewReader(twice), 1<<20); err != nil || len(r.Body) != 1<<20 || !r.Truncated {
		t.Errorf("a bomb in a bomb: %d bytes, truncated %t, %v", len(r.Body), r.Truncated, err)
	}
}

// endless repeats its text.
type endless struct{ text []byte }

func (e *endless) Read(p []byte) (int, error) { return copy(p, e.text), nil }

// counter counts the bytes that are read.
type counter struct {
	from io.Reader
	n    int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	return n, err
}
