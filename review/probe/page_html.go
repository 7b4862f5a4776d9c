package probe

import (
	"bytes"
	"cmp"
	"strings"

	"golang.org/x/net/html"
)

// htmlFacts holds the raw statements of an HTML page. URLs are not resolved.
type htmlFacts struct {
	title, ogTitle, heading string
	lang                    string // <html lang>, or xml:lang
	metaLang, ogLocale      string // weaker signs
	base                    string
	links                   []link
	refresh                 string // content of <meta http-equiv=refresh>

	text      int  // bytes of visible text
	scripts   int  // <script> elements
	password  bool // a field for a password exists
	notFree   bool // linked data declares that the page is not free of charge
	paywall   bool // an element has the name of a paywall
	total     pageTotal
	beginning string // of the visible text, in lower case
}

const (
	maxBeginning = 4 << 10 // bytes of the visible text in which signs of a wall are looked for
	maxAttr      = 4 << 10 // bytes of an attribute; longer ones are not URLs, languages or names
)

// htmlReader goes through the tokens of a page once. It builds no tree, so nesting costs nothing, and all that it
// keeps has limits: time and memory grow only with the size of the body, which has a limit too.
type htmlReader struct {
	htmlFacts
	z      *html.Tokenizer
	raw    string          // element whose text comes next and is no markup; empty: none
	ldJSON bool            // that element is a script with linked data
	svg    int             // open <svg> elements: their titles are not the page's
	inBody bool            // <body> has begun
	inH1   bool            // the first <h1> is open
	h1     strings.Builder // its text
	line   strings.Builder // text since the last block began
	begins strings.Builder
}

