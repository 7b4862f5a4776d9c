package extract

import (
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
		deep("<h2>Inspección</h2><p>Un veterinario visita el obrador.</p>") + "<p>No caduca.</p>")
	want := "# Obradores\n\n## Inspección\n\nUn veterinario visita el obrador.\n\nNo caduca."
	if doc.Text != want || doc.Language != "es" {
		t.Errorf("%q in %q", doc.Text, doc.Language)
	}
}

// TestInvisibleRunes leaves out the marks that editors leave behind (spec section 15: as a person would read it).
func TestInvisibleRunes(t *testing.T) {
	doc := readPage("<title>\u200bTasa</title><table><tr><th>Tipo<th>Cuota<tr><td>Na\u00adve<td>\ufeff9 €</table>")
	if want := "| Tipo | Cuota |\n|---|---|\n| Nave | 9 € |"; doc.Text != want || doc.Title != "Tasa" {
		t.Errorf("%q, title %q", doc.Text, doc.Title)
	}
}
