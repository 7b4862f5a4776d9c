package read

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"

	"visto/review/lazyregexp"
)

// sniffSize is the number of bytes of an input that are inspected before it is read.
const sniffSize = 1 << 16

const byteOrderMark = "\xEF\xBB\xBF"

// head returns the beginning of the input without a byte order mark. It returns an error if the input is not text. If
// the lines of the beginning end with a lone CR, those of the input do.
func (in *input) head() ([]byte, error) {
	head, err := in.start()
	if err != nil || !endsWithCR(head) {
		return head, err
	}
	in.r = bufio.NewReaderSize(&returns{in.r}, sniffSize)
	return in.start()
}

func (in *input) start() ([]byte, error) {
	head, err := in.r.Peek(sniffSize)
	switch {
	case errors.Is(err, syscall.EISDIR):
		return nil, in.failf("it is a directory: name the files in it")
	case err != nil && err != io.EOF:
		return nil, in.failf("%w", err)
	}
	if bytes.HasPrefix(head, gzipMagic) && !in.packed {
		if err := in.unpack(); err != nil {
			return nil, err
		}
		return in.start()
	}
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		in.base = int64(len(byteOrderMark))
		if _, err := in.r.Discard(len(byteOrderMark)); err != nil {
			return nil, err
		}
		return head[len(byteOrderMark):], nil
	}
	if why := notText(head); why != "" {
		return nil, in.failf("%s", why)
	}
	return head, nil
}

// magic holds the first bytes of formats that are not text, with advice.
var magic = []struct{ prefix, why string }{
	{"\xFF\xFE", "it is UTF-16: convert it to UTF-8, as with iconv -f UTF-16 -t UTF-8"},
	{"\xFE\xFF", "it is UTF-16: convert it to UTF-8, as with iconv -f UTF-16 -t UTF-8"},
	{"SQLite format 3\x00", "it is a SQLite database: name its URLs with --query"},
	{"\x1F\x8B", "it is compressed with gzip twice: unpack it first"},
	{"PK\x03\x04", "it is a ZIP archive or an office document: unpack it, or save it as CSV"},
	{"%PDF-", "it is a PDF, not a list of URLs"},
}

// notText returns the reason why the beginning of an input is not text, or "". A few control characters are no
// reason: a hostile URL may contain them.
func notText(head []byte) string {
	for _, m := range magic {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return m.why
		}
	}
	zeros, controls := bytes.Count(head, []byte{0}), 0
	for _, c := range head {
		if c < ' ' && !bytes.ContainsRune([]byte("\t\n\v\f\r\x1b"), rune(c)) {
			controls++
		}
	}
	switch {
	case zeros*4 > len(head) && controls-zeros < zeros/4 && alternate(head):
		return "it looks like UTF-16: convert it to UTF-8, as with iconv -f UTF-16 -t UTF-8"
	case controls > 1 && controls*20 > len(head):
		return "it is binary data, not a list of URLs"
	}
	return ""
}

// alternate reports whether every second byte is zero, as in Latin text in UTF-16.
func alternate(head []byte) bool {
	for i := 2; i < min(len(head), 16); i++ {
		if (head[i] == 0) != (head[i-2] == 0) {
			return false
		}
	}
	return len(head) >= 4
}

// detect returns the format by the extension of the name, else by the beginning of the input.
func (in *input) detect(head []byte) string {
	name := strings.ToLower(in.name)
	if in.packed {
		name = strings.TrimSuffix(name, ".gz")
	}
	extension := filepath.Ext(name)
	for _, f := range formats() {
		if slices.Contains(f.extensions, extension) {
			return f.name
		}
	}
	if slices.Contains(textExtensions, extension) {
		return formatText
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	_, known := in.separator(string(first), commas)
	known = known || separatorOf(strings.TrimSuffix(string(first), "\r")) != 0
	switch {
	case len(text) == 0:
		return formatText
	case htmlStart().Match(text):
		return "html"
	case xmlStart().Match(text):
		return "sitemap"
	case text[0] == '{' || text[0] == '[':
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if json.Valid(first) && len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') {
			return "jsonl"
		}
		return "json"
	case known:
		return "csv"
	case yamlStart().Match(skipComments(text)) && (len(head) == sniffSize || in.isYAML(head)):
		return "yaml"
	}
	return formatText
}

var (
	htmlStart = lazyregexp.New(`(?i)^(<!--[^>]*-->\s*)*<(!doctype html|html|head|body)\b`)
	xmlStart  = lazyregexp.New(`^<(\?xml|urlset|sitemapindex)\b`)
)

// yamlStart matches a document mark, a list entry, or a key. A URL does not match: no space follows its colon.
var yamlStart = lazyregexp.New(`^(---|%YAML|- |["']?[\pL_][\w .-]*["']?:(\s|$))`)

// skipComments removes leading lines that begin with "#". Text and YAML both have such comments.
func skipComments(text []byte) []byte {
	for len(text) > 0 && text[0] == '#' {
		_, text, _ = bytes.Cut(text, []byte("\n"))
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	return text
}

// isYAML reports whether a text is YAML with a known field, or with a URL under another one. A sentence may begin with
// a word and a colon, too.
func (in *input) isYAML(text []byte) bool {
	var doc yaml.Node
	plain, _ := plainYAML11(text)
	return unmarshalYAML(plain, &doc) == nil && in.hasURLs(&doc)
}

func (in *input) hasURLs(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode && (in.field(n.Value) != "" || isURL(n.Value)) {
		return true
	}
	return slices.ContainsFunc(n.Content, in.hasURLs)
}
