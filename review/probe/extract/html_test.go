package extract

import (
	"bytes"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const pageURL = "https://www.sede.gob.es/tramites/ayuda"

// readPage reads a page in this process.
func readPage(body string) Document {
	return newPageReader().read([]byte(body), "text/html; charset=utf-8", pageURL)
}

// TestReadPage reads a page with all parts (spec section 15: main content, title, description, author, published and
// modified dates, language, headings, and links with their text).
func TestReadPage(t *testing.T) {
	got := readPage(`<!DOCTYPE html><html lang="es"><head><meta charset="utf-8">
		<title>Ayuda al alquiler - Sede</title>
		<meta name="description" content="Ayuda para
		inquilinos"><meta name="author" content="Ministerio">
		<meta property="article:published_time" content="2024-03-05T10:00:00+01:00">
		<meta name="DCTERMS.modified" content="2024-04-06"></head>
		<body><nav><a href="/">Inicio</a> <a href="/mapa?a=1#x">Mapa</a></nav>
		<main><h1>Ayuda al alquiler</h1>
		<p>La ayuda se dirige a <b>inquilinos</b> con rentas bajas, y se pide en la
		<a href="solicitud">sede electrónica</a>.</p>
		<h2>Requisitos</h2>
		<ul><li>Ser mayor de edad.</li><li>Tener contrato.</li></ul>
		<table><tr><th>Renta</th><th>Ayuda</th></tr><tr><td>9.000</td><td>250</td></tr></table>
		<pre><code>codigo 42</code></pre></main>
		<footer><a href="https://ana:clave@www.gob.es/">Gobierno</a> <a href="javascript:x()">x</a></footer></body>`)
	want := Document{
		Title: "Ayuda al alquiler - Sede", Description: "Ayuda para inquilinos", Author: "Ministerio", Language: "es",
		Published: "2024-03-05T10:00:00+01:00", Modified: "2024-04-06",
		Headings: []string{"# Ayuda al alquiler", "## Requisitos"},
		Links: []Link{
			{URL: "https://www.sede.gob.es/", Text: "Inicio"}, {URL: "https://www.sede.gob.es/mapa?a=1", Text: "Mapa"},
			{URL: "https://www.sede.gob.es/tramites/solicitud", Text: "sede electrónica", Main: true},
			{URL: "https://www.gob.es/", Text: "Gobierno"},
		},
		Text: "# Ayuda al alquiler\n\n" +
			"La ayuda se dirige a **inquilinos** con rentas bajas, y se pide en la " +
			"[sede electrónica](https://www.sede.gob.es/tramites/solicitud).\n\n" +
			"## Requisitos\n\n- Ser mayor de edad.\n- Tener contrato.\n\n" +
			"| Renta | Ayuda |\n|---|---|\n| 9.000 | 250 |\n\n```\ncodigo 42\n```",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestHeadingOfSite begins a page at its own heading, although a part of the site repeats the title before it.
func TestHeadingOfSite(t *testing.T) {
	const text = "La ayuda se dirige a inquilinos con rentas bajas, y se pide en la sede electrónica hasta junio."
	for _, part := range []string{`header`, `aside`, `dialog`, `div role="dialog"`, `div role="banner"`, `div hidden`,
		`div aria-hidden="true"`, `div style="display: none"`} {
		name, _, _ := strings.Cut(part, " ")
		got := readPage("<title>Ayuda al alquiler</title><" + part + "><h1>Ayuda al alquiler</h1><p>Usamos cookies.</p></" +
			name + "><main><h2>Ayuda al alquiler</h2><p>" + text + "</p></main>")
		if want := "## Ayuda al alquiler\n\n" + text; got.Text != want {
			t.Errorf("%s: %q", part, got.Text)
		}
	}
}

// TestReadPageCharsets reads a page in other charsets.
func TestReadPageCharsets(t *testing.T) {
	body := "<title>Pensi\xf3n</title><p>A\xf1o de la pensi\xf3n</p>"
	for _, contentType := range []string{"text/html; charset=iso-8859-1", "text/html", ""} {
		got := newPageReader().read([]byte(body), contentType, pageURL)
		if got.Title != "Pensión" || got.Text != "Año de la pensión" {
			t.Errorf("%s: %q, %q", contentType, got.Title, got.Text)
		}
	}
}

// TestReadPageLinks reads links of all forms.
func TestReadPageLinks(t *testing.T) {
	got := readPage(`<base href="/otra/"><map><area href="zona" alt="Zona"></map>
		<a href="a"><img src="x.png"></a><a href="a">Primera</a><a href="a">Segunda</a>
		<a href="b"><img alt="Solo una imagen"></a> <a href="c" title="El título"></a> <a href="d"></a>
		<a href="#arriba">Arriba</a> <a href="mailto:a@b.es">Correo</a> <a href="ftp://a.es/">ftp</a>
		<a>nada</a> <a href="//otro.es/x"><div>Otro</div>sitio</a> <a href="http://[::1/">roto</a>`)
	want := []Link{
		{URL: "https://www.sede.gob.es/otra/zona", Text: "Zona"},
		{URL: "https://www.sede.gob.es/otra/a", Text: "Primera"},
		{URL: "https://www.sede.gob.es/otra/b", Text: "Solo una imagen"},
		{URL: "https://www.sede.gob.es/otra/c", Text: "El título"}, {URL: "https://www.sede.gob.es/otra/d"},
		{URL: "https://otro.es/x", Text: "Otro sitio"},
	}
	for i := range got.Links {
		got.Links[i].Main = false
	}
	if !reflect.DeepEqual(got.Links, want) {
		t.Errorf("got  %+v\nwant %+v", got.Links, want)
	}
	if links := newPageReader().read([]byte(`<a href="/a">a</a>`), "", "no URL").Links; links != nil {
		t.Errorf("relative to nothing: %+v", links)
	}
}

// Spec 15: a page is kept with its links. Of a page with too many those of its list stay, wherever they stand.
func TestReadPageManyLinks(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	list := func(of string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `<li><a href="/%s/%d">Trámite %[2]d de %[1]s</a></li>`, of, i)
		}
		return "<ul>" + b.String() + "</ul>"
	}
	for name, tt := range map[string]struct {
		menu, main, foot             int
		wantMenu, wantMain, wantFoot int
	}{
		"few":            {3, 5, 2, 3, 5, 2},
		"a long menu":    {1500, 600, 10, 400, 600, 0},
		"a long list":    {300, 5000, 10, 0, 1000, 0},
		"a list and few": {10, 985, 10, 10, 985, 5},
	} {
		d := readPage("<nav>" + list("menu", tt.menu) + "</nav><main><h1>Trámites</h1>" + list("lista", tt.main) +
			"</main><footer>" + list("pie", tt.foot) + "</footer>")
		var want []string
		for _, part := range []struct {
			of string
			n  int
		}{{"menu", tt.wantMenu}, {"lista", tt.wantMain}, {"pie", tt.wantFoot}} {
			for i := range part.n {
				want = append(want, fmt.Sprintf("https://www.sede.gob.es/%s/%d", part.of, i))
			}
		}
		var got []string
		for _, l := range d.Links {
			got = append(got, l.URL)
			if l.Main != strings.Contains(l.URL, "/lista/") {
				t.Errorf("%s: %+v", name, l)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d links, want %d", name, len(got), len(want))
		}
	}
}

// TestReadPageShort reads pages with hardly any text.
func TestReadPageShort(t *testing.T) {
	for body, want := range map[string]string{
		"":                               "",
		"Hola":                           "Hola",
		"<p>Hola</p>":                    "Hola",
		"<main><p>Cerrado.</p></main>":   "Cerrado.",
		"<h1>Sede</h1><p>Cerrada.</p>":   "# Sede\n\nCerrada.",
		"<script>x()</script>":           "",
		"<frameset><frame></frameset>":   "",
		"<html><head></head></html>":     "",
		"<title>Sede</title>":            "",
		"<div id=content>Aquí</div>\x00": "Aquí",
	} {
		if got := readPage(body).Text; got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

// TestReadPageHeading begins a page at the heading that repeats its title: all before it is about the site.
func TestReadPageHeading(t *testing.T) {
	const before = "<p>Todo lo que importa en la ciudad.</p>"
	const text = "La ayuda se dirige a quienes alquilan una casa, y se pide en la sede electrónica del ministerio."
	for _, test := range []struct {
		title, heading string
		level          int
		is             bool
	}{
		{"Ayuda - Sede", "Ayuda", 2, true},
		{"Sede | Ayuda", "ayuda", 4, true},
		{"Sede | Ayuda", "Ayuda", 5, false},
		{"Cómo pedir la ayuda al alquiler joven", "Ayuda al alquiler", 2, true},
		{"Cómo pedir la ayuda al alquiler joven", "La ayuda", 2, false},
		{"Ayuda para el alquiler de jóvenes", "Alquiler para jóvenes: ayuda", 1, true},
		{"Ayuda para el alquiler de jóvenes", "Alquiler para jóvenes: ayuda", 2, false},
		{"Ayuda para el alquiler de jóvenes", "Alquiler de oficinas, locales y naves", 1, false},
		{"Ayuda", "<a href=/>Ayuda</a>", 2, false},
	} {
		tag := "h" + strconv.Itoa(test.level)
		got := readPage("<title>" + test.title + "</title>" + before + "<" + tag + ">" + test.heading + "</" + tag +
			"><p>" + text).Text
		if strings.HasPrefix(got, "#") != test.is || !strings.HasSuffix(got, text) {
			t.Errorf("%s, %s %s: %q", test.title, tag, test.heading, got)
		}
	}
}

// TestReadPageCut cuts a long text at a line (spec section 15: at most 64 KiB a page).
func TestReadPageCut(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	line := "<p>" + strings.Repeat("¡Año! ", 20) + "</p>"
	got := readPage("<main>" + strings.Repeat(line, 10_000) + "</main>")
	if !got.Cut || len(got.Text) > MaxText || len(got.Text) < MaxText*9/10 || !strings.HasSuffix(got.Text, "¡Año!") {
		t.Errorf("cut %t to %d bytes, that end in %q", got.Cut, len(got.Text), got.Text[max(0, len(got.Text)-50):])
	}
	if got := readPage("<main>" + strings.Repeat(line, 10) + "</main>"); got.Cut {
		t.Error("a short page is cut")
	}
}

// TestReadPageMeta reads statements in all places where pages have them.
func TestReadPageMeta(t *testing.T) {
	tests := []struct {
		name, body string
		want       Document
	}{
		{"Open Graph", `<meta property="og:title" content="T"><meta property="og:description" content="D">
			<meta property="og:locale" content="ca_ES"><meta property="og:updated_time" content="2024-01-02">`,
			Document{Title: "T", Description: "D", Language: "ca_ES", Modified: "2024-01-02"}},
		{"Dublin Core", `<meta name="DC.title" content="T"><meta name="DC.creator" content="A">
			<meta name="dcterms.issued" content="2023-12-31"><meta name="DC.language" content="gl">`,
			Document{Title: "T", Author: "A", Published: "2023-12-31", Language: "gl"}},
		{"a heading", `<h1>Los <i>requisitos</i></h1>`, Document{Title: "Los requisitos"}},
		{"a drawing", `<svg><title>Logo</title></svg><h1>Sede</h1>`, Document{Title: "Sede"}},
		{"a profile as the author", `<meta property="article:author" content="https://x.example/ana">`, Document{}},
		{"linked data", `<script type="application/ld+json">{"@graph": [{"@type": "WebSite", "description": "no"},
			{"@type": "Article", "headline": "H", "description": "D", "datePublished": "2024-05-06T07:08:09Z",
			"dateModified": "2024-05-07", "author": [{"name": "Ana"}]}]}</script>`,
			Document{Description: "D", Author: "Ana", Published: "2024-05-06T07:08:09Z", Modified: "2024-05-07"}},
		{"broken linked data", `<script type="application/ld+json">{"datePublished": "2024</script>`, Document{}},
		{"microdata", `<span itemprop="datePublished">5 de marzo de 2024</span>
			<time itemprop="dateModified" datetime="2024-03-06">ayer</time>`,
			Document{Published: "2024-03-05", Modified: "2024-03-06"}},
		{"a line", `<p>Fecha de publicación: 05/03/2024</p><footer>Última actualización de la página:
			<b>7 de abril de 2024</b></footer>`, Document{Published: "2024-03-05", Modified: "2024-04-07"}},
		{"a Catalan line", `<p>Darrera actualització: 7 d'abril de 2024</p>`, Document{Modified: "2024-04-07"}},
		{"a date of something else", `<p>El plazo acaba el 05/03/2024.</p>`, Document{}},
		{"a template", `<meta name="date" content="0001-01-01T00:00:00Z">`, Document{}},
	}
	for _, tt := range tests {
		got := readPage(tt.body)
		got.Text, got.Headings = "", nil
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestReadDate(t *testing.T) {
	for text, want := range map[string]string{
		"2024-03-05": "2024-03-05", "2024-03-05T10:11:12Z": "2024-03-05T10:11:12Z",
		"2024-03-05T10:11:12.345+02:00": "2024-03-05T10:11:12+02:00",
		"2024-03-05T10:11:12+0200":      "2024-03-05T10:11:12+02:00",
		"2024-03-05T10:11:12":           "2024-03-05", "2024-03-05 10:11": "2024-03-05", "5/3/2024": "2024-03-05",
		"05/03/2024 10:11": "2024-03-05", "05-03-2024, 10:11 h": "2024-03-05", "20240305": "2024-03-05",
		"Tue, 05 Mar 2024 10:11:12 GMT": "2024-03-05T10:11:12Z", "5 de Marzo de 2024": "2024-03-05",
		"5 d'abril de 2024": "2024-04-05", "March 5, 2024": "2024-03-05", "31/02/2024": "", "31 de febrero de 2024": "",
		"ayer": "", "": "", "2024": "", "1969-01-01": "", "99999-01-01": "", strings.Repeat("2", 100): "",
	} {
		if got := readDate(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"D:20240305101112+01'00'": "2024-03-05T10:11:12+01:00", "D:20240305101112Z": "2024-03-05T10:11:12Z",
		"D:20240305": "2024-03-05", "20240305101112": "2024-03-05", "D:2024": "", "D:20241305": "", "": "",
	} {
		if got := pdfDate(text); got != want {
			t.Errorf("PDF %q: %q, want %q", text, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	tests := []struct {
		body, want string
		cut        bool
	}{
		{`{"a": "ñ"}`, `{"a": "ñ"}`, false},
		{"\xEF\xBB\xBF{\r\n\t\"a\":\x001}\n", "{\n\t\"a\":1}", false},
		{"\"\xff\"", "\"\uFFFD\"", false},
		{strings.Repeat("x", MaxText+1), strings.Repeat("x", MaxText), true},
		{strings.Repeat("ñ", MaxText), strings.Repeat("ñ", MaxText/2), true},
		{strings.Repeat("[1],\n", MaxText), strings.TrimSpace(strings.Repeat("[1],\n", MaxText/5)), true},
	}
	for _, tt := range tests {
		if got := JSON([]byte(tt.body)); got.Text != tt.want || got.Cut != tt.cut {
			t.Errorf("%.50q: %d bytes %.50q, cut %t", tt.body, len(got.Text), got.Text, got.Cut)
		}
	}
}

// checkDocument checks the rules that every Document keeps.
func checkDocument(t *testing.T, d Document) {
	t.Helper()
	lines := append([]string{d.Title, d.Description, d.Author, d.Published, d.Modified, d.Language}, d.Headings...)
	size := 0
	for _, l := range d.Links {
		u, err := url.Parse(l.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
			u.Fragment != "" || len(l.URL) >= maxURL {
			t.Errorf("link %+v: %v", l, err)
		}
		lines = append(lines, l.Text)
		size += len(l.URL) + len(l.Text)
	}
	for _, line := range lines {
		if len(line) > maxLine+10 || strings.ContainsAny(line, "\n\t") || !isNormal(line) {
			t.Errorf("line %q", line)
		}
	}
	if !isNormal(d.Text) || len(d.Text) > MaxText || len(d.Links) > maxLinks || size > maxLinkBytes+maxLinkText {
		t.Errorf("text of %d bytes, %d links of %d bytes, %.200q", len(d.Text), len(d.Links), size, d.Text)
	}
	var sent bytes.Buffer
	if err := writeResponse(&sent, response{Document: d}); err != nil || sent.Len() > maxResponse {
		t.Errorf("a response of %d bytes, %v", sent.Len(), err)
	}
}

func isNormal(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t'
	})
}
