package testnet

import (
	"net/http"
	"strings"

	"visto/canon"
)

// contentSites are pages of special types (seed 003, special page types).
func contentSites() []Site {
	const path = "/tramites/ayuda-alquiler"
	accents := procedure("Prestación por desempleo: año y niños")
	pdf := PDF("Guía de la prestación", 3)
	json := []byte(`{"titulo":"Ayuda al alquiler","plazas":120}` + "\n")
	long := Long(procedure("Boletín completo"), 5<<20)
	one := func(host, path string, e Evidence) []Want {
		return []Want{{URL: "https://" + host + path, Canonical: "https://" + host + path, Evidence: e}}
	}
	html := func(title string, body []byte) Evidence {
		e := file("text/html", title, body)
		e.Language = "es"
		return e
	}
	ofPDF := file("application/pdf", "Guía de la prestación", pdf)
	ofPDF.PDFPages = 3
	undeclared, declared := latin1(string(accents.Bytes())),
		latin1(string(Page{Lang: "es", Title: accents.Title, Head: "<meta charset=\"iso-8859-1\">\n"}.Bytes()))
	return []Site{
		{Host: "latin1.gob.es", About: "Latin-1 with no word about it",
			Pages: pages(path, Data("text/html", undeclared)),
			URLs:  one("latin1.gob.es", path, html(accents.Title, undeclared))},
		{Host: "latin1-meta.gob.es", About: "Latin-1, said in the page alone",
			Pages: pages(path, Data("text/html", declared)),
			URLs:  one("latin1-meta.gob.es", path, html(accents.Title, declared))},
		{Host: "latin1-header.gob.es", About: "Latin-1, said in the header alone",
			Pages: pages(path, Data("text/html; charset=ISO-8859-15", undeclared)),
			URLs:  one("latin1-header.gob.es", path, html(accents.Title, undeclared))},
		{Host: "pdf.gob.es", About: "a PDF of 3 pages with a title",
			Pages: pages("/impresos/guia-prestacion.pdf", Data("application/pdf", pdf)),
			URLs:  one("pdf.gob.es", "/impresos/guia-prestacion.pdf", ofPDF)},
		{Host: "json.gob.es", About: "JSON", Pages: pages("/api/ayudas/alquiler", Data("application/json", json)),
			URLs: one("json.gob.es", "/api/ayudas/alquiler", file("application/json", "", json))},
		{Host: "large.gob.es", About: "a page of 5 MB: cut at the first",
			Pages: pages(path, Data("text/html; charset=utf-8", long)),
			URLs:  one("large.gob.es", path, html("Boletín completo", long[:1<<20]).cut())},
		{Host: "endless.gob.es", About: "a page that does not end: cut at the first MB",
			Pages: pages(path, EndlessBody(procedure("Boletín sin fin"))),
			URLs: one("endless.gob.es", path, html("Boletín sin fin",
				Long(procedure("Boletín sin fin"), 1<<20)).cut())},
		{Host: "gzip.gob.es", About: "a compressed page", Pages: pages(path, Compressed(ordinary)),
			URLs: one("gzip.gob.es", path, seen(ordinary))},
		{Host: "bomb.gob.es", About: "a page of 1 MB that unpacks to 1 GB: cut at the first MB",
			Pages: pages(path, Bomb(procedure("Bomba"), 1024)),
			URLs: one("bomb.gob.es", path, html("Bomba",
				append(procedure("Bomba").Bytes(), strings.Repeat(" ", 1<<20)...)[:1<<20]).cut())},
		{Host: "ports.gob.es", About: "ports other than the usual", Rest: ordinary, Facts: Facts{HTTPS: Unknown},
			URLs: []Want{
				{URL: "https://ports.gob.es:8443" + path, Canonical: "https://ports.gob.es:8443" + path,
					Flags: flags(canon.NonstandardPort), Evidence: seen(ordinary)},
				{URL: "https://ports.gob.es:22" + path, Canonical: "https://ports.gob.es:22" + path,
					Flags:    flags(canon.NonstandardPort, canon.Unreachable),
					Evidence: Evidence{Error: "port 22"}},
			}},
		{Host: "plain.gob.es", About: "nothing special: only the URLs are odd", Rest: ordinary,
			Pages: map[string]http.Handler{},
			URLs: []Want{
				{URL: "http://ana:secreto@plain.gob.es" + path, Canonical: "https://plain.gob.es" + path,
					Flags: flags(canon.Credentials), Evidence: seen(ordinary)},
				{URL: "plain.gob.es/tramites/otra-ayuda?utm_medium=qr",
					Canonical: "https://plain.gob.es/tramites/otra-ayuda", Evidence: seen(ordinary)},
				{URL: "https://PLAIN.gob.es./tramites/%7eana/../ayuda-joven?barrio=sur",
					Canonical: "https://plain.gob.es/tramites/ayuda-joven?barrio=sur",
					Flags:     flags(canon.UnknownParam), Evidence: seen(ordinary)},
			}},
	}
}
