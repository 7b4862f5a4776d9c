package rows

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"

	"visto/review"
	"visto/review/probe/extract"
)

// packContent returns the SHA-256 of the content of a page as JSON. body returns that JSON, compressed by DEFLATE (RFC
// 1951).
func packContent(c *extract.Document) (hash [sha256.Size]byte, body func() ([]byte, error), err error) {
	text, err := json.Marshal(c)
	return sha256.Sum256(text), func() ([]byte, error) { return compress(text) }, err
}

func compress(text []byte) ([]byte, error) {
	var body bytes.Buffer
	w, err := flate.NewWriter(&body, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	return body.Bytes(), err
}

// maxContent is the upper bound of a content in bytes of JSON. A longer one in a store is damage, or an attack.
const maxContent = 4 << 20

// unpackContent is the inverse of packContent for the page of an item. Its error is damage.
func unpackContent(item int64, hash, body []byte) (c extract.Document, err error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(body)), maxContent))
	if sum := sha256.Sum256(text); err != nil || !bytes.Equal(sum[:], hash) {
		return c, fmt.Errorf("URL %d: %w", item, review.ErrDamaged)
	}
	err = json.Unmarshal(text, &c)
	return c, err
}
