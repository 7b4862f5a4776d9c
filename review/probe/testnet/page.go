package testnet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
)

// Page is an HTML page. Its text is long enough for a page that needs no scripts.
type Page struct {
	Lang  string // html lang
	Title string
	Head  string // more of the head, literally
	Body  string // more of the body, literally

	Type   string // Content-Type; empty: text/html; charset=utf-8
	Header map[string]string
}

// Bytes returns the bytes of the page.
func (p Page) Bytes() []byte {
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<html")
	if p.Lang != "" {
		fmt.Fprintf(&b, " lang=%q", p.Lang)
	}
	fmt.Fprintf(&b, ">\n<head>\n<title>%s</title>\n%s</head>\n<body>\n<h1>%[1]s</h1>\n", html.EscapeString(p.Title),
		p.Head)
	b.WriteString("<p>Esta sede informa de los requisitos, los plazos y la documentación que hay que presentar.</p>\n")
	b.WriteString("<p>El plazo de resolución es de tres meses desde la entrada en el registro.</p>\n")
	fmt.Fprintf(&b, "%s</body>\n</html>\n", p.Body)
	return b.Bytes()
}

// SHA256 returns the hash of Bytes, in lower-case hex.
func (p Page) SHA256() string { return sha(p.Bytes()) }

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func (p Page) contentType() string {
	if p.Type != "" {
		return p.Type
	}
	return "text/html; charset=utf-8"
}

func (p Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range p.Header {
		w.Header().Set(name, value)
	}
	send(w, p.contentType(), p.Bytes())
}

// send answers 200 with the body, and states its length for HEAD too.
func send(w http.ResponseWriter, contentType string, body []byte) {
	if contentType != "" {
		w.Header().Set("Content-Type", contentType)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

// Alternates returns the link elements for language versions, given as tag and URL by turns.
func Alternates(tagsAndURLs ...string) string {
	var b strings.Builder
	for i := 0; i < len(tagsAndURLs); i += 2 {
		fmt.Fprintf(&b, "<link rel=\"alternate\" hreflang=%q href=%q>\n", tagsAndURLs[i], tagsAndURLs[i+1])
	}
	return b.String()
}

// LinkHeader returns the Link header (RFC 8288) for language versions, given as tag and URL by turns.
func LinkHeader(tagsAndURLs ...string) string {
	var links []string
	for i := 0; i < len(tagsAndURLs); i += 2 {
		links = append(links, fmt.Sprintf("<%s>; rel=\"alternate\"; hreflang=%q", tagsAndURLs[i+1], tagsAndURLs[i]))
	}
	return strings.Join(links, ", ")
}

// latin1 encodes text of Latin-1 letters with one byte for each.
func latin1(text string) []byte {
	var b []byte
	for _, letter := range text {
		b = append(b, byte(letter))
	}
	return b
}
