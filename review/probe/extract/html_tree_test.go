package extract

import (
	"strings"
	"testing"
)

// TestFallbacks reads the text for readers without scripts or frames, where a page shows less than that (spec section
// 15: the main content).
func TestFallbacks(t *testing.T) {
	const text = "<h1>Acampada</h1><p>El permiso se pide en la Casa del Parque con quince días.</p>"
	want := "# Acampada\n\nEl permiso se pide en la Casa del Parque con quince días."
	for name, body := range map[string]string{
		"scripts": "<body><noscript><iframe src=/x></iframe></noscript><div id=root></div><noscript>" + text + "</noscript>",
		"frames":  "<frameset><frame src=/x><noframes><body>" + text + "</body></noframes></frameset>",
		"a page":  "<body>" + text + "<noscript>Active JavaScript</noscript>",
	} {
		if doc := readPage("<title>Permiso de acampada</title>" + body); doc.Text != want {
			t.Errorf("%s: %q", name, doc.Text)
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
		deep("<h2>Inspección</h2><p>Un veterinario visita el obrador.</p>") + "<p>No caduca.</p>")
	want := "# Obradores\n\n## Inspección\n\nUn veterinario visita el obrador.\n\nNo caduca."
	if doc.Text != want || doc.Language != "es" {
		t.Errorf("%q in %q", doc.Text, doc.Language)
	}
}

// TestInvisibleRunes leaves out what editors leave behind (spec section 15: as a person would read it).
func TestInvisibleRunes(t *testing.T) {
	doc := readPage("<title>\u200bTasa</title><table><tr><th>\u200bTipo<th>Cuota<tr><td>Na\u00adve<td>\ufeff9 €</table>")
	if want := "| Tipo | Cuota |\n|---|---|\n| Nave | 9 € |"; doc.Text != want || doc.Title != "Tasa" {
		t.Errorf("%q, title %q", doc.Text, doc.Title)
	}
}
