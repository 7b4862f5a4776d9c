package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostilePages are pages that cost a careless reader much. Each has some words that must be found all the same, if
// there are any.
func hostilePages() []struct{ name, body, want string } {
	repeat := strings.Repeat
	return []struct{ name, body, want string }{
		{"a million nested elements", repeat("<div>", 1_000_000) + "Hola a todos", "Hola a todos"},
		{"nested in turn", repeat("<b><i><p>", 100_000) + "Hola a todos", "Hola a todos"},
		{"600 levels with an end", repeat("<div>", 600) + "Hola a todos" + repeat("</div>", 600), "Hola a todos"},
		{"ends without beginnings", repeat("</p></b></table>", 100_000) + "Hola a todos", "Hola a todos"},
		{"elements that are opened again in each block", repeat("<b id=x>", 10) + func() string {
			var b strings.Builder
			for i := range 400 {
				fmt.Fprintf(&b, "<font size=%d>", i)
			}
			return b.String()
		}() + repeat("<p>x", 200_000) + "Hola a todos", "x"},
		{"100,000 links", "<main><p>Hola a todos</p>" + repeat("<a href=/p>enlace</a> ", 100_000) + "</main>",
			"enlace"},
		{"100,000 different links", "<p>Hola a todos</p>" + func() string {
			var b strings.Builder
			for i := range 100_000 {
				fmt.Fprintf(&b, "<a href=/p/%d>%d</a>", i, i)
			}
			return b.String()
		}(), "Hola a todos"},
		{"long links", "<p>Hola a todos</p>" + func() string {
			var b strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&b, "<a href='/%d/%s'>\"%s\"</a>", i, repeat("\\\"", 900), repeat(`\"`, 400))
			}
			return b.String()
		}(), "Hola a todos"},
		{"a gigantic attribute", `<p class="` + repeat("a ", 1<<20) + `" title="` + repeat("b", 1<<20) +
			`">Hola a todos</p>`, "Hola a todos"},
		{"many attributes", "<p " + func() string {
			var b strings.Builder
			for i := range 300_000 {
				fmt.Fprintf(&b, "a%d ", i)
			}
			return b.String()
		}() + ">Hola a todos</p>", "Hola a todos"},
		{"a long word", "<p>Hola a todos " + repeat("x", 2<<20), "Hola a todos"},
		{"invalid UTF-8", "<p>Hola a todos \xff\xfe\x80\xc0\xaf" + repeat("\xed\xa0\x80", 100_000), "Hola a todos"},
		{"NULs and controls",
			"<p>Hola\x00 a\x1b[2J todos\u009b &#27; &#0; &#x9b;\x7f" + repeat("\x00", 1_000_000), "todos"},
		{"nested lists", repeat("<ul><li>a ", 200) + repeat("<li>Hola a todos", 10_000), "Hola a todos"},
		{"nested quotes", repeat("<blockquote>", 250) + repeat("<p>Hola a todos</p>", 10_000), "Hola a todos"},
		{"nested tables", repeat("<table><tr><td>", 160) + "Hola a todos", "Hola a todos"},
		{"a wide table", "<table><tr>" + repeat("<td colspan=1000 rowspan=60000>x", 3000) + "<tr><td>Hola a todos<td>b",
			"Hola a todos"},
		{"many line breaks", "Hola a todos" + repeat("<br>", 100_000) + "x", "Hola a todos"},
		{"many short paragraphs", "<p>Hola a todos</p>" + repeat("<p>,,,,<br><br>a</p>", 20_000), "Hola a todos"},
		{"named like boilerplate",
			repeat("<div class='menu cookie sidebar' hidden>", 400) + repeat("x<p>", 20_000), ""},
		{"a long heading", "<h1>" + repeat("Hola a todos ", 100_000) + "</h1>", "Hola a todos"},
		{"many headings", repeat("<h2>Hola a todos</h2>", 40_000), "Hola a todos"},
		{"Markdown", "<p>Hola a todos " + repeat("*_`#[](<", 100_000), "Hola a todos"},
		{"emphasis without end", repeat("<em>a<strong>b", 20_000), "a"},
		{"linked data without end", `<script type="application/ld+json">` + repeat(`[{"a":`, 40_000) +
			"</script><p>Hola a todos", "Hola a todos"},
		{"wide linked data", `<script type="application/ld+json">[` + repeat(`{"@graph":[{},{}]},`, 13_000) +
			"{}]</script><p>Hola a todos", "Hola a todos"},
		{"frames in drawings", repeat("<svg><foreignObject><math><mtext>", 120) + "Hola a todos", ""},
		{"a form in a template in a select", repeat("<select><template><form><option>", 100) + "Hola a todos", ""},
	}
}

// TestHostilePages reads pages of up to some MB in one real child, whose memory has its limit. It survives them all.
func TestHostilePages(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees no other process")
	}
	c := NewClient(command("serve"), 0)
	c.pages = newReaders(1, command("serve"), 10*time.Minute) // the race detector takes ten times as long
	defer c.Close()
	if _, err := c.HTML(t.Context(), nil, "", ""); err != nil {
		t.Fatal(err)
	}
	child := c.pages.idle[0].child
	for _, tt := range hostilePages() {
		got, err := c.HTML(t.Context(), []byte(tt.body), "text/html; charset=utf-8", pageURL)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		checkDocument(t, got)
		if !strings.Contains(got.Text, tt.want) {
			t.Errorf("%s: %q is missing in %.200q", tt.name, tt.want, got.Text)
		}
	}
	if c.pages.idle[0].child != child {
		t.Error("the child did not survive them")
	}
}

// FuzzReadPage reads any bytes as a page.
func FuzzReadPage(f *testing.F) {
	for _, p := range hostilePages() {
		if len(p.body) < 256 {
			f.Add([]byte(p.body), "text/html")
		}
	}
	f.Add([]byte("<main><h1>a</h1><details><summary>b</summary><dl><dt>c<dd>d</dl></details></main>"), "text/html")
	f.Add([]byte("<ul role=tablist><li><a role=tab href=#p>a</a></ul><div id=p hidden><img alt=x></div>"), "")
	f.Add([]byte("<table><tr><th>a<th>b<tr><td><ul><li>c<li>d</ul><td>|<br>e</table><a href=?x><img alt=y></a>"), "")
	f.Add([]byte("<div class=cookies>cookies <button>Aceptar</button></div><p>\xf1<p>\x00</p><base href=//x>"),
		"text/html; charset=latin1")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		d := newPageReader().read(body, contentType, pageURL)
		checkDocument(t, d)
	})
}
