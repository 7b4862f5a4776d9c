package testnet

import (
	"fmt"
	"net/http"
	"strings"
)

// hostileDocumentSites have documents that take a careless reader much memory or time.
func hostileDocumentSites() []Site {
	const html, page = "text/html; charset=utf-8", "<!DOCTYPE html>\n<html lang=\"es\"><title>Ayuda</title><body>\n"
	const path = "/tramites/ayuda-alquiler"
	same := func(text string) func(int) string { return func(int) string { return text } }
	site := func(host, about string, h http.Handler) Site {
		return Site{Host: host, About: about, Pages: pages(path, h)}
	}
	return []Site{
		site("nested.gob.es", "a million nested tags",
			Generated(html, page, same("<div>"), 1_000_000, "<p>fin")),
		site("nested-inline.gob.es", "a million nested tags, as short as can be",
			Generated(html, page, same("<b>"), 1_000_000, "<p>fin")),
		site("nested-tables.gob.es", "100,000 nested tables",
			Generated(html, page, same("<table><tr><td>"), 100_000, "fin")),
		site("formatting.gob.es", "each of 20,000 paragraphs opens again the 20,000 tags before it",
			Generated(html, page+formatting(20_000), same("<p>a"), 20_000, "")),
		site("attributes.gob.es", "a tag with 100,000 attributes", Generated(html, page+"<p ",
			func(i int) string { return fmt.Sprintf("a%d=b ", i) }, 100_000, ">fin")),
		site("links.gob.es", "100,000 links", Generated(html, page,
			func(i int) string { return fmt.Sprintf("<a href=/t/%d>%[1]d</a>\n", i) }, 100_000, "")),
		site("nested-json.gob.es", "JSON with a million nested lists",
			Generated("application/json", "", same("["), 1_000_000, "")),
		site("pdf-loop.gob.es", "a PDF whose page tree contains itself", Data("application/pdf",
			pdfFile("Bucle", 1, "<< /Type /Pages /Kids [2 0 R 4 0 R] /Count 1000000 /Parent 2 0 R >>"))),
		sitemapSite(),
	}
}

// formatting is so many tags that HTML opens again in each new paragraph (WHATWG, "reconstruct the active formatting
// elements"). All differ, since of equal ones only three count.
func formatting(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<b class=%d>", i)
	}
	return b.String()
}

// sitemapSite has sitemaps that no reader should read whole, or believe.
func sitemapSite() Site {
	const origin, xml = "https://sitemaps.gob.es", "application/xml"
	const set = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	entry := func(i int) string { return fmt.Sprintf("<url><loc>%s/tramites/ayuda-%07d</loc></url>\n", origin, i) }
	unit := strings.Repeat(entry(0), 20_000)
	var index strings.Builder
	index.WriteString(`<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, name := range []string{"indice", "largo", "bomba.xml.gz", "ajenas", "entidades"} {
		name, gz := strings.CutSuffix(name, ".xml.gz")
		extension := map[bool]string{false: ".xml", true: ".xml.gz"}[gz]
		fmt.Fprintf(&index, "<sitemap><loc>%s/%s%s</loc></sitemap>\n", origin, name, extension)
	}
	index.WriteString("</sitemapindex>\n")
	return Site{Host: "sitemaps.gob.es", About: "a sitemap of 1 GB, another that unpacks to 1 GB, an index that " +
		"lists itself, URLs of other hosts and private addresses, nested XML entities",
		Robots: Robots("User-agent: *", "Disallow:", "Sitemap: "+origin+"/indice.xml",
			"Sitemap: http://169.254.169.254/sitemap.xml"),
		Pages: map[string]http.Handler{
			"/sitemap.xml":  Generated(xml, set, entry, 1<<30/len(entry(0)), "</urlset>\n"),
			"/indice.xml":   Data(xml, []byte(index.String())),
			"/largo.xml":    Generated(xml, set, entry, 1<<30/len(entry(0)), "</urlset>\n"),
			"/bomba.xml.gz": Data("application/gzip", bomb([]byte(set), []byte(unit), 1<<30/len(unit))),
			"/ajenas.xml": Data(xml, []byte(set+"<url><loc>http://127.0.0.1/tramites/privado</loc></url>\n"+
				"<url><loc>http://169.254.169.254/latest/meta-data/iam</loc></url>\n"+
				"<url><loc>file:///etc/passwd</loc></url>\n"+
				"<url><loc>https://plain.gob.es/tramites/de-otra-casa</loc></url>\n</urlset>\n")),
			"/entidades.xml": Data(xml, entities()),
		},
		Rest: ordinary}
}

// entities is a sitemap that unpacks to half a gigabyte in a reader that replaces entities of documents.
func entities() []byte {
	b := []byte(`<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "` + strings.Repeat("a", 32) + "\">\n")
	for name := 'b'; name <= 'g'; name++ {
		b = fmt.Appendf(b, "<!ENTITY %c %q>\n", name, strings.Repeat(fmt.Sprintf("&%c;", name-1), 16))
	}
	return append(b, "]>\n<urlset><url><loc>https://sitemaps.gob.es/tramites/&g;</loc></url></urlset>\n"...)
}
