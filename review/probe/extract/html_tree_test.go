package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestFallbacks reads the text for readers without scripts or frames, where a page shows less than that (spec section
// 15: the main content).
func TestFallbacks(t *testing.T) {
	const (
		lead = "El permiso se pide en la Casa del Parque con quince días de antelación y vale para una noche."
		rest = "Se acampa desde la puesta del sol hasta las nueve de la mañana, sin fuego ni hornillos, y nada " +
			"queda allí. Quien no lo cumple pierde el permiso."
		text = "<h1>Acampada</h1><p>" + lead + "</p><p>" + rest + "</p>"
		want = "# Acampada\n\n" + lead + "\n\n" + rest
	)
	for _, test := range []struct{ name, body, want string }{
		{"scripts", "<noscript><iframe></iframe></noscript><div></div><noscript>" + text + "</noscript>", want},
		{"frames", "<frameset><frame src=/x><noframes><body>" + text + "</body></noframes></frameset>", want},
		{"a page", text + "<noscript>Active JavaScript</noscript>", want},
		{"an empty page", "<div id=root></div><noscript>Active JavaScript</noscript>", ""},
	} {
		if doc := readPage("<title>Permiso de acampada</title>" + test.body); doc.Text != test.want {
			t.Errorf("%s: %q", test.name, doc.Text)
		}
	}
}

// TestSimpleTree reads a page that is nested too deep for a parser. Its blocks stay blocks (spec section 15: headings,
// lists, tables, code and links kept).
func TestSimpleTree(t *testing.T) {
	deep := func(s string) string {
		return strings.Repeat("<div><span>", 400) + s + strings.Repeat("</span></div>", 400)
	}
	doc := readPage(`<html lang="es"><title>Obradores</title><body><h1>Obradores</h1>` +
		deep("<h2>Inspección</h2><p>Un veterinario visita el obrador.</p>") +
		"<div>No caduca.</div><div>Es gratis.</div>")
	want := "# Obradores\n\n## Inspección\n\nUn veterinario visita el obrador.\n\nNo caduca.\n\nEs gratis."
	if doc.Text != want || doc.Language != "es" {
		t.Errorf("%q in %q", doc.Text, doc.Language)
	}
}

// TestTreesAreSmall parses pages that make much more of a tree than of text: by elements that are opened again in each
// block, by ends that stand for elements, by depth. Text between tags that are left out is one node.
func TestTreesAreSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("a single goroutine has no race")
	}
	repeat := strings.Repeat
	fonts := ""
	for i := range 400 {
		fonts += fmt.Sprintf("<font size=%d>", i)
	}
	for name, body := range map[string]string{
		"opened again":           fonts + repeat("<p>x y z", 20_000),
		"opened again in a part": "<p>" + fonts + repeat("<p>x y z", 20_000),
		"ends of paragraphs":     "<p>" + fonts + repeat("</p>x y z", 100_000),
		"ends of breaks":         fonts + repeat("</br>x y z", 100_000),
		"many deep ones":         repeat(repeat("<div>", 490)+"x"+repeat("</div>", 490), 100),
		"many rather deep ones":  repeat(repeat("<div>", 100)+"x"+repeat("</div>", 100), 490),
		"too deep":               repeat("<a><div>", 16_000) + repeat("</a>x", 100_000),
	} {
		tree, _ := parsePage([]byte(body))
		nodes := 0
		for range tree.Descendants() {
			nodes++
		}
		if sum := depths(tree, 0); sum > 3*maxDepths || nodes > 2*maxElements+10 {
			t.Errorf("%s: %d nodes, depths %d", name, nodes, sum)
		}
		if len(textOf(tree, 1<<20)) < strings.Count(body, "x") {
			t.Errorf("%s: text is missing", name)
		}
	}
	plain := "<body>" + repeat("<p>x</p>", 24_000)
	if _, simple := parsePage([]byte(plain)); simple {
		t.Error("a long page is not read as browsers do")
	}
}

// TestInvisibleRunes leaves out the marks that editors leave behind (spec section 15: as a person would read it).
func TestInvisibleRunes(t *testing.T) {
	doc := readPage("<title>\u200bTasa</title><table><tr><th>Tipo<th>Cuota<tr><td>Na\u00adve<td>\ufeff9 €</table>")
	if want := "| Tipo | Cuota |\n|---|---|\n| Nave | 9 € |"; doc.Text != want || doc.Title != "Tasa" {
		t.Errorf("%q, title %q", doc.Text, doc.Title)
	}
}
