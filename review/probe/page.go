package probe

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"visto/canon"
	"visto/review/probe/extract"
)

// Page holds the statements of an answer about itself, from status, headers and body. URLs in it are absolute.
type Page struct {
	Title   string
	Heading string // the first <h1>, unless it is the title
	Short   bool   // HTML with no more text than a wall or an error page
	// html lang, or a weaker sign such as Content-Language; of a PDF, that of its catalog
	Language     string
	LangVariants map[string]string // hreflang of link elements and of the Link header: tag to URL
	RelCanonical string
	RelNext      string
	RelPrev      string
	TotalPages   int    // pages of a paginated list, if the page states them; 0: it does not
	Refresh      string // target of a refresh that is a hop, with its fragment
	MetaRefresh  string // target of a refresh that is none
	ContentType  string // media type in lower case, without parameters; sniffed if the server sends none
	PDFPages     int    // 0: not a PDF, or not known
	SHA256       string // of the body as far as it was read, lower-case hex; empty after HEAD
	Blocked      string // as canon.Evidence.Blocked, but never "rate-limited"
	Empty        bool   // HTML without text, or an answer without a body
	Scripts      bool   // scripts would draw the empty page (seed 003, JS-rendered SPA)
	Drawn        bool   // scripts drew the contents, in a browser
	Caveats      []string
	Content      *extract.Document // as a person would read it; nil: it was not read
}

// ReadPage reads an answer. A part that it cannot read is absent. Elements of the page count before headers. Of a
// page behind a wall it keeps only the title (seed 003), of an error page not even that: the other elements describe
// the wall or the error. It reads the content too, if it is asked to and the type has one. documents may be nil. The
// only error is that ctx ended.
func ReadPage(
	ctx context.Context, r *Response, policy *canon.Policy, documents DocumentReader, content bool,
) (Page, error) {
	base := parseURL(r.URL)
	page := pageReader{
		Page: Page{ContentType: mediaType(r), Drawn: r.isDrawn},
		from: r, base: base, policy: policy, documents: documents, wanted: content,
	}
	if r.Method != http.MethodHead {
		page.SHA256 = fmt.Sprintf("%x", sha256.Sum256(r.Body))
	}
	if r.Truncated {
		page.caveat("Only the first %s of the content were read: it is longer.", size(len(r.Body)))
	}
	page.readBody(ctx)
	page.base = base // headers are relative to the URL, not to <base>
	page.addLinks(headerLinks(r.Header))
	page.Language = cmp.Or(page.Language, languageTag(strings.Join(r.Header.Values("Content-Language"), ",")))
	page.goOn(r.Header.Get("Refresh"))
	page.judgeRefresh()
	page.TotalPages = cmp.Or(page.TotalPages, page.lastPage())
	page.Short = page.short()
	if page.judge() {
		page.readContent(ctx)
	}
	if ctx.Err() != nil {
		return Page{}, context.Cause(ctx)
	}
	return page.Page, nil
}

// block reduces a page behind a wall to the fields that seed 003 permits.
func (p *Page) block(why string) {
	*p = Page{Title: p.Title, ContentType: p.ContentType, SHA256: p.SHA256, Blocked: why, Caveats: p.Caveats}
}

// pageReader is a Page under construction.
type pageReader struct {
	Page
	from *Response
	base *url.URL // base of relative links; nil: they are dropped
	html htmlFacts

	policy    *canon.Policy
	documents DocumentReader // may be nil
	wanted    bool           // the content is
	isPage    bool           // the body was read as HTML

	first, last string // pages of a list, by its links; absolute

	refresh refresh // the first that leads elsewhere; its target is absolute. No target: none
}

func (p *pageReader) caveat(format string, args ...any) {
	p.Caveats = append(p.Caveats, fmt.Sprintf(format, args...))
}

// readBody reads the statements in the body by its type (seed 003, special page types). Of other types, such as office
// files and images, only the headers count.
func (p *pageReader) readBody(ctx context.Context) {
	switch t := p.ContentType; {
	case len(p.from.Body) == 0:
	case t == "application/pdf":
		p.readPDF(ctx)
	case isHTML(t):
		p.readHTML()
	case isJSON(t):
		p.readJSON()
	case isXML(t):
		p.readXML()
	}
}

