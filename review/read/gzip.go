package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// A gzip file may unpack to gzipFree bytes, and beyond that to gzipRatio times its own size. Text hardly reaches a
// ratio of 100, a bomb 1,000.
const (
	gzipFree  = 64 << 20
	gzipRatio = 200
)

var gzipMagic = []byte("\x1F\x8B")

// unpack makes the input read the contents of a gzip file. Its places have no bytes then: Rewrite refuses the file.
func (in *input) unpack() error {
	packed := &counting{r: in.r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return in.failf("it is compressed with gzip, and broken: %w", err)
	}
	in.packed = true
	in.r = bufio.NewReaderSize(&unpacked{packed: packed, z: z}, sniffSize)
	return nil
}

// Unpacked returns the contents of a file that places count from: of a gzip file those that it packs.
func Unpacked(data []byte) ([]byte, error) {
	in := &input{r: bufio.NewReader(bytes.NewReader(data))}
	if !bytes.HasPrefix(data, gzipMagic) {
		return data, nil
	}
	if err := in.unpack(); err != nil {
		return nil, err
	}
	return io.ReadAll(in.r)
}

// counting counts the bytes read.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// unpacked reads the contents of a gzip file, up to its limit.
type unpacked struct {
	packed *counting
	z      *gzip.Reader
	n      int64
}

var errBomb = errors.New("it unpacks to more than 200 times its size: it is refused")

func (u *unpacked) Read(p []byte) (int, error) {
	if u.n > gzipFree && u.n > gzipRatio*u.packed.n {
		return 0, errBomb
	}
	n, err := u.z.Read(p)
	u.n += int64(n)
	return n, err
}
