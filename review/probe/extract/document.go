package extract

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Document holds the contents of a document, as a person would read it. Its texts are valid UTF-8 without control
// characters but line feeds and tabs; all except Text are of one line.
type Document struct {
	Title       string
	Description string
	Author      string
	Published   string   // date or time of RFC 3339, as the document states it; empty: it states none
	Modified    string   // as Published
	Language    string   // as the document states it, not checked
	Headings    []string // of the main content in order, in Markdown: "## Requisitos"
	Links       []Link   // of the whole page in order, each URL once; of too many those of the main content stay
	Text        string   // Markdown of the main content of a page, text of the first pages of a PDF, JSON as it is
	Cut         bool     // there is more text
	Pages       int      // of a PDF; 0: not known
	Locked      bool     // a password is needed to read it; nothing else is known then
}

// Link is a link of a page.
type Link struct {
	URL  string // absolute, http or https, without fragment and user
	Text string // the first of this URL that is not empty
	Main bool   // it stands in the main content
}

// The bounds of a Document, in bytes unless stated.
const (
	MaxText      = 64 << 10  // the text
	maxLine      = 1000      // a title, a description, an author, a heading
	maxHeadings  = 64 << 10  // the headings together, with two bytes more for each
	maxLinks     = 1000      // number of links
	maxLinkText  = 300       // the text of a link
	maxLinkBytes = 256 << 10 // URLs and texts of the links together; those of the main content count first
	maxURL       = 2048      // a URL is shorter: canon refuses longer ones
	linkOverhead = 64        // a link in JSON, without URL and text
)

// JSON returns the contents of a JSON document (RFC 8259), as it is. Its line ends become line feeds.
func JSON(body []byte) Document {
	body = bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))
	// a control character is three bytes of U+FFFD at most, so the rest cannot add to MaxText
	head := body[:min(len(body), 4*MaxText)]
	text, cut := cutText(plainText(string(head)), MaxText)
	return Document{Text: text, Cut: cut || len(head) < len(body)}
}

// plainText returns a text in its normal form: valid UTF-8, without control characters but line feeds and tabs, and
// without white space around it.
func plainText(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r != '\n' && r != '\t' && unicode.IsControl(r), isInvisibleRune(r):
			return -1
		}
		return r
	}, text))
}

// isInvisibleRune reports whether a rune only says where a line may end. Editors of content systems leave them behind.
func isInvisibleRune(r rune) bool {
	return r == '\u00AD' || r == '\u200B' || r == '\u2060' || r == '\uFEFF'
}

// oneLine returns a text as one line. Of more than limit bytes it returns the beginning and "…".
func oneLine(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = plainText(strings.Join(strings.FieldsFunc(text, isGap), " "))
	if len(text) <= limit {
		return text
	}
	return strings.TrimSpace(clip(text, limit)) + "…"
}

func isGap(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// cutText returns the beginning of a text, up to limit bytes, and whether it is shorter than the text. It ends with a
// line if the last line begins in its second half, else with a rune.
func cutText(text string, limit int) (string, bool) {
	if len(text) <= limit {
		return text, false
	}
	if end := strings.LastIndexByte(text[:limit+1], '\n'); end > limit/2 {
		return strings.TrimSpace(text[:end]), true
	}
	return strings.TrimSpace(clip(text, limit)), true
}

// clip returns the beginning of a valid text, of at most limit bytes.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