// readContent reads the content of a page or of JSON. That of a PDF has been read with its title. A page without text
// has none: as a version of its own it would take the place of one that has text.
func (p *pageReader) readContent(ctx context.Context) {
	switch {
	case !p.wanted || len(p.from.Body) == 0 || p.Empty:
	case isJSON(p.ContentType):
		content := extract.JSON(p.from.Body)
		p.Content = &content
	case p.isPage && p.documents != nil:
		content, err := p.documents.HTML(ctx, p.from.Body, p.from.Header.Get("Content-Type"), p.from.URL)
		if err != nil {
			p.caveat("The text of the page could not be read: %s.", cleanText(err.Error()))
			return
		}
		p.Content = &content
	}
}

func isHTML(t string) bool { return t == "text/html" || t == "application/xhtml+xml" }

func isJSON(t string) bool {
	return t == "application/json" || t == "text/json" || strings.HasSuffix(t, "+json")
}

func isXML(t string) bool {
	return t == "application/xml" || t == "text/xml" || strings.HasSuffix(t, "+xml")
}

// mediaType returns the type of the content. If the server sends none, or only "bytes", the content decides. A PDF is
// recognized in any case, for no other format begins like it.
func mediaType(r *Response) string {
	header := r.Header.Get("Content-Type")
	declared, _, err := mime.ParseMediaType(header)
	if err != nil {
		declared, _, _ = strings.Cut(header, ";")
		declared = strings.ToLower(strings.TrimSpace(declared))
	}
	switch declared {
	case "application/x-pdf":
		return "application/pdf"
	case "", "application/octet-stream", "binary/octet-stream", "application/force-download", "application/download",
		"application/x-download", "unknown/unknown", "*/*":
		if len(r.Body) > 0 {
			declared, _, _ = strings.Cut(http.DetectContentType(r.Body), ";")
		}
	}
	if bytes.HasPrefix(r.Body, []byte("%PDF-")) {
		return "application/pdf"
	}
	return declared
}

// readHTML reads an HTML page.
func (p *pageReader) readHTML() {
	p.isPage = true
	p.html = readHTML(extract.UTF8(p.from.Body, p.from.Header.Get("Content-Type")))
	f := &p.html
	if p.Title = cmp.Or(f.title, f.ogTitle, f.heading); p.Title != f.heading {
		p.Heading = f.heading
	}
	p.Language = f.language(p.from.Header)
	p.TotalPages = f.total.total()
	if p.base != nil && f.base != "" {
		p.base = cmp.Or(resolve(p.base, f.base), p.base)
	}
	p.addLinks(f.links)
	p.goOn(f.refresh)
}

// addLinks adds typed links. The first of each relation counts.
func (p *pageReader) addLinks(links []link) {
	relations := map[string]*string{
		"canonical": &p.RelCanonical, "next": &p.RelNext, "prev": &p.RelPrev, "previous": &p.RelPrev,
		"first": &p.first, "last": &p.last,
	}
	for _, l := range links {
		if !l.counts() {
			continue
		}
		to := p.absolute(l.target)
		for rel, field := range relations {
			if l.has(rel) {
				setFirst(field, to)
			}
		}
		p.addVariant(l.hreflang(), to)
	}
}

// addVariant adds a version in another language.
func (p *pageReader) addVariant(tag, to string) {
	if tag == "" || to == "" || p.LangVariants[tag] != "" || len(p.LangVariants) >= maxVersions {
		return
	}
	if p.LangVariants == nil {
		p.LangVariants = map[string]string{}
	}
	p.LangVariants[tag] = to
}

// maxURL is the exclusive upper bound of the length of a URL in a page: canon refuses longer ones.
const maxURL = 2048

// absolute returns the absolute URL of a reference, or nothing if it is no http(s) URL.
func (p *pageReader) absolute(reference string) string {
	if p.base == nil {
		return ""
	}
	to := resolve(p.base, reference)
	if to == nil || len(to.String()) >= maxURL {
		return ""
	}
	return to.String()
}

// resolve returns the http or https URL of a reference, nil if it has none (RFC 3986 section 5.2).
func resolve(base *url.URL, reference string) *url.URL {
	to, err := base.Parse(strings.TrimSpace(reference))
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return nil
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return to
}

func parseURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		return nil
	}
	return u
}

// size prints a number of bytes, for people.
func size(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
