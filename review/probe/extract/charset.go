package extract

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"visto/review/lazyregexp"
)

// prescanned is the part of a page in which a declaration of its charset is looked for, in bytes. The HTML standard
// asks for 1,024 bytes but lets browsers start again at a later declaration, which gives the same result.
const prescanned = 64 << 10

// UTF8 returns the text of a page, or of an XML document, in UTF-8; it may be the body itself. The charset comes from
// the byte order mark, the Content-Type, <meta> or the XML declaration (HTML standard, section 13.2.3.2), else from a
// guess.
//
// charset.DetermineEncoding decides alone only on the mark and the header. It looks at 1,024 bytes, so a page whose
// accents begin later would be read in the wrong charset; it does not tell a declaration from a guess; and it knows
// no XML declaration.
func UTF8(body []byte, contentType string) []byte {
	e, name, certain := charset.DetermineEncoding(body, contentType)
	if !certain {
		e, name = declaredCharset(body)
	}
	if e == nil {
		e, name = charset.Lookup(guessCharset(body))
	}
	if name == "utf-8" {
		return validUTF8(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
	}
	text, err := e.NewDecoder().Bytes(body)
	if err != nil { // the replacement encoding refuses charsets that are dangerous to decode
		return validUTF8(body)
	}
	return bytes.TrimPrefix(text, []byte("\uFEFF"))
}

// validUTF8 puts U+FFFD in the place of invalid bytes. It copies only a text that has some.
func validUTF8(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	return bytes.ToValidUTF8(text, []byte("\uFFFD"))
}

// declaredCharset returns the encoding that a <meta> element or an XML declaration names, nil if none does.
func declaredCharset(body []byte) (e encoding.Encoding, name string) {
	z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), prescanned)]))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		if tag, hasAttrs := z.TagName(); string(tag) != "meta" || !hasAttrs {
			continue
		}
		e, name := charset.Lookup(metaCharset(z))
		if strings.HasPrefix(name, "utf-16") { // a page that can be read so far is not in UTF-16
			e, name = charset.Lookup("utf-8")
		}
		if e != nil {
			return e, name
		}
	}
	if m := xmlEncoding().FindSubmatch(body[:min(len(body), 1024)]); m != nil {
		return charset.Lookup(string(m[1]))
	}
	return nil, ""
}

var (
	metaContent = lazyregexp.New(`(?i)charset\s*=\s*["']?\s*([^\s"';,]+)`)
	xmlEncoding = lazyregexp.New(`^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)
)

// metaCharset returns the label that a <meta> element declares. z has read the name of its tag.
func metaCharset(z *html.Tokenizer) string {
	attrs := map[string]string{}
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		if name := string(key); attrs[name] == "" { // the first of each name counts
			attrs[name] = string(value[:min(len(value), maxField)])
		}
	}
	if label := strings.TrimSpace(attrs["charset"]); label != "" {
		return label
	}
	if !strings.EqualFold(strings.TrimSpace(attrs["http-equiv"]), "content-type") {
		return ""
	}
	m := metaContent().FindStringSubmatch(attrs["content"])
	if m == nil {
		return ""
	}
	return m[1]
}

// guessCharset tells UTF-8 from Windows-1252, the standard's default for Western Europe. A rune that was cut in two
// at the end counts for neither.
func guessCharset(body []byte) string {
	valid := make([]byte, len(body))
	if _, _, err := encoding.UTF8Validator.Transform(valid, body, false); errors.Is(err, encoding.ErrInvalidUTF8) {
		return "windows-1252"
	}
	return "utf-8"
}
