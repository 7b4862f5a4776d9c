package read

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"

	"visto/canon"
)

// maxSitemaps is the number of sitemaps that an index may name (sitemaps.org), and maxSitemap the bytes of each.
// maxVersions is the number of language versions of a page; a language of the European Union has one.
const (
	maxSitemaps = 50_000
	maxSitemap  = 2048
	maxVersions = 100
)

// sitemap reads the pages of a sitemap (urlset/url/loc), with their language versions (urlset/url/xhtml:link). The
// sitemaps that an index names (sitemapindex/sitemap/loc) are told in the summary; nothing is fetched.
func (in *input) sitemap() error {
	src := &counted{r: in.r, line: 1, between: xmlSpace}
	root := ""
	var page Found // of the open url element
	flush := func() error {
		f := page
		page = Found{}
		return in.found(f)
	}
	err := eachXML(src, func(x xmlToken) error {
		if root == "" && len(x.path) > 0 {
			if root = x.path[0]; root != "urlset" && root != "sitemapindex" {
				return in.failf("it is XML, but no sitemap: its root is %.40q", root)
			}
		}
		switch {
		case x.endsPage():
			return flush()
		case !x.isLoc():
			page.addVersion(x)
			return in.ctx.Err()
		case root == "urlset":
			var err error
			if page.URL != "" { // it has two addresses
				err = flush()
			}
			page.URL, page.Place = in.value(x.text, x.line), x.place()
			return err
		case len(in.summary.Sitemaps) < maxSitemaps && len(x.text) <= maxSitemap:
			in.summary.Sitemaps = append(in.summary.Sitemaps, new(canon.Policy).MaskText(canon.Trim(x.text)))
		}
		return nil
	})
	broken, ok := errors.AsType[*unreadable](err)
	if err == nil || ok {
		if err := flush(); err != nil {
			return err
		}
	}
	switch {
	case root == "" && err == nil:
		return in.failf("it is not XML")
	case !ok:
		return err
	case root == "":
		return in.failf("it is not XML: %w", broken)
	}
	in.skipf(src.line, "nothing can be read from here on: %v", broken)
	return nil
}

const xmlSpace = " \t\r\n"

// xmlToken is a token of an XML document. Of a text the scalar is without the white space around it.
type xmlToken struct {
	scalar
	path  []string // names of the open elements, without name spaces
	token xml.Token
}

// isLoc reports whether the token is the address of a page or of a sitemap. Those of images stand elsewhere.
func (x xmlToken) isLoc() bool {
	at := strings.Join(x.path, "/")
	return x.kind == kindText && x.text != "" && (at == "urlset/url/loc" || at == "sitemapindex/sitemap/loc")
}

// endsPage reports whether the token is the end of a page.
func (x xmlToken) endsPage() bool {
	end, ok := x.token.(xml.EndElement)
	return ok && end.Name.Local == "url" && len(x.path) == 1
}

// addVersion adds the language version that a token names: <xhtml:link rel="alternate" hreflang="ca" href="…"/>.
func (f *Found) addVersion(x xmlToken) {
	link, ok := x.token.(xml.StartElement)
	if !ok || strings.Join(x.path, "/") != "urlset/url/link" || len(f.Versions) == maxVersions {
		return
	}
	values := map[string]string{}
	for _, a := range link.Attr {
		values[a.Name.Local] = canon.Trim(a.Value)
	}
	tag := strings.ToLower(strings.ReplaceAll(values["hreflang"], "_", "-"))
	url := values["href"]
	if !strings.EqualFold(values["rel"], "alternate") || tag == "" || url == "" || len(tag)+len(url) > maxSitemap {
		return
	}
	if f.Versions == nil {
		f.Versions = map[string]string{}
	}
	f.Versions[tag] = url
}

func (x xmlToken) place() Place {
	return Place{Field: "loc", Path: fmt.Sprintf("%d:%d", x.line, x.column), Line: x.line, Column: x.column,
		Begin: x.begin, End: x.end}
}

// eachXML calls fn for each token of an XML document. The text of a loc may come in parts, around comments and CDATA:
// it is one token, at the end of the element.
func eachXML(src *counted, fn func(xmlToken) error) error {
	dec := xml.NewDecoder(src)
	dec.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("it is in %.40s: convert it to UTF-8", charset)
	}
	var path []string
	var loc xmlToken // of the open element; its path is empty if none came yet
	for {
		token, err := dec.Token()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return &unreadable{err}
		}
		raw := bytes.Trim(src.ahead[:dec.InputOffset()-src.taken], xmlSpace)
		x := xmlToken{scalar: src.token(dec.InputOffset()), token: token}
		switch t := token.(type) {
		case xml.StartElement:
			path = append(path, t.Name.Local)
		case xml.EndElement:
			if len(path) == len(loc.path) {
				if err := fn(loc); err != nil {
					return err
				}
				loc = xmlToken{}
			}
			path = path[:len(path)-1]
		case xml.CharData:
			x.kind, x.text = kindText, strings.Trim(string(t), xmlSpace)
			if x.end = x.begin + int64(len(raw)); html.UnescapeString(string(raw)) != x.text { // CDATA
				x.span = span{}
			}
		}
		if len(path) > maxDepth {
			return &unreadable{errors.New("it is nested too deep")}
		}
		switch x.path = path; {
		case x.isLoc() && loc.path == nil:
			loc = x
			continue
		case x.isLoc():
			loc.text, loc.span = loc.text+x.text, span{}
			continue
		}
		if err := fn(x); err != nil {
			return err
		}
	}
}

// sitemapParts yields the tokens of a sitemap.
func (in *input) sitemapParts(yield func(part) error) error {
	return eachXML(&counted{r: in.r, line: 1, between: xmlSpace}, func(x xmlToken) error {
		if x.isLoc() {
			return yield(part{kind: kindText, text: x.text, span: x.span})
		}
		return yield(part{kind: kindOther, text: fmt.Sprint(x.token)})
	})
}

// writeXML returns the text of an element.
func writeXML(_ part, _, value string) (string, error) {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(value), nil
}