// readHTML reads a page in UTF-8.
func readHTML(text []byte) htmlFacts {
	r := &htmlReader{z: html.NewTokenizer(bytes.NewReader(text))}
	for {
		switch kind := r.z.Next(); kind {
		case html.ErrorToken:
			r.endLine()
			r.beginning = strings.ToLower(r.begins.String())
			return r.htmlFacts
		case html.TextToken:
			r.addText(r.z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := r.z.TagName()
			r.end(string(name))
		}
	}
}

// rawElements hold text that is no markup, or that a browser with scripts does not show.
var rawElements = wordSet("title script style noscript textarea iframe noembed noframes xmp plaintext")

// inline are the elements that do not end a line.
var inline = wordSet("a abbr b bdi bdo cite code data dfn em font i input kbd label mark q s samp small span " +
	"strong sub sup time tt u var wbr")

func (r *htmlReader) start(closed bool) {
	tag, more := r.z.TagName()
	name := string(tag)
	if !inline[name] {
		r.endLine()
	}
	var attrs map[string]string
	if more {
		attrs = attrsOf(r.z)
	}
	r.paywall = r.paywall || isPaywallName(attrs["id"]) || isPaywallName(attrs["class"])
	r.element(name, attrs)
	if rawElements[name] && !closed {
		r.raw = name
	}
	if name == "svg" && !closed {
		r.svg++
	}
}

// element reads the attributes of a start tag.
func (r *htmlReader) element(name string, attrs map[string]string) {
	switch name {
	case "html":
		setFirst(&r.lang, attrs["lang"])
		setFirst(&r.lang, attrs["xml:lang"])
	case "base": // later ones do not count (HTML standard, section 4.2.3)
		setFirst(&r.base, attrs["href"])
	case "meta":
		r.readMeta(attrs)
	case "link", "a", "area":
		r.readLink(name, attrs)
	case "script":
		r.scripts++
		r.ldJSON = strings.EqualFold(strings.TrimSpace(attrs["type"]), "application/ld+json")
	case "input":
		r.readInput(attrs)
	case "body":
		r.inBody, r.svg = true, 0
	case "h1":
		r.inH1 = r.heading == ""
	}
}

func (r *htmlReader) end(name string) {
	if !inline[name] {
		r.endLine()
	}
	switch name {
	case r.raw:
		r.raw = ""
	case "svg":
		r.svg = max(0, r.svg-1)
	case "h1":
		r.inH1 = false
		setFirst(&r.heading, cleanText(r.h1.String()))
	}
}

// addText adds text: to the title, to linked data, or to the visible text.
func (r *htmlReader) addText(text []byte) {
	switch {
	case r.raw == "title":
		if r.title == "" && r.svg == 0 {
			r.title = cleanText(string(text))
		}
	case r.raw == "script":
		r.notFree = r.notFree || r.ldJSON && notFreeOfCharge(text)
	case r.raw == "":
		r.show(string(text))
	}
}

// show adds visible text.
func (r *htmlReader) show(text string) {
	r.text += len(strings.TrimSpace(text))
	if r.inH1 && r.h1.Len() < maxText {
		r.h1.WriteString(text[:min(len(text), 4*maxText)])
	}
	if r.line.Len() <= maxPagerLine {
		r.line.WriteString(text[:min(len(text), 4*maxPagerLine)])
	}
	if r.begins.Len() < maxBeginning {
		r.begins.WriteString(text[:min(len(text), maxBeginning)])
		r.begins.WriteByte(' ')
	}
}

// endLine ends a line of the visible text.
func (r *htmlReader) endLine() {
	if r.line.Len() > 0 {
		r.total.line(strings.TrimSpace(r.line.String()))
		r.line.Reset()
	}
}

// readMeta takes a <meta> element. The first of each kind counts.
func (r *htmlReader) readMeta(attrs map[string]string) {
	content := attrs["content"]
	switch strings.ToLower(strings.TrimSpace(attrs["http-equiv"])) {
	case "content-language":
		setFirst(&r.metaLang, content)
	case "refresh":
		if r.raw != "noscript" { // browsers with scripts ignore it
			setFirst(&r.refresh, content)
		}
	}
	switch strings.ToLower(cmp.Or(attrs["property"], attrs["name"])) {
	case "og:title":
		setFirst(&r.ogTitle, cleanText(content))
	case "og:locale":
		setFirst(&r.ogLocale, content)
	case "article:content_tier": // Open Graph of news: free, metered, locked
		r.notFree = r.notFree || strings.EqualFold(content, "locked")
	}
}

// readLink takes a typed link. Pagers have theirs in the body, so these count too. A canonical URL counts only in the
// head, as for search engines: in the body it may come from anybody.
func (r *htmlReader) readLink(name string, attrs map[string]string) {
	l := link{target: strings.Trim(attrs["href"], "\t\n\f\r "), rel: attrs["rel"], params: attrs}
	if l.rel == "" || l.target == "" || len(r.links) >= maxLinks || !l.counts() {
		return
	}
	if l.has("canonical") && (r.inBody || name != "link") {
		return
	}
	r.links = append(r.links, l)
}

// readInput takes a field of a form, which often holds the number of the page.
func (r *htmlReader) readInput(attrs map[string]string) {
	switch strings.ToLower(attrs["type"]) {
	case "password":
		r.password = true
	case "", "text", "number":
		r.line.WriteString(attrs["value"][:min(len(attrs["value"]), len("1000000"))])
	}
}

// setFirst sets a text that is not set yet.
func setFirst(to *string, text string) {
	if *to == "" {
		*to = strings.TrimSpace(text)
	}
}

// wantedAttrs are the attributes that some reader needs.
var wantedAttrs = wordSet("charset class content href hreflang http-equiv id lang media name property rel type " +
	"value xml:lang")

// attrsOf returns the attributes of the current tag. The first of each name counts.
func attrsOf(z *html.Tokenizer) map[string]string {
	var attrs map[string]string
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		if !wantedAttrs[string(key)] || len(value) > maxAttr {
			continue
		}
		if attrs == nil {
			attrs = map[string]string{}
		}
		if _, again := attrs[string(key)]; !again {
			attrs[string(key)] = string(value)
		}
	}
	return attrs
}
