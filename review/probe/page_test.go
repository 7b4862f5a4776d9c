package probe_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"visto/review/probe"
)

var update = flag.Bool("update", false, "write the golden archives anew")

// TestPageGolden reads the answers in testdata/page; html.txtar explains the form.
func TestPageGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/page/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden archives: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			in, out := archive.Files[i], &archive.Files[i+1]
			if out.Name != in.Name+"/page" {
				t.Fatalf("%s: %q comes after %q", file, out.Name, in.Name)
			}
			got := describe(t, readPage(t, readAnswer(t, in.Data)))
			if *update {
				out.Data = []byte(got)
			}
			if want := string(out.Data); got != want {
				t.Errorf("%s, %s:\n--- got\n%s--- want\n%s", filepath.Base(file), in.Name, got, want)
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// readAnswer reads a URL and the answer below it, in wire format but for the line ends.
func readAnswer(t testing.TB, data []byte) *probe.Response {
	t.Helper()
	url, data, _ := bytes.Cut(data, []byte("\n"))
	head, body, _ := bytes.Cut(data, []byte("\n\n"))
	wire := strings.ReplaceAll(string(head), "\n", "\r\n") + "\r\nContent-Length: " + fmt.Sprint(len(body)) +
		"\r\n\r\n" + string(body)
	answer, err := http.ReadResponse(bufio.NewReader(strings.NewReader(wire)), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return &probe.Response{URL: string(url), Method: "GET", Status: answer.StatusCode, Header: answer.Header,
		Body: text}
}

// describe prints the non-zero fields of a page, without the hash.
func describe(t testing.TB, page probe.Page) string {
	t.Helper()
	page.SHA256 = ""
	var b strings.Builder
	v := reflect.ValueOf(page)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		text := &bytes.Buffer{}
		enc := json.NewEncoder(text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v.Field(i).Interface()); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s: %s", v.Type().Field(i).Name, text)
	}
	return b.String()
}

func answer(contentType, body string) *probe.Response {
	return &probe.Response{
		URL: "https://www.ejemplo.gob.es/a/b?c=d", Method: "GET", Status: 200,
		Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body),
	}
}

