package probe

import (
	"bytes"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

// prescanned is how much of a page is searched for its charset. The standard asks for 1,024 bytes, but has browsers begin again
// when they meet a declaration later: this comes to the same.
const prescanned = 64 << 10

// toUTF8 returns a text in UTF-8. Its charset is found as the HTML standard says (section 13.2.3.2): byte order mark, Content-Type,
// <meta>, XML declaration, and else a guess: UTF-8 where all of it is, otherwise Windows-1252, the standard's default
// for Western Europe. charset.DetermineEncoding is not used because it sees 1,024 bytes only, guesses from them, and does not say
// whether it did.
func toUTF8(body []byte, contentType string) []byte {
	label := bomCharset(body)
	for _, find := range []func() string{
		func() string { return headerCharset(contentType) },
		func() string { return metaCharset(body[:min(len(body), prescanned)]) },
		func() string { return xmlCharset(body) },
	} {
		if label == "" {
			label = find()
		}
	}
	if label == "" {
		label = guessCharset(body)
	}
	return decode(body, label)
}

// decode returns the text in UTF-8, without its byte order mark. What is not valid in its charset becomes U+FFFD.
func decode(body []byte, label string) []byte {
	e, name := charset.Lookup(label)
	if name == "utf-8" {
		body = bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))
		return bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	text, err := e.NewDecoder().Bytes(body)
	if err != nil { // the replacement encoding refuses what is dangerous to decode
		return bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	return bytes.TrimPrefix(text, []byte("\uFEFF"))
}

// known returns the label of a charset if there is such a charset, or nothing.
func known(label string) string {
	if e, _ := charset.Lookup(label); e == nil {
		return ""
	}
	return label
}

var byteOrderMarks = []struct{ mark, label string }{
	{"\xEF\xBB\xBF", "utf-8"},
	{"\xFE\xFF", "utf-16be"},
	{"\xFF\xFE", "utf-16le"},
}

func bomCharset(body []byte) string {
	for _, b := range byteOrderMarks {
		if bytes.HasPrefix(body, []byte(b.mark)) {
			return b.label
		}
	}
	return ""
}

// headerCharset reads the charset out of a Content-Type, also out of one that mime refuses: with a parameter twice, or unquoted
// spaces.
func headerCharset(contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	if err == nil {
		return known(params["charset"])
	}
	return known(charsetIn(contentType))
}

var charsetParam = regexp.MustCompile(`(?i)charset\s*=\s*["']?\s*([^\s"';,]+)`)

// charsetIn finds "charset=…" in a text, as <meta content> and broken headers have it.
func charsetIn(text string) string {
	if m := charsetParam.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// metaCharset returns what a <meta charset> or <meta http-equiv=content-type> declares. A page that can be read so far is not in
// UTF-16, whatever it says.
func metaCharset(head []byte) string {
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) != "meta" || !more {
				continue
			}
			label := known(charsetOf(attrsOf(z)))
			if strings.HasPrefix(strings.ToLower(label), "utf-16") {
				return "utf-8"
			}
			if label != "" {
				return label
			}
		}
	}
}

// charsetOf returns the charset that a <meta> element with these attributes declares.
func charsetOf(attrs map[string]string) string {
	if label := strings.TrimSpace(attrs["charset"]); label != "" {
		return label
	}
	if strings.EqualFold(strings.TrimSpace(attrs["http-equiv"]), "content-type") {
		return charsetIn(attrs["content"])
	}
	return ""
}

var xmlEncoding = regexp.MustCompile(`^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// xmlCharset returns the encoding of an XML declaration.
func xmlCharset(body []byte) string {
	if m := xmlEncoding.FindSubmatch(body[:min(len(body), 1024)]); m != nil {
		return known(string(m[1]))
	}
	return ""
}

// guessCharset tells UTF-8 from Windows-1252. A rune that was cut in two at the end speaks for neither.
func guessCharset(body []byte) string {
	end := len(body)
	for i := end - 1; i >= max(0, end-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(body[i]) {
			if !utf8.FullRune(body[i:]) {
				end = i
			}
			break
		}
	}
	if utf8.Valid(body[:end]) {
		return "utf-8"
	}
	return "windows-1252"
}