func TestPageCharset(t *testing.T) {
	const utf8Title, latinTitle = "<title>Información</title>", "<title>Informaci\xf3n</title>"
	tests := []struct{ name, contentType, body, want string }{
		{"header", "text/html; charset=ISO-8859-1", latinTitle, "Información"},
		{"header, in capitals and quotes", `text/html; Charset="UTF-8"`, utf8Title, "Información"},
		{"header with the charset twice", "text/html; charset=iso-8859-1; charset=iso-8859-1", latinTitle,
			"Información"},
		{"header with an unknown charset", "text/html; charset=nada", utf8Title, "Información"},
		{"header before meta", "text/html; charset=utf-8", `<meta charset="iso-8859-1">` + utf8Title, "Información"},
		{"mark before header", "text/html; charset=iso-8859-1", "\xEF\xBB\xBF" + utf8Title, "Información"},
		{"meta charset", "text/html", `<meta charset="utf-8">` + utf8Title, "Información"},
		{"meta that lies", "text/html", `<meta charset="iso-8859-1">` + utf8Title, "InformaciÃ³n"},
		{"meta http-equiv", "text/html",
			`<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252">` + latinTitle, "Información"},
		{"meta without http-equiv", "text/html", `<meta name="x" content="charset=utf-16">` + latinTitle,
			"Información"},
		{"meta far down", "text/html", "<!--" + strings.Repeat(" ", 5000) + "-->" + `<meta charset="iso-8859-15">` +
			"<title>Precio en \xa4</title>", "Precio en €"},
		{"meta that says UTF-16", "text/html", `<meta charset="utf-16">` + utf8Title, "Información"},
		{"meta that says UTF-16, of Latin-1", "text/html", `<meta charset="utf-16">` + latinTitle, "Informaci\uFFFDn"},
		{"meta in a comment", "text/html", `<!-- <meta charset="utf-8"> -->` + latinTitle, "Información"},
		{"XML declaration", "text/html", `<?xml version="1.0" encoding="ISO-8859-1"?>` + latinTitle, "Información"},
		{"guessed UTF-8", "text/html", utf8Title, "Información"},
		{"guessed UTF-8 after much ASCII", "text/html", strings.Repeat(" ", 5000) + utf8Title, "Información"},
		{"guessed UTF-8, cut", "text/html", utf8Title + "\xc3", "Información"},
		{"guessed Latin-1", "text/html", latinTitle, "Información"},
		{"guessed Latin-1 after much ASCII", "text/html", strings.Repeat(" ", 5000) + latinTitle, "Información"},
		{"guessed Windows-1252", "text/html", "<title>\x93Ayuda\x94 \x80</title>", "“Ayuda” €"},
		{"UTF-16 with a mark", "text/html", "\xff\xfe<\x00t\x00i\x00t\x00l\x00e\x00>\x00\xf3\x00", "ó"},
		{"a charset that browsers refuse", "text/html; charset=iso-2022-kr", "<title>a</title>", ""},
		{"bytes that are not UTF-8", "text/html; charset=utf-8", latinTitle, "Informaci\uFFFDn"},
	}
	for _, tt := range tests {
		if got := readPage(t, answer(tt.contentType, tt.body)).Title; got != tt.want {
			t.Errorf("%s: title %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestPageFirst reads pages that repeat a statement: the first counts.
func TestPageFirst(t *testing.T) {
	tests := []struct {
		name, body string
		got        func(probe.Page) string
		want       string
	}{
		{"two titles", "<title>A</title><title>B</title>", func(p probe.Page) string { return p.Title }, "A"},
		{"a title after that of a drawing", "<svg><g><title>A</title></g></svg><title>B</title>",
			func(p probe.Page) string { return p.Title }, "B"},
		{"a title in a drawing alone", "<svg><title>A</title>", func(p probe.Page) string { return p.Title }, ""},
		{"two languages", "<html lang=es lang=en><html lang=ca>", func(p probe.Page) string { return p.Language },
			"es"},
		{"a language with an extension", "<html lang=ES-x-ab>", func(p probe.Page) string { return p.Language },
			"es-x-ab"},
		{"a language that is none", "<html lang='español, cas'>", func(p probe.Page) string { return p.Language }, ""},
		{"two versions in a language", "<link rel=alternate hreflang=ca href=a><link rel=alternate hreflang=CA href=b>",
			func(p probe.Page) string { return p.LangVariants["ca"] }, "https://www.ejemplo.gob.es/a/a"},
		{"a version in the text", "<body><a rel=alternate hreflang=ca href=a>",
			func(p probe.Page) string { return p.LangVariants["ca"] }, "https://www.ejemplo.gob.es/a/a"},
		{"a link to another language", "<a hreflang=ca href=a>",
			func(p probe.Page) string { return p.LangVariants["ca"] }, ""},
		{"two canonical URLs", "<link rel=canonical href=a><link rel=canonical href=b>",
			func(p probe.Page) string { return p.RelCanonical }, "https://www.ejemplo.gob.es/a/a"},
		{"a canonical URL in the text", "<body><link rel=canonical href=a>",
			func(p probe.Page) string { return p.RelCanonical }, ""},
		{"a canonical URL that is clicked", "<a rel=canonical href=a>",
			func(p probe.Page) string { return p.RelCanonical }, ""},
		{"two bases", "<base href=/x/><base href=/y/><link rel=next href=a>",
			func(p probe.Page) string { return p.RelNext }, "https://www.ejemplo.gob.es/x/a"},
		{"a base that is none", "<base href='javascript:x'><link rel=next href=a>",
			func(p probe.Page) string { return p.RelNext }, "https://www.ejemplo.gob.es/a/a"},
	}
	for _, tt := range tests {
		if got := tt.got(readPage(t, answer("text/html; charset=utf-8", tt.body))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPageTotal(t *testing.T) {
	tests := []struct {
		body string
		want int
	}{
		{"Página 3 de 17", 17},
		{"P&aacute;gina&nbsp;3&nbsp;de&nbsp;17", 17},
		{"PÁGINA: 3/17", 17},
		{"Pág. 3 de 17", 17},
		{"Mostrando página 3 de un total de 17 páginas", 17},
		{"Ir a la página <input type=text value=3> de 1.017", 1017},
		{"Pàgina 3 de 17", 17},
		{"Páxina 3 de 17", 17},
		{"Page 3 of 17", 17},
		{"Orria: 3 / 17", 17},
		{"3. orria / 17", 17},
		{"17 orritik 3.", 17},
		{"<li>Primera<li>Anterior<li>1 2 <b>3</b> 4 5<li>Siguiente<li>Página 3 de 17", 17},
		{"« Primera ‹ Anterior Página 3 de 17 Siguiente › Última »", 17},
		{"340 resultados - Página 3 de 17", 17},
		{"<p>Página 3 de 17</p><table><tr><td>x</table><p>Página 3 de 17</p>", 17},
		{"1-20 de 340 resultados", 17},
		{"Resultados 21 – 40 de 345", 18},
		{"Mostrando del 21 al 40 de un total de 340", 17},
		{"Mostrando 1 a 10 de 1.234 registros", 124},
		{"Resultats 1-20 de 340", 17},
		{"Mostrant 1-20 d’un total de 340 elements", 17},
		{"Amosando 1 a 20 de 340 rexistros", 17},
		{"340 emaitzetatik 1-20", 17},
		{"1-20 / 340 emaitza", 17},
		{"Showing 1 to 10 of 57 entries", 6},
		{"Resultados 1-7 de 7", 1},
		{"Página 3 de 17. Resultados 41-60 de 340", 17},

		{"Resultados 341-345 de 345", 0}, // the last page may be short
		{"Resultados 5-20 de 340", 0},    // not a range of equal pages
		{"Consulte la página 3 de 17 del anexo", 0},
		{"Artículo 1 a 20 de 340", 0},
		{"Del 1 al 20 de 340", 0},
		{"1-20 de 2024", 0},
		{"Página 18 de 17", 0},
		{"Página 0 de 17", 0},
		{"Página 3 de 99999999999999999999", 0},
		{"Página 3 de 17 de mayo", 0},
		{"<p>Página 3 de 17<p>Página 1 de 4", 0},
		{"<script>'Página 3 de 17'</script>", 0},
		{"<!-- Página 3 de 17 -->", 0},
		{"<title>Página 3 de 17</title>", 0},
		{"<p>Página 3<p>de 17", 0},
		{"El expediente tiene 17 páginas", 0},
		{"Empágina 3 de 17", 0},
		{strings.Repeat("siguiente ", 40) + "Página 3 de 17", 0},
	}
	for _, tt := range tests {
		if got := readPage(t, answer("text/html; charset=utf-8", "<body>"+tt.body)).TotalPages; got != tt.want {
			t.Errorf("%.80s: %d pages, want %d", tt.body, got, tt.want)
		}
	}
}

func TestPageLastLink(t *testing.T) {
	link := func(rel, href string) string { return fmt.Sprintf(`<link rel="%s" href="%s">`, rel, href) }
	tests := []struct {
		name, head string
		want       int
	}{
		{"in the middle", link("prev", "?id=340&p=2") + link("next", "?id=340&p=4") + link("last", "?id=340&p=9"), 9},
		{"as links of the text", "<body><a rel=next href='?p=4'>4</a><a rel=last href='?p=9'>9</a>", 9},
		{"on the last", link("prev", "?p=8") + link("last", "?p=9"), 9},
		{"on the last, with the older relation", link("previous", "?p=8") + link("last", "?p=9"), 9},
		{"from page 0", link("first", "?page=0") + link("next", "?page=3") + link("last", "?page=8"), 9},
		{"stated otherwise", link("next", "?p=4") + link("last", "?p=9") + "<body>Página 3 de 17", 17},
		{"alone", link("last", "?p=9"), 0},
		{"of another parameter", link("next", "?q=4") + link("last", "?p=9"), 0},
		{"of two parameters", link("next", "?p=4&n=10") + link("last", "?p=9&n=20"), 0},
		{"before the next", link("next", "?p=10") + link("last", "?p=9"), 0},
		{"no number", link("next", "?p=b") + link("last", "?p=z"), 0},
		{"in the path", link("next", "/p/4") + link("last", "/p/9"), 0},
	}
	for _, tt := range tests {
		if got := readPage(t, answer("text/html", tt.head)).TotalPages; got != tt.want {
			t.Errorf("%s: %d pages, want %d", tt.name, got, tt.want)
		}
	}
}

func TestPageRefresh(t *testing.T) {
	const here = "https://www.ejemplo.gob.es/"
	tests := []struct{ content, want string }{
		{"0;url=/x", here + "x"},
		{"0; URL = '/x' y más", here + "x"},
		{`5,url="/x?a=1;b=2"`, here + "x?a=1;b=2"},
		{"5 /x", here + "x"},
		{" 0.5; x", here + "a/x"},
		{".5; x", here + "a/x"},
		{"0;/x", here + "x"},
		{"0;url=//otro.example", "https://otro.example"},
		{"0;url=http://otro.example/#a", "http://otro.example/#a"},
		{"30", ""},
		{"", ""},
		{";url=/x", ""},
		{"url=/x", ""},
		{"0;url=javascript:x()", ""},
		{"0;url=data:text/html,x", ""},
		{"0;url=https:///x", ""},
		{"99999999999999999999;url=/x", ""},
		{"0;url=b?c=d", ""},
		{"0;url=/" + strings.Repeat("x", 3000), ""},
	}
	for _, tt := range tests {
		r := answer("text/html", fmt.Sprintf("<meta http-equiv=Refresh content='%s'>",
			strings.ReplaceAll(tt.content, "'", "&#39;")))
		page := readPage(t, r)
		if page.Refresh != tt.want || page.MetaRefresh != "" {
			t.Errorf("%.50s: %q, %q, want %q", tt.content, page.Refresh, page.MetaRefresh, tt.want)
		}
	}
	r := answer("text/plain", "x")
	r.Header.Set("Refresh", "3; url=/y")
	if got := readPage(t, r); got.MetaRefresh != here+"y" ||
		!strings.Contains(strings.Join(got.Caveats, ""), "after 3 s") {
		t.Errorf("Refresh header: %+v", got)
	}
}

func TestPageHeaderLinks(t *testing.T) {
	const here = "https://www.ejemplo.gob.es/a/"
	tests := []struct{ value, canonical, next string }{
		{`<x>; rel=canonical`, here + "x", ""},
		{`<x>;rel="canonical";title="a, b; c=\"d\" <y>", <z>; rel = next`, here + "x", here + "z"},
		{`<x>; REL=CANONICAL; rel=next`, here + "x", ""},
		{`<x>; rel="next canonical"`, here + "x", here + "x"},
		{`,, <x>; rel=canonical ,, `, here + "x", ""},
		{`<x>;; rel=canonical;`, here + "x", ""},
		{`<x,y;z>; rel=canonical`, here + "x,y;z", ""},
		{`<>; rel=canonical`, "https://www.ejemplo.gob.es/a/b?c=d", ""},
		{`<x>; rel=canonical; title*=UTF-8''%e2%82%ac`, here + "x", ""},
		{`<x>; rel=canonical; anchor="/otra"`, "", ""},
		{`<x>; rel=canonical, <z; rel=next`, here + "x", ""},
		{`x; rel=canonical, <z>; rel=next`, "", ""},
		{`<x> rel=canonical`, "", ""},
		{`<x>; rel`, "", ""},
		{`<x>; rel="canonical`, here + "x", ""},
		{`<x>; rel="can\onical"`, here + "x", ""},
		{`<mailto:a@b.es>; rel=canonical`, "", ""},
		{`<https://u:p@h.es/#f>; rel=canonical`, "https://h.es/", ""},
		{`<x>; rev=canonical`, "", ""},
	}
	for _, tt := range tests {
		r := answer("text/plain", "x")
		r.Header.Set("Link", tt.value)
		if got := readPage(t, r); got.RelCanonical != tt.canonical || got.RelNext != tt.next {
			t.Errorf("%s: canonical %q, next %q; want %q, %q", tt.value, got.RelCanonical, got.RelNext, tt.canonical,
				tt.next)
		}
	}
}

func TestPageTruncated(t *testing.T) {
	r := answer("text/html", "<title>Largo</title>"+strings.Repeat("x", 1<<20-20))
	r.Truncated = true
	page := readPage(t, r)
	if want := "Only the first 1 MB of the content were read: it is longer."; page.Title != "Largo" ||
		len(page.Caveats) != 1 || page.Caveats[0] != want {
		t.Errorf("%q, %q", page.Title, page.Caveats)
	}
	r = answer("application/json", `{"a": [`)
	r.Truncated = true
	if page := readPage(t, r); len(page.Caveats) != 2 {
		t.Errorf("JSON: %q", page.Caveats)
	}
}

// TestPageLong reads pages with much text: no sign makes them a wall or an error.
func TestPageLong(t *testing.T) {
	text := "<title>Identificación</title>" +
		strings.Repeat("<p>Los requisitos, los plazos y la documentación que hay que presentar.", 60)
	for _, sign := range []string{`<div class="paywall">`, `<input type="password">`, "<p>Your support ID is: 1"} {
		if page := readPage(t, answer("text/html; charset=utf-8", sign+text)); page.Blocked != "" ||
			page.Caveats != nil {
			t.Errorf("%s: %q, %q", sign, page.Blocked, page.Caveats)
		}
		short := answer("text/html; charset=utf-8", sign+"<title>Identificación</title>")
		if page := readPage(t, short); page.Blocked == "" {
			t.Errorf("%s alone is no wall", sign)
		}
	}
}

func TestPageHash(t *testing.T) {
	r := answer("text/html", "hola")
	if got, want := readPage(t, r).SHA256, fmt.Sprintf("%x", sha256.Sum256([]byte("hola"))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, contentType := range []string{"application/pdf", "application/json", "text/xml"} {
		r := answer(contentType, "")
		if r.Method = "HEAD"; readPage(t, r).Caveats != nil {
			t.Errorf("HEAD of %s: %q", contentType, readPage(t, r).Caveats)
		}
	}
	r.Method, r.Body = "HEAD", nil
	if got := readPage(t, r); got.SHA256 != "" || got.ContentType != "text/html" || got.Caveats != nil || got.Empty {
		t.Errorf("HEAD: %+v", got)
	}
}

// TestPageHostile reads pages made to be expensive: work that grows with the square of their length would take
// minutes. The texts that are kept must stay short.
func TestPageHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	const long = 128 << 10
	repeat := func(s string) string { return strings.Repeat(s, long/len(s)) }
	bodies := map[string]string{
		"deep":             repeat("<div>"),
		"deep and inline":  repeat("<b>"),
		"tags":             repeat("<p/>"),
		"one tag":          "<p " + repeat("a=b ") + ">",
		"attributes":       "<p " + repeat("class=x ") + ">",
		"one attribute":    `<p class="` + repeat("paywal ") + `">`,
		"open attribute":   `<a href="` + repeat("x"),
		"open tags":        repeat("<a "),
		"open comments":    repeat("<!--"),
		"open titles":      repeat("<title>"),
		"titles":           repeat("<title>x</title>"),
		"svg":              repeat("<svg>") + "<title>x",
		"headings":         repeat("<h1>x"),
		"links":            repeat(`<link rel=alternate hreflang=es href=x>`),
		"languages":        repeat(`<link rel=alternate hreflang=a-b-c-d-e-f href=x>`),
		"long link":        `<link rel=canonical href="` + repeat("x") + `">`,
		"many relations":   `<link href=x rel="` + repeat("x ") + `">`,
		"entities":         repeat("&amp;"),
		"open entities":    repeat("&amp"),
		"numbers":          repeat("1 "),
		"pagers":           repeat("<p>Página 3 de 17"),
		"pager words":      repeat("siguiente 1-2 de 3 "),
		"null":             repeat("\x00"),
		"less":             repeat("<"),
		"refresh":          `<meta http-equiv=refresh content="` + repeat("0") + `">`,
		"charset":          repeat("<meta charset=x>"),
		"charset in text":  `<meta http-equiv=content-type content="` + repeat("charset=") + `">`,
		"scripts":          repeat("<script>"),
		"script ends":      "<script>" + repeat("</scrip"),
		"linked data":      "<script type=application/ld+json>" + repeat(`"isAccessibleForFree" `),
		"plaintext":        "<plaintext>" + repeat("<p>"),
		"textarea":         repeat("<textarea></textarea>"),
		"xml declaration":  "<?xml " + repeat(" "),
		"one long title":   "<title>" + repeat("ñ") + "</title>",
		"forms":            repeat("<input type=password><input value=1>"),
		"deep JSON":        repeat("["),
		"deep XML":         repeat("<a>"),
		"XML attributes":   "<a " + repeat("b='c' ") + "/>",
		"entity in XML":    "<!DOCTYPE a [<!ENTITY b '" + repeat("c") + "'>]><a>&b;</a>",
		"one PDF string":   "%PDF-1.4 " + repeat("1 0 obj ("),
		"PDF arrays":       "%PDF-1.4 1 0 obj " + repeat("["),
		"PDF objects":      "%PDF-1.4 " + repeat("1 0 obj <</Count 1>> "),
		"PDF streams":      "%PDF-1.4 " + repeat("1 0 obj <</Count 1>> stream "),
		"PDF trailers":     "%PDF-1.4 " + repeat("trailer <<"),
		"PDF hex":          "%PDF-1.4 " + repeat("1 0 obj <6"),
		"PDF comments":     "%PDF-1.4 " + repeat("1 0 obj %"),
		"PDF objs":         "%PDF-1.4 " + repeat("obj "),
		"PDF loops":        "%PDF-1.4 1 0 obj 1 0 R " + repeat("1 0 obj <</Pages 1 0 R /Root 1 0 R>>"),
		"PDF object names": "%PDF-1.4 " + repeat("1 0 obj <</Type /#41>> "),
	}
	var versions, lists strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&versions, "<link rel=alternate hreflang=es-%d href=%s>", i, strings.Repeat("x", 500))
		fmt.Fprintf(&lists, "<a rel=first href=%d>", i)
	}
	bodies["versions"], bodies["lists"] = versions.String(), lists.String()
	for name, body := range bodies {
		for _, contentType := range []string{"text/html", "application/pdf", "application/json", "text/xml"} {
			r := answer(contentType, body)
			r.Header["Link"] = []string{body}
			page := readPage(t, r)
			text, err := json.Marshal(page)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) > 64<<10 {
				t.Errorf("%s as %s: %d bytes were kept", name, contentType, len(text))
			}
		}
	}
}
